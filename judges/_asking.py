"""What the judges that ask a chat model share: one way to put a question to it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import PrivateAttr

from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.images import media_type
from agenthorizon.evidence.limits import learned, limits_of
from agenthorizon.evidence.packing import plans_otherwise
from agenthorizon.judge import Case, Judge, Limits, Packing, Reply

from ._route import Asking, Part, Route, route_class
from ._settings import Settings

_SAID_TOO_MUCH = frozenset({400, 413, 422})


class Asker:
    """Puts questions to one model: opens its route when first used, and keeps to what the server said it takes."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._route: Route | None = None
        self._learned: Limits | None = None

    def packing(self) -> Packing:
        """Return what a request may hold: by the table, the settings, and what the server has answered so far."""
        settings = self._settings
        provider = settings.provider or route_class(settings.route).provider(settings)
        limits = self._learned or limits_of(provider, settings.limits)
        return Packing(provider=provider, limits=limits, merge=settings.merge, number_tiles=settings.number_tiles)

    async def ask(self, case: Case, content: Iterable[Part], *, is_verdict: bool = True) -> Reply:
        """Send one request with the case's guide and return what came back.

        Raises the route's errors; JudgeFailure (repacked, passing) when the server said what it takes and the next
        attempt can keep to it.
        """
        settings = self._settings
        if self._route is None:
            self._route = route_class(settings.route)(settings)
        packing = case.packing or self.packing()
        asking = Asking(case.guide, content, media_type(settings.view), packing.limits, is_verdict)
        try:
            reply = await self._route.send(asking)
        except Exception as error:
            self._learn(error, case)
            raise
        return replace(reply, evidence={"answer_format": "json_schema" if settings.json_schema else "prompt"})

    def _learn(self, error: Exception, case: Case) -> None:
        """Take what an error says of the server's limits; raise JudgeFailure when that makes another request."""
        if getattr(error, "status_code", None) not in _SAID_TOO_MUCH:
            return
        self._learned = learned(self.packing().limits, str(error))
        if plans_otherwise(case, self._settings.view, self.packing()):
            told = f"the server says what it takes, and the next request keeps to it: {str(error)[:500]}"
            raise JudgeFailure("repacked", told, passing=True) from error

    async def aclose(self) -> None:
        """Close the connections."""
        if self._route is not None:
            await self._route.aclose()
            self._route = None


class ChatJudge(Settings, Judge):
    """Base of the judges that ask a chat model."""

    sends_requests: ClassVar[bool] = True
    unrecorded: ClassVar[frozenset[str]] = frozenset({"key_env"})

    _asker: Asker = PrivateAttr()

    def model_post_init(self, _: Any) -> None:
        """Set up what asks; nothing is opened yet."""
        self._asker = Asker(self)

    @property
    def packing(self) -> Packing | None:
        """What its requests may hold, for a judge whose request shows the whole case."""
        return self._asker.packing()

    @property
    def picture_limits(self) -> Limits:
        """Whose tokens a picture takes, where its requests are planned once it is asked."""
        return self._asker.packing().limits

    async def aclose(self) -> None:
        """Close the connections."""
        await self._asker.aclose()
