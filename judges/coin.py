"""Tosses a coin: a reader of tables sees what chance looks like at this many tasks."""

import random
from typing import ClassVar

from pydantic import Field

from agenthorizon.judge import Case, Judge, Reply, answer


class Coin(Judge):
    """Accepts with a fixed probability. The toss depends on the seed and the task alone, not on the order of work."""

    looks_at_pictures: ClassVar[bool] = False

    seed: int = 0
    accepts: float = Field(0.5, ge=0, le=1)
    """Probability of a yes."""

    async def judge(self, case: Case) -> Reply:
        """Toss."""
        toss = random.Random(f"{self.seed} {case.id}").random()
        return answer(toss < self.accepts, f"A coin showed {toss:.3f}; it accepts below {self.accepts:.3f}.")
