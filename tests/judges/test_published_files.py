"""The judge files of the published configurations: all of them, nothing but what was published, and usable."""

import csv
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.judging.judge_files import published, read_judge_file
from agenthorizon.plugins import make_judge

ROWS = list(
    csv.DictReader(
        (Path(str(files("agenthorizon.scoring"))) / "published_leaderboard.csv").read_text("utf-8").splitlines()
    )
)
FILES = sorted(published())


def test_every_published_configuration_has_one_file():
    named = [(file.about["model"], file.about["interface"]) for file in map(read_judge_file, published().values())]
    assert sorted(named) == sorted((row["model"], row["interface"]) for row in ROWS)


@pytest.mark.parametrize("name", FILES)
def test_file_says_what_its_row_says(name):
    file = read_judge_file(published()[name])
    row = next(
        row for row in ROWS if (row["model"], row["interface"]) == (file.about["model"], file.about["interface"])
    )
    assert (file.kind == "direct") is (row["kind"] == "direct")
    assert file.about["open_weights"] is (row["open_weights"] == "yes")
    if file.kind == "direct":
        assert (file.settings["merge"] == "auto") is (row["merged_2x2"] == "yes")
        assert ("limits.images" in file.about["fill_in"]) is (row["merged_2x2"] == "yes")


@pytest.mark.parametrize("name", FILES)
def test_every_value_names_its_source(name):
    lines = published()[name].read_text("utf-8").splitlines()
    values = [line for line in lines if re.match(r"\w+ = ", line)]
    assert [line for line in values if not re.search(r"# (\[(table|protocol)\]|not published)", line)] == []


@pytest.mark.parametrize("name", FILES)
def test_what_was_not_published_is_absent(name):
    settings = tomllib.loads(published()[name].read_text("utf-8"))
    about = settings.pop("about")
    assert settings.keys().isdisjoint([*about["left_open"], *about["fill_in"]])
    assert "model" in about["fill_in"]


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith("-direct")])
def test_direct_file_makes_a_judge_of_the_published_protocol(name):
    judge = make_judge(f"{name}:my-model", {"base_url": "http://127.0.0.1:9/v1"})
    assert (judge.model, judge.image_size, judge.image_quality, judge.temperature) == ("my-model", (512, 332), 60, 0)


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith("-direct")])
def test_agentic_file_names_a_harness(name):
    assert read_judge_file(published()[name]).kind in ("claude_code", "codex", "gemini_cli", "opencode")


def test_without_a_model_it_says_how_to_name_one():
    with pytest.raises(UsageError, match=r"name yours, gpt-5\.5-direct:MODEL"):
        make_judge("gpt-5.5-direct")


def test_table_about_a_file_is_no_setting(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('kind = "direct"\nmodel = "m"\nlimits = { images = 5 }\n[about]\nnote = "mine"\n')
    assert make_judge(str(file)).packing.limits.images == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind = 3\n", "must say which kind"),
        ('kind = "direct"\nabout = 3\n', r"\[about\] must be a table"),
        ('kind = "direct"\nmodel = "m"\nlimits = { pictures = 5 }\n', "pictures: Extra inputs.*limits: images"),
        ('kind = "direct"\nmodel = "m"\nlimits = { images = 0 }\n', "images: Input should be greater"),
    ],
)
def test_faulty_file_is_refused(tmp_path, text, message):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=message):
        make_judge(str(file))
