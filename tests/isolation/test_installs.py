"""Which version of a CLI is meant: a version names a folder of its own and never one outside."""

import os
import subprocess
import sys

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.harness import Package
from agenthorizon.isolation import installs
from agenthorizon.plugins import make_judge
from agenthorizon.running.trial import try_out

CODEX = Package("npm", "codex", "1.0.0", "codex")
NO_VERSIONS = ["..", "../..", "../other", "/tmp", "1/../..", "1.0\n", "latest", "1 --global", "", "٣"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder of CLIs with something of another CLI's beside it, which must survive."""
    folder = tmp_path / "clis"
    (folder / "codex").mkdir(parents=True)
    (folder / "other").mkdir()
    for kept in (tmp_path / "kept", folder / "other" / "kept"):
        kept.write_text("mine")
    monkeypatch.setenv("AGENTHORIZON_HARNESSES", str(folder))
    return folder


@pytest.mark.parametrize("version", ["0.171.0", "1.2.0-rc.1", "2026.1", "1.0+local_2"])
def test_a_dash_in_a_name_is_an_underscore_and_in_a_version_stays(version):
    assert installs.wanted(f"claude-code@{version}") == ("claude_code", version)
    assert installs.wanted("claude-code") == ("claude_code", None)


@pytest.mark.parametrize("version", NO_VERSIONS)
def test_what_is_no_version_is_refused_wherever_one_is_named(version, home):
    with pytest.raises(UsageError, match="is no version"):
        installs.wanted(f"codex@{version}")
    with pytest.raises(UsageError, match="is no version"):
        list(try_out(f"codex@{version}", "none"))


@pytest.mark.parametrize("version", [version for version in NO_VERSIONS if version])
def test_nothing_is_removed_or_looked_for_outside_the_folder_of_a_cli(version, home):
    for act in (installs.install, installs.find):
        with pytest.raises(UsageError, match="is no version"):
            act("codex", CODEX, version)
    assert (home.parent / "kept").read_text() == (home / "other" / "kept").read_text() == "mine"


def test_the_command_refuses_a_version_that_leaves_the_folder(home):
    command = [sys.executable, "-m", "agenthorizon", "harnesses", "install", "codex@../.."]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "'../..' is no version" in done.stderr
    assert (home.parent / "kept").exists()


def test_a_judge_file_s_version_is_checked_too(home, tmp_path):
    file = tmp_path / "judge.toml"
    file.write_text('kind = "codex"\nmodel = "m"\nisolation = "none"\nversion = "../../elsewhere"\n')
    with pytest.raises(UsageError, match="is no version"):
        make_judge(str(file)).facts()


def test_a_folder_that_no_installation_made_is_not_removed(home):
    folder = home / "codex" / CODEX.version
    folder.mkdir()
    (folder / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="no installation made it"):
        installs.install("codex", CODEX)
    assert [path.name for path in folder.iterdir()] == ["thesis.tex"]
