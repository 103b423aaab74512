"""Sees the trajectory in windows, one request a window, and carries notes forward; the last one asks for the verdict.

The requests of a task are one conversation that grows: each begins, byte for byte, with the one before, so that a
server reads it from its prefix cache. Where the next window would break a limit of the server, the screenshots of all
earlier windows are left out at once, their actions and the notes stay, and the conversation grows from there.
"""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import PositiveInt, PrivateAttr

from agenthorizon.evidence.images import PIPELINE
from agenthorizon.evidence.sizes import characters_of
from agenthorizon.judge import Case, Packing, Reply, RequestSize
from agenthorizon.judging.patience import own_work
from agenthorizon.prompts import prompt

from ._asking import ChatJudge
from ._kept_texts import KeptTexts
from ._several import failed, is_whole, joined, unanswered
from ._windows import Windows, cut

_NO_PART = {"key_env", "prices", "provider", "limits", "max_tokens"}
"""Settings that notes do not depend on, beside the windows that they lead to."""


class Stream(ChatJudge):
    """A model that sees the trajectory window by window and carries notes forward."""

    window: PositiveInt = 8
    """Steps of a window, at most: fewer where the server takes no more screenshots of the size asked for."""

    _kept: KeptTexts = PrivateAttr(default_factory=lambda: KeptTexts("notes"))
    _in_hand: set[bytes] = PrivateAttr(default_factory=set)

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
        """Return one request a window, each with all before it that the server takes."""
        windows = self._cut(case)
        most = windows.most_screenshots()
        shown = (windows.shown(0, at) for at in range(len(windows.parts)))
        return [RequestSize(characters_of(each), min(each.pictures, most), at) for at, each in enumerate(shown)]

    async def judge(self, case: Case) -> Reply:
        """Ask window by window, from where an earlier attempt at this case was broken off."""
        with own_work():
            windows, key = await asyncio.to_thread(self._prepared, case)
        if key in self._in_hand:  # a repeat of what is being judged: its notes are its own
            return await self._ask_on(windows, [], None)
        self._in_hand.add(key)
        try:
            kept = await asyncio.to_thread(self._kept.get, key) or []
            return await self._ask_on(windows, kept[: windows.last], key)
        finally:
            self._in_hand.discard(key)

    async def _ask_on(self, windows: Windows, notes: list[str], key: bytes | None) -> Reply:
        evidence = {**windows.account(), "notes_kept": len(notes), "windows": []}
        replies: list[Reply] = []
        while len(notes) < windows.last:
            reply = await self._ask(windows, notes, evidence["windows"])
            if not is_whole(reply):
                return joined(replies, unanswered(reply), evidence)
            replies.append(reply)
            notes.append(str(reply.text))
            if key:
                await asyncio.to_thread(self._kept.put, key, notes)
        last = await self._ask(windows, notes, evidence["windows"])
        if key and last.failure is None:
            await asyncio.to_thread(self._kept.take, key)  # used for one verdict; another is another reading
        return joined(replies, last, evidence)

    async def _ask(self, windows: Windows, notes: Sequence[str], asked: list[dict[str, Any]]) -> Reply:
        index = len(notes)
        try:
            first = windows.first_shown(index, notes)
            steps = [windows.parts[index][0].number, windows.parts[index][-1].number]
            asked.append({"steps": steps, "screenshots_from": windows.parts[first][0].number})
            shown, content = windows.shown(first, index), windows.conversation(first, index, notes)
            return await self._asker.ask(shown, content, is_verdict=index == windows.last)
        except Exception as error:  # noqa: BLE001  the windows before it were paid for
            return failed(error)

    def _cut(self, case: Case) -> Windows:
        system = f"{case.guide}\n{prompt('notes').text}"
        return cut(replace(case, guide=system), self.view, self._asker.packing(), self.window)

    def _prepared(self, case: Case) -> tuple[Windows, bytes]:
        """Return the windows of a case, and what stands for all that its notes come from."""
        windows = self._cut(case)
        settings = self.model_dump(mode="json", exclude=_NO_PART)
        steps = [[step.picture and step.picture.digest, step.wording, step.note] for step in case.steps]
        shown = [windows.made.fit, windows.made.across, [len(part) for part in windows.parts], PIPELINE]
        made_of = [case.id, case.instruction, sorted(case.withheld), steps, settings, shown, windows.case.guide]
        return windows, hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).digest()
