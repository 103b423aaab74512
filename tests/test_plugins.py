"""Naming a judge: what is wrong with a setting is said together with what would be right."""

import pytest

from agenthorizon import plugins
from agenthorizon.errors import BrokenPlugin, UsageError
from agenthorizon.plugins import make_judge
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
