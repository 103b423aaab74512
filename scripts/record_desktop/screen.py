"""What is on the screen: one frame, and whether it has come to rest."""

import time
from functools import reduce

from PIL import Image, ImageChops, ImageGrab

SIZE = (1280, 800)

_QUIET_S = 0.4
"""How long nothing may move before the screen counts as at rest."""
_CARET_PIXELS = 400
"""Fewer changed pixels than this are a blinking caret, not news."""
_INTERVAL_S = 0.08
_ANSWER_S = 1.2
"""How long an action may take to show anything at all; some show nothing."""


class Unsettled(RuntimeError):
    """The screen went on moving for longer than an application may take."""


def grab(display: str) -> Image.Image:
    """Return the frame that the display shows now, in RGB."""
    return ImageGrab.grab(xdisplay=display).convert("RGB")


def settle(display: str, limit_s: float = 20.0, quiet_s: float = _QUIET_S, before: Image.Image | None = None) -> None:
    """Return once the screen is at rest, and has first changed from the frame `before` if that is given.

    A busy machine answers late, so that a screen at rest may just not have begun. Raises Unsettled after `limit_s`: a
    frame taken then would show something half done.
    """
    time.sleep(0.1)
    began = quiet_since = time.monotonic()
    shown = grab(display)
    while before is not None and time.monotonic() - began < _ANSWER_S and not changed_pixels(before, shown):
        time.sleep(_INTERVAL_S)
        shown = grab(display)
        quiet_since = time.monotonic()
    while time.monotonic() - began < limit_s:
        time.sleep(_INTERVAL_S)
        now = grab(display)
        if changed_pixels(shown, now) > _CARET_PIXELS:
            shown, quiet_since = now, time.monotonic()
        elif time.monotonic() - quiet_since >= quiet_s:
            return
    raise Unsettled(f"the screen was still changing after {limit_s:g} s")


def changed_pixels(one: Image.Image, other: Image.Image) -> int:
    """Return in how many pixels two frames of one size differ."""
    difference = ImageChops.difference(one, other)
    if difference.getbbox() is None:
        return 0
    greatest = reduce(ImageChops.lighter, difference.split())
    return one.width * one.height - greatest.histogram()[0]
