"""What the screen showed a moment ago: a thread photographs it about ten times a second and keeps the last few.

A key is heard of after it went down, when its effect may be on the screen already; so the frame before it must have
been taken before. Equal frames are kept once, hence a screen at rest costs one.
"""

import os
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from agenthorizon.errors import MissingExtra, UsageError

EVERY_S = 0.1
MOST_FRAMES = 30
MOST_BYTES = 2**28
"""Of all frames together; the newest two are kept even so."""


@dataclass(frozen=True)
class Frame:
    """What the screen showed."""

    pixels: bytes = field(repr=False)
    """Blue, green, red and a byte of nothing for every pixel, row by row."""
    size: tuple[int, int]
    since: float
    """When it had been taken, in seconds of the monotonic clock."""


class Frames:
    """The last frames, bounded in number and bytes; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: deque[Frame] = deque()
        self._not_before = 0.0

    def add(self, frame: Frame, began: float) -> None:
        """Keep a frame whose taking began at that time, unless all of its kind were forgotten meanwhile."""
        with self._lock:
            if began < self._not_before:
                return
            last = self._kept[-1] if self._kept else None
            if last and last.size == frame.size and last.pixels == frame.pixels:
                return
            self._kept.append(frame)
            while len(self._kept) > 2 and self._is_too_much():
                self._kept.popleft()

    def before(self, at: float) -> Frame | None:
        """Return the newest frame that had been taken by then; None if there is none that old."""
        with self._lock:
            return next((frame for frame in reversed(self._kept) if frame.since <= at), None)

    def forget(self, at: float) -> None:
        """Forget all frames, and one that is just being taken, since it may show a moment before `at`."""
        with self._lock:
            self._kept.clear()
            self._not_before = at

    def _is_too_much(self) -> bool:
        return len(self._kept) > MOST_FRAMES or sum(len(frame.pixels) for frame in self._kept) > MOST_BYTES


class Camera:
    """Fills Frames from a thread of its own while the context lasts; the mouse pointer is not in the pictures."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._end = threading.Event()
        self._first = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.error: Exception | None = None
        """What ended the photographing too early."""

    def __enter__(self) -> Self:
        """Begin, and return once there is a first frame. Raises UsageError where the screen cannot be read."""
        _mss()
        self._thread.start()
        self._first.wait()
        if self.error:
            raise UsageError(f"cannot read the screen of {os.environ.get('DISPLAY')}: {self.error}") from self.error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end.set()
        self._thread.join(5)

    def _run(self) -> None:
        try:
            with _mss().MSS() as screens:  # made here, since it may be used in the thread that made it alone
                while not self._end.is_set():
                    began = time.monotonic()
                    shot = screens.grab(screens.monitors[0])  # 0 is all monitors in one
                    size = (shot.width, shot.height)
                    self._frames.add(Frame(bytes(shot.raw), size, time.monotonic()), began)
                    self._first.set()
                    self._end.wait(max(0.0, began + EVERY_S - time.monotonic()))
        except Exception as error:  # noqa: BLE001  whatever the system raises here, the session has to say it
            self.error = error
        finally:
            self._first.set()


def _mss() -> Any:
    try:
        import mss
    except ImportError as error:
        raise MissingExtra("recording", "record", str(error)) from error
    return mss
