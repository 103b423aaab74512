"""What the page is given: labels only where they are wanted, pictures under opaque names, every answer."""

import json
import re
import shutil

import pytest

import agenthorizon as ah
from agenthorizon.errors import UsageError
from agenthorizon.evidence.safe_text import safe_text
from agenthorizon.report.page.catalogue import Catalogue
from agenthorizon.report.page.site import Site
from agenthorizon.report.page.sites import SLICED_BY, Shown, bench_of, catalogue_of, site_of_runs
from agenthorizon.results.scorecards import named_runs


def value(made):
    """Read a data file back."""
    return json.loads(json.loads("[" + made.removeprefix("AH.receive(").removesuffix(");\n") + "]")[1])


def untold(done, total):
    """Take word of how far the reading of a data set has come."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs")
    return [ah.run("demo", judge, out=out) for judge in ("always_yes", "coin")]


@pytest.fixture(scope="module")
def site(runs):
    return site_of_runs(catalogue_of(ah.load("demo"), "thumbs"), runs, Shown())


def test_the_index_has_every_task_with_its_label_and_a_letter_for_each_judge(site):
    index, labels = value(site.index), ah.load("demo").labels
    rows = {row[1]: row for row in index["tasks"]}
    assert {name: bool(row[9]) for name, row in rows.items()} == {n: label.is_positive for n, label in labels.items()}
    assert {row[7][0] for row in rows.values()} == {"y"}
    assert {row[7][1] for row in rows.values()} == {"y", "n"}


def test_the_leaderboard_is_that_of_the_scorecards(site, runs):
    card = ah.score(runs[1], ah.load("demo").labels)
    [board] = value(site.index)["boards"]
    row = next(row for row in board["rows"] if row["judge"] == "coin")
    place = [split["name"] for split in board["splits"]].index("AH")
    assert row["scores"][place]["ba"] == [
        card.balanced_accuracy.value,
        card.balanced_accuracy.low,
        card.balanced_accuracy.high,
    ]


def test_comparisons_and_slices_are_there(site):
    index = value(site.index)
    assert [found["split"] for found in index["comparisons"]] == ["AH", "AH-S", "AH-D"]
    assert {found["by"] for found in index["slices"]} >= {"os", "steps"}


def test_a_task_has_its_steps_its_reasons_and_opaque_picture_names(site):
    bench = ah.load("demo")
    task = bench[bench.splits["AH"][0]]
    found = value(site.task(task.id))
    assert len(found["steps"]) == len(task.trajectory.steps)
    assert found["answers"][0]["reasoning"] == "Accepted without looking."
    names = [step["image"] for step in found["steps"] if step["image"]]
    assert names
    assert all(re.fullmatch(r"[0-9a-f]{24}\.webp", name) for name in names)
    recorded = {part for step in task.trajectory.steps if step.screenshot for part in step.screenshot.split("/")}
    assert not [part for part in recorded if len(part) > 6 and part in json.dumps(found)]


def test_blind_holds_no_label_and_nothing_made_from_one(runs):
    site = site_of_runs(catalogue_of(ah.load("demo"), "none"), runs, Shown(is_blind=True))
    index = value(site.index)
    assert {len(row) for row in index["tasks"]} == {9}
    assert (index["boards"], index["slices"], index["comparisons"]) == ([], [], [])
    everything = site.index + "".join(site.task(task_id) for task_id in ah.load("demo").select())
    labels = ah.load("demo").labels
    secret = {label.original_id for label in labels.values()} | {label.pair_group_id for label in labels.values()}
    assert not [word for word in (*filter(None, secret), "positive", "negative") if word in everything]


def test_what_judges_said_can_be_searched_and_its_order_tells_nothing(site, runs):
    said = dict(value(site.reasons))
    assert list(said) == sorted(said)
    ids = site.catalogue.ids
    reasons = {o.task_id: o.verdict.reasoning for o in runs[1].outcomes}
    assert {ids[key]: text for key, text in said.items()} == {
        task_id: f"Accepted without looking.\n{reason}" for task_id, reason in reasons.items()
    }


def test_blind_tasks_do_not_come_in_the_order_of_the_label_file(runs):
    site = site_of_runs(catalogue_of(ah.load("demo"), "none"), runs, Shown(is_blind=True))
    keys = [row[0] for row in value(site.index)["tasks"]]
    assert keys == sorted(keys)


def test_a_data_set_alone_has_its_tasks():
    index = value(Site(Catalogue(ah.load("demo"), None)).index)
    assert (len(index["tasks"]), index["judges"]) == (41, [])


def test_an_invalid_reply_is_shown_as_it_came(hostile_data, hostile_run, hostile_text):
    site = site_of_runs(catalogue_of(ah.load(hostile_data), "link"), named_runs([hostile_run]), Shown())
    [told] = value(site.task("own"))["answers"]
    assert (told["letter"], told["reasoning"]) == ("m", safe_text(hostile_text))


def test_runs_of_two_data_sets_are_refused(runs, hostile_run):
    with pytest.raises(UsageError, match="one data set"):
        bench_of([*runs, *named_runs([hostile_run])], None, untold)


def test_a_data_set_that_is_not_the_judged_one_is_refused(hostile_run):
    with pytest.raises(UsageError, match="is not what"):
        bench_of(named_runs([hostile_run]), "demo", untold)


def test_slices_are_made_of_the_run_that_was_read_and_of_fields_that_must_be_there_only_if_named(tmp_path):
    data = tmp_path / "data"
    shutil.copytree(ah.load("demo").root, data)
    for path in data.rglob("jsons/*.json"):
        path.write_text(path.read_text().replace('"category":', '"named otherwise":'))
    (run,) = named_runs([ah.run(str(data), "coin", split="AH", out=tmp_path / "runs").folder])
    catalogue = catalogue_of(ah.load(str(data)), "none")
    (run.folder / "outcomes.jsonl").unlink()
    site_of_runs(catalogue, [run], Shown())
    with pytest.raises(UsageError, match="domain"):
        site_of_runs(catalogue, [run], Shown(by=SLICED_BY))
