"""The public names: all of them work, and the list is sorted."""

import subprocess
import sys

import agenthorizon as ah


def test_every_public_name_is_there_and_the_list_is_sorted():
    assert sorted(ah.__all__) == ah.__all__
    assert all(getattr(ah, name) is not None for name in ah.__all__)


def test_an_unknown_name_is_an_attribute_error():
    import pytest

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ah.nothing  # noqa: B018


def test_run_stays_a_function_after_everything_was_imported():
    code = "import agenthorizon as ah, agenthorizon.cli.app, agenthorizon.running.runner; print(callable(ah.run))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_what_a_session_prints_of_a_bench_a_run_and_its_scores_is_one_short_line(tmp_path):
    bench = ah.load("demo")
    runs = [ah.run(bench, judge, split=["AH", "AH-D"], out=tmp_path) for judge in ("always_yes", "always_no")]
    cards = [ah.score(run, bench.labels) for run in runs]
    assert repr(bench) == "<Bench demo (three-split): AH 15, AH-S 12, AH-D 14>"
    assert repr(bench.labels) == "<Labels: AH 15, AH-S 12, AH-D 14>"
    assert repr(runs[0]) == f"<Run {runs[0].folder}: 29 tasks asked, 29 verdicts>"
    assert repr(cards[0]) == "<Scorecard always_yes, balanced accuracy: AH 50.0, AH-D 50.0>"
    assert repr(ah.compare(cards, "AH")) == (
        "<Comparisons on AH, 15 tasks in common, ranks: always_no 1 to 2, always_yes 1 to 2>"
    )


def test_a_fingerprint_is_taken_once_and_says_how_far_it_has_come():
    bench = ah.load("demo")
    told = []
    first = bench.take_fingerprint(lambda done, total: told.append((done, total)))
    assert told == [(done, 41) for done in range(1, 42)]
    assert bench.take_fingerprint(lambda *_: told.clear()) == first == ah.load("demo").fingerprint
    assert len(told) == 41
