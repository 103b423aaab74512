"""What a judge would be sent, task by task: the same plan that a run makes, with nothing asked and nothing decoded."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.ablation import COMPLETE, Ablation
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.running.showing import show


@dataclass(frozen=True)
class Planned:
    """How one task would be shown, or why it cannot be."""

    task_id: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """As an outcome would have it; empty where the task cannot be shown."""
    fault: str | None = None


def plans(bench: Bench, judge: Any, ids: Iterable[str], ablation: Ablation = COMPLETE) -> list[Planned]:
    """Plan tasks for a judge. Raises DataError for a broken record."""
    with closing(Pictures()) as pictures:
        return [_planned(bench, judge, task_id, ablation, pictures) for task_id in ids]


def unsendable(bench: Bench, judge: Any, ids: Iterable[str], ablation: Ablation = COMPLETE) -> list[Planned]:
    """Return the tasks that fit into no request of a judge's: a run fails them, and sends nothing.

    Raises DataError for a broken record. Of a judge whose requests have no limit there is none, and no record is read.
    """
    asked = dict.fromkeys(ids) if traits_of(judge).may_not_fit else ()
    return [planned for planned in plans(bench, judge, asked, ablation) if planned.fault]


def _planned(bench: Bench, judge: Any, task_id: str, ablation: Ablation, pictures: Pictures) -> Planned:
    try:
        shown = show(bench, task_id, judge, ablation, pictures)
        asked = traits_of(judge).planned_requests(shown.case)
    except JudgeFailure as failure:
        return Planned(task_id, fault=str(failure))
    if asked is None:
        return Planned(task_id, shown.evidence)
    sent = sum(request.screenshots for request in asked)
    return Planned(task_id, {**shown.evidence, "requests": len(asked), "sent": sent})
