"""Sees the trajectory in windows, one request per window, and carries notes forward; the last one asks for the verdict.

The requests of a task are one conversation that grows: each begins, byte for byte, with the one before, so that a
server reads it from its prefix cache. Where the next window would break a limit of the server, the screenshots of all
earlier windows are left out at once, their actions and the notes stay, and the conversation grows from there.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import PositiveInt, PrivateAttr

from agenthorizon.evidence.images import PIPELINE
from agenthorizon.evidence.sizes import characters_of
from agenthorizon.judge import Case, Packing, Reply, RequestSize
from agenthorizon.judging.beside_the_loop import on_disk, prepared
from agenthorizon.prompts import prompt

from ._asking import ChatJudge
from ._kept_texts import KeptTexts
from ._several import MOST_CHARACTERS, ended_by, failed, joined
from ._unsettled import Bill, Unsettled
from ._windows import Windows, cut

_NO_PART = {"key_env", "prices", "provider", "limits", "max_tokens"}
"""Settings that notes do not depend on, beside the windows that they lead to."""


@dataclass
class _Going:
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
    _in_hand: set[str] = PrivateAttr(default_factory=set)

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
        if case.resume_key in self._in_hand:
            case = replace(case, resume_key=None)  # a judge asks it twice at once: one of the two can be gone on with
        if case.resume_key is None:
            return await self._judged(case)
        self._in_hand.add(case.resume_key)
        try:
            return await self._judged(case)
        finally:
            self._in_hand.discard(case.resume_key)

    async def _judged(self, case: Case) -> Reply:
        windows, key = await prepared(self._prepared, case)
        kept = await on_disk(self._kept.get, key) if key else None
        bill = await self._unsettled.bill_of(case)
        going = _Going(windows, key, bill, (kept or [])[: windows.last], list(bill.before))
        notes_kept = len(going.notes)
        evidence = {**windows.account(), "notes_kept": notes_kept, **bill.account, "windows": going.asked}
        end = await self._take_notes(going)
        last = end or await self._ask(going)
        if key and end is None and last.failure is None:
            await on_disk(self._kept.take, key)  # used for one verdict; another is another reading
        await bill.settle()
        return joined(going.replies, last, evidence, answers_kept=notes_kept)

    async def _take_notes(self, going: "_Going") -> Reply | None:
        """Ask for the notes that are missing; return what ends the attempt, None where they are all there."""
        while len(going.notes) < going.windows.last:
            reply = await self._ask(going)
            if end := ended_by(reply, self.notes_characters, "notes_characters"):
                return end
            going.replies.append(reply)
            going.notes.append(str(reply.text))
            await going.bill.add(reply)  # before the notes: a window that is asked twice is paid twice
            if going.key:
                await on_disk(self._kept.put, going.key, going.notes)
        return None

    async def _ask(self, going: "_Going") -> Reply:
        """Ask about the next window."""
        windows, notes, index = going.windows, going.notes, len(going.notes)
        try:
            first = windows.first_shown(index, notes)
            steps = [windows.parts[index][0].number, windows.parts[index][-1].number]
            going.asked.append({"steps": steps, "screenshots_from": windows.parts[first][0].number})
            shown, content = windows.shown(first, index), windows.conversation(first, index, notes)
            return await self._asker.ask(shown, content, is_verdict=index == windows.last)
        except Exception as error:  # noqa: BLE001  the windows before it were paid for
            return failed(error)

    def _cut(self, case: Case) -> Windows:
        system = f"{case.guide}\n{prompt('notes').text}"
        return cut(replace(case, guide=system), self.view, self._asker.packing(), self.window)

    def _prepared(self, case: Case) -> tuple[Windows, bytes | None]:
        """Return the windows of a case, and what stands for all that its notes come from; None: none are kept."""
        windows = self._cut(case)
        if case.resume_key is None:
            return windows, None
        settings = self.model_dump(mode="json", exclude=_NO_PART)
        steps = [[step.picture and step.picture.digest, step.wording, step.note] for step in case.steps]
        shown = [windows.made.fit, windows.made.across, [len(part) for part in windows.parts], PIPELINE]
        made_of = [
            case.resume_key,
            case.id,
            case.instruction,
            sorted(case.withheld),
            steps,
            settings,
            shown,
            windows.case.guide,
        ]
        return windows, hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).digest()
