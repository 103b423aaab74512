"""The command line as a user meets it: real processes, their output, their exit codes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "agenthorizon"]


def run(*words, cwd=None, **environment):
    env = {**os.environ, "OPENAI_API_KEY": "", **environment}
    return subprocess.run([*COMMAND, *map(str, words)], cwd=cwd, env=env, capture_output=True, text=True, check=False)


def helps(words):
    """The help of a command on a terminal of 80 columns."""
    return run(*words, "--help", COLUMNS="80").stdout


def commands():
    """Every command and sub-command, found by asking --help."""
    found, queue = [], [()]
    while queue:
        words = queue.pop()
        text = run(*words, "--help").stdout
        found.append(pytest.param(words, id=" ".join(words) or "agenthorizon"))
        listed = text.partition("Commands:\n")[2]
        queue += [(*words, name) for name in re.findall(r"^  ([a-z][\w-]*)", listed, re.M)]
    return found


@pytest.mark.parametrize("words", commands())
def test_help_names_what_is_taken_in_the_users_words_and_cuts_no_summary(words):
    text = helps(words)
    usage, _, rest = text.partition("\n")
    assert not re.search(r"[{}]|\.\.\.\.", usage)
    assert not re.search(r"<[^>]*\b(str|int|float|path|list|Path|range)\b[^>]*>", rest)
    assert not [line for line in rest.partition("Commands:")[2].splitlines() if line.endswith("...")]


@pytest.mark.parametrize("words", commands())
def test_every_help_shows_an_example(words):
    shown = run(*words, "--help")
    assert shown.returncode == 0
    assert re.search(r"Examples?:\n +agenthorizon", shown.stdout), shown.stdout


def test_a_run_prints_its_folder_and_can_be_scored(tmp_path):
    ran = run("run", "demo", "-j", "always_yes", "--split", "AH", cwd=tmp_path)
    assert ran.returncode == 0
    (folder,) = ran.stdout.split()
    scored = json.loads(run("score", folder, "--json", cwd=tmp_path).stdout)
    (card,) = scored["runs"]
    assert list(card["splits"]) == ["AH"]
    assert card["splits"]["AH"]["balanced_accuracy"]["value"] == 0.5


def test_a_run_asked_for_a_part_is_scored_against_the_whole_split(tmp_path):
    folder = run("run", "demo", "-j", "always_yes", "--split", "AH", "--limit", "3", cwd=tmp_path).stdout.strip()
    split = json.loads(run("score", folder, "--json", cwd=tmp_path).stdout)["runs"][0]["splits"]["AH"]
    assert split["tasks"] == 15
    assert split["verdicts"] + split["missing"] == 15
    assert split["missing"] >= 10
    assert re.search(r"partial: \d of 15", run("score", folder, cwd=tmp_path).stdout)


def test_a_judge_that_always_answers_null_scores_zero_and_not_fifty(tmp_path):
    (tmp_path / "nothing.py").write_text(
        'class Nothing:\n    def judge(self, case):\n        return \'{"success": null, "reasoning": "?"}\'\n'
    )
    ran = run("run", "demo", "-j", "nothing:Nothing", "--split", "AH", cwd=tmp_path)
    assert ran.returncode == 0
    split = json.loads(run("score", ran.stdout.strip(), "--json", cwd=tmp_path).stdout)["runs"][0]["splits"]["AH"]
    assert split["balanced_accuracy"]["value"] == 0.0
    assert split["malformed"] == 15


def test_failed_tasks_give_exit_code_1(tmp_path):
    (tmp_path / "broken.py").write_text("class Broken:\n    def judge(self, case):\n        raise KeyError('x')\n")
    assert run("run", "demo", "-j", "broken:Broken", "--limit", "2", cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "nowhere", "-j", "coin"), "does not exist"),
        (
            ("run", "demo", "-j", "nobody"),
            "known kinds: agentic, always_no, always_yes, coin, describe, direct, filter, ocr, stream, vote",
        ),
        (("run", "demo", "-j", "coin", "--split", "XX"), "AH, AH-S, AH-D"),
        (("run", "demo", "-j", "coin", "--workers", "0"), "workers must be at least 1"),
        (("run", "demo", "-j", "direct"), "model"),
        (("run", "demo", "-j", "no.such.module:Judge"), "cannot import"),
        (("run", "demo", "-j", "coin", "-o", "/dev/null"), "/dev/null"),
        (("run", "demo", "-j", "coin", "-o", "/proc/nowhere"), "/proc/nowhere"),
        (("export", "/dev/null", "-f", "csv"), "not a run folder"),
        (("run", "demo", "-j", "coin", "--base-url", "http://127.0.0.1:1/v1"), "--base-url is of no use"),
        (("run", "demo", "-j", "coin", "--max-cost", "nan"), "max_cost must be a positive number, not nan"),
        (("run", "demo", "-j", "coin", "--timeout", "nan"), "timeout must be a positive number, not nan"),
        (("run", "demo", "-j", "coin", "--rpm", "nan"), "rpm must be a positive number, not nan"),
        (("run", "demo", "-j", "coin", "--tpm", "inf"), "tpm must be a positive number, not inf"),
        (("run", "demo", "-j", "coin", "--retry", "nope"), "known: bad_request"),
        (("run", "demo", "-j", "coin", "--without", "instruction,screenshots,actions"), "nothing is left to judge"),
        (("run", "demo", "-j", "coin", "--split", ""), "--split takes names of splits"),
        (("tasks", "demo", "--split", ""), "--split takes names of splits"),
        (("run", "demo", "-j", "coin", "--shard", "١/٢"), "i/n"),
        (("run", "demo", "-j", "coin", "--ids", "/dev/zero"), "is a device, not a regular file"),
        (("run", "demo", "-j", "/dev/zero.toml"), "cannot read judge file"),
        (("score",), "one of the three"),
        (("score", "nowhere"), "not a run folder"),
        (("score", "--results", "nowhere"), "--labels"),
        (("tasks", "demo", "--show", "nobody"), "no task"),
        (("judges", "show", "nobody"), "known kinds:"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_says_what_would_be_right(words, said, tmp_path):
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_refused_key_is_exit_code_3(tmp_path, model_server):
    model_server.script[:] = [{"status": 401, "body": {"error": {"message": "invalid api key"}}}] * 9
    key = {"OPENAI_API_KEY": "dummy-key-for-loopback"}
    words = ("run", "demo", "-j", "direct:m", "--base-url", model_server.url, "--workers", "1")
    done = run(*words, cwd=tmp_path, **key)
    assert done.returncode == 3
    assert "key" in done.stderr
    assert "dummy-key-for-loopback" not in done.stderr + done.stdout
    assert len(model_server.received) == 1


def test_without_a_key_or_a_server_direct_says_what_it_needs(tmp_path):
    done = run("run", "demo", "-j", "direct:gpt-5.5", "--limit", "1", cwd=tmp_path)
    assert done.returncode == 3
    assert "OPENAI_API_KEY" in done.stderr
    assert "--base-url" in done.stderr


def test_missing_screenshots_are_refused_before_anything_is_asked(tmp_path, recorded, model_server):
    words = ("run", recorded / "trajectories" / "missing-mid", "-j", "direct:m", "--base-url", model_server.url)
    refused = run(*words, cwd=tmp_path)
    assert refused.returncode == 2
    assert "1 screenshots are missing" in refused.stderr
    assert "--allow-missing" in refused.stderr
    assert model_server.received == []
    allowed = run(*words, "--allow-missing", cwd=tmp_path)
    assert allowed.returncode == 0
    outcome = json.loads((Path(tmp_path, allowed.stdout.strip()) / "outcomes.jsonl").read_text())
    assert outcome["evidence"]["missing"] == [{"step": 3, "why": "missing_screenshot"}]
    assert b"the screenshot of this step is missing" in model_server.received[0].body


def test_what_was_judged_without_its_missing_screenshots_is_asked_again_the_same_way(tmp_path, recorded, model_server):
    words = ("run", recorded / "trajectories" / "missing-mid", "-j", "direct:m", "--base-url", model_server.url)
    folder = run(*words, "--allow-missing", cwd=tmp_path).stdout.strip()
    refused = run("rerun", folder, "--class", "verdict", cwd=tmp_path)
    assert refused.returncode == 2
    assert "--allow-missing" in refused.stderr
    pace = ("--rpm", "600", "--tpm", "1000000")
    done = run("rerun", folder, "--class", "verdict", "--allow-missing", *pace, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / folder / "outcomes.jsonl").read_text().splitlines()) == len(model_server.received) == 2


def test_judges_that_look_at_no_picture_need_none(tmp_path, recorded):
    done = run("run", recorded / "trajectories" / "missing-mid", "-j", "always_no", cwd=tmp_path)
    assert done.returncode == 0


def test_terminal_codes_in_data_never_reach_the_console(tmp_path, recorded):
    case = recorded / "trajectories" / "ansi-control"
    task_id = json.loads((case / "trajectories.jsonl").read_text())["trajectory_id"]
    for words in (("tasks", case), ("tasks", case, "--show", task_id)):
        done = run(*words, cwd=tmp_path)
        assert done.returncode == 0
        assert "\x1b" not in done.stdout + done.stderr


def test_an_export_can_be_written_and_read(tmp_path):
    folder = run("run", "demo", "-j", "coin", cwd=tmp_path).stdout.strip()
    assert run("export", folder, "--format", "csv", "-o", "out/table.csv", cwd=tmp_path).returncode == 0
    import csv

    with (tmp_path / "out" / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["split"] for row in rows] == ["AH", "AH-S", "AH-D"]
    assert run("export", folder, "--format", "md", cwd=tmp_path).stdout.startswith("### demo")


def test_interrupting_once_finishes_what_is_in_flight(tmp_path):
    import signal
    import time

    (tmp_path / "slow.py").write_text(
        "import asyncio\nclass Slow:\n    async def judge(self, case):\n        await asyncio.sleep(0.3)\n"
        '        return \'{"success": true, "reasoning": "x"}\'\n'
    )
    words = [*COMMAND, "run", "demo", "-j", "slow:Slow", "--workers", "2"]
    process = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob("runs/*/outcomes.jsonl")) or not _written(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "finishing what is in flight" in said
    assert 0 < _written(tmp_path) < 41


def _written(folder):
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("runs/*/outcomes.jsonl"))


def test_runs_are_compared_and_those_of_other_data_refused(tmp_path):
    folders = run("run", "demo", "-j", "always_yes", "-j", "always_no", cwd=tmp_path).stdout.split()
    compared = run("compare", *folders, "--split", "AH-S", "--json", cwd=tmp_path)
    assert compared.returncode == 0
    [pair] = json.loads(compared.stdout)["pairs"]
    assert (pair["first"], pair["second"], pair["tasks"]) == ("always_yes", "always_no", 12)
    assert pair["balanced_accuracy"]["value"] == 0
    config = tmp_path / folders[1] / "config.json"
    config.write_text(config.read_text().replace('"three-split"', '"two-split"'))
    refused = run("compare", *folders, cwd=tmp_path)
    assert refused.returncode == 2
    assert "runs of different data sets are not compared" in refused.stderr


def test_a_run_is_scored_by_fields_of_its_tasks(tmp_path):
    folder = run("run", "demo", "-j", "always_yes", "--split", "AH", cwd=tmp_path).stdout.strip()
    found = json.loads(run("score", folder, "--by", "os,steps", "--json", cwd=tmp_path).stdout)["runs"][0]
    by_os = {one["value"]: one["tasks"] for one in found["slices"] if one["by"] == "os"}
    assert sum(by_os.values()) == found["splits"]["AH"]["tasks"] == 15
    assert set(by_os) == {"linux", "web", "windows"}
    assert "#### AH by os" in run("score", folder, "--by", "os", cwd=tmp_path).stdout


def test_published_rows_print_alone_and_never_beside_the_shipped_recordings(tmp_path):
    alone = run("score", "--published", cwd=tmp_path)
    assert "| 1 | GPT-5.5 (Codex) | 80.9 [" in alone.stdout
    folder = run("run", "demo", "-j", "always_yes", "--split", "AH", cwd=tmp_path).stdout.strip()
    refused = run("score", folder, "--published", cwd=tmp_path)
    assert refused.returncode == 2
    assert "do not stand beside demo" in refused.stderr


def test_verdicts_of_splitters_divide_the_shipped_tasks(tmp_path):
    words = ["run", "demo", "-j", "coin", "-j", "always_yes", "-j", "always_no", "--repeats", "2"]
    folders = run(*words, cwd=tmp_path).stdout.split()
    done = run("data", "partition", *folders, "--development", "12", "--seed", "1", "-o", "splits", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "at most 4 of its 6 verdicts are right (3 splitters × 2" in done.stdout
    account = json.loads((tmp_path / "splits" / "partition.json").read_text())
    assert sum(account["splits"].values()) == 41
    scored = run("score", folders[0], "--labels", "splits/AgentHorizon-Development.jsonl", "--json", cwd=tmp_path)
    assert json.loads(scored.stdout)["runs"][0]["splits"]["AH-D"]["tasks"] == account["splits"]["AH-D"]


def test_what_errors_do_downstream_is_printed_and_a_judge_no_better_than_chance_corrects_nothing(tmp_path):
    folder = run("run", "demo", "-j", "coin", "--split", "AH", cwd=tmp_path).stdout.strip()
    shown = run("downstream", folder, "--base-rates", "0.5", cwd=tmp_path)
    assert shown.returncode == 0
    assert re.search(r"^\| 50 \| \d+\.\d \[", shown.stdout, re.M)
    refused = run("downstream", folder, "--graded", "63/100", cwd=tmp_path)
    assert refused.returncode == 2
    assert "not shown to be better than chance" in refused.stderr
    assert run("downstream", folder, "--graded", "most", cwd=tmp_path).returncode == 2


def test_all_repeats_of_a_run_are_scored_on_request_and_the_table_says_when_they_are_not(tmp_path):
    folder = run("run", "demo", "-j", "coin", "--split", "AH", "--repeats", "3", cwd=tmp_path).stdout.strip()
    found = json.loads(run("score", folder, "--repeats", "--confidence", "--json", cwd=tmp_path).stdout)["runs"][0]
    assert len(found["repeats"]["AH"]["balanced_accuracy"]) == 3
    assert found["confidence"]["AH"]["repeats"]["repeats"] == 3
    assert "repeats_not_scored" not in found["warnings"]
    both = run("score", folder, "--repeats", cwd=tmp_path)
    assert "repeats_not_scored" not in both.stderr
    one = run("score", folder, cwd=tmp_path)
    assert "repeat 0 of several" in one.stdout
    assert "repeats_not_scored" in one.stderr


def test_where_a_run_lacks_ah_the_split_compared_instead_is_said_with_the_reason(tmp_path):
    both = run("run", "demo", "-j", "always_yes", "--split", "AH,AH-D", cwd=tmp_path).stdout.strip()
    one = run("run", "demo", "-j", "always_no", "--split", "AH-D", cwd=tmp_path).stdout.strip()
    compared = run("compare", both, one, cwd=tmp_path)
    assert compared.stderr.strip() == "on AH-D, the one split that all were asked: AH was not asked of always_no"
    assert "compared on AH-D" in compared.stdout


@pytest.mark.parametrize(
    ("name", "said"), [("mine:Mine", "strictness = 0.5\n      How strict."), ("mine:Plain", "patience: int = 3")]
)
def test_a_judge_of_the_users_own_is_shown_with_what_can_be_set(tmp_path, name, said):
    (tmp_path / "mine.py").write_text(
        "from agenthorizon.judge import Judge, answer\n"
        "class Mine(Judge):\n"
        '    """Sees with my eyes."""\n'
        "    strictness: float = 0.5\n"
        '    """How strict."""\n'
        "    async def judge(self, case):\n"
        "        return answer(True, 'yes')\n"
        "class Plain:\n"
        '    """Sees with my eyes."""\n'
        "    def __init__(self, patience: int = 3): ...\n"
        "    async def judge(self, case): ...\n"
    )
    shown = run("judges", "show", name, cwd=tmp_path).stdout
    assert f"{name}: Sees with my eyes." in shown
    assert said in shown


def test_a_module_that_is_not_found_is_told_where_it_was_looked_for(tmp_path):
    refused = run("run", "demo", "-j", "mine:Mine", cwd=tmp_path)
    assert refused.returncode == 2
    assert f"in this folder ({tmp_path}), in PYTHONPATH" in refused.stderr
