"""The demonstration set is what its build script promises: a small sample of two public projects' real recordings."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_BYTES = 15_000_000


def systems_of(demo_set, split: str) -> set[str]:
    return {demo_set.of(row)["environment"]["os"] for row in demo_set.splits[split]}


def attributed_sources(demo_set) -> list[tuple[str, list[str]]]:
    """Return each row of the table of sources as repository and names of licence files."""
    lines = [line for line in demo_set.attribution.splitlines() if line.startswith("| [")]
    return [(line.split("]")[0].removeprefix("| ["), re.findall(r"\[([^\]]+)\]\(licenses/", line)) for line in lines]


def test_whole_set_takes_at_most_15_megabytes(demo_set):
    assert demo_set.size <= MAX_BYTES


def test_set_has_about_forty_tasks(demo_set):
    assert 36 <= len(demo_set.rows) <= 44


def test_set_has_linux_windows_and_web(demo_set):
    assert set().union(*(systems_of(demo_set, split) for split in demo_set.splits)) == {"linux", "windows", "web"}


@pytest.mark.parametrize("split", ["AH", "AH-S", "AH-D"])
def test_every_split_has_linux_and_windows(demo_set, split: str):
    assert systems_of(demo_set, split) >= {"linux", "windows"}


def test_headline_split_has_every_system(demo_set):
    assert systems_of(demo_set, "AH") == {"linux", "windows", "web"}


def test_headline_split_has_a_recording_of_twenty_steps_or_more(demo_set):
    assert max(len(demo_set.of(row)["steps"]) for row in demo_set.splits["AH"]) >= 20


def test_longest_recording_of_the_source_is_included(demo_set):
    assert max(len(demo_set.of(row)["steps"]) for row in demo_set.rows) == 32


def test_no_label_has_a_mistake_type(demo_set):
    assert [row for row in demo_set.rows if any("mistake_type" in key for key in row)] == []


def test_attribution_names_the_source_of_every_recording(demo_set):
    names = {row["original_id"].split("/", 1)[1] for row in demo_set.rows}
    assert [name for name in names if f"| `{name}` |" not in demo_set.attribution] == []


def test_attribution_lists_every_image_folder(demo_set):
    folders = {path.parent.name for path in demo_set.image_files}
    assert [folder for folder in folders if f"| `{folder}` |" not in demo_set.attribution] == []


def test_every_attributed_source_has_its_licence_beside_it(demo_set):
    for repository, names in attributed_sources(demo_set):
        assert f"{repository.replace('/', '+')}.LICENSE" in names


def test_licence_folder_holds_just_the_texts_that_the_attribution_names(demo_set):
    named = {name for _, names in attributed_sources(demo_set) for name in names}
    assert {path.name for path in (demo_set.folder / "licenses").iterdir()} == named


def test_the_script_that_made_it_makes_the_same_bytes_of_its_own_groups(tmp_path):
    demo, script = ROOT / "data" / "demo", ROOT / "scripts" / "build_demo"
    shutil.copytree(demo, tmp_path / "release")
    shutil.copytree(demo / "licenses", tmp_path / "licenses")
    subprocess.run([sys.executable, script, tmp_path / "release", tmp_path / "made"], check=True, capture_output=True)
    made, shipped = (
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "made", demo)
    )
    assert made == shipped
