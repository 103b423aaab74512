"""Writing a report: a folder that holds all it needs and nothing that it should not."""

import subprocess
import sys

import pytest
from PIL import Image

import agenthorizon as ah
from agenthorizon.errors import UsageError
from agenthorizon.report.page.sites import Shown, catalogue_of, site_of_runs
from agenthorizon.report.page.writing import write_site
from agenthorizon.results.scorecards import named_runs


def written(folder, data, run, how):
    site = site_of_runs(catalogue_of(ah.load(data), how), named_runs([run]), Shown())
    write_site(site, folder, how, lambda done, total, what: None)
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def images(names):
    return [name for name in names if name.startswith("images/")]


def test_a_picture_shared_by_steps_and_tasks_is_written_once_and_small(tmp_path, hostile_data, hostile_run):
    [name] = images(written(tmp_path, hostile_data, hostile_run, "thumbs"))
    with Image.open(tmp_path / name) as picture:
        assert (picture.format, picture.size) == ("WEBP", (200, 100))


def test_links_lead_to_the_recorded_files(tmp_path, hostile_data, hostile_run):
    [name] = images(written(tmp_path, hostile_data, hostile_run, "link"))
    assert (tmp_path / name).resolve().parent == (hostile_data / "images").resolve()


def test_none_leaves_pictures_out(tmp_path, hostile_data, hostile_run):
    assert images(written(tmp_path, hostile_data, hostile_run, "none")) == []


def test_an_older_report_is_written_over_and_keeps_nothing_of_it(tmp_path, hostile_data, hostile_run):
    written(tmp_path, hostile_data, hostile_run, "thumbs")
    (tmp_path / "data" / "tasks" / "old.js").write_text("")
    names = written(tmp_path, hostile_data, hostile_run, "none")
    assert "data/tasks/old.js" not in names
    assert images(names) == []


def test_a_folder_with_other_things_in_it_is_refused_and_left_alone(tmp_path, hostile_data, hostile_run):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="holds no report"):
        written(tmp_path, hostile_data, hostile_run, "none")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("more", [{}, {"package.json": "{}"}, {"data/index.js": "export const a = 1;"}])
def test_a_project_that_has_a_report_s_names_is_refused_and_left_alone(tmp_path, hostile_data, hostile_run, more):
    files = {
        "index.html": "mine",
        "app/main.js": "mine",
        "images/logo.svg": "mine",
        "data/index.js": "module.exports={}",
    }
    for name, text in (files | more).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match="holds no report"):
        written(tmp_path, hostile_data, hostile_run, "none")
    found = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == files | more


def test_a_report_to_which_something_was_added_is_refused_and_left_alone(tmp_path, hostile_data, hostile_run):
    before = written(tmp_path, hostile_data, hostile_run, "thumbs")
    (tmp_path / "notes.md").write_text("mine")
    with pytest.raises(UsageError, match="other things too"):
        written(tmp_path, hostile_data, hostile_run, "none")
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        [*before, "notes.md"]
    )


def test_nothing_is_written_through_a_link_in_the_place_of_a_report_s_folder(tmp_path, hostile_data, hostile_run):
    page, elsewhere = tmp_path / "page", tmp_path / "elsewhere"
    written(page, hostile_data, hostile_run, "none")
    (page / "data").rename(elsewhere)
    (page / "data").symlink_to(elsewhere)
    (elsewhere / "kept.txt").write_text("mine")
    before = sorted(elsewhere.rglob("*"))
    with pytest.raises(UsageError, match="holds no report"):
        written(page, hostile_data, hostile_run, "none")
    assert sorted(elsewhere.rglob("*")) == before


def test_the_command_prints_where_the_page_is(tmp_path, hostile_run):
    words = [sys.executable, "-m", "agenthorizon", "report", hostile_run, "-o", tmp_path / "page", "--images", "none"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'page' / 'index.html'}\n")
