"""The desktop set is what its documents promise: pairs recorded in real applications, checked, typed, hard to guess."""

import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops

from agenthorizon.verdict import MISTAKE_TYPES

ROOT = Path(__file__).resolve().parents[2]
MAX_BYTES = 25_000_000
CARET = 60
"""Fewer changed pixels than this are a blinking caret."""
LONG = 80
OCR_SIDE = 736
DIRECTIONS = {
    ("a", "b"): "parent_instruction_child_trajectory",
    ("b", "a"): "child_instruction_parent_trajectory",
}


def groups_of(desktop):
    groups = defaultdict(list)
    for row in desktop.rows:
        groups[row["pair_group_id"]].append(row)
    return list(groups.values())


def recordings_of(desktop):
    """Return recording → the row of its positive."""
    return {row["original_id"]: row for row in desktop.rows if row["label"] == "positive"}


def sides_of(desktop, pair):
    """Return the positives of a pair of the manifest, side a first."""
    recordings = recordings_of(desktop)
    return [recordings[pair["sides"][letter]["recording"]] for letter in "ab"]


def frame(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.convert("RGB")


def changed_pixels(one: Image.Image, other: Image.Image) -> int:
    bands = ImageChops.difference(one, other).split()
    greatest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return one.width * one.height - greatest.histogram()[0]


def test_whole_set_takes_at_most_25_megabytes(desktop):
    assert desktop.size <= MAX_BYTES


def test_there_are_sixteen_pairs_or_more_of_four_tasks_each(desktop):
    groups = groups_of(desktop)
    assert len(groups) >= 16
    assert {len(rows) for rows in groups} == {4}


def test_each_pair_has_both_positives_and_both_swaps_of_the_same_two_recordings(desktop):
    for rows in groups_of(desktop):
        asked = {row["original_id"]: desktop.instruction(row) for row in rows if row["label"] == "positive"}
        assert len(set(asked.values())) == 2
        for row in rows:
            whose = row["original_id"] if row["label"] == "positive" else row["paired_id"]
            assert desktop.instruction(row) == asked[whose]


def test_both_tasks_that_show_a_recording_show_the_same_steps(desktop):
    shown = defaultdict(list)
    for row in desktop.rows:
        shown[row["original_id"]].append(desktop.of(row)["steps"])
    assert all(one == other for one, other in shown.values())


def test_eight_applications_or_more_are_used(desktop):
    used = {name for row in desktop.rows for name in desktop.of(row)["task"]["applications"]}
    assert len(used) >= 8


def test_three_pairs_or_more_take_eighty_steps_and_two_applications(desktop):
    long = [
        rows
        for rows in groups_of(desktop)
        if all(len(desktop.of(row)["steps"]) >= LONG for row in rows)
        and all(len(desktop.of(row)["task"]["applications"]) == 2 for row in rows)
    ]
    assert len(long) >= 3


@pytest.mark.parametrize("split", ["AH", "AH-S", "AH-D"])
def test_every_negative_has_a_mistake_type_and_every_split_has_all_three(desktop, split: str):
    types = {row.get("mistake_type") for row in desktop.splits[split] if row["label"] == "negative"}
    assert types == set(MISTAKE_TYPES)


def test_some_pairs_have_another_mistake_type_in_the_other_direction(desktop):
    types = Counter(len({row["mistake_type"] for row in rows if "mistake_type" in row}) for rows in groups_of(desktop))
    assert types[2] >= 3


def test_labels_have_the_types_that_the_manifest_gives_reasons_for(desktop):
    rows = {(row["original_id"], row.get("negative_source")): row for row in desktop.rows}
    for pair in desktop.manifest["pairs"]:
        for (asked, done), direction in DIRECTIONS.items():
            label = rows[pair["sides"][done]["recording"], direction]
            assert label["mistake_type"] == pair["sides"][asked]["mistake_type"]
            assert pair["sides"][asked]["because"]


def test_both_recordings_of_a_pair_left_an_artefact_and_not_the_same_one(desktop):
    for pair in desktop.manifest["pairs"]:
        one, other = (pair["sides"][letter]["artefact"] for letter in "ab")
        assert one != other


def test_the_set_says_that_it_is_scripted(desktop):
    assert desktop.manifest["scripted"] is True
    assert "scripted" in desktop.attribution


def test_every_frame_is_losslessly_packed_of_the_stated_size_and_carries_nothing_else(desktop):
    for path in desktop.image_files:
        data = path.read_bytes()
        # A simple lossless WebP file is one VP8L chunk; texts, profiles and EXIF need the extended form.
        assert data[8:16] == b"WEBPVP8L", path
        with Image.open(path) as image:
            assert image.size == (1280, 800)


def test_every_step_has_its_own_frame_and_the_last_one_only_looks(desktop):
    for row in desktop.rows:
        steps = desktop.of(row)["steps"]
        assert [Path(step["screenshot"]).name for step in steps] == [f"step_{n + 1}.webp" for n in range(len(steps))]
        assert [step["action"]["type"] for step in steps].index("wait") == len(steps) - 1


def test_every_point_is_on_the_screen(desktop):
    for row in desktop.rows:
        for step in desktop.of(row)["steps"]:
            for name, value in step["action"]["parameters"].items():
                if name.endswith(("x", "y")):
                    assert 0 <= value < (1280 if name.endswith("x") else 800)


def test_times_go_forward(desktop):
    for row in desktop.rows:
        times = [step["timestamp_us"] for step in desktop.of(row)["steps"]]
        assert times == sorted(times)


def frames_without_a_twin(desktop, row, other):
    """Return the numbers of a recording's frames that look like none of the other's near the same place."""
    mine, others = desktop.images(row), [frame(path) for path in desktop.images(other)]
    reach = abs(len(mine) - len(others)) + 2
    found = []
    for number, path in enumerate(mine):
        places = range(max(0, number - reach), min(len(others), number + reach + 1))
        near = sorted(places, key=lambda place, number=number: abs(place - number))
        shown = frame(path)
        if all(changed_pixels(shown, others[place]) > CARET for place in near):
            found.append(number + 1)
    return found


@pytest.mark.parametrize("name", ["files_copy_or_move", "mousepad_line_endings", "order_express_line"])
def test_the_difference_of_these_pairs_shows_in_one_frame_only(desktop, name: str):
    (pair,) = (pair for pair in desktop.manifest["pairs"] if pair["name"] == name)
    a, b = sides_of(desktop, pair)
    assert max(len(frames_without_a_twin(desktop, a, b)), len(frames_without_a_twin(desktop, b, a))) == 1


@pytest.mark.parametrize(("command", "said"), [("check", "0 faults, 0 notes"), ("audit", "0 leaks")])
def test_nothing_is_at_fault_and_nothing_gives_a_label_away(command: str, said: str):
    words = [sys.executable, "-m", "agenthorizon", "data", command, "desktop"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert said in done.stdout


def test_the_table_in_the_documents_is_that_of_the_manifest(desktop):
    words = [sys.executable, ROOT / "scripts/record_desktop", "table", desktop.folder]
    table = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert table in (ROOT / "docs/desktop.md").read_text("utf-8")


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.casefold()))


def on_a_page(part: Image.Image) -> np.ndarray:
    """Put a part of a screen on a grey page of the size the OCR engine works at, which it would blow the part up to."""
    page = Image.new("RGB", (max(OCR_SIDE, part.width), max(OCR_SIDE, part.height)), "#c0c0c0")
    page.paste(part)
    return np.asarray(page)


def test_no_word_that_tells_the_instructions_apart_tells_the_last_frames_apart(desktop):
    from rapidocr_onnxruntime import RapidOCR

    engine = RapidOCR()
    for pair in desktop.manifest["pairs"]:
        sides = sides_of(desktop, pair)
        last = [frame(desktop.images(row)[-1]) for row in sides]
        differing = ImageChops.difference(*last).getbbox()
        if differing is None:
            continue
        # What is outside of where the two differ is the same; words at its edge are read whole.
        left, top, right, bottom = differing
        box = (left - 60, top - 20, right + 60, bottom + 20)
        read = [words_of(" ".join(text for _, text, _ in engine(on_a_page(one.crop(box)))[0] or ())) for one in last]
        asked = [words_of(desktop.instruction(row)) for row in sides]
        telling = asked[0] ^ asked[1]
        assert read[0] & telling == read[1] & telling, pair["name"]
