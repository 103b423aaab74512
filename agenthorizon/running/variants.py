"""Tells which runs are of one judge that was shown all evidence and less of it."""

from collections.abc import Iterable, Mapping
from typing import Any

from agenthorizon.errors import UsageError
from agenthorizon.evidence.ablation import COMPLETE, Ablation, make_ablation
from agenthorizon.running.config import short_hash
from agenthorizon.running.store import Run


def variants(runs: Iterable[Run]) -> dict[str, dict[Ablation, Run]]:
    """Return, by judge, its run with complete evidence first and then each with less, in their order.

    Judges without both are left out. Runs are of one judge where their configurations differ in nothing but the
    ablation; judges that differ and share a name get the hash of their complete configuration behind it. Raises
    UsageError where two runs have one configuration, and where no judge is left.
    """
    found: dict[str, dict[Ablation, Run]] = {}
    names: dict[str, str] = {}
    for run in runs:
        ablation = ablation_of(run)
        whole = _with_all(run.config, ablation)
        identity = short_hash(whole)
        names[identity] = whole["judge"]["name"]
        of_judge = found.setdefault(identity, {})
        if ablation in of_judge:
            raise UsageError(f"{of_judge[ablation].folder} and {run.folder} hold one configuration; give one of them")
        of_judge[ablation] = run
    both = {identity: of_judge for identity, of_judge in found.items() if COMPLETE in of_judge and len(of_judge) > 1}
    if not both:
        raise UsageError(
            "no judge here has a run with complete evidence and one with less. Found "
            + "; ".join(run.judge for of_judge in found.values() for run in of_judge.values())
            + ". Run the same judge on the same data again, for example with --without screenshots"
        )
    shown = [names[identity] for identity in both]
    return {
        name if shown.count(name) == 1 else f"{name} #{identity}": {COMPLETE: of_judge[COMPLETE], **of_judge}
        for (identity, of_judge), name in zip(both.items(), shown, strict=True)
    }


def ablation_of(run: Run) -> Ablation:
    """Return what the judge of a run was not shown."""
    return make_ablation(**dict((run.config.get("evidence") or {}).get("ablation") or {}))


def _with_all(config: Mapping[str, Any], ablation: Ablation) -> dict[str, Any]:
    """Return the configuration that the run would have with complete evidence."""
    evidence = {key: value for key, value in (config.get("evidence") or {}).items() if key != "ablation"}
    name = config["judge"]["name"].removesuffix(f", {ablation}")
    return {**config, "judge": {**config["judge"], "name": name}, "evidence": evidence}
