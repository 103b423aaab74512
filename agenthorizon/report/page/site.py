"""The data of the page: an index of judges and tasks, and a file for each task; made here, written or served."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean, median
from typing import Any

from agenthorizon.dataset.label import Label
from agenthorizon.evidence.safe_text import escape
from agenthorizon.report.page.answers import JudgeAnswers
from agenthorizon.report.page.boards import boards, comparisons, sliced
from agenthorizon.report.page.catalogue import Catalogue, TaskEntry
from agenthorizon.report.page.embedding import script
from agenthorizon.running.taken import answers_kept, dollars_taken, seconds_taken
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.slices import Slice
from agenthorizon.verdict import MISTAKE_TYPES


@dataclass(frozen=True)
class Site:
    """A data set, and what judges made of it."""

    catalogue: Catalogue
    judges: Sequence[JudgeAnswers] = ()
    cards: Sequence[Scorecard] = ()
    """Scorecards of the judges, in their order, then others that have no answers to show."""
    slices: Mapping[str, Sequence[Slice]] = field(default_factory=dict)
    is_blind: bool = False
    """Leaves out labels and all that is made from them."""
    stamp: str | None = None
    """Names this state of the runs where it may change while the page is open; None where it cannot."""

    @cached_property
    def index(self) -> str:
        """The script with everything but the steps and the judges' words."""
        scored = [] if self.is_blind else list(self.cards)
        of_runs = [card for card in scored if card.marks]
        bench = self.catalogue.bench
        return script(
            "index",
            {
                "data": escape(bench.name),
                "form": escape(bench.form),
                "stamp": self.stamp,
                "blind": self.is_blind or self.catalogue.labels is None,
                "pictures": self.catalogue.album is not None,
                "mistakes": MISTAKE_TYPES,
                "judges": [_judge(answers) for answers in self.judges],
                "boards": boards(scored),
                "slices": [] if self.is_blind else sliced(self.slices),
                "comparisons": comparisons(of_runs) if len(of_runs) > 1 else [],
                "tasks": self._tasks(),
            },
        )

    def task(self, task_id: str) -> str:
        """Return the script with a task's steps and what every judge said of it."""
        told = [answers.told(task_id) for answers in self.judges]
        key = self.catalogue.tasks[task_id].key
        return script("task", {"key": key, "steps": self.catalogue.steps(task_id), "answers": told})

    @cached_property
    def reasons(self) -> str:
        """The script with all that judges said of each task, for the text search; the page loads it when it searches.

        The index has no room for long reasons. In the order of hashes, which tells nothing.
        """
        return script("reasons", [[key, self._said(task_id)] for key, task_id in sorted(self.catalogue.ids.items())])

    def _said(self, task_id: str) -> str:
        told = [answers.told(task_id) for answers in self.judges]
        words = [one[name] for one in told if one for name in ("reasoning", "error")]
        return "\n".join(word for word in words if word)

    def _tasks(self) -> list[list[Any]]:
        entries = self.catalogue.tasks.values()
        # The order of a label file may tell positives from negatives; the order of hashes tells nothing.
        ordered = sorted(entries, key=lambda entry: entry.key) if self.is_blind else entries
        labels = {} if self.is_blind or self.catalogue.labels is None else self.catalogue.labels
        groups, recordings = _Numbers(), _Numbers()
        return [self._task(entry, labels.get(entry.id), groups, recordings) for entry in ordered]

    def _task(self, entry: TaskEntry, label: Label | None, groups: "_Numbers", recordings: "_Numbers") -> list[Any]:
        """Return a row of the index; `app/store.js` names its columns."""
        about = [entry.key, entry.id, entry.split, entry.instruction, entry.os, list(entry.apps), entry.steps]
        letters = "".join(answers.letter(entry.id) for answers in self.judges)
        named = "".join(answers.named_mistake(entry.id) for answers in self.judges)
        if label is None or self.catalogue.labels is None:
            return [*about, letters, named]
        kind = MISTAKE_TYPES.index(label.mistake_type) + 1 if label.mistake_type else 0
        group = groups[self.catalogue.labels.groups[entry.id]]
        recording = recordings[self.catalogue.labels.recordings.get(entry.id, entry.id)]
        return [*about, letters, named, int(label.is_positive), kind, group, recording]


class _Numbers(dict[str, int]):
    """Numbers names in the order they come."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]


def _judge(answers: JudgeAnswers) -> dict[str, Any]:
    costs, seconds = dollars_taken(answers.run), seconds_taken(answers.run)
    return {
        "name": escape(answers.name),
        "cost": fmean(costs) if costs else None,
        "seconds": median(seconds) if seconds else None,
        "kept": answers_kept(answers.run),
        "setting": [[name, escape(str(value))] for name, value in _setting(answers.run.config).items()],
    }


def _setting(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a run's configuration a reader asks for first."""
    judge, prompt, view = config["judge"], config.get("prompt", {}), config.get("evidence", {}).get("view") or {}
    fit = view.get("fit")
    return {
        **{name: value for name, value in judge.get("settings", {}).items() if value is not None},
        "screenshots": f"{fit[0]}×{fit[1]}" if isinstance(fit, list) else "as recorded",
        "prompt": str(prompt.get("sha256", "–"))[:12],
        "version": config.get("versions", {}).get("agenthorizon", "–"),
    }
