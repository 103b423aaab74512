"""What to look at where a judge answers and no reply of it holds a verdict."""

import shlex
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from agenthorizon.cli import printable, shortened
from agenthorizon.errors import DataError
from agenthorizon.outcome import Outcome
from agenthorizon.running.store import read_transcript

_CAUSES = {
    "empty_reply": "the model says its verdict in its thoughts alone, or spends its max_tokens on them",
    "success_not_boolean": "the model writes success as a text or a number, where only true and false are read",
}
_USUAL = (
    "the model does not keep to the form (json_schema = true holds it to it, where its server can), or the address is "
    "that of another model or program than meant"
)


def advice(folder: Path, outcomes: Iterable[Outcome]) -> list[str]:
    """Return lines for people where there are replies and none holds a verdict; else nothing."""
    found = list(outcomes)
    malformed = [outcome for outcome in found if outcome.status == "malformed"]
    if not malformed or any(outcome.status == "verdict" for outcome in found):
        return []
    kinds = Counter(outcome.error.kind for outcome in malformed if outcome.error)
    place, most = shlex.quote(str(folder)), kinds.most_common(1)[0][0] if kinds else ""
    lines = [
        f"no reply holds a verdict: {', '.join(f'{kind} ×{count}' for kind, count in kinds.most_common())}",
        *_quoted(folder, malformed[-1]),
        f"  read them: agenthorizon view {place}, or gzip -dc {place}/transcripts/*.json.gz",
        f"  usual causes: {_CAUSES.get(most, _USUAL)}; agenthorizon judges check JUDGE tries it with one request",
        f"  once a server is mended: agenthorizon rerun {place} --class malformed",
    ]
    return [printable(line) for line in lines]


def _quoted(folder: Path, outcome: Outcome) -> list[str]:
    try:
        text = read_transcript(folder, outcome).get("text") or ""
    except DataError:
        return []
    return [f"  one of them: {shortened(text)!r}"]
