"""What the votes of a vote's members say together: the answer of the majority, and one reply for all of them."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agenthorizon.judge import Reply, Usage
from agenthorizon.verdict import Verdict

_MOST_SAID = 2000
"""Characters of a member's error that are passed on."""
_CONFIDENCES = ("low", "medium", "high")


@dataclass(frozen=True)
class Ballot:
    """What one member answered, if it did."""

    member: str
    reply: Reply | None = None
    error: Exception | None = None
    verdict: Verdict | None = None

    @property
    def said(self) -> str:
        """Its side: yes, no or unusable."""
        if self.verdict is None:
            return "unusable"
        return "yes" if self.verdict.success else "no"

    @property
    def unusable(self) -> tuple[str, ...]:
        """Why it cannot be used, and what of its own members' answers cannot: a majority of the others hides it."""
        of = f"the vote of {self.member}"
        inner = tuple(f"{of}: {why}" for why in (self.reply.unusable if self.reply else ()))
        if self.verdict is not None:
            return inner
        text = self.reply and self.reply.text
        why = str(self.error)[:_MOST_SAID] if self.error else f"no verdict in {str(text)[:200]!r}"
        return (f"{of} cannot be used: {why}", *inner)


def majority_of(votes: Sequence[Ballot]) -> bool | None:
    """Return the side that more than half of all votes are on; None where no side has them."""
    counts = Counter(vote.verdict.success for vote in votes if vote.verdict)
    return next((success for success, count in counts.items() if 2 * count > len(votes)), None)


def answer(votes: Sequence[Ballot], majority: bool | None) -> str:
    """Return what a majority answers, as a model would write it, with the reasoning of one of them; or that none is."""
    said = Counter(vote.said for vote in votes)
    counted = ", ".join(f"{said[word]} {word}" for word in ("yes", "no", "unusable") if said[word])
    if majority is None:
        return f"No majority of {len(votes)} planned votes: {counted}."
    agreeing = [vote.verdict for vote in votes if vote.verdict and vote.verdict.success is majority]
    first = next((verdict.reasoning for verdict in agreeing if verdict.reasoning), "")
    confidences = [verdict.confidence for verdict in agreeing if verdict.confidence]
    verdict = {
        "success": majority,
        "reasoning": f"Of {len(votes)} votes: {counted}. {first}".strip(),
        "confidence": min(confidences, key=_CONFIDENCES.index) if confidences else None,
        "mistake_type": _most_named(agreeing),
    }
    return json.dumps(verdict)


def _most_named(verdicts: Sequence[Verdict]) -> str | None:
    """Return the mistake type that most of the majority name; None where two are named equally often."""
    named = Counter(verdict.mistake_type for verdict in verdicts if verdict.mistake_type).most_common(2)
    if not named or (len(named) > 1 and named[0][1] == named[1][1]):
        return None
    return named[0][0]


def one_reply(votes: Sequence[Ballot], text: str) -> Reply:
    """Return one reply with a text and with what all votes took."""
    replies = [vote.reply for vote in votes if vote.reply]
    costs = [reply.cost for reply in replies]
    raw = [
        {"member": vote.member, "text": vote.reply and vote.reply.text, "raw": vote.reply and vote.reply.raw}
        | ({"error": str(vote.error)[:_MOST_SAID]} if vote.error else {})
        for vote in votes
    ]
    return Reply(
        text=text,
        usage=Usage.total(reply.usage for reply in replies),
        requests=sum(reply.requests for reply in replies),
        images=sum(reply.images for reply in replies),
        answers_kept=sum(reply.answers_kept for reply in replies),
        cost=None if None in costs or not costs else sum(cost for cost in costs if cost is not None),
        raw={"votes": raw},
        evidence={"votes": [{"member": vote.member, "vote": vote.said} for vote in votes]},
        unusable=tuple(why for vote in votes for why in vote.unusable),
    )
