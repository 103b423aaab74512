"""Puts one screenshot into words, or finds the words that were paid for before.

What is asked tells nothing of the task: so the words are the same for all tasks on a recording. They are kept on disk
by the picture's content, the action taken on it, the settings of the model, and the text it is asked with.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from weakref import WeakValueDictionary

from agenthorizon.evidence.images import PIPELINE
from agenthorizon.evidence.packing import seen_as
from agenthorizon.judge import Case, Limits, Reply, RequestSize, Sheet, ShownStep
from agenthorizon.judging.beside_the_loop import on_disk, prepared
from agenthorizon.judging.kept_texts import KeptTexts, key_of
from agenthorizon.judging.members import asking
from agenthorizon.judging.unsettled import Bill
from agenthorizon.prompts import prompt

from ._asking import Asker
from ._settings import Settings
from ._several import failed, unusable_end

_USUAL_TOKENS = 1000
"""Tokens of a description where no setting limits them."""
_IRRELEVANT_TO_DESCRIPTIONS = {"key_env", "provider", "limits", "merge", "number_tiles"}
"""Settings that no description depends on, beside the size that a picture is sent in."""


class Description(NamedTuple):
    """What came of one screenshot."""

    reply: Reply | None
    """None where it was paid for before."""
    text: str | None
    """None where the reply is no whole description, and ends its attempt."""


@dataclass
class Descriptions:
    """What has come so far of one case's descriptions."""

    bill: Bill
    texts: dict[int, str] = field(default_factory=dict)
    """By the number of the step."""
    replies: list[Reply] = field(default_factory=list)
    kept: int = 0
    """Those that were paid for before."""
    end: Reply | None = None
    """What ends the attempt: the first request that failed or gave no description."""


class Describer:
    """A model that describes screenshots one by one; it keeps what it said."""

    def __init__(self, settings: Settings, most_characters: int) -> None:
        self.settings = settings
        self._most_characters = most_characters
        self._asker = Asker(settings)
        self._kept = KeptTexts("descriptions")
        self._locks: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()

    @property
    def limits(self) -> Limits:
        """What its server takes."""
        return self._asker.packing().limits

    @property
    def most_tokens(self) -> int:
        """What a description is thought to take at most."""
        return self.settings.max_tokens or _USUAL_TOKENS

    def request_size(self, step: ShownStep) -> RequestSize:
        """Return what asking about a step takes."""
        return RequestSize(len(prompt("describe").text) + len(step.wording), 1, 0, self.most_tokens)

    async def describe_all(self, case: Case, bill: Bill, at_once: int) -> Descriptions:
        """Describe a case's screenshots, so many at a time. Never raises: what fails is the end of what is returned."""
        found = Descriptions(bill)
        waiting = iter([step for step in case.steps if step.picture is not None])

        async def work() -> None:
            for step in waiting:
                try:
                    await self._add(step, case, found)
                except Exception as error:  # noqa: BLE001  it ends the attempt once the others in hand have come
                    found.end = found.end or failed(error)
                if found.end:
                    return

        await asyncio.gather(*(work() for _ in range(at_once)))
        return found

    async def _add(self, step: ShownStep, case: Case, found: Descriptions) -> None:
        with asking(f"the model that describes, {self.settings.model}", self.settings.base_url):
            reply, text = await self.describe(step, case, found.bill)
        if text is not None:
            found.texts[step.number] = text
        if reply is None:
            found.kept += 1
        elif text is None and found.end is None:
            found.end = reply
        else:
            found.replies.append(reply)

    async def describe(self, step: ShownStep, case: Case, bill: Bill) -> Description:
        """Describe the screenshot of a step, and put it on the bill. Raises what asking raises."""
        shown, key = await prepared(self._request, step, case)
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:  # tasks on one recording are often in hand at once
            kept = await on_disk(self._kept.get, key)
            if kept and kept[0].strip() and len(kept[0]) <= self._most_characters:
                return Description(None, kept[0])
            reply = await self._asker.ask(shown, _question(shown), is_verdict=False)
            await bill.add(reply)  # before it is kept: what is kept is never paid for again
            if end := unusable_end(reply, self._most_characters, "description_characters"):
                return Description(end, None)
            await on_disk(self._kept.put, key, [str(reply.text)])
            return Description(reply, reply.text)

    def _request(self, step: ShownStep, case: Case) -> tuple[Case, bytes]:
        """Return what is asked about a screenshot, and what stands for it."""
        asked = prompt("describe")
        alone = replace(case, id="", instruction="", steps=(step,), guide=asked.text)
        shown = seen_as(alone, self.settings.view, self._asker.packing())
        by = self.settings.model_dump(mode="json", exclude=_IRRELEVANT_TO_DESCRIPTIONS)
        digest = step.picture and step.picture.digest
        return shown.case, key_of(digest, step.wording, shown.evidence["fit"], by, asked.sha256, PIPELINE)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._asker.aclose()


def _question(case: Case) -> Iterator[str | Sheet]:
    if "actions" not in case.withheld:
        yield f"Action taken on this screenshot: {case.steps[0].wording}\n"
    yield from case.sheets
    yield "Describe the screenshot."
