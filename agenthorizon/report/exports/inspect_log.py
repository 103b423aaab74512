"""A run as a log of Inspect AI, which its viewer opens: one sample per task and repeat, the verdict against the label.

Its own classes make and write the log, so that it is what its own reader reads. Screenshots are not in it.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agenthorizon.dataset.label import Label
from agenthorizon.errors import DataError, MissingExtra, UsageError
from agenthorizon.outcome import Outcome, Telemetry
from agenthorizon.running.config import short_hash
from agenthorizon.running.store import Run, read_transcript
from agenthorizon.scoring.scorecard import Scorecard

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import ModelUsage
    from inspect_ai.scorer import Score

SUFFIXES = (".eval", ".json")
SCORER = "verdict"
"""Names the score of a sample: C where the verdict is the label's, else I."""
_METRICS = ("balanced_accuracy", "tpr", "tnr", "accuracy")
_REASONS = {"malformed": "invalid_response_format", "failed": None, "missing": "no_response"}


def write_inspect_log(
    run: Run, card: Scorecard, labels: Mapping[str, Label], instructions: Mapping[str, str], path: Path
) -> None:
    """Write a run as a log in the form of the file's name.

    Args:
        run: The run.
        card: Its scorecard, for the metrics of each split.
        labels: Label by task id, of all tasks the run was asked.
        instructions: Instruction by task id, of the same tasks.
        path: Ends in `.eval` (zipped) or `.json`.

    Raises MissingExtra without inspect_ai, UsageError for another suffix, for a run without any outcome, and where the
    file cannot be written.
    """
    if path.suffix not in SUFFIXES:
        raise UsageError(f"a log of Inspect AI ends in {' or '.join(SUFFIXES)}, found {path.name}")
    if not run.latest:
        raise UsageError(f"{run.folder} has no outcome yet")
    try:
        from inspect_ai.log import write_eval_log
    except ImportError as error:
        raise MissingExtra("writing logs of Inspect AI", "inspect") from error
    log = _log(run, card, list(_samples(run, labels, instructions)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_eval_log(log, str(path.resolve()))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _log(run: Run, card: Scorecard, samples: "list[EvalSample]") -> "EvalLog":
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec, EvalStats

    config, hashed = run.config, short_hash(run.config)
    times = sorted(outcome.at for outcome in run.latest.values())
    answered = sum(sample.completed_at is not None for sample in samples)
    spec = EvalSpec(
        eval_id=hashed,
        run_id=hashed,
        task_id=hashed,
        created=times[0],
        task="agenthorizon",
        dataset=EvalDataset(
            name=config["data"]["name"],
            samples=len({sample.id for sample in samples}),
            sample_ids=list(dict.fromkeys(str(sample.id) for sample in samples)),
        ),
        model=_model(run),
        config=EvalConfig(epochs=max(sample.epoch for sample in samples)),
        packages={"agenthorizon": str((config.get("versions") or {}).get("agenthorizon", "not known"))},
        metadata={key: config.get(key) for key in ("judge", "data", "prompt", "evidence", "reask", "protocol")},
    )
    return EvalLog(
        status="success" if answered == len(samples) else "cancelled",
        eval=spec,
        results=EvalResults(total_samples=len(samples), completed_samples=answered, scores=[_scores(card)]),
        stats=EvalStats(started_at=times[0], completed_at=times[-1], model_usage=_summed(samples)),
        samples=samples,
    )


def _model(run: Run) -> str:
    return str(run.config["judge"].get("settings", {}).get("model") or run.judge)


def _scores(card: Scorecard) -> Any:
    """Return the figures of each split, as tables here have them; limits of the interval beside each."""
    from inspect_ai.log import EvalMetric, EvalScore

    metrics = {}
    for split, score in card.splits.items():
        for name in _METRICS:
            estimate = getattr(score, name)
            if estimate.value is not None:
                limits = {"low": estimate.low, "high": estimate.high}
                metrics[f"{split} {name}"] = EvalMetric(name=f"{split} {name}", value=estimate.value, metadata=limits)
    return EvalScore(name=SCORER, scorer=SCORER, metrics=metrics)


def _samples(run: Run, labels: Mapping[str, Label], instructions: Mapping[str, str]) -> "Iterable[EvalSample]":
    from inspect_ai.log import EvalSample

    asked = {task_id: count for task_id, count in run.verdicts_asked.items() if task_id in labels}
    repeats = range(max(asked.values(), default=0))
    for task_id, repeat in ((task_id, n) for n in repeats for task_id, count in asked.items() if n < count):
        label, outcome = labels[task_id], run.latest.get((task_id, repeat))
        telemetry = outcome.telemetry if outcome else Telemetry()
        usage = _usage(telemetry)
        yield EvalSample(
            id=task_id,
            epoch=repeat + 1,
            input=_writable(instructions[task_id]),
            target=label.label,
            output=_output(run, outcome),
            scores={SCORER: _score(label, outcome)},
            metadata={"mistake_type": label.mistake_type, "pair_group_id": label.pair_group_id, **_shown(outcome)},
            model_usage={_model(run): usage} if usage else {},
            completed_at=outcome.at if outcome else None,
            total_time=telemetry.seconds,
            working_time=telemetry.seconds,
            error=_error(outcome),
        )


def _score(label: Label, outcome: Outcome | None) -> "Score":
    from inspect_ai.scorer import CORRECT, INCORRECT, Score

    if outcome is None or outcome.verdict is None:
        return Score(value=INCORRECT, reason=_REASONS[outcome.status if outcome else "missing"])
    verdict = outcome.verdict
    return Score(
        value=CORRECT if verdict.success is label.is_positive else INCORRECT,
        answer="positive" if verdict.success else "negative",
        explanation=_writable(verdict.reasoning or ""),
        metadata={"confidence": verdict.confidence, "mistake_type": verdict.mistake_type},
    )


def _output(run: Run, outcome: Outcome | None) -> Any:
    """Return the text that was received, or the verdict as JSON where no transcript was kept."""
    from inspect_ai.model import ModelOutput

    if outcome is None:
        return ModelOutput()
    try:
        text = read_transcript(run.folder, outcome).get("text")
    except DataError:
        text = None
    if not isinstance(text, str):
        text = json.dumps(outcome.verdict.model_dump(exclude={"warnings"})) if outcome.verdict else ""
    return ModelOutput.from_content(_model(run), _writable(text))


def _shown(outcome: Outcome | None) -> dict[str, Any]:
    if outcome is None:
        return {}
    telemetry = outcome.telemetry
    counted = {"cost_usd": telemetry.cost, "images": telemetry.images, "tool_calls": telemetry.tool_calls}
    return {"status": outcome.status, "attempt": outcome.attempt, "evidence": outcome.evidence, **counted}


def _error(outcome: Outcome | None) -> Any:
    from inspect_ai.log import EvalError

    if outcome is None or outcome.status != "failed" or outcome.error is None:
        return None
    message = _writable(f"{outcome.error.kind}: {outcome.error.message}")
    return EvalError(message=message, traceback=message, traceback_ansi=message)


def _usage(telemetry: Telemetry) -> "ModelUsage | None":
    from inspect_ai.model import ModelUsage

    tokens = telemetry.tokens
    if tokens is None:
        return None
    read, written = tokens.get("input") or 0, tokens.get("output") or 0
    return ModelUsage(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
        input_tokens_cache_read=tokens.get("cached_read"),
        input_tokens_cache_write=tokens.get("cached_write"),
        reasoning_tokens=tokens.get("reasoning"),
        total_cost=telemetry.cost,
    )


def _summed(samples: "Iterable[EvalSample]") -> "dict[str, ModelUsage]":
    total: dict[str, ModelUsage] = {}
    for sample in samples:
        for model, usage in sample.model_usage.items():
            total[model] = total[model] + usage if model in total else usage
    return total


def _writable(text: str) -> str:
    """Return a text that UTF-8 can write: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
