"""What tokens cost: US dollars per million, by kind. An unknown price is unknown, never 0."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from agenthorizon.usage import Usage

MILLION = 1_000_000
BEYOND_ANY_PRICE = 1e6
"""US dollars per million tokens; who asks a dollar a token has written another unit."""

Price = Annotated[float, Field(strict=True, ge=0, lt=BEYOND_ANY_PRICE, allow_inf_nan=False)]
"""US dollars per million tokens: a real amount, no yes or no, and no text."""


class Prices(BaseModel):
    """A model's prices.

    Where cached reads have none of their own they cost what other input costs, and reasoning what other output costs:
    no provider asks more for them. Writing a cache may cost more than plain input, so it has no such stand-in.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Price
    output: Price
    cached_read: Price | None = None
    cached_write: Price | None = None
    reasoning: Price | None = None

    def cost(self, usage: Usage) -> float | None:
        """Return what a usage costs in US dollars; None when its input or output, or a price it needs, is unknown."""
        if usage.input is None or usage.output is None:
            return None
        read, written, thought = usage.cached_read or 0, usage.cached_write or 0, usage.reasoning or 0
        if written and self.cached_write is None:
            return None
        parts = (
            (max(0, usage.input - read - written), self.input),
            (read, self.input if self.cached_read is None else self.cached_read),
            (written, self.cached_write or 0.0),
            (max(0, usage.output - thought), self.output),
            (thought, self.output if self.reasoning is None else self.reasoning),
        )
        return sum(tokens * price for tokens, price in parts) / MILLION
