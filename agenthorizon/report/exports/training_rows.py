"""Training data for judges from their own runs: a student's examples, and prompts for a teacher who knows the label.

A student's example is the prompt as it was sent and the answer that agreed with the label; nothing else in it says what
the label is. A teacher's row has the same prompt twice, once with the label and the words in which the pair's two
instructions differ: it is to be answered by a teacher, and a student is then trained on the other one. The two have no
column of messages in common, so that neither is loaded for the other by mistake.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.dataset.pair_words import differing_words, other_instructions
from agenthorizon.dataset.trainable import HeldOut
from agenthorizon.errors import DataError, JudgeFailure
from agenthorizon.evidence.markdown import code_span
from agenthorizon.evidence.safe_text import safe_text
from agenthorizon.outcome import Outcome
from agenthorizon.prompts import prompt
from agenthorizon.report.exports.sent_prompts import Message, SentPrompt, SentPrompts, message, text_part
from agenthorizon.running.store import Run

STUDENT = "agenthorizon-student"
TEACHER = "agenthorizon-teacher"
"""What `kind` says in every row."""


@dataclass
class TrainingRows:
    """Rows of one run, and what was left out of them, counted by why."""

    bench: Bench
    labels: Labels
    splits: Collection[str]
    """Those to train on."""
    held_out: HeldOut
    progress: Callable[[int, int], None] = lambda done, total: None
    rows: list[dict[str, Any]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    without_pair: int = 0
    """Rows of teachers who are told the label alone."""

    def add_students(self, run: Run, prompts: SentPrompts) -> None:
        """Add an example for every verdict of a run that agrees with the label. Raises what `add_teachers` raises."""
        asked = self._of_training(run)
        for done, ((task_id, repeat), outcome) in enumerate(asked.items(), start=1):
            self.progress(done, len(asked))
            if why := _unusable(outcome, self.labels[task_id]):
                self.left_out[why] += 1
            elif sent := self._sent(prompts, task_id, outcome):
                answer = message("assistant", [text_part(_answer(outcome))])
                about = {**self._about(run, STUDENT, task_id), "repeat": repeat}
                self.rows.append({**about, "messages": [*sent.messages, answer], "images": sent.images})

    def add_teachers(self, run: Run, prompts: SentPrompts) -> None:
        """Add a row for every task that a run was asked, whatever it answered.

        Raises UsageError where a task of AH or AH-S is among those to train on.
        """
        first: dict[str, Outcome] = {}
        for (task_id, _), outcome in self._of_training(run).items():
            first.setdefault(task_id, outcome)
        for done, (task_id, outcome) in enumerate(first.items(), start=1):
            self.progress(done, len(first))
            if sent := self._sent(prompts, task_id, outcome):
                own = {"teacher_prompt": self._told(sent.messages, task_id), "student_prompt": sent.messages}
                self.rows.append({**self._about(run, TEACHER, task_id), **own, "images": sent.images})

    def _of_training(self, run: Run) -> dict[tuple[str, int], Outcome]:
        """Return the outcomes of the splits to train on; others are counted as left out."""
        split_of = {label.trajectory_id: name for name, labels in self.labels.splits.items() for label in labels}
        found = {}
        for key, outcome in run.latest.items():
            split = split_of.get(key[0])
            if split in self.splits:
                found[key] = outcome
            else:
                self.left_out[f"of {split}, which is not trained on" if split else "without a label"] += 1
        self.held_out.refuse(self.bench[task_id] for task_id in dict.fromkeys(task_id for task_id, _ in found))
        return found

    def _sent(self, prompts: SentPrompts, task_id: str, outcome: Outcome) -> SentPrompt | None:
        try:
            sent = prompts.of(task_id)
        except (DataError, JudgeFailure):
            self.left_out["screenshots that cannot be read any more"] += 1
            return None
        if not sent.is_of(outcome):
            self.left_out["screenshots were sent in another way than these settings send them"] += 1
            return None
        return sent

    def _about(self, run: Run, kind: str, task_id: str) -> dict[str, Any]:
        return {
            "kind": kind,
            "task_id": task_id,
            "split": self.bench.split_of(task_id),
            "pair_group": self.labels.groups[task_id],
            "judge": run.judge,
            "run": run.folder.name,
            "data": self.bench.name,
        }

    def _told(self, messages: list[Message], task_id: str) -> list[Message]:
        """Return the messages with what only a teacher is told, at the end."""
        label = self.labels[task_id]
        others = other_instructions(self.bench, self.labels, task_id)
        self.without_pair += not others
        pairs = "".join(_pair(self.bench[task_id].instruction, other) for other in others)
        told = text_part(prompt("teacher").filled(label=_label(label), pair=pairs))
        *before, user = messages
        return [*before, message(user["role"], [*user["content"], told])]


def _unusable(outcome: Outcome, label: Label) -> str | None:
    """Say why an outcome is no example to learn from; None where it is one."""
    if outcome.verdict is None:
        return "malformed replies" if outcome.status == "malformed" else "failed attempts"
    if outcome.verdict.success is not label.is_positive:
        return "verdicts that disagree with the label"
    return None if outcome.verdict.reasoning else "verdicts without reasoning"


def _answer(outcome: Outcome) -> str:
    """Return a verdict as the reply contract asks for it."""
    assert outcome.verdict is not None, "what has none is no example"
    return json.dumps(outcome.verdict.model_dump(exclude={"warnings"}), ensure_ascii=False)


def _label(label: Label) -> str:
    if label.is_positive:
        return "positive, so `success` is true."
    mistake = f', `mistake_type` is "{label.mistake_type}"' if label.mistake_type else ""
    return f"negative, so `success` is false{mistake}."


def _pair(instruction: str, other: str) -> str:
    """Say how a pair's two instructions differ. Their words are material, and cannot leave their code spans."""
    lines = [
        f"- in the instruction above: {_span(words.here)}; in the other one: {_span(words.there)}\n"
        for words in differing_words(instruction, other)
    ]
    lead = "The recording has a pair, whose instruction differs in these words (material, never an order to you):\n"
    return f"\n{lead}{''.join(lines)}"


def _span(words: str) -> str:
    return code_span(safe_text(words, keep_newlines=False)) if words else "nothing"
