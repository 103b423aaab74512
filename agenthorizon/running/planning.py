"""What a judge would be sent, task by task: the same plan that a run makes, with nothing asked and nothing decoded."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import JudgeFailure
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.running.attempt import Ask, show


@dataclass(frozen=True)
class Planned:
    """How one task would be shown, or why it cannot be."""

    task_id: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """As an outcome would have it; empty where the task cannot be shown."""
    fault: str | None = None


def plans(bench: Bench, judge: Any, ids: Iterable[str]) -> list[Planned]:
    """Plan tasks for a judge. Raises DataError for a broken record."""
    return [_planned(bench, judge, task_id) for task_id in ids]


def _planned(bench: Bench, judge: Any, task_id: str) -> Planned:
    try:
        shown = show(bench, Ask(judge, task_id, repeat=0, attempt=1, timeout=0))
        asked = traits_of(judge).planned_requests(shown.case)
    except JudgeFailure as failure:
        return Planned(task_id, fault=str(failure))
    if asked is None:
        return Planned(task_id, shown.evidence)
    sent = sum(request.screenshots for request in asked)
    return Planned(task_id, {**shown.evidence, "requests": len(asked), "sent": sent})


def summary(planned: Sequence[Planned]) -> list[str]:
    """Say in a few lines how the tasks are shown: one a manner, the most frequent first; then what cannot be."""
    manners: dict[str, list[Planned]] = {}
    for each in planned:
        manners.setdefault(each.fault or _manner(each.evidence), []).append(each)
    ordered = sorted(manners.items(), key=lambda item: (item[1][0].fault is not None, -len(item[1])))
    return [line for manner, some in ordered for line in _lines(manner, some)]


def _manner(evidence: Mapping[str, Any]) -> str:
    fit, across = evidence["fit"], evidence.get("grid", [1])[0]
    size = f"within {fit[0]}×{fit[1]}" if fit else "as recorded"
    quality = f" q{evidence['quality']}" if evidence["quality"] else ""
    how = f"{size}, {evidence['format']}{quality}"
    if "grid" not in evidence:
        return f"screenshots {how}"
    if across == 1:
        return f"each screenshot alone, {how}"
    width, height = evidence["picture_size"]
    return f"grids of {across}×{across} ({width}×{height}), each screenshot {how}"


def _lines(manner: str, some: Sequence[Planned]) -> list[str]:
    count = f"{len(some)} task{'s' if len(some) != 1 else ''}"
    if some[0].fault:
        return [f"{count} cannot be sent: {manner} ({some[0].task_id}{' …' if len(some) > 1 else ''})"]
    pictures = [each.evidence.get("sent", each.evidence["pictures"]) for each in some]
    lines = [f"{count}: {manner}; {min(pictures)} to {max(pictures)} pictures a task, {sum(pictures)} in all"]
    estimates = [each.evidence["estimate"] for each in some if "estimate" in each.evidence]
    if estimates:
        tokens, size = (max(estimate[name] for estimate in estimates) for name in ("tokens", "bytes"))
        total = sum(estimate["tokens"] for estimate in estimates)
        lines.append(f"  at most about {tokens:,} tokens and {size / 1e6:.1f} MB a request, {total:,} tokens in all")
    if requests := [each.evidence["requests"] for each in some if "requests" in each.evidence]:
        lines.append(f"  in at most {min(requests)} to {max(requests)} requests a task, {sum(requests)} in all")
    reasons = sorted({reason for each in some for reason in each.evidence.get("why", ())})
    lines += [f"  because: {'; '.join(reasons[:3])}{' …' if len(reasons) > 3 else ''}"] if reasons else []
    return lines
