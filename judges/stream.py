"""Sees the trajectory in windows, one request per window, and carries notes forward; the last one asks for the verdict.

The requests of a task are one conversation that grows: each begins, byte for byte, with the one before, so that a
server reads it from its prefix cache. Where the next window would break a limit of the server, the screenshots of all
earlier windows are left out at once, their actions and the notes stay, and the conversation grows from there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import PositiveInt, PrivateAttr

from agenthorizon.evidence.images import PIPELINE
from agenthorizon.evidence.sizes import characters_of
from agenthorizon.judge import Case, Packing, Reply, RequestSize
from agenthorizon.judging.beside_the_loop import on_disk, prepared
from agenthorizon.judging.kept_texts import KeptTexts, key_of, parts_of_case
from agenthorizon.judging.unsettled import Bill, Unsettled
from agenthorizon.prompts import prompt

from ._asking import ChatJudge
from ._several import MOST_CHARACTERS, failed, joined, unusable_end
from ._windows import Windows, cut

_IRRELEVANT_TO_NOTES = {"key_env", "prices", "provider", "limits", "max_tokens"}
"""Settings that notes do not depend on, beside the windows that they lead to."""


@dataclass
class _Reading:
    """One attempt, from window to window."""

    windows: Windows
    key: bytes | None
    """What its notes are kept under; None where none are."""
    bill: Bill
    notes: list[str]
    """Those there are, of the first windows."""
    replies: list[Reply]
    """What was paid for before the last answer."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    """What this attempt has asked about, for its outcome."""


class Stream(ChatJudge):
    """A model that sees the trajectory window by window and carries notes forward."""

    window: PositiveInt = 8
    """Steps of a window, at most: fewer where the server takes no more screenshots of the size asked for."""
    notes_characters: PositiveInt = MOST_CHARACTERS
    """Longest notes on a window that are carried on; longer ones fail the task, as notes that are cut do."""

    _kept: KeptTexts = PrivateAttr(default_factory=lambda: KeptTexts("notes"))
    _unsettled: Unsettled = PrivateAttr(default_factory=Unsettled)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The guide and how to take notes."""
        return ("guide", "notes")

    @property
    def packing(self) -> Packing | None:
        """None: windows are planned one by one, as notes come."""
        return None

    @property
    def deviations(self) -> tuple[str, ...]:
        """What differs from the published protocol."""
        return (f"windows of {self.window} steps, notes carried forward",)

    def planned_requests(self, case: Case) -> Sequence[RequestSize]:
        """Return one request per window, each with all before it that the server takes."""
        windows = self._cut(case)
        most = windows.most_screenshots()
        shown = (windows.shown(0, at) for at in range(len(windows.parts)))
        return [RequestSize(characters_of(each), min(each.pictures, most), at) for at, each in enumerate(shown)]

    async def judge(self, case: Case) -> Reply:
        """Ask window by window, from where an earlier attempt at this task and repeat of the run was broken off."""
        async with self._unsettled.bill_of(case) as bill:
            return await self._judged(replace(case, resume_key=bill.resume_key), bill)

    async def _judged(self, case: Case, bill: Bill) -> Reply:
        windows, key = await prepared(self._windows_and_key, case)
        kept = await on_disk(self._kept.get, key) if key else None
        reading = _Reading(windows, key, bill, (kept or [])[: windows.last], list(bill.before))
        notes_kept = len(reading.notes)
        evidence = {**windows.account(), "notes_kept": notes_kept, **bill.account, "windows": reading.asked}
        end = await self._take_notes(reading)
        last = end or await self._ask(reading)
        if key and end is None and last.failure is None:
            await on_disk(self._kept.take, key)  # used for one verdict; another is another reading
        return joined(reading.replies, last, evidence, answers_kept=notes_kept)

    async def _take_notes(self, reading: _Reading) -> Reply | None:
        """Ask for the notes that are missing; return what ends the attempt, None where they are all there."""
        while len(reading.notes) < reading.windows.last:
            reply = await self._ask(reading)
            if end := unusable_end(reply, self.notes_characters, "notes_characters"):
                return end
            reading.replies.append(reply)
            reading.notes.append(str(reply.text))
            await reading.bill.add(reply)  # before the notes: a window that is asked twice is paid twice
            if reading.key:
                await on_disk(self._kept.put, reading.key, reading.notes)
        return None

    async def _ask(self, reading: _Reading) -> Reply:
        """Ask about the next window."""
        windows, notes, index = reading.windows, reading.notes, len(reading.notes)
        try:
            first = windows.first_shown(index, notes)
            if windows.parts[index]:
                steps = [windows.parts[index][0].number, windows.parts[index][-1].number]
                reading.asked.append({"steps": steps, "screenshots_from": windows.parts[first][0].number})
            shown, content = windows.shown(first, index), windows.conversation(first, index, notes)
            return await self._asker.ask(shown, content, is_verdict=index == windows.last)
        except Exception as error:  # noqa: BLE001  the windows before it were paid for
            return failed(error)

    def _cut(self, case: Case) -> Windows:
        system = f"{case.guide}\n{prompt('notes').text}"
        return cut(replace(case, guide=system), self.view, self._asker.packing(), self.window)

    def _windows_and_key(self, case: Case) -> tuple[Windows, bytes | None]:
        """Return the windows of a case, and what stands for all that its notes come from; None: none are kept."""
        windows = self._cut(case)
        if case.resume_key is None:
            return windows, None
        settings = self.model_dump(mode="json", exclude=_IRRELEVANT_TO_NOTES)
        shown = [windows.made.fit, windows.made.across, [len(part) for part in windows.parts], PIPELINE]
        return windows, key_of(parts_of_case(case), settings, shown, windows.case.guide)
