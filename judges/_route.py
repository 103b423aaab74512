"""How a request travels to a chat model: one `_route_NAME.py` a wire form, found by its name."""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from agenthorizon.evidence.conversation import LastShared
from agenthorizon.judge import Limits, Reply, Sheet

if TYPE_CHECKING:
    from ._settings import Settings


@dataclass(frozen=True)
class Said:
    """An earlier answer of the model: it ends the user's message, and what follows it begins the next."""

    text: str


Part = str | Sheet | Said | LastShared
"""What the content of a request is made of."""


@dataclass(frozen=True)
class Asking:
    """One request: a system message, then texts and pictures in order, read one at a time."""

    system: str
    content: Iterable[Part]
    media_type: str
    limits: Limits
    is_verdict: bool = True
    """Whether a verdict is asked for: only then is the model held to its schema."""


class Route(Protocol):
    """Carries requests to a model; a `_route_NAME.py` has one class of this name, made from a judge's settings."""

    def __init__(self, settings: "Settings") -> None:
        """Open nothing yet."""

    @staticmethod
    def provider(settings: "Settings") -> str:
        """Return whose limits hold, by its name in the table of limits; "unknown" for others."""

    @staticmethod
    def address(settings: "Settings") -> str | None:
        """Return where requests go; None where only a client knows."""

    @staticmethod
    def takes_cache_marker(settings: "Settings") -> bool:
        """Whether the provider caches what is marked, and only that."""

    async def send(self, asking: Asking) -> Reply:
        """Send one request. Errors may be raised as they come."""

    async def aclose(self) -> None:
        """Release what it holds."""


def route_class(name: str) -> type[Route]:
    """Return the class `Route` of `_route_NAME.py`."""
    return cast(type[Route], importlib.import_module(f"agenthorizon.judges._route_{name}").Route)
