"""The writer: has `data build`'s own code make the shipped data set of the recordings that were kept.

What only this set has is added: which split a pair is in, what the manifest says of each pair, the attribution.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attribution import attribution
from recording import Recording, frame_name
from scenario import Scenario
from screen import SIZE

import agenthorizon as ah
from agenthorizon.construction.building import REST, BuildPlan, build
from agenthorizon.construction.redividing import redivide
from agenthorizon.dataset.pair_link import CHILD_SHOWN, PARENT_SHOWN, PairLink
from agenthorizon.dataset.schema import VERSION

NAME = "desktop"
SEED = 1
SPLITS = {
    "calc_orders": "AH",
    "files_copy_or_move": "AH",
    "form_newsletter": "AH",
    "impress_slide": "AH",
    "mail_reply": "AH",
    "order_express_line": "AH",
    "vim_setting": "AH",
    "calc_csv_separator": "AH-S",
    "database_member": "AH-S",
    "geany_disabled_call": "AH-S",
    "gimp_flip": "AH-S",
    "settings_margin": "AH-S",
    "calc_sort_order": "AH-D",
    "calculator_sums": "AH-D",
    "database_price": "AH-D",
    "mail_draft": "AH-D",
    "mousepad_line_endings": "AH-D",
    "writer_replace": "AH-D",
}
"""Whole pairs. Every split has all mistake types, AH and AH-D long recordings; nothing was measured to place a pair."""

RECORDINGS = "trajectories.jsonl"
SAID = {
    "title": "AgentHorizon desktop set",
    "description": "Scripted recordings of real applications under Xvfb, made by scripts/record_desktop: what each "
    "leaves on disk was checked, every negative has a mistake type. No person made them, so they show no hesitation "
    "and no detours. The splits were put together by whole pairs and say nothing about difficulty.",
    "scripted": True,
    "reported_as": "not part of AgentHorizon; its numbers are not comparable with it",
}

Recordings = Mapping[str, Mapping[str, Recording]]
"""Scenario name → side → its recording."""


def write(scenarios: Mapping[str, Scenario], recordings: Recordings, kept: Path, destination: Path) -> None:
    """Write the whole data set from the folder of recordings; an earlier one in the same place is replaced."""
    if set(scenarios) != set(SPLITS):
        raise SystemExit(f"scenarios without a split, or the reverse: {sorted(set(scenarios) ^ set(SPLITS))}")
    _clear(destination)
    records = [_record(scenario, side, recordings[name][side]) for name, scenario in scenarios.items() for side in "ab"]
    (kept / RECORDINGS).write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    links = tuple(map(_link, scenarios.values()))
    build(BuildPlan(ah.load(str(kept / RECORDINGS)), links, seed=SEED, name=NAME), destination)
    built = ah.load(str(destination))
    splits: dict[str, list[str]] = {split: [] for split in sorted(set(SPLITS.values()))}
    for task_id in built.splits[REST]:
        original = built.labels[task_id].original_id or ""
        splits[SPLITS[original.rpartition("-")[0]]].append(task_id)
    redivide(built, splits)
    _say(scenarios, recordings, destination)


def recording_id(scenario: Scenario, side: str) -> str:
    """Return what labels call a recording: `original_id` and `paired_id`."""
    return f"{scenario.name}-{side}"


def _record(scenario: Scenario, side: str, recording: Recording) -> dict[str, Any]:
    """Return a recording as a trajectory record beside its frames."""
    steps = [
        {
            "step_id": number,
            "screenshot": f"{scenario.name}/{side}/{frame_name(number + 1)}",
            "action": {"type": step["type"], "parameters": step["parameters"]},
            "timestamp_us": step["timestamp_us"],
        }
        for number, step in enumerate(recording.steps)
    ]
    return {
        "version": VERSION,
        "trajectory_id": recording_id(scenario, side),
        "task": {
            "instruction": scenario.sides()[side].instruction,
            "category": scenario.category,
            "applications": list(scenario.applications),
        },
        "environment": {"os": "linux", "screen_resolution": list(SIZE)},
        "steps": steps,
    }


def _link(scenario: Scenario) -> PairLink:
    """Return the pair: side a is the parent, b the child."""
    types = {CHILD_SHOWN: scenario.a.mistake, PARENT_SHOWN: scenario.b.mistake}
    return PairLink(recording_id(scenario, "a"), recording_id(scenario, "b"), types)


def _say(scenarios: Mapping[str, Scenario], recordings: Recordings, destination: Path) -> None:
    """Add to the manifest what the set is and, of each pair, what no judge may see; write the attribution."""
    path = destination / "manifest.json"
    stated = json.loads(path.read_text("utf-8"))
    pairs = [_pair(scenario, recordings[name]) for name, scenario in scenarios.items()]
    text = json.dumps({**stated, **SAID, "pairs": pairs}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")
    (destination / "ATTRIBUTION.md").write_text(attribution(), "utf-8")


def _pair(scenario: Scenario, recordings: Mapping[str, Recording]) -> dict[str, Any]:
    return {
        "name": scenario.name,
        "split": SPLITS[scenario.name],
        "category": scenario.category,
        "applications": list(scenario.applications),
        "differs": scenario.differs,
        "sides": {
            letter: {
                "recording": recording_id(scenario, letter),
                "steps": len(recordings[letter].steps),
                "artefact": recordings[letter].artefact,
                "mistake_type": side.mistake,
                "because": side.because,
            }
            for letter, side in scenario.sides().items()
        },
    }


def _clear(destination: Path) -> None:
    """Make way for the set; refuse a folder that holds anything but an earlier one."""
    if destination.exists() and any(destination.iterdir()):
        said = destination / "manifest.json"
        if not said.is_file() or json.loads(said.read_bytes()).get("name") != NAME:
            raise SystemExit(f"{destination} holds something else than the desktop set")
        shutil.rmtree(destination)
