"""Looks at a few screenshots, large: a cheap model or a heuristic picks them, the last ones are always among them.

Every action is still told; a screenshot that was not picked is said to be left out, in its step's place.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field, PositiveInt, PrivateAttr, model_validator

from agenthorizon.case import RequestSize
from agenthorizon.evidence.conversation import conversation
from agenthorizon.evidence.packing import seen_as
from agenthorizon.evidence.sizes import characters_of
from agenthorizon.judge import Case, Packing, Reply, ShownStep
from agenthorizon.judging.beside_the_loop import prepared
from agenthorizon.judging.members import asking
from agenthorizon.judging.unsettled import Bill, Unsettled
from agenthorizon.prices import Prices

from ._asking import ChatJudge
from ._changes import most_changed
from ._picking import Picker, no_pick
from ._settings import Settings
from ._several import failed, joined

NOT_PICKED = "its screenshot is left out here"


class Filter(ChatJudge):
    """A model that sees a few picked screenshots, large, and every action."""

    image_size: tuple[PositiveInt, PositiveInt] | None = (1126, 730)
    """Box of a picked screenshot; 2.2 times the published size."""
    keep: int = Field(12, ge=1)
    """Screenshots shown at most."""
    last: int = Field(3, ge=1)
    """The last screenshots, always among them."""
    picker: Literal["changes", "model"] = "changes"
    """changes: those that differ most from the one before. model: a model picks, seeing all of them small."""
    picker_model: str | None = None
    """The model that picks, at the same server; if not given, the judge's own. With another, costs are unknown."""

    _picker: Picker = PrivateAttr()
    _unsettled: Unsettled = PrivateAttr(default_factory=Unsettled)

    @model_validator(mode="after")
    def _sensible(self) -> "Filter":
        if self.last > self.keep:
            raise ValueError(f"last = {self.last} screenshots do not fit into keep = {self.keep}")
        return self

    def model_post_init(self, context: Any) -> None:
        """Set up the model that picks: the judge's settings, by another model's name."""
        super().model_post_init(context)
        known = {name: getattr(self, name) for name in Settings.model_fields}
        self._picker = Picker(Settings(**known | {"model": self.picker_model or self.model}))

    @property
    def prompts(self) -> tuple[str, ...]:
        """The guide and how to pick."""
        return ("guide", "pick")

    @property
    def packing(self) -> Packing | None:
        """None: what is sent is planned once it is picked."""
        return None

    @property
    def asks_one_model(self) -> bool:
        """Whether the same model picks and judges; the tokens of two have no one price."""
        return self.picker != "model" or self.picker_model in (None, self.model)

    @property
    def dearest(self) -> Prices | None:
        """Its prices, where they are those of all its tokens."""
        return self.prices if self.asks_one_model else None

    def planned_requests(self, case: Case) -> Sequence[RequestSize]:
        """Return the request that shows what is picked, after the one that picks where a model does."""
        shown = RequestSize(characters_of(case), min(self.keep, case.pictures))
        return [RequestSize(characters_of(case), case.pictures), shown] if self._is_picked_by_model(case) else [shown]

    def _is_picked_by_model(self, case: Case) -> bool:
        """Whether a model is asked what to show: not where all fit, nor where the last ones leave no place."""
        return self.picker == "model" and self.last < self.keep < case.pictures

    @property
    def deviations(self) -> tuple[str, ...]:
        """What differs from the published protocol."""
        return (f"{self.keep} screenshots picked by {self.picker}",)

    async def judge(self, case: Case) -> Reply:
        """Pick, then ask. Without a step picked, the reply is a failure (no_pick)."""
        pictured = [step for step in case.steps if step.picture is not None]
        final = [step.number for step in pictured[-self.last :]]
        candidates = pictured[: -self.last]
        wanted = self.keep - len(final)
        if self._is_picked_by_model(case):
            async with self._unsettled.bill_of(case) as bill:
                return await self._judged_by_two(case, candidates, final, bill)
        picked = [step.number for step in candidates]
        if len(candidates) > wanted:
            picked = await prepared(most_changed, candidates, wanted)
        return joined([], await self._ask(case, {*picked, *final}), {})

    async def _judged_by_two(self, case: Case, candidates: list[ShownStep], final: list[int], bill: Bill) -> Reply:
        """Have a model pick, then ask. What was paid for before a failure is kept and counted."""
        try:
            picked = await self._picker.pick(case, candidates, self.keep - len(final), bill)
        except Exception as error:  # noqa: BLE001  attempts before this one were paid for
            return joined(bill.before, failed(error), bill.account)
        if picked.reply and not picked.steps:
            return joined(bill.before, replace(picked.reply, text=None, failure=no_pick(picked.reply)), bill.account)
        last = await self._ask(case, {*picked.steps, *final})
        if last.failure is None:
            await self._picker.forget(picked)
        before = [*bill.before, *([picked.reply] if picked.reply else [])]
        return joined(before, last, bill.account, answers_kept=int(picked.reply is None))

    async def _ask(self, case: Case, chosen: set[int]) -> Reply:
        """Ask for the verdict, showing the chosen screenshots; a failure is a reply too."""
        evidence: dict[str, Any] = {"chosen": sorted(chosen), "picker": self.picker}
        is_one_of_two = self.picker == "model"
        try:
            shown = await prepared(seen_as, _only(case, chosen), self.view, self._asker.packing())
            evidence = {**shown.evidence, **evidence}
            with asking(f"the model that judges, {self.model}", self.base_url) if is_one_of_two else nullcontext():
                reply = await self._asker.ask(shown.case, conversation(shown.case))
        except Exception as error:  # noqa: BLE001  what picking took is kept and counted
            reply = failed(error)
        return replace(reply, evidence={**evidence, **reply.evidence})

    async def aclose(self) -> None:
        """Close the connections."""
        await super().aclose()
        await self._picker.aclose()


def _only(case: Case, chosen: set[int]) -> Case:
    steps = tuple(
        replace(step, picture=None, note=NOT_PICKED) if step.picture and step.number not in chosen else step
        for step in case.steps
    )
    return replace(case, steps=steps)
