"""Says in words how tasks would be sent, and which cannot be: for `tasks --plan`, the dry run and a run's beginning."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agenthorizon.running.planning import Planned

_NUMBERS = re.compile(r"\d[\d,.]*")


def summary(planned: Sequence[Planned]) -> list[str]:
    """Say in a few lines how the tasks are shown: one a manner, the most frequent first; then what cannot be."""
    manners: dict[str, list[Planned]] = {}
    for each in planned:
        if not each.fault:
            manners.setdefault(_manner(each.evidence), []).append(each)
    ordered = sorted(manners.items(), key=lambda item: -len(item[1]))
    return [line for manner, some in ordered for line in _lines(manner, some)] + said_unsendable(planned)


def said_unsendable(planned: Iterable[Planned]) -> list[str]:
    """Say how many tasks cannot be sent, and why; reasons that differ in their figures alone are one."""
    alike: dict[str, list[Planned]] = {}
    for each in planned:
        if each.fault:
            alike.setdefault(_NUMBERS.sub("0", each.fault), []).append(each)
    return [
        f"{_count(some)} cannot be sent{': ' if len(some) == 1 else ', such as '}{some[0].task_id}: {some[0].fault}"
        for some in sorted(alike.values(), key=len, reverse=True)
    ]


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


def _count(some: Sequence[Planned]) -> str:
    return f"{len(some)} task{'s' if len(some) != 1 else ''}"


def _lines(manner: str, some: Sequence[Planned]) -> list[str]:
    pictures = [each.evidence.get("sent", each.evidence["pictures"]) for each in some]
    lines = [f"{_count(some)}: {manner}; {min(pictures)} to {max(pictures)} pictures a task, {sum(pictures)} in all"]
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
