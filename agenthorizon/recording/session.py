"""One recording from the first key to the last: events, the frames before them, and the keys that steer it."""

import time
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from agenthorizon.errors import RunStopped
from agenthorizon.importing.timeline import STILL
from agenthorizon.recording.controls import Controls, Pressed
from agenthorizon.recording.events import Event, Key
from agenthorizon.recording.frames import Camera, Frame, Frames
from agenthorizon.recording.merging import Merger
from agenthorizon.recording.steps import Step
from agenthorizon.recording.writing import StepWriter
from agenthorizon.recording.x_server import XServer

_EFFECT_S = 0.5
"""How long an effect may take to be on the screen, where the recording is stopped at once after an action."""
_TICK_S = 0.05


class State(Enum):
    """What a recording is doing."""

    WAITING = "waiting"
    RECORDING = "recording"
    PAUSED = "paused"
    STOPPED = "stopped"


class Doing(NamedTuple):
    """What a session tells about itself."""

    state: State
    is_marked: bool
    """Whether what is done now counts as secret."""


class Session:
    """Records into a StepWriter from the pause key, which also begins, to the stop key."""

    def __init__(self, controls: Controls, writer: StepWriter, told: Callable[[Doing], None]) -> None:
        self._controls, self._writer, self._told = controls, writer, told
        self._frames = Frames()
        self._merger = Merger()
        self._doing = Doing(State.WAITING, is_marked=False)
        self._last: Step | None = None
        self._left_at = 0.0
        self._closing: Frame | None = None
        """What the screen showed when a pause began or the stop key was pressed."""
        self._waits_for_effect = False
        self._unseen = 0

    def run(self) -> list[str]:
        """Record; return what is not in the steps as it was done, in words for the user.

        Raises RunStopped when the display went away, UsageError where there is none, OSError for a full disk.
        """
        with Camera(self._frames) as camera, XServer(self._take, self._controls.chords) as server:
            said = None
            while said is None or said.state is not State.STOPPED:
                if said != self._doing and self._has_eyes:
                    said = self._doing
                    self._told(said)
                if camera.error or server.error or not server.is_alive:
                    why = camera.error or server.error or "it closed the connection"
                    raise RunStopped("display", f"the display cannot be recorded any more: {why}")
                time.sleep(_TICK_S)
            self._close()
        self._writer.finish()
        return self._faults()

    @property
    def _has_eyes(self) -> bool:
        """Whether an action done now would have a frame, where it is to have one."""
        return self._doing != Doing(State.RECORDING, is_marked=False) or bool(self._frames.before(time.monotonic()))

    def _take(self, event: Event) -> None:
        if isinstance(event, Key) and (pressed := self._controls.see(event)):
            self._merger.ignore_held()
            self._steer(pressed)
        elif self._doing.state is State.RECORDING:
            self._merger.take(event, self._frames.before(event.at))
            self._hand_over()

    def _steer(self, pressed: Pressed) -> None:
        state, is_marked = self._doing
        if state is State.STOPPED:
            return
        if pressed.control == "mark":
            self._merger.mark(is_secret=not is_marked)
            self._frames.forget(time.monotonic())
            self._doing = Doing(state, not is_marked)
            return
        if state is State.RECORDING:
            self._leave(pressed.since)
        if pressed.control == "stop":
            self._waits_for_effect = state is State.RECORDING
            self._doing = Doing(State.STOPPED, is_marked)
        elif state is State.RECORDING:
            self._doing = Doing(State.PAUSED, is_marked)
        else:
            self._begin()

    def _begin(self) -> None:
        now = time.monotonic()
        self._frames.forget(now)
        if self._writer.began is None:
            self._writer.began = now
        self._doing = self._doing._replace(state=State.RECORDING)

    def _leave(self, at: float) -> None:
        self._closing = self._seen_by(at)
        self._merger.cut(at, self._closing)
        self._hand_over()
        self._left_at = at

    def _hand_over(self) -> None:
        for finished in self._merger.finished():
            self._unseen += finished.frame is None and not finished.is_marked
            self._last = finished
            self._writer.add(finished)

    def _seen_by(self, at: float) -> Frame | None:
        return None if self._doing.is_marked else self._frames.before(at)

    def _close(self) -> None:
        """End with a picture: frames stand before actions, so the last one's effect would be in none otherwise.

        What a pause shows is never kept: stopped in one, the recording ends with what its beginning showed.
        """
        if self._last is None:
            return
        if self._waits_for_effect:
            self._left_at = max(self._left_at, self._last.last + _EFFECT_S)
            time.sleep(max(0.0, self._left_at - time.monotonic()))
            self._closing = self._seen_by(self._left_at)
        self._writer.add(Step(STILL, self._left_at, self._closing, self._left_at))

    def _faults(self) -> list[str]:
        return [*self._merger.faults, *([self._unseen_fault] if self._unseen else [])]

    @property
    def _unseen_fault(self) -> str:
        steps = "1 step has" if self._unseen == 1 else f"{self._unseen} steps have"
        return f"{steps} no screenshot: none had been taken before, so soon after the beginning or a pause"
