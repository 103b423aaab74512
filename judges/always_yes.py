"""Says yes to everything: must score 50 % balanced accuracy, TPR 100 %, TNR 0 %."""

from typing import ClassVar

from agenthorizon.judge import Case, Judge, Reply, answer


class AlwaysYes(Judge):
    """Accepts every trajectory without looking."""

    looks_at_pictures: ClassVar[bool] = False

    async def judge(self, case: Case) -> Reply:
        """Accept."""
        return answer(True, "Accepted without looking.")
