"""Asks several judges, or one several times, and takes the answer that more than half of all planned votes give.

A vote that gives no verdict (malformed, refused, cut off) is not dropped to make a majority: without more than half of
the planned votes on one side, ties included, there is no verdict, and the task counts as incorrect.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import Field, PositiveInt, PrivateAttr, field_validator

from agenthorizon.case import RequestSize
from agenthorizon.errors import MalformedVerdict
from agenthorizon.evidence.packing import seen_as
from agenthorizon.evidence.sizes import characters_of
from agenthorizon.judge import FULL_SIZE, Case, Judge, Reply, Usage, View
from agenthorizon.judging.asking import ask
from agenthorizon.judging.describing import described
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.judging.members import asking, mark
from agenthorizon.plugins import make_judge
from agenthorizon.verdict import Verdict, read_verdict

from ._several import is_finished

_MOST_SAID = 2000
"""Characters of a member's error that are passed on."""
_CONFIDENCES = ("low", "medium", "high")


@dataclass(frozen=True)
class _Vote:
    """What one member answered, if it did."""

    member: str
    reply: Reply | None = None
    error: Exception | None = None
    verdict: Verdict | None = None

    @property
    def said(self) -> str:
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


class Vote(Judge):
    """A majority of judges, or of one judge's repeated answers; set up by a TOML file."""

    sends_requests: ClassVar[bool] = True

    members: tuple[str, ...] = Field(min_length=1)
    """Judges, each as on the command line, e.g. ["direct:gpt-5.5", "mine.toml"]."""
    repeats: PositiveInt = 1
    """Times each is asked."""

    _judges: dict[str, Any] = PrivateAttr(default_factory=dict)

    @field_validator("members")
    @classmethod
    def _distinct(cls, members: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(members)) < len(members):
            raise ValueError("a member stands twice; to ask one several times, use repeats")
        return members

    def model_post_init(self, _: Any) -> None:
        """Make the members now, so that a faulty one is found before anything is asked."""
        self._judges.update({member: make_judge(member) for member in self.members})

    @property
    def prompts(self) -> tuple[str, ...]:
        """The members' prompts, each once."""
        named = (traits_of(judge).prompts for judge in self._judges.values())
        return tuple(dict.fromkeys(name for names in named for name in names))

    @property
    def view(self) -> View:
        """What the members agree on; each is shown what it wants."""
        views = [traits_of(judge).view for judge in self._judges.values()]
        return views[0] if all(view == views[0] for view in views) else FULL_SIZE

    @property
    def endpoint(self) -> str | None:
        """Where all its members ask, if that is one place."""
        places = {traits_of(each).endpoint for each in self._judges.values()}
        return places.pop() if len(places) == 1 else None

    @property
    def deviations(self) -> tuple[str, ...]:
        """What differs from the published protocol."""
        return (f"a vote of {len(self.members) * self.repeats}",)

    def planned_requests(self, case: Case) -> Sequence[RequestSize]:
        """Return what its members ask at most, each as often as it is asked."""
        found: list[RequestSize] = []
        for judge in self._judges.values():
            traits = traits_of(judge)
            if not traits.may_cost:
                continue
            shown = seen_as(case, traits.view, traits.packing).case
            planned = traits.planned_requests(shown)
            whole = RequestSize(characters_of(shown), len(shown.sheets) or shown.pictures)
            found += [whole] if planned is None else planned
        return found * self.repeats

    def facts(self) -> Mapping[str, Any]:
        """Return what each member is: a vote is another one when a member's code or version is."""
        return {name: described(judge) for name, judge in self._judges.items()}

    async def judge(self, case: Case) -> Reply:
        """Ask every member at once; without a majority a member's error fails the vote, the other replies are kept."""
        planned = [member for member in self.members for _ in range(self.repeats)]
        own = (_of_vote(case, number) for number in range(len(planned)))
        votes = await asyncio.gather(*(self._ask(member, each) for member, each in zip(planned, own, strict=True)))
        counts = Counter(vote.verdict.success for vote in votes if vote.verdict)
        majority = next((success for success, count in counts.items() if 2 * count > len(votes)), None)
        errors = [vote.error for vote in votes if vote.error]
        failure = errors[0] if majority is None and errors else None
        return replace(_joined(votes, _answer(votes, majority)), failure=failure)

    async def _ask(self, member: str, case: Case) -> _Vote:
        judge = self._judges[member]
        traits = traits_of(judge)
        try:
            with asking(_role(member), traits.base_url):
                shown = seen_as(case, traits.view, traits.packing).case
                reply = await ask(judge, shown)
        except Exception as error:  # noqa: BLE001  one member's failure is a vote that cannot be used
            return _Vote(member, error=error)
        if reply.failure is not None:
            mark(reply.failure, _role(member), traits.base_url)
            return _Vote(member, reply, reply.failure)
        try:
            return _Vote(member, reply, verdict=read_verdict(reply.text or "") if is_finished(reply) else None)
        except MalformedVerdict:
            return _Vote(member, reply)

    async def aclose(self) -> None:
        """Close the members."""
        for judge in self._judges.values():
            await traits_of(judge).aclose()


def _role(member: str) -> str:
    return f"the member {member}"


def _of_vote(case: Case, number: int) -> Case:
    """Return a case whose vote goes on, in a later attempt, with what was kept for that vote alone."""
    return replace(case, resume_key=case.resume_key and f"{case.resume_key}.{number}")


def _answer(votes: Sequence[_Vote], majority: bool | None) -> str:
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


def _joined(votes: Sequence[_Vote], text: str) -> Reply:
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
