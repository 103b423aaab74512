"""Asks a model in one chat request that holds the whole trajectory.

System message: the judging guide. User message: the instruction between fences it cannot close, then for every step its
number, its screenshot and the action taken on it, then the call for the answer.
"""

from collections.abc import Iterator

from agenthorizon.evidence.conversation import Order, conversation
from agenthorizon.judge import Case, Reply, Sheet

from ._asking import ChatJudge


class Direct(ChatJudge):
    """A vision model asked once, with every screenshot in order."""

    prompt_order: Order = "instruction-first"
    """trajectory-first puts the instruction last, so that two tasks on one recording share what a server caches."""

    @property
    def deviations(self) -> tuple[str, ...]:
        """What differs from the published protocol, beside the size of the screenshots."""
        found = {
            self.prompt_order: self.prompt_order != "instruction-first",
            "answers held to a JSON Schema": self.json_schema,
            f"grids {self.merge}": self.merge != "auto",
            "step numbers drawn on grids": self.number_tiles,
        }
        return tuple(words for words, differs in found.items() if differs)

    def one_request(self, case: Case) -> Iterator[str | Sheet]:
        """Return its request's texts and pictures."""
        return conversation(case, self.prompt_order)

    async def judge(self, case: Case) -> Reply:
        """Send the one request and return what came back."""
        return await self._asker.ask(case, self.one_request(case))
