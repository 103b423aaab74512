"""`status`, `rerun`, `reread`, `merge`, `run --dry-run`, `--shard` and `--max-cost`, as a shell sees them."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from agenthorizon.running.store import read_run
from agenthorizon.source import load

FILTERED = {"index": 0, "finish_reason": "content_filter", "message": {"role": "assistant", "content": ""}}


@pytest.fixture
def agenthorizon(tmp_path):
    """agenthorizon(*arguments): the finished process, run in a folder of its own."""

    def call(*arguments, check=0):
        command = [sys.executable, "-m", "agenthorizon", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == check, done.stderr
        return done

    return call


def test_shards_are_run_merged_looked_at_and_read_anew(agenthorizon):
    folders = [agenthorizon("run", "demo", "-j", "coin", "--shard", f"{part}/2").stdout.strip() for part in (1, 2)]
    merged = agenthorizon("merge", *folders, "-o", "merged").stdout
    assert "asked for 41 tasks: 41 settled, 0 open" in merged
    told = json.loads(agenthorizon("status", "merged", *folders, "--json").stdout)["runs"]
    assert [run["verdicts"] for run in told] == [41, told[1]["verdicts"], 41 - told[1]["verdicts"]]
    assert "41 replies read anew, 0 read otherwise" in agenthorizon("reread", "merged").stdout


@pytest.mark.parametrize(
    "command",
    [["run", "demo", "-j", "coin", "-j"], ["run", "demo", "--dry-run", "-j"], ["judges", "check"]],
    ids=["run", "dry run", "check"],
)
def test_a_prompt_that_does_not_exist_is_named_with_those_that_do_before_anything_is_asked(
    command, agenthorizon, tmp_path
):
    (tmp_path / "mine.py").write_text(
        'class Mine:\n    prompts = ("guide", "../prompts/gide")\n\n'
        "    def judge(self, case):\n        open('asked', 'w').close()\n        return '{}'\n"
    )
    told = agenthorizon(*command, "mine:Mine", check=2).stderr
    assert "Mine.prompts: there is no prompt named '../prompts/gide'; there are: agent, describe, guide" in told
    assert "Traceback" not in told
    assert not (tmp_path / "asked").exists()
    assert list(tmp_path.glob("runs/*")) == []


def test_chosen_tasks_are_asked_again(agenthorizon, tmp_path):
    folder = agenthorizon("run", "demo", "-j", "coin", "--split", "AH-D").stdout.strip()
    first = json.loads((tmp_path / folder / "outcomes.jsonl").read_text().splitlines()[0])["task_id"]
    (tmp_path / "ids").write_text(first)
    agenthorizon("rerun", folder, "--ids", "ids")
    (run,) = json.loads(agenthorizon("status", folder, "--json").stdout)["runs"]
    assert (run["attempts"], run["settled"]) == (15, 14)
    assert "--class" in agenthorizon("rerun", folder, check=2).stderr


def test_a_dry_run_says_what_it_would_cost_and_writes_nothing(agenthorizon, tmp_path):
    prices = "[prices]\ninput = 2.0\noutput = 8.0\n"
    (tmp_path / "mine.toml").write_text(f'kind = "direct"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n{prices}')
    told = agenthorizon("run", "demo", "-j", "mine.toml", "-j", "coin", "--split", "AH", "--dry-run").stdout
    priced, free, note = told.splitlines()
    assert "mine: 15 to ask, 123 screenshots" in priced
    figures = re.search(r"([\d.]+) MB, ([\d,]+) tokens in, ([\d,]+) out, \$([\d.]+)", priced).groups()
    megabytes, read, written, dollars = (float(figure.replace(",", "")) for figure in figures)
    assert 123 * 85 < read < 123 * (85 + 512 * 332 / 170) + 60_000
    assert dollars == pytest.approx((read * 2 + written * 8) / 1e6, abs=0.0051)
    assert 0.5 < megabytes < 10
    assert "asks no model" in free
    assert "estimate" in note
    assert "3 characters a token, a picture 85 + width × height / 170 tokens" in note
    assert not (tmp_path / "runs").exists()


def test_tasks_that_fit_into_no_request_are_counted_alike_by_plan_dry_run_and_run(agenthorizon, tmp_path, model_server):
    settings = f'model = "m"\nbase_url = "{model_server.url}"\nprovider = "azure-openai"\nmerge = "never"\n'
    (tmp_path / "small.toml").write_text(f'kind = "direct"\n{settings}[limits]\nimages = 6\n')
    bench = load("demo")
    shots = {each: sum(shot.path is not None for shot in bench.screenshots(bench[each])) for each in bench.select("AH")}
    many = [task_id for task_id, count in shots.items() if count > 6]
    assert 1 < len(many) < len(shots)
    said = f"{len(many)} tasks cannot be sent, such as {many[0]}: {shots[many[0]]} screenshots do not fit"
    assert said in agenthorizon("tasks", "demo", "--split", "AH", "--plan", "small.toml").stdout
    words = ("run", "demo", "--split", "AH", "--repeats", "2", "-j", "small.toml")
    dry = agenthorizon(*words, "--dry-run").stdout
    assert f"\n  {said}" in dry
    assert "cannot be sent" not in agenthorizon(*words, "-j", "coin", "--only", "final", "--dry-run").stdout
    ran = agenthorizon(*words, check=1)
    assert said in ran.stderr
    assert f"(too_large ×{2 * len(many)})" in ran.stderr
    assert len(model_server.received) == 2 * (len(shots) - len(many))
    other = agenthorizon(*words, "--prompt-order", "trajectory-first", check=1)  # holds back what shares a recording
    assert f"small: {len(many)} tasks cannot be sent, such as" in other.stderr
    assert "cannot be sent" not in agenthorizon(*words, check=1).stderr  # nothing is to be asked


def test_a_dry_run_says_whose_pictures_take_how_many_tokens(agenthorizon, tmp_path):
    for provider in ("anthropic", "openai", "azure-openai"):
        settings = f'model = "m"\nbase_url = "http://127.0.0.1:9/v1"\nprovider = "{provider}"\n'
        (tmp_path / f"{provider}.toml").write_text(f'kind = "direct"\n{settings}')
    judges = ("-j", "anthropic.toml", "-j", "openai.toml", "-j", "azure-openai.toml")
    *lines, note = agenthorizon("run", "demo", *judges, "--limit", "2", "--dry-run").stdout.splitlines()
    assert "width × height / 750 tokens, at most 4,784 (anthropic)" in note
    assert "85 + width × height / 170 tokens (openai, azure-openai)" in note
    (cheap, dear, same) = (re.search(r"([\d,]+) tokens in", line)[1] for line in lines)
    assert int(cheap.replace(",", "")) < int(dear.replace(",", ""))
    assert same == dear


@pytest.mark.parametrize(("kind", "requests"), [("describe", 123 + 15), ("stream", None)])
def test_a_dry_run_and_a_plan_of_a_judge_that_asks_several_times_say_the_most(kind, requests, agenthorizon, tmp_path):
    settings = (
        'model = "m"\nbase_url = "http://127.0.0.1:9/v1"\nmax_tokens = 100\nprices = {input = 1.0, output = 1.0}\n'
    )
    (tmp_path / "mine.toml").write_text(f'kind = "{kind}"\n{settings}')
    told = agenthorizon("run", "demo", "-j", "mine.toml", "--split", "AH", "--dry-run").stdout
    planned = agenthorizon("tasks", "demo", "--split", "AH", "--plan", "mine.toml").stdout
    assert "plans its requests itself" in planned
    asked = int(re.search(r"requests a task, (\d+) in all", planned)[1])
    assert requests in (None, asked)
    assert f"{100 * asked:,} out, $" in told
    assert "123 screenshots, at most " in told


def test_a_cap_without_a_price_is_bad_usage_and_a_reached_cap_stops(agenthorizon, tmp_path, model_server):
    arguments = ("run", "demo", "--split", "AH-D", "--max-cost", "0.004", "-j")
    judge = f'kind = "direct"\nmodel = "m"\nbase_url = "{model_server.url}"\n'
    (tmp_path / "unknown.toml").write_text(judge)
    assert "price" in agenthorizon(*arguments, "unknown.toml", check=2).stderr
    assert model_server.received == []
    (tmp_path / "known.toml").write_text(judge + "[prices]\ninput = 1.0\noutput = 1.0\n")
    assert "cap" in agenthorizon(*arguments, "known.toml", check=3).stderr
    assert len(model_server.received) <= 3  # 1,240 tokens each


def test_a_run_that_is_stopped_prints_its_folder(agenthorizon, tmp_path, model_server, answer_body):
    refusal = {"status": 401, "body": {"error": {"message": "no such key"}}}
    model_server.script = [{"body": answer_body()}, *[refusal] * 12]
    words = ("run", "demo", "-j", "direct:m", "--base-url", model_server.url, "--split", "AH-S", "--workers", "1")
    stopped = agenthorizon(*words, check=3)
    assert [outcome.status for outcome in read_run(tmp_path / stopped.stdout.strip()).outcomes] == ["verdict"]


def test_a_shard_that_is_none_is_bad_usage(agenthorizon):
    assert "i/n" in agenthorizon("run", "demo", "-j", "coin", "--shard", "3/2", check=2).stderr


def test_a_limit_says_how_many_whole_groups_it_came_to_and_of_which_splits(agenthorizon, tmp_path):
    ran = agenthorizon("run", "demo", "-j", "always_yes", "--split", "AH-D,AH", "--limit", "5")
    said = re.search(r"(\d+) tasks: (\d+) whole pair groups, at least the 5 of --limit, of (.+)", ran.stderr)
    asked = read_run(tmp_path / ran.stdout.strip()).config["asked"]
    bench = load("demo")
    assert int(said[1]) == len(asked) > 5
    assert int(said[2]) == len({bench.group_of(task_id) for task_id in asked})
    assert said[3] == ", ".join(name for name in ("AH", "AH-D") if set(asked) & set(bench.splits[name]))


def test_a_run_refused_before_its_first_request_leaves_no_folder_and_an_older_one_stays(
    agenthorizon, tmp_path, monkeypatch
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    agenthorizon("run", "demo", "-j", "direct:m", "-o", "runs", check=3)
    assert list((tmp_path / "runs").iterdir()) == []
    done = agenthorizon("run", "demo", "-j", "always_yes", "--split", "AH-S", "-o", "runs")
    again = agenthorizon("run", "demo", "-j", "always_yes", "--split", "AH-S", "-o", "runs")
    assert done.stdout == again.stdout
    assert len(read_run(tmp_path / done.stdout.strip()).outcomes) == 12


def test_a_server_that_is_down_is_named_with_its_address_at_the_end_and_in_status(agenthorizon):
    words = ("run", "demo", "-j", "direct:m", "--base-url", "http://127.0.0.1:9/v1", "--limit", "2", "--attempts", "1")
    ran = agenthorizon(*words, check=1)
    said = "http://127.0.0.1:9/v1: is it running, and is the address right? ("
    assert f"  connection: {said}" in ran.stderr
    assert "timed out" not in ran.stderr.lower()
    status = agenthorizon("status", ran.stdout.strip()).stdout
    assert re.search(rf"connection ×\d: {re.escape(said)}", status)
    assert "ask again: the command that made the run" in status
    assert "cost unknown" in status
    assert "$" not in status


def test_a_run_without_a_verdict_quotes_a_reply_and_says_where_to_look(
    agenthorizon, tmp_path, model_server, answer_body
):
    said = "I have looked at it \x1b[31mand it is done."
    model_server.script = [{"body": answer_body(said)} for _ in range(12)]
    words = ("run", "demo", "-j", "direct:m", "--base-url", model_server.url, "--split", "AH-S")
    ran = agenthorizon(*words)
    folder = ran.stdout.strip()
    for told in (ran.stderr, agenthorizon("status", folder).stdout):
        assert "no reply holds a verdict: no_verdict ×12" in told
        assert "one of them: 'I have looked at it" in told
        assert "\x1b" not in told
        assert f"agenthorizon view {folder}" in told
        assert "json_schema = true" in told
    command = re.search(r"gzip -dc \S+", ran.stderr)[0]
    kept = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert kept.count("and it is done.") >= 12
    rerun = re.search(r"once a server is mended: agenthorizon (.+)", ran.stderr)[1]
    again = agenthorizon(*shlex.split(rerun))
    assert "12 verdict" in again.stderr
    assert "no reply holds" not in again.stderr + agenthorizon("status", folder).stdout


def test_settled_failures_are_shown_with_their_words_and_the_command_that_asks_them_again(
    agenthorizon, model_server, answer_body
):
    model_server.script = [{"body": answer_body(choices=[FILTERED])} for _ in range(12)]
    words = ("run", "demo", "-j", "direct:m", "--base-url", model_server.url, "--split", "AH-S")
    folder = agenthorizon(*words, check=1).stdout.strip()
    status = agenthorizon("status", folder).stdout
    assert "refused ×12: the provider's filter stopped the answer" in status
    command = re.search(r"ask again: agenthorizon (.+)", status)[1]
    agenthorizon(*shlex.split(command))
    assert "12 verdicts" in agenthorizon("status", folder).stdout


def test_a_cap_is_no_hindrance_to_a_judge_that_asks_no_model(agenthorizon, tmp_path):
    folder = agenthorizon("run", "demo", "-j", "coin", "--split", "AH-S", "--max-cost", "3").stdout.strip()
    assert len(read_run(tmp_path / folder).outcomes) == 12


@pytest.mark.parametrize("kind", ["empty", "pipe"])
def test_a_file_of_ids_without_one_or_that_is_no_file_is_bad_usage(kind, agenthorizon, tmp_path):
    said = {"empty": "holds no task id", "pipe": "is a named pipe, not a regular file"}
    (tmp_path / "empty").write_text(" \n")
    os.mkfifo(tmp_path / "pipe")
    assert said[kind] in agenthorizon("run", "demo", "-j", "coin", "--ids", kind, check=2).stderr
    assert not (tmp_path / "runs").exists()


def test_a_judge_file_that_is_a_named_pipe_or_endless_is_bad_usage(agenthorizon, tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "device.toml").symlink_to("/dev/zero")
    (tmp_path / "long.toml").write_text("#" * 2**21)
    assert "is a named pipe" in agenthorizon("run", "demo", "-j", "pipe.toml", check=2).stderr
    assert "is a device" in agenthorizon("run", "demo", "-j", "device.toml", check=2).stderr
    assert "is larger than" in agenthorizon("run", "demo", "-j", "long.toml", check=2).stderr


@pytest.mark.parametrize("price", ["inf", "1e400", "nan", "true", '"2"', "1e305", "-1"])
def test_a_price_that_is_no_amount_is_refused_before_anything_is_asked(price, agenthorizon, tmp_path, model_server):
    judge = f'kind = "direct"\nmodel = "m"\nbase_url = "{model_server.url}"\n'
    (tmp_path / "odd.toml").write_text(f"{judge}[prices]\ninput = {price}\noutput = 1\n")
    assert "prices.input" in agenthorizon("run", "demo", "-j", "odd.toml", check=2).stderr
    assert model_server.received == []
    assert not (tmp_path / "runs").exists()


def test_status_counts_only_what_was_asked_for_and_names_the_rest(agenthorizon, tmp_path):
    folder = tmp_path / agenthorizon("run", "demo", "-j", "coin", "--split", "AH-D").stdout.strip()
    config = json.loads((folder / "config.json").read_text())
    stranger = config["asked"].pop()
    (folder / "config.json").write_text(json.dumps(config))
    told = agenthorizon("status", str(folder)).stdout
    count = len(config["asked"])
    assert f"asked for {count} tasks: {count} settled, 0 open" in told
    assert f"not counted, as never asked for: {stranger}" in told
    (state,) = json.loads(agenthorizon("status", str(folder), "--json").stdout)["runs"]
    assert (state["open"], state["strangers"]) == (0, [stranger])


def test_repeats_asked_of_one_split_leave_nothing_open_in_another(agenthorizon, tmp_path):
    agenthorizon("run", "demo", "-j", "coin")
    folder = agenthorizon("run", "demo", "-j", "coin", "--split", "AH", "--repeats", "3").stdout.strip()
    lines = (tmp_path / folder / "outcomes.jsonl").read_text().splitlines()
    assert len(lines) == 41 + 2 * 15
    told = agenthorizon("status", folder).stdout
    assert "asked for 71 verdicts on 41 tasks (some in 3 repeats, others in fewer): 71 settled, 0 open" in told
    (state,) = json.loads(agenthorizon("status", folder, "--json").stdout)["runs"]
    assert (state["wanted"], state["open"]) == (71, 0)
    merged = agenthorizon("merge", folder, "-o", "merged").stdout
    assert "71 settled, 0 open" in merged
    shown = agenthorizon("score", folder, "--repeats").stdout
    assert re.search(r"^\| AH-S \| [\d.]+ \| [\d.]+ \|", shown, re.M)  # one figure under Each repeat


def test_a_class_that_no_outcome_has_is_no_class_to_rerun(agenthorizon):
    folder = agenthorizon("run", "demo", "-j", "coin", "--split", "AH-D").stdout.strip()
    assert "known: verdict, malformed, failed" in agenthorizon("rerun", folder, "--class", "nope", check=2).stderr


def test_a_dash_is_stdout_and_no_file(agenthorizon, tmp_path):
    folder = agenthorizon("run", "demo", "-j", "coin", "--split", "AH-D").stdout.strip()
    plain = agenthorizon("export", folder, "-f", "csv").stdout
    assert agenthorizon("export", folder, "-f", "csv", "-o", "-").stdout == plain != ""
    assert "to a file" in agenthorizon("export", folder, "-f", "submission", "-o", "-", check=2).stderr
    assert not (tmp_path / "-").exists()
