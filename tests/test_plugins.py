"""Naming a judge: what is wrong with a setting is said together with what would be right."""

import subprocess
import sys

import pytest

import agenthorizon as ah
from agenthorizon import plugins
from agenthorizon.errors import BrokenPlugin, UsageError
from agenthorizon.plugins import make_judge
from agenthorizon.running.store import read_run
from agenthorizon.source import load

PACKAGE = {
    "METADATA": "Metadata-Version: 2.1\nName: lab-tools\nVersion: 1.0\n",
    "entry_points.txt": "\n".join(
        f"[agenthorizon.{room}]\nlab = {value}\n"
        for room, value in {"data": "lab_gone:Lab", "judges": "json:Lab", "harnesses": "lab_gone"}.items()
    ),
}


@pytest.fixture
def broken_package(tmp_path, monkeypatch):
    """An installed package whose modules cannot be imported."""
    folder = tmp_path / "lab_tools-1.0.dist-info"
    folder.mkdir()
    for name, text in PACKAGE.items():
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    plugins.names.cache_clear()
    yield
    plugins.names.cache_clear()


def test_a_broken_package_is_of_no_concern_to_who_does_not_use_it(broken_package):
    assert len(load("demo")) == 41
    assert [len(plugins.implementations(room).broken) for room in ("data", "judges", "harnesses")] == [1, 1, 1]
    assert "codex" in plugins.implementations("harnesses").found


def test_what_only_a_broken_package_may_know_is_refused_and_names_it(broken_package):
    with pytest.raises(UsageError, match="'lab' of the package lab-tools cannot be loaded: No module named 'lab_gone'"):
        load("lab:something")
    with pytest.raises(BrokenPlugin, match="lab-tools cannot be loaded"):
        make_judge("lab")


def test_a_judge_without_its_model_is_told_how_to_name_one():
    with pytest.raises(UsageError, match="name its model: direct:MODEL"):
        make_judge("direct")


def test_a_misspelt_setting_is_told_the_one_that_was_meant(tmp_path):
    (tmp_path / "mine.toml").write_text('kind = "direct"\nmodel = "m"\ntempreature = 0\n')
    with pytest.raises(UsageError, match="no setting tempreature; did you mean temperature"):
        make_judge(str(tmp_path / "mine.toml"))


OWN = """
from agenthorizon import Judge, Reply


class Mine(Judge):
    \"\"\"Strict.\"\"\"

    strictness: float = 0.5

    async def judge(self, case):
        return Reply(text="{}")


class Plain:
    \"\"\"Patient.\"\"\"

    def __init__(self, patience=3):
        self.patience = patience

    def judge(self, case):
        return '{"success": %s}' % ("true" if self.patience > 3 else "false")


class Hiding:
    def __init__(self, patience=3):
        self._patience = patience

    def judge(self, case):
        return ""
"""


@pytest.fixture
def own_file(tmp_path, monkeypatch):
    """own_file(text): a judge file in the working folder, beside the module own_judges that it may name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "own_judges", raising=False)
    (tmp_path / "own_judges.py").write_text(OWN)

    def write(text):
        (tmp_path / "own.toml").write_text(text)
        return "own.toml"

    return write


def test_a_judge_file_sets_up_a_class_of_the_users_own(own_file):
    assert make_judge(own_file('kind = "own_judges:Mine"\nstrictness = 0.9\n')).strictness == 0.9
    assert make_judge(own_file('kind = "own_judges:Plain"\npatience = 5\n')).patience == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('kind = "own_judges:Mine"\nstrictnes = 1\n', "no setting strictnes; did you mean strictness?"),
        ('kind = "own_judges:Mine"\nstrictness = "very"\n', "strictness: Input should be a valid number"),
        (
            'kind = "own_judges:Plain"\npatiense = 1\n',
            r"no setting patiense; did you mean patience\? .settings: patience",
        ),
        ('kind = "own_judges:Hiding"\npatience = 1\n', "Hiding must keep its setting patience as the attribute"),
        ('kind = "own_judges:None_"\n', "own_judges has no class 'None_'"),
        ('kind = "drect"\nmodel = "m"\n', r"unknown kind 'drect' in own\.toml; did you mean direct\?"),
    ],
    ids=["unknown", "type", "plain", "hidden", "class", "kind"],
)
def test_what_is_wrong_with_a_file_of_an_own_judge_is_said(own_file, text, said):
    with pytest.raises(UsageError, match=said):
        make_judge(own_file(text))


def test_settings_of_an_own_judge_make_the_run_and_it_is_made_again_with_them(own_file, tmp_path):
    runs = []
    for patience in (2, 5):
        file = own_file(f'kind = "own_judges:Plain"\npatience = {patience}\n')
        runs.append(ah.run("demo", file, split="AH-D", limit=1, out=tmp_path / "runs"))
    assert len({run.folder for run in runs}) == 2
    assert [run.config["judge"]["settings"] for run in runs] == [{"patience": 2}, {"patience": 5}]
    assert [{each.verdict.success for each in run.outcomes} for run in runs] == [{False}, {True}]
    words = [sys.executable, "-m", "agenthorizon", "rerun", str(runs[1].folder), "--class", "verdict"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    again = read_run(runs[1].folder)
    assert len(again.outcomes) == 2 * len(runs[1].outcomes)
    assert {each.verdict.success for each in again.outcomes} == {True}
    assert again.config["remake"] == runs[1].config["remake"]


@pytest.mark.parametrize(
    ("spec", "meant"),
    [("directt:m", "direct"), ("always-ye", "always_yes"), ("codx:m", "codex"), ("gpt-5.5-drect:m", "gpt-5.5-direct")],
)
def test_a_misspelt_judge_is_told_the_one_that_was_meant(spec, meant):
    with pytest.raises(UsageError, match=f"did you mean {meant}\\?"):
        make_judge(spec)


def test_an_agent_of_ones_own_without_its_file_is_told_that_it_has_one():
    with pytest.raises(UsageError, match="named by its TOML file, which holds its command"):
        make_judge("command:m")
