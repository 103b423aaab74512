"""Asks a model in one chat request that holds the whole trajectory.

System message: the judging guide. User message: the instruction between fences it cannot close, then for every step its
number, its screenshot and the action taken on it, then the call for the answer.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

from agenthorizon.evidence.conversation import Order, conversation, marked_conversation
from agenthorizon.judge import Case, Reply, Sheet

from ._asking import ChatJudge
from ._route import route_class


class Direct(ChatJudge):
    """A vision model asked once, with every screenshot in order."""

    prompt_order: Order = "instruction-first"
    """trajectory-first puts the instruction last, so that two tasks on one recording share what a server caches."""

    cache_marker: Literal["auto", "never", "always"] = "auto"
    """Mark where requests about one recording part, with trajectory-first: for providers that cache only what is marked
    (Claude, by Anthropic, Bedrock, Vertex, Azure or OpenRouter), never, or whoever the provider is."""

    unrecorded: ClassVar[frozenset[str]] = ChatJudge.unrecorded | {"cache_marker"}

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
        if not (case.is_shared and self.marks_cache):
            return await self._asker.ask(case, self.one_request(case))
        reply = await self._asker.ask(case, marked_conversation(case))
        return replace(reply, evidence={**reply.evidence, "cache_marker": True})

    @property
    def marks_cache(self) -> bool:
        """Whether it says to the provider what to cache, where another request shares it."""
        if self.prompt_order != "trajectory-first" or self.cache_marker == "never":
            return False
        return self.cache_marker == "always" or route_class(self.route).takes_cache_marker(self)
