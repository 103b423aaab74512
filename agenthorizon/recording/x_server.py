"""Reads keys and buttons from an X server: one ordered stream, by the server's own clock.

X's record extension is asked directly. A library with a listener for the mouse and one for the keyboard delivers from
two threads, in which Ctrl and the click it was held for may change places; it says when a callback ran instead of when
the key went down, and reads neither Caps Lock nor a second layout.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from agenthorizon.errors import MissingExtra, UsageError
from agenthorizon.recording.controls import Chord
from agenthorizon.recording.events import Button, Event, Key, Wheel
from agenthorizon.recording.key_grabs import grab_keys
from agenthorizon.recording.keyboard import Masks, masks_of, meaning

_KEY_DOWN, _KEY_UP, _BUTTON_DOWN, _BUTTON_UP = 2, 3, 4, 5
_BUTTONS = {1: "left", 2: "middle", 3: "right", 8: "back", 9: "forward"}
_WHEEL = {4: "up", 5: "down", 6: "left", 7: "right"}
_FROM_SERVER = 0
"""Category of a reply that holds events."""
_STARTING_S = 30.0
_CLOCK_MS = 2**32
_BELIEVED_MS = 60_000
"""An event said to be older than this comes from a server with a clock of its own, not from a slow machine."""

OTHER_SYSTEMS = "data record works on Linux with X11 alone"


class XServer:
    """Calls `on_event` for all that hands do on the display, from a thread of its own, while the context lasts."""

    def __init__(self, on_event: Callable[[Event], None], chords: Sequence[Chord]) -> None:
        """Connect, and keep the keys that steer a recording from other programs.

        Raises UsageError where there is no X11 display to record or a key is taken, MissingExtra without the extra.
        """
        self._on_event = on_event
        self._asking, self._listening = _connect(), _connect()
        self._masks = _masks(self._asking)
        self._grabbing = _connect()  # by itself, since it is sent the keys, and nobody reads them there
        grab_keys(self._grabbing, chords, self._masks)
        self._context: int = 0
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._hears = threading.Event()
        self.error: Exception | None = None
        """What ended the stream too early."""
        self._is_ending = False

    def __enter__(self) -> Self:
        from Xlib.ext import record

        nothing = (0, 0)
        wanted = {
            "core_requests": nothing,
            "core_replies": nothing,
            "ext_requests": (0, 0, 0, 0),
            "ext_replies": (0, 0, 0, 0),
            "delivered_events": nothing,
            "device_events": (_KEY_DOWN, _BUTTON_UP),
            "errors": nothing,
            "client_started": False,
            "client_died": False,
        }
        self._context = self._asking.record_create_context(0, [record.AllClients], [wanted])
        self._asking.sync()
        self._thread.start()
        if not self._hears.wait(_STARTING_S):
            raise UsageError(f"the X server of {os.environ.get('DISPLAY')} does not begin to show its keys")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        from Xlib.error import ConnectionClosedError

        self._is_ending = True
        for end in (self._end_stream, self._asking.close, self._grabbing.close):
            with suppress(OSError, ConnectionClosedError):  # where the server is gone already
                end()

    def _end_stream(self) -> None:
        self._asking.record_disable_context(self._context)
        self._asking.flush()
        self._thread.join(5)

    @property
    def is_alive(self) -> bool:
        """Whether events still come."""
        return self._thread.is_alive()

    def _listen(self) -> None:
        try:
            self._listening.record_enable_context(self._context, self._take)
            self._listening.record_free_context(self._context)
            self._listening.close()
        except Exception as error:  # noqa: BLE001  whatever a broken connection raises here, the session has to say it
            if not self._is_ending:
                self.error = error
        finally:
            self._hears.set()

    def _take(self, reply: Any) -> None:
        from Xlib.protocol import rq

        self._hears.set()  # the first reply says that the stream begins: what was pressed before is in none
        data = reply.data if reply.category == _FROM_SERVER else b""
        while data:
            event, data = rq.EventField(None).parse_binary_value(data, self._listening.display, None, None)
            if translated := self._translated(event):
                self._on_event(translated)

    def _translated(self, event: Any) -> Event | None:
        at = on_our_clock(event.time, time.monotonic())
        if event.type in (_KEY_DOWN, _KEY_UP):
            # The row is asked for each time: layouts change, and tools lend a key to a character that none has.
            row = self._asking.get_keyboard_mapping(event.detail, 1)[0]
            meant = meaning(row, event.state, self._masks)
            return Key(at, event.type == _KEY_DOWN, event.detail, *meant)
        if event.detail in _WHEEL:
            down = event.type == _BUTTON_DOWN
            return Wheel(at, event.root_x, event.root_y, _WHEEL[event.detail]) if down else None
        name = _BUTTONS.get(event.detail, f"button{event.detail}")
        return Button(at, event.type == _BUTTON_DOWN, event.root_x, event.root_y, name)


def check_display() -> None:
    """Raise UsageError where there is no X11 display to record, MissingExtra without the extra."""
    _connect().close()


def on_our_clock(server_ms: int, now: float) -> float:
    """Return a server's time in seconds of our monotonic clock: on one machine, they are one clock.

    The server's are milliseconds that run over every 50 days. One on another machine is taken to have said `now`.
    """
    age = (int(now * 1000) - server_ms) % _CLOCK_MS
    return now - age / 1000 if age < _BELIEVED_MS else now


def _connect() -> Any:
    """Connect to the display, whose name is in the environment."""
    try:
        from Xlib import display, error
    except ImportError as missing:
        raise MissingExtra("recording", "record", str(missing)) from missing
    if sys.platform != "linux":
        raise UsageError(f"this is {sys.platform}; {OTHER_SYSTEMS}")
    if os.environ.get("XDG_SESSION_TYPE") == "wayland" or (
        os.environ.get("WAYLAND_DISPLAY") and not os.environ.get("DISPLAY")
    ):
        raise UsageError(_WAYLAND)
    if not os.environ.get("DISPLAY"):
        raise UsageError(f"there is no display to record: DISPLAY is not set; {OTHER_SYSTEMS}")
    try:
        connection = display.Display()
    except (error.DisplayError, error.XauthError, OSError) as refused:
        raise UsageError(f"cannot open the display {os.environ['DISPLAY']}: {refused}") from refused
    if connection.query_extension("XWAYLAND"):
        raise UsageError(_WAYLAND)
    if not connection.has_extension("RECORD"):
        raise UsageError(f"the X server of {os.environ['DISPLAY']} lacks the RECORD extension, which shows keys")
    return connection


_WAYLAND = (
    "this is a Wayland session, in which no program sees the keys and windows of others: log in to an X11 session "
    '("… on Xorg" at the login screen); where the display is an X server of its own inside Wayland (Xvfb, Xephyr), '
    "unset XDG_SESSION_TYPE"
)


def _masks(connection: Any) -> Masks:
    """Find which bits the modifiers of this keyboard have."""
    bits = {}
    for index, codes in enumerate(connection.get_modifier_mapping()):
        for code in filter(None, codes):
            bits.update({keysym: 1 << index for keysym in connection.get_keyboard_mapping(code, 1)[0] if keysym})
    return masks_of(bits)
