"""An agent of the user's own, as the documents show it: ten lines of shell and a TOML file."""

import json
import re
from pathlib import Path

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.harness import Assignment, Ended
from agenthorizon.judging.describing import described
from agenthorizon.plugins import implementation, make_judge
from agenthorizon.scripted.acting import VERDICT

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
ASSIGNMENT = Assignment(
    prompt="judge",
    model="",
    endpoint="http://127.0.0.1:9000",
    key="stand-in",
    program=(),
    task=Path("/task"),
    home=Path("/home/judge"),
    requests=9,
)


def from_the_page(name):
    (code,) = re.findall(rf"<!-- tested: {name} -->\n```\w+\n(.*?)```", PAGE, re.S)
    return code


@pytest.mark.outside
def test_the_agent_of_the_page_judges_the_demo_set_in_the_sandbox(command, tmp_path, monkeypatch):
    for name in ("my-agent.sh", "my-agent.toml"):
        (tmp_path / name).write_text(from_the_page(name))
    monkeypatch.chdir(tmp_path)
    done = command("run", "demo", "--judge", "my-agent.toml", "--split", "AH-D")
    assert done.returncode == 0, done.stderr
    outcomes = [json.loads(line) for line in next(Path("runs").glob("*/outcomes.jsonl")).read_text().splitlines()]
    assert len(outcomes) == 14
    assert {outcome["agent"]["isolation"] for outcome in outcomes} == {"bubblewrap"}
    assert {outcome["verdict"]["success"] for outcome in outcomes} == {True, False}


def test_words_that_name_a_file_stand_for_it_and_its_content_is_the_version(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sh").write_text("echo 1")
    (tmp_path / "t.toml").write_text('kind = "command"\ncommand = ["sh", "a.sh", "--fast"]\nisolation = "none"')
    judge = make_judge("t.toml")
    first = judge.facts()
    harness = implementation("harnesses", "command")(command=("sh", "a.sh", "--fast"))
    assert harness.launch(ASSIGNMENT).argv == ("sh", str(tmp_path / "a.sh"), "--fast")
    assert harness.needs() == (tmp_path / "a.sh",)
    (tmp_path / "a.sh").write_text("echo 2")
    assert make_judge("t.toml").facts()["version"] != first["version"]
    assert str(tmp_path) not in json.dumps(first)


def test_words_are_seen_from_the_folder_of_the_file_first_and_no_path_is_recorded(tmp_path, monkeypatch):
    told = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.sh").write_text("echo 1")
        (folder / "t.toml").write_text('kind = "command"\ncommand = ["sh", "a.sh"]\nisolation = "none"')
        monkeypatch.chdir(tmp_path)
        judge = make_judge(f"{name}/t.toml")
        assert judge._harness.launch(ASSIGNMENT).argv == ("sh", str(folder / "a.sh"))
        assert judge._harness.needs() == (folder / "a.sh",)
        told.append(described(judge))
    assert told[0] == told[1]
    assert str(tmp_path) not in json.dumps(told)


def test_a_model_is_named_in_its_environment_only_if_there_is_one():
    harness = implementation("harnesses", "command")(command=("true",))
    assert set(harness.launch(ASSIGNMENT).environment) == {"AGENTHORIZON_TASK"}


def test_an_answer_of_a_program_that_failed_is_none(tmp_path):
    (tmp_path / "out").write_text(json.dumps(VERDICT))
    (tmp_path / "err").write_text("no model")
    account = implementation("harnesses", "command")(command=("true",)).account(
        Ended(tmp_path / "out", tmp_path / "err", tmp_path, exit_code=3)
    )
    assert (account.status, account.error) == ("crashed", "exit code 3: no model")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('kind = "command"', "command"),
        ('kind = "command"\ncommand = ["x"]\nfast = true', "fast"),
        ('kind = "codex"', "name the model: codex:MODEL"),
        ('kind = "codex"\nmodel = "m"\ndollars = 1.0', "needs prices"),
        ('kind = "codex"\nmodel = "m"\nbase_url = "ftp://x"', "must begin with http"),
        ('kind = "codex"\nmodel = "m"\nbase_url = "http://u:p@x"', "must not hold a password"),
        ('kind = "codex"\nmodel = "m"\nisolation = "docker"', "bubblewrap"),
        ('kind = "agentic"\nmodel = "m"', "harness"),
    ],
)
def test_a_file_with_a_fault_is_refused_and_the_fault_named(text, what, tmp_path):
    (tmp_path / "t.toml").write_text(text)
    with pytest.raises(UsageError, match=what):
        make_judge(str(tmp_path / "t.toml"))


def test_a_harness_that_is_not_installed_is_named_with_the_command_that_installs_it(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTHORIZON_HARNESSES", str(tmp_path))
    with pytest.raises(UsageError, match="codex is not installed: agenthorizon harnesses install codex"):
        make_judge("codex:m", {"isolation": "none"}).facts()


def test_a_vendor_is_not_asked_without_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match="variable OPENAI_API_KEY holds none"):
        make_judge("codex:m")._endpoint()
