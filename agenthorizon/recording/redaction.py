"""What may be kept of a marked moment, in which something secret is entered: neither text nor place nor picture.

A text becomes one placeholder however long it is, keys that correct it are left out, and so is what the mouse does: on
a keyboard of the screen, places are the secret. Keys without a text (Enter, Tab) and shortcuts stay.
"""

from agenthorizon.recording.events import Event, Key

REDACTED = "[redacted]"
_CORRECTING = frozenset({"backspace", "delete"})


def kept_of(event: Event, *, is_shortcut: bool) -> Event | None:
    """Return what may be kept of an event in a marked moment; None if nothing."""
    if not isinstance(event, Key):
        return None
    if event.modifier or is_shortcut:
        return event
    if event.name in _CORRECTING:
        return None
    if event.text or event.combining or not event.name:
        return Key(event.at, event.is_down, 0, text=REDACTED)
    return event
