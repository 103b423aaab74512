"""The demonstration set is what its build script promises: a small sample of two public projects' real recordings."""

import json
import re
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "data" / "demo"
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


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A release that holds the shipped groups, and one more pair of tasks that no list names."""
    release = tmp_path / "release"
    shutil.copytree(DEMO, release)
    shutil.copytree(DEMO / "licenses", tmp_path / "licenses")
    labels = release / "AgentHorizon.jsonl"
    lines = labels.read_text().splitlines(keepends=True)
    group = json.loads(lines[0])["pair_group_id"]
    for row in [json.loads(line) for line in lines if group in line]:
        known, own = row["trajectory_id"], str(uuid.uuid5(uuid.NAMESPACE_URL, row["trajectory_id"]))
        for kind, suffix in (("jsons", "json"), ("markdowns", "md")):
            file = release / "sandbox" / "data" / kind / f"{known}.{suffix}"
            file.with_stem(own).write_text(file.read_text("utf-8").replace(known, own), "utf-8")
        lines.insert(0, json.dumps(row | {"trajectory_id": own, "pair_group_id": "5742a9ce0f15"}) + "\n")
    labels.write_text("".join(lines))
    return release


def built(source: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts" / "build_demo", source, source.with_name("made")]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_the_script_that_made_it_makes_the_same_bytes_of_a_source_with_more_groups(source):
    assert built(source).returncode == 0
    made, shipped = (
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (source.with_name("made"), DEMO)
    )
    assert made == shipped


def test_the_script_makes_nothing_of_groups_that_no_draw_divides_well(source):
    for labels in source.glob("AgentHorizon*.jsonl"):
        labels.write_text(labels.read_text().replace('"label": "negative"', '"label": "positive"'))
    done = built(source)
    assert (done.returncode, done.stderr) == (1, "none of 10000 draws meets the constraints\n")
    assert not source.with_name("made").exists()
