"""A small sound release of real files: two pair groups of two recordings, eight tasks, three steps each."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

SIZE = (120, 80)
GROUPS = {"g1": ("add a row", "add a column"), "g2": ("make it bold", "make it italic")}
SPLIT_OF = {"g1": "AgentHorizon.jsonl", "g2": "AgentHorizon-Development.jsonl"}


@dataclass
class Release:
    """A release on disk, with short ways to change it."""

    root: Path

    def json_path(self, task_id):
        return self.root / "sandbox" / "data" / "jsons" / f"{task_id}.json"

    def change(self, task_id, change):
        """Apply a function to one task's record."""
        path = self.json_path(task_id)
        record = json.loads(path.read_text())
        change(record)
        path.write_text(json.dumps(record))

    def relabel(self, change, split="AgentHorizon.jsonl"):
        """Apply a function to the list of labels of one file."""
        path = self.root / split
        labels = [json.loads(line) for line in path.read_text().splitlines()]
        change(labels)
        path.write_text("".join(json.dumps(label) + "\n" for label in labels))

    def picture(self, recording, number):
        return self.root / "sandbox" / "data" / "media" / "images" / f"folder-{recording}" / f"step_{number}.png"


def task_id(instruction, recording):
    """A UUID that says which instruction (0-3) and which recording (0-3) a test task has."""
    return f"00000000-0000-4000-8000-0000000000{instruction}{recording}"


def draw(path, text):
    image = Image.new("RGB", SIZE, "white")
    ImageDraw.Draw(image).text((5, 5), text, fill="black")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)


def record_of(task, instruction, recording):
    steps = [
        {
            "step_id": n,
            "screenshot": f"./data/media/images/folder-{recording}/step_{n + 1}.png",
            "action": {"type": "click", "parameters": {"x": 10 + recording, "y": 20 + n, "button": "left"}},
            "timestamp_us": 1_000_000 * n,
        }
        for n in range(3)
    ]
    return {
        "version": "1.1",
        "trajectory_id": task,
        "task": {"instruction": instruction, "applications": ["Editor"]},
        "environment": {"os": "linux", "screen_resolution": list(SIZE)},
        "steps": steps,
    }


def label_of(task, instruction, recording, group, other):
    label = {"trajectory_id": task, "label": "positive", "original_id": f"r{recording}", "paired_id": f"r{other}"}
    if instruction != recording:
        way = (
            "parent_instruction_child_trajectory" if instruction < recording else "child_instruction_parent_trajectory"
        )
        label |= {"label": "negative", "negative_source": way, "mistake_type": "Critical Mistake"}
    return label | {"pair_group_id": group}


@pytest.fixture
def release(tmp_path):
    """A fresh copy."""
    made = Release(tmp_path / "release")
    first = 0
    for group, instructions in GROUPS.items():
        pair = (first, first + 1)
        labels = []
        for recording in pair:
            for number in (1, 2, 3):
                draw(made.picture(recording, number), f"{recording} {number}")
        for instruction in pair:
            for recording in pair:
                task = task_id(instruction, recording)
                text = instructions[instruction - first]
                page = made.root / "sandbox" / "data" / "markdowns" / f"{task}.md"
                for path in (made.json_path(task), page):
                    path.parent.mkdir(parents=True, exist_ok=True)
                made.json_path(task).write_text(json.dumps(record_of(task, text, recording)))
                page.write_text(f"# Goal\n\n> {text}\n")
                labels.append(
                    label_of(task, instruction, recording, group, pair[1] if recording == pair[0] else pair[0])
                )
        (made.root / SPLIT_OF[group]).write_text("".join(json.dumps(label) + "\n" for label in labels))
        first += 2
    return made
