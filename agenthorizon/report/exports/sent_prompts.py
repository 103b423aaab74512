"""The prompts of a run as its judge was sent them, made again from its data and configuration.

Pictures are named, not held: each by the recorded files it was made of and how they were shown.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenthorizon.case import Case, Sheet
from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import UsageError
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.judge import Judge
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.outcome import Outcome
from agenthorizon.running.config import COMPARED, describe
from agenthorizon.running.remaking import remade_judge
from agenthorizon.running.showing import show
from agenthorizon.running.store import Run
from agenthorizon.running.variants import ablation_of

Message = dict[str, Any]
"""{"role": "user", "content": [{"type": "text", "text": "Step 1"}, {"type": "image"}]}"""

_SHOWN = ("steps", "pictures", "fit", "grid", "sent")
"""What an outcome and a prompt made again must say alike."""


@dataclass(frozen=True)
class SentPrompt:
    """One request: a system and a user message, and what each `image` part in them stands for, in order."""

    messages: list[Message]
    images: list[dict[str, Any]]
    """{"steps": [3], "files": ["sandbox/3.png"], "sha256": ["…"], "grid": 1, "fit": "512x332", "format": "jpeg",
    "quality": 60}"""
    shown: Mapping[str, Any]

    def is_of(self, outcome: Outcome) -> bool:
        """Whether an outcome says nothing else of how the task was shown."""
        said = outcome.evidence
        return all(said[name] == self.shown.get(name) for name in _SHOWN if name in said)


class SentPrompts:
    """Makes a run's prompts again. Raises UsageError where they would not be the ones that were sent."""

    def __init__(self, run: Run, bench: Bench, pictures: Pictures) -> None:
        self._bench, self._pictures = bench, pictures
        self._judge = remade_judge(run).judge
        self._ablation = ablation_of(run)
        if not isinstance(self._judge, Judge) or type(self._judge).one_request is Judge.one_request:
            raise UsageError(f"{run.folder}: training data is of judges whose prompt is one request, such as direct")
        made = describe(bench, self._judge, run.judge, run.config.get("reask", 0), self._ablation)
        differing = [key for key in COMPARED if _decisive(made, key) != _decisive(run.config, key)]
        if differing:
            raise UsageError(
                f"{run.folder}: its prompts cannot be made again, since these differ from what it was run with: "
                f"{', '.join(differing)}"
            )

    def of(self, task_id: str) -> SentPrompt:
        """Return the prompt about a task. Raises DataError, JudgeFailure for evidence that cannot be read any more."""
        case, evidence = show(self._bench, task_id, self._judge, self._ablation, self._pictures)
        parts = self._judge.one_request(case)
        assert parts is not None, "refused when the run was opened"
        shots = self._bench.screenshots(self._bench[task_id])
        content, images = [], []
        for part in parts:
            if isinstance(part, str):
                content.append(text_part(part))
            else:
                content.append({"type": "image"})
                images.append(self._named(case, part, [shot.file for shot in shots]))
        messages = [message("system", [text_part(case.guide)]), message("user", content)]
        return SentPrompt(messages, images, evidence)

    def _named(self, case: Case, sheet: Sheet, files: Sequence[str | None]) -> dict[str, Any]:
        view = traits_of(self._judge).view
        fit = _fit(sheet) or view.fit
        return {
            "steps": list(sheet.numbers),
            "files": [os.path.relpath(str(files[number - 1]), self._bench.root) for number in sheet.numbers],
            "sha256": [_digest(case, number) for number in sheet.numbers],
            "grid": sheet.across,
            "fit": f"{fit[0]}x{fit[1]}" if fit else "as recorded",
            "format": view.format,
            "quality": view.quality,
        }


def message(role: str, content: Iterable[dict[str, str]]) -> Message:
    """Return a message; its content is always a list, since a column has one type."""
    return {"role": role, "content": list(content)}


def text_part(text: str) -> dict[str, str]:
    """Return a part of a message that is text."""
    return {"type": "text", "text": text}


def _fit(sheet: Sheet) -> tuple[int, int] | None:
    """Return the box that each screenshot of a picture was fitted into; None where the view alone says it."""
    return sheet.size and (sheet.size[0] // sheet.across, sheet.size[1] // sheet.across)


def _digest(case: Case, number: int) -> str:
    picture = case.steps[number - 1].picture
    assert picture is not None, "a sheet holds screenshots that there are"
    return picture.digest


def _decisive(config: Mapping[str, Any], key: str) -> Any:
    """Return what of a part of a configuration decides what is written here.

    Not the judge's name, which may have been told apart from another's, and not the version of the picture pipeline: no
    pixel is written.
    """
    part = config.get(key)
    return {**part, "name": None, "pipeline": None} if key in ("judge", "evidence") and isinstance(part, dict) else part
