"""Asks several judges, or one several times, and takes the answer that more than half of all planned votes give.

A vote that gives no verdict (malformed, refused, cut off) is not dropped to make a majority: without more than half of
the planned votes on one side, ties included, there is no verdict, and the task counts as incorrect.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field, PositiveInt, PrivateAttr, field_validator

from agenthorizon.case import RequestSize
from agenthorizon.errors import MalformedVerdict
from agenthorizon.evidence.packing import seen_as
from agenthorizon.evidence.sizes import characters_of
from agenthorizon.judge import FULL_SIZE, Case, Judge, Reply, View
from agenthorizon.judging.asking import ask
from agenthorizon.judging.describing import described
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.judging.members import asking, mark
from agenthorizon.plugins import make_judge
from agenthorizon.verdict import read_verdict

from ._several import is_finished
from ._votes import Ballot, answer, majority_of, one_reply


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
        majority = majority_of(votes)
        errors = [vote.error for vote in votes if vote.error]
        failure = errors[0] if majority is None and errors else None
        return replace(one_reply(votes, answer(votes, majority)), failure=failure)

    async def _ask(self, member: str, case: Case) -> Ballot:
        judge = self._judges[member]
        traits = traits_of(judge)
        try:
            with asking(_role(member), traits.base_url):
                shown = seen_as(case, traits.view, traits.packing).case
                reply = await ask(judge, shown)
        except Exception as error:  # noqa: BLE001  one member's failure is a vote that cannot be used
            return Ballot(member, error=error)
        if reply.failure is not None:
            mark(reply.failure, _role(member), traits.base_url)
            return Ballot(member, reply, reply.failure)
        try:
            return Ballot(member, reply, verdict=read_verdict(reply.text or "") if is_finished(reply) else None)
        except MalformedVerdict:
            return Ballot(member, reply)

    async def aclose(self) -> None:
        """Close the members."""
        for judge in self._judges.values():
            await traits_of(judge).aclose()


def _role(member: str) -> str:
    return f"the member {member}"


def _of_vote(case: Case, number: int) -> Case:
    """Return a case whose vote goes on, in a later attempt, with what was kept for that vote alone."""
    return replace(case, resume_key=case.resume_key and f"{case.resume_key}.{number}")
