"""Tries a judge out with one tiny request that has one picture, and says what is wrong: key, address, model, form.

The picture shows a number which the judge is asked to repeat: a server that drops pictures in silence is found out.
"""

import asyncio
import secrets
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from agenthorizon.case import Case, Packing, ShownStep, View
from agenthorizon.errors import AgentHorizonError, JudgeFailure, MalformedVerdict
from agenthorizon.judge import Reply
from agenthorizon.judging.asking import ask
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.judging.patience import waiting
from agenthorizon.running.config import texts_of
from agenthorizon.running.failures import LOOK, failure, refuse_unfinished
from agenthorizon.running.tried import Tried
from agenthorizon.verdict import read_verdict

NUMBER = "4711"
PATIENCE = 600.0
"""Seconds; a server may have to load its model first."""
GUIDE = (
    'Reply with one JSON object and nothing else: {"success": true, "reasoning": "the number that the picture shows", '
    '"confidence": "high", "mistake_type": null}'
)

_MENDS = {
    "key": "is the key in the right variable, and is it of this server?",
    "quota": "the account has nothing left",
    "model": "is the model spelt as the server lists it, and does the address end where its API begins (often /v1)?",
    "connection": "is the server up, and is the address right?",
    "timeout": "is the server up, and has it loaded its model?",
}
_PICTURE_WORDS = ("image", "multimodal", "vision", "picture")  # llama.cpp says so with status 500
_SCHEMA_WORDS = ("response_format", "json_schema", "schema", "grammar")


async def check(judge: Any, seconds: float = PATIENCE) -> list[Tried]:
    """Ask a judge once, and wait `seconds` for its answer. Nothing is retried, nothing is written.

    Raises UsageError, and asks nothing, for a judge that no run would take.
    """
    texts_of(judge)
    traits = traits_of(judge)
    case = _case(traits.view, traits.packing)
    try:
        async with asyncio.timeout(seconds) as deadline:
            with waiting(deadline):
                reply = await ask(judge, case)
        refuse_unfinished(reply)
    except Exception as error:  # noqa: BLE001  whatever happens is the answer
        return [_fault(error, traits.base_url)]
    finally:
        await traits.aclose()
    return _about(reply, traits.is_held_to_schema)


def _about(reply: Reply, held_to_schema: bool) -> list[Tried]:
    text = reply.text or ""
    found = [
        Tried(True, f"answered, as {reply.model}" if reply.model else "answered"),
        *(Tried(False, why) for why in reply.unusable),
    ]
    if reply.images:
        seen = NUMBER in text
        found.append(Tried(seen, "sees pictures" if seen else f"did not see the picture: answered {text[:200]!r}"))
    try:
        verdict = read_verdict(text)
        found.append(Tried(True, "answers in the form asked for"))
        if held_to_schema and verdict.warnings:
            found.append(Tried(False, f"is not held to the JSON schema: {', '.join(verdict.warnings)}"))
    except MalformedVerdict as error:
        by = "the JSON schema" if held_to_schema else "the prompt; try json_schema = true"
        found.append(Tried(False, f"does not answer in the form asked for by {by}: {error}"))
    if reply.requests:
        tells = reply.usage.input is not None
        found.append(Tried(tells, "reports its tokens" if tells else "reports no tokens: costs stay unknown"))
    return found


def _fault(error: Exception, address: str | None) -> Tried:
    try:
        failed: AgentHorizonError = failure(error, address)
    except AgentHorizonError as stopped:
        failed = stopped
    code, words = getattr(failed, "code", ""), str(failed).lower()
    mend = "" if LOOK["connection"] in words else _MENDS.get(code, "")
    if isinstance(failed, JudgeFailure) and code in ("bad_request", "server"):
        if any(word in words for word in _SCHEMA_WORDS):
            code, mend = "schema", "the server takes no JSON schema: json_schema = false"
        elif any(word in words for word in _PICTURE_WORDS):
            code, mend = "pictures", "the model takes no pictures; it can only judge --without screenshots"
    kind = "" if code in ("", "usage") else f"{code}: "
    return Tried(False, f"{kind}{failed}" + (f" ({mend})" if mend else ""))


@dataclass(frozen=True)
class _Drawn:
    """A picture made here."""

    view: View

    number: str = field(default_factory=lambda: secrets.token_hex(32))

    @property
    def digest(self) -> str:
        return self.number  # another one each time: a judge must not answer from what it kept of an earlier check

    def image(self) -> Image.Image:
        picture = Image.new("RGB", (320, 200), "white")
        ImageDraw.Draw(picture).text((60, 60), NUMBER, fill="black", font=ImageFont.load_default(72))
        return picture

    def encoded(self) -> bytes:
        buffer = BytesIO()
        self.image().save(buffer, self.view.format)
        return buffer.getvalue()

    def seen(self, view: View) -> "_Drawn":
        return replace(self, view=view)

    def recorded_size(self) -> tuple[int, int]:
        return self.image().size


def _case(view: View, packing: Packing | None) -> Case:
    step = ShownStep(1, None, "(none)", _Drawn(view))
    return Case("check", "Which number does the picture show?", (step,), f"image/{view.format}", GUIDE, packing=packing)
