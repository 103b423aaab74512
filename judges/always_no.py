"""Says no to everything: must score 50 % balanced accuracy, TPR 0 %, TNR 100 %."""

from typing import ClassVar

from agenthorizon.judge import Case, Judge, Reply, answer


class AlwaysNo(Judge):
    """Rejects every trajectory without looking."""

    looks_at_pictures: ClassVar[bool] = False

    async def judge(self, case: Case) -> Reply:
        """Reject."""
        return answer(False, "Rejected without looking.")
