"""Says where each recording comes from and what was changed, with the licence texts beside it."""

from dataclasses import dataclass
from pathlib import Path

from chosen import Task
from release import copy


@dataclass(frozen=True)
class Source:
    """A public repository that recordings were taken from."""

    repository: str
    commit: str
    licence: str
    taken: str
    licence_files: tuple[str, ...]


SOURCES = {
    "screenagent": Source(
        repository="niuzaisheng/ScreenAgent",
        commit="2312c852908dda5fbc43d903fad5929a9dec649d",
        licence="data set: Apache-2.0, Copyright 2024 R.L. Niu (code: MIT; model weights, not used: CogVLM)",
        taken="screenshots (JPEG), task prompts in English, human-corrected actions",
        licence_files=("niuzaisheng+ScreenAgent.LICENSE", "Apache-2.0.txt"),
    ),
    "openadapt-flow": Source(
        repository="OpenAdaptAI/openadapt-flow",
        commit="abac2bb3bde8e3bac85c975f3ecf6ff1938499da",
        licence="MIT, Copyright (c) 2026 OpenAdapt.AI (MLDSAI Inc.)",
        taken="screenshots (PNG), actions, the outcome of each run",
        licence_files=("OpenAdaptAI+openadapt-flow.LICENSE",),
    ),
}


def source_rows(tasks: list[Task]) -> list[str]:
    """Return the attribution table's rows, one per source repository."""
    rows = []
    for key, source in SOURCES.items():
        files = ", ".join(f"[{name}](licenses/{name.replace('+', '%2B')})" for name in source.licence_files)
        recordings = {task.folder for task in tasks if task.original.startswith(f"{key}/")}
        taken = f"{len(recordings)} recordings: {source.taken}"
        rows.append(
            f"| [{source.repository}](https://github.com/{source.repository}/tree/{source.commit}) "
            f"| `{source.commit}` | {source.licence} | {files} | {taken} |"
        )
    return rows


def recording_rows(tasks: list[Task]) -> list[str]:
    """Return one row per recording: its folder here and what it was called at the source."""
    recordings = {task.folder: task for task in tasks}
    return [
        f"| `{folder}` | {SOURCES[task.original.split('/')[0]].repository} "
        f"| `{task.original.split('/', 1)[1]}` | {task.os} | {', '.join(task.applications)} "
        f"| {len(task.screenshots)} |"
        for folder, task in sorted(recordings.items())
    ]


ATTRIBUTION = """\
# Where these recordings come from

The trajectories are recordings of public projects, converted to AgentHorizon's release layout. They are
not part of AgentHorizon, and numbers on them are not comparable with it.

## Sources

| repository | commit | licence | text | taken |
| --- | --- | --- | --- | --- |
{sources}

## What was changed

- Screenshots are byte-for-byte copies: only their names and folders were changed.
- Actions were converted to the release's action types, one step an action. A screenshot shows what was
  on screen before the action; where a source has one screenshot for several actions, the first carries it.
  The last step, a wait of no length, carries the final screenshot only.
- Instructions of ScreenAgent are its English task prompts. openadapt-flow has none, so they were written
  from its run records.
- A positive keeps its recording's own instruction; most negatives have that of the paired recording. In
  the MockMed pair the negative is a run that really failed, in the wrong-note OpenEMR negative the
  instruction names another note.
- Thoughts and descriptions of actions were left out, since the sources' texts tell the outcome.
- The operating system of two ScreenAgent sessions (823cce103db442b6bda85c40b2703458 and
  c948b7b7723047e0bc67823f732942db) was corrected to Windows, which their screenshots show.

## Third-party content

A repository's licence covers what its owner may license. The screenshots also show third-party software
and public web pages (among them Microsoft Windows, Word and Edge, MSN, Wikipedia, LibreOffice, GIMP and
OpenEMR), whose names, marks and designs belong to their owners. Patients shown are the sample records of
OpenEMR's public demonstration and of a mock clinic.

## Recordings

`folder` is the name under `sandbox/data/media/images/`; `original` is the session's or run's name at the
source.

| folder | repository | original | system | applications | screenshots |
| --- | --- | --- | --- | --- | --- |
{recordings}
"""


def write_attribution(tasks: list[Task], source: Path, destination: Path) -> None:
    """Write the attribution and copy the licence texts it names."""
    text = ATTRIBUTION.format(sources="\n".join(source_rows(tasks)), recordings="\n".join(recording_rows(tasks)))
    (destination / "ATTRIBUTION.md").write_bytes(text.encode())
    apache = Path(__file__).resolve().parents[2] / "LICENSE"
    for name in sorted({name for entry in SOURCES.values() for name in entry.licence_files}):
        own = apache if name == "Apache-2.0.txt" else source.parent / "licenses" / name
        copy(own, destination / "licenses" / name)
