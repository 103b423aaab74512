"""Every shipped data set keeps the promises that all make."""

from collections import Counter

import pytest

SIGNATURES = {".png": b"\x89PNG\r\n\x1a\n", ".jpg": b"\xff\xd8\xff", ".webp": b"RIFF"}
SPLITS = ("AH", "AH-S", "AH-D")


def test_every_referenced_screenshot_exists(shipped):
    assert shipped.referenced_images - shipped.image_files == set()


def test_every_image_file_is_referenced(shipped):
    assert shipped.image_files - shipped.referenced_images == set()


def test_every_image_begins_with_the_signature_of_its_format(shipped):
    wrong = [path for path in shipped.image_files if not path.read_bytes().startswith(SIGNATURES[path.suffix])]
    assert wrong == []


def test_every_screenshot_is_linked_from_the_markdown_of_its_task(shipped):
    for row in shipped.rows:
        markdown = (shipped.sandbox / "data/markdowns" / f"{row['trajectory_id']}.md").read_text("utf-8")
        names = [step["screenshot"] for step in shipped.of(row)["steps"] if step["screenshot"]]
        assert [name for name in names if f"({name})" not in markdown] == []


@pytest.mark.parametrize(("folder", "suffix"), [("jsons", ".json"), ("markdowns", ".md")])
def test_labels_and_trajectory_files_name_the_same_tasks(shipped, folder: str, suffix: str):
    files = sorted(path.name for path in (shipped.sandbox / "data" / folder).iterdir())
    assert files == sorted(row["trajectory_id"] + suffix for row in shipped.rows)


def test_no_task_is_labelled_twice(shipped):
    counts = Counter(row["trajectory_id"] for row in shipped.rows)
    assert [task for task, count in counts.items() if count > 1] == []


def test_every_trajectory_carries_the_id_of_its_file(shipped):
    assert [row for row in shipped.rows if shipped.of(row)["trajectory_id"] != row["trajectory_id"]] == []


@pytest.mark.parametrize("what", ["pair_group_id", "original_id"])
def test_no_pair_group_and_no_recording_lies_in_two_splits(shipped, what: str):
    homes = {(row[what], split) for split, rows in shipped.splits.items() for row in rows}
    assert len(homes) == len({name for name, _ in homes})


def test_no_instruction_lies_in_two_splits(shipped):
    homes = {(shipped.instruction(row), split) for split, rows in shipped.splits.items() for row in rows}
    assert len(homes) == len({instruction for instruction, _ in homes})


def test_every_pair_is_complete(shipped):
    recordings = {row["original_id"] for row in shipped.rows}
    assert {row["paired_id"] for row in shipped.rows if "paired_id" in row} <= recordings


def test_every_pair_group_has_both_labels(shipped):
    labels = {(row["pair_group_id"], row["label"]) for row in shipped.rows}
    groups = {group for group, _ in labels}
    assert labels == {(group, label) for group in groups for label in ("positive", "negative")}


@pytest.mark.parametrize("split", SPLITS)
def test_labels_of_a_split_are_nearly_balanced(shipped, split: str):
    counts = Counter(row["label"] for row in shipped.splits[split])
    assert abs(counts["positive"] - counts["negative"]) <= 1


def test_development_split_has_seven_tasks_of_each_label_to_fit_a_threshold_on(shipped):
    counts = Counter(row["label"] for row in shipped.splits["AH-D"])
    assert min(counts["positive"], counts["negative"]) >= 7


@pytest.mark.parametrize("split", SPLITS)
def test_rows_are_sorted_by_id_so_that_order_says_nothing(shipped, split: str):
    ids = [row["trajectory_id"] for row in shipped.splits[split]]
    assert ids == sorted(ids)


def test_every_label_keeps_the_original_id_and_pair_group_of_the_source(shipped):
    assert [row for row in shipped.rows if not {"original_id", "pair_group_id"} <= row.keys()] == []


def test_manifest_counts_equal_the_label_files(shipped):
    counted = {}
    for split, rows in shipped.splits.items():
        labels = Counter(row["label"] for row in rows)
        counted[split] = {"tasks": labels.total(), **{key: labels[key] for key in ("positive", "negative")}}
    stated = {
        split: {key: entry[key] for key in ("tasks", "positive", "negative")}
        for split, entry in shipped.manifest["splits"].items()
    }
    assert stated == counted


def test_manifest_says_that_the_set_is_not_part_of_agenthorizon(shipped):
    assert shipped.manifest["reported_as"] == "not part of AgentHorizon; its numbers are not comparable with it"
