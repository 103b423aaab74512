"""The run card beside a submission: who judged, how it was asked and shown, what it cost, and what deviates."""

import hashlib
from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime
from statistics import fmean
from typing import Any

from agenthorizon.running.spending import costs_by_verdict
from agenthorizon.running.store import Run
from agenthorizon.running.taken import answers_kept

FORM = "agenthorizon run card 1"


def run_card(run: Run, manifest_ids: Collection[str], submission: str) -> dict[str, Any]:
    """Return the card of a run's submission as a JSON object; what is not known is null.

    Costs are of all attempts at the verdicts that are submitted, seconds of the one that counts; of the whole run is
    the number of answers that were kept and found again, which are paid for once.
    """
    config = run.config
    counting = {task_id: o for (task_id, repeat), o in run.latest.items() if repeat == 0 and task_id in manifest_ids}
    costs = costs_by_verdict(run.outcomes)
    statuses = Counter(outcome.status for outcome in counting.values())
    return {
        "form": FORM,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "submission_sha256": hashlib.sha256(submission.encode()).hexdigest(),
        "judge": config["judge"],
        "versions": config.get("versions"),
        "prompt": config.get("prompt"),
        "evidence": config.get("evidence"),
        "reask": config.get("reask"),
        "data": config["data"],
        "protocol": config.get("protocol"),
        "coverage": {
            "tasks": len(manifest_ids),
            "verdict": statuses["verdict"],
            "malformed": statuses["malformed"],
            "failed": statuses["failed"],
            "missing": len(manifest_ids) - len(counting),
            "screenshots_missing_in": sum(bool(outcome.evidence.get("missing")) for outcome in counting.values()),
        },
        "answers_kept": answers_kept(run),
        "cost_usd": _told([costs.get((task_id, 0)) for task_id in counting]),
        "seconds": _told([outcome.telemetry.seconds for outcome in counting.values()]),
    }


def _told(values: Collection[float | None]) -> dict[str, float | int | None]:
    """Return sum and mean of what is known, and of how many tasks it is known."""
    known = [value for value in values if value is not None]
    return {"total": sum(known) if known else None, "mean": fmean(known) if known else None, "known_of": len(known)}
