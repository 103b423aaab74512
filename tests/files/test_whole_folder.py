"""A folder that appears whole or not at all."""

from pathlib import Path

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.files.whole_folder import new_folder


def test_it_appears_at_the_end_with_the_folders_above_it(tmp_path):
    out = tmp_path / "a" / "b" / "set"
    with new_folder(out, "name another") as draft:
        (draft / "file").write_text("x")
        assert not out.exists()
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == [
        "a",
        "a/b",
        "a/b/set",
        "a/b/set/file",
    ]


def test_an_empty_folder_is_filled_also_behind_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with new_folder(tmp_path / "link", "name another") as draft:
        (draft / "file").write_text("x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "file").read_text() == "x"


def test_what_broke_off_leaves_nothing(tmp_path):
    def break_off():
        with new_folder(tmp_path / "set", "name another") as draft:
            (draft / "file").write_text("x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()
    assert list(tmp_path.iterdir()) == []


def test_a_draft_without_a_file_becomes_nothing(tmp_path):
    with new_folder(tmp_path / "set", "name another"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["file", "full", "."])
def test_what_is_there_is_refused_with_the_advice_and_left_alone(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with (
        pytest.raises(UsageError, match="not an empty folder of its own; name another"),
        new_folder((tmp_path / name).relative_to(tmp_path), "name another"),
    ):
        pass
    assert sorted(tmp_path.rglob("*")) == before


def test_the_current_folder_is_refused_even_where_it_is_empty(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="not an empty folder of its own"), new_folder(Path(), "name another"):
        pass


@pytest.mark.parametrize("is_there", [True, False], ids=["an empty folder", "nothing"])
def test_of_two_that_fill_a_folder_at_once_the_first_stays_and_the_other_is_told(is_there, tmp_path):
    out = tmp_path / "set"
    if is_there:
        out.mkdir()

    def fill(text, meanwhile):
        with new_folder(out, "name another") as draft:
            (draft / "file").write_text(text)
            meanwhile()

    told = r"another process has written .*set meanwhile.*use what is there, or name another"
    with pytest.raises(UsageError, match=told):
        fill("second", meanwhile=lambda: fill("first", meanwhile=lambda: None))
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == ["set", "set/file"]
    assert (out / "file").read_text() == "first"
