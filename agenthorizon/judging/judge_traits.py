"""What a judge says of itself, with what holds where it says nothing: the only place that reads it with defaults.

A judge may be any class with a method `judge(case)`: nothing but that can be relied on. What it does not say, or says
as something of another type, is as the default here, and each default has its reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, TypeVar

from agenthorizon.case import FULL_SIZE, Case, Limits, Packing, RequestSize, View
from agenthorizon.errors import AgentHorizonError, UsageError
from agenthorizon.judge import Judge
from agenthorizon.prices import Prices

_Kind = TypeVar("_Kind")


@dataclass(frozen=True)
class Traits:
    """The traits of one judge, read when asked for: what a request may hold changes as its server says so."""

    judge: Any

    @property
    def sends_requests(self) -> bool | None:
        """Whether it asks a model; None where it does not say, since nobody can know what a plain class does."""
        return self._said("sends_requests", bool)

    @property
    def may_cost(self) -> bool:
        """Whether an attempt may cost money: unless it says that it asks no model, since a cap must hold."""
        return self.sends_requests is not False

    @property
    def protocol_applies(self) -> bool:
        """Whether the published protocol is about it: only where it says that it asks a model.

        Whoever does not say is not held to the protocol, so that a table never claims that an unknown one follows it.
        """
        return self.sends_requests is True

    @property
    def deviations(self) -> tuple[str, ...]:
        """What differs from the published protocol; nothing by default: settings of ours are looked at anyway."""
        return self._listed("deviations")

    @property
    def has_published_view(self) -> bool:
        """Whether the protocol fixes how its screenshots are shown; by default, as for all but agents."""
        return self._said("has_published_view", bool) is not False

    @property
    def looks_at_pictures(self) -> bool:
        """Whether missing screenshots matter; by default, since a verdict without them would be another one."""
        return self._said("looks_at_pictures", bool) is not False

    @property
    def keeps_time(self) -> bool:
        """Whether it ends in time by itself; not by default, so that a run ends."""
        return self._said("keeps_time", bool) is True

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the texts it is asked with; the guide by default, which every case holds."""
        return self._listed("prompts") or ("guide",)

    @property
    def view(self) -> View:
        """How it wants its screenshots; in full size by default, since nothing is left out of those."""
        return self._said("view", View) or FULL_SIZE

    @property
    def packing(self) -> Packing | None:
        """What its requests may hold; None by default: only who sends requests of ours has them planned."""
        return self._said("packing", Packing)

    @property
    def picture_limits(self) -> Limits:
        """Whose tokens a picture takes; those its requests are planned by, and by default the published protocol's."""
        return self._said("picture_limits", Limits) or (self.packing.limits if self.packing else Limits())

    @property
    def may_not_fit(self) -> bool:
        """Whether a task may fit into no request of its; by default not, since nobody plans what it sends."""
        plans_itself = getattr(type(self.judge), "planned_requests", None) not in (None, Judge.planned_requests)
        return plans_itself or (self.packing is not None and self.packing.limits.hold_back)

    @property
    def prompt_order(self) -> str | None:
        """Which comes first, instruction or trajectory; None by default: nobody knows what it sends."""
        return self._said("prompt_order", str)

    @property
    def base_url(self) -> str | None:
        """The address its settings name; None by default, and no message can name it."""
        return self._said("base_url", str)

    @property
    def endpoint(self) -> str | None:
        """Where its requests really go; by default its address.

        No part of `Judge`: it would hide a setting of that name in a judge of the user's own.
        """
        return self._said("endpoint", str) or self.base_url

    @property
    def model(self) -> str | None:
        """The model it asks; None by default, and no table has its price."""
        return self._said("model", str)

    @property
    def prices(self) -> Prices | None:
        """Dollars for its tokens; None by default: unknown, and never free."""
        return self._said("prices", Prices)

    @property
    def dearest(self) -> Prices | None:
        """What none of its tokens costs more than; by default its prices: a plain class asks one model, if any."""
        return self._said("dearest", Prices) or (self.prices if self.asks_one_model else None)

    @property
    def asks_one_model(self) -> bool:
        """Whether a table may be asked for its model's prices; by default, as for all that name one model."""
        return self._said("asks_one_model", bool) is not False

    @property
    def most_answer_tokens(self) -> int | None:
        """Most tokens of an answer, its setting `max_tokens`; None by default: its server decides."""
        return self._said("max_tokens", int)

    @property
    def is_held_to_schema(self) -> bool:
        """Whether its model is held to the reply contract, its setting `json_schema`; not by default."""
        return self._said("json_schema", bool) is True

    @property
    def resources(self) -> Mapping[str, float]:
        """What one process of it needs on a cluster; nothing by default, and the engine decides."""
        return self._said("resources", Mapping) or {}  # type: ignore[type-abstract]

    def planned_requests(self, case: Case) -> Sequence[RequestSize] | None:
        """Return what it asks at most about a case; None by default: one request that holds what it is shown."""
        plan = self._read("planned_requests")
        found: Sequence[RequestSize] | None = plan(case) if callable(plan) else None
        return found

    async def aclose(self) -> None:
        """Have it release what it holds; a plain class may have nothing to release."""
        close = self._read("aclose")
        if not callable(close):
            return
        try:
            ended = close()
            if isawaitable(ended):
                await ended
        except Exception as error:
            name = type(self.judge).__name__
            raise UsageError(f"the runs are good, but {name}.aclose failed: {type(error).__name__}: {error}") from error

    def _said(self, name: str, kind: type[_Kind]) -> _Kind | None:
        found = self._read(name)
        return found if isinstance(found, kind) else None

    def _listed(self, name: str) -> tuple[str, ...]:
        found = self._read(name)
        return tuple(map(str, found)) if isinstance(found, list | tuple) else ()

    def _read(self, name: str) -> Any:
        """Return an attribute, None where there is none. Raises UsageError where its own code fails."""
        try:
            return getattr(self.judge, name, None)
        except AgentHorizonError:
            raise
        except Exception as error:
            judge = type(self.judge).__name__
            raise UsageError(f"{judge}.{name} cannot be read: {type(error).__name__}: {error}") from error


def traits_of(judge: Any) -> Traits:
    """Return what a judge says of itself."""
    return Traits(judge)
