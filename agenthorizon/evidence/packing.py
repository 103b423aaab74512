"""Plans how a task's screenshots fit into one request: every one of them, in order, as large as its provider takes.

Screenshots are sent alone in the size the judge asks for. Where their number is the limit they are merged into the
smallest grid that fits (2×2, 3×3 …) with cells of that size; where pixels, bytes or tokens are, they are made smaller.
None is ever left out: what cannot fit is said so, and nothing is sent.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agenthorizon.case import Case, Limits, Packing, View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.blind import BlindCase
from agenthorizon.evidence.grids import Manner, grids
from agenthorizon.evidence.images import media_type
from agenthorizon.evidence.limits import AS_OF, LIMITS, side_limit
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.evidence.sizes import BASE64, characters_of, text_bytes, text_tokens

MOST_ACROSS = 8
"""Screenshots in a row of the largest grid."""
LEAST_WIDTH = 160
"""Pixels; a screenshot made narrower shows nothing that could be judged."""
PUBLISHED_CELL = (512, 332)
"""Cell of a grid where the judge asks for screenshots as recorded."""

_SMALLER = 0.875
# Upper estimates for desktops, measured on recordings: JPEG of quality 60 has about 0.11 bytes a pixel.
_BYTES_PER_PIXEL = {"jpeg": 0.15, "webp": 0.12, "png": 0.5}
_MOST_FOR_ANSWER = 16_384


@dataclass(frozen=True)
class RequestLoad:
    """What a request must hold."""

    screenshots: int
    characters: int
    """Of all texts."""
    largest: tuple[int, int] | None = None
    """Width and height of the largest screenshot as recorded; None where its size was not looked up."""


@dataclass(frozen=True)
class Plan:
    """How the screenshots of a task are sent. Tokens and bytes are estimates."""

    fit: tuple[int, int] | None
    """Box that each screenshot is fitted into, in pixels; None: as recorded."""
    across: int
    """Screenshots in a row and a column of a grid; 1 where each is sent alone."""
    pictures: int
    """Pictures in the request."""
    tokens: int
    bytes: int
    why: tuple[str, ...] = ()
    """The limits that made it differ from every screenshot alone as the judge asks for it."""

    @property
    def size(self) -> tuple[int, int] | None:
        """Box of a picture, in pixels."""
        return self.fit and (self.fit[0] * self.across, self.fit[1] * self.across)


def plan(load: RequestLoad, view: View, packing: Packing) -> Plan:
    """Return the plan for a request. Raises JudgeFailure (too_large, final) where none fits."""
    across, why = _across(load.screenshots, packing)
    fit = (view.fit or PUBLISHED_CELL) if across > 1 else view.fit
    made = _measured(load, replace_fit(view, fit), across, packing.limits)
    while excess := _excess(made, load, packing.limits):
        why += [reason for reason in excess if reason not in why]
        width, height = made.fit or load.largest or PUBLISHED_CELL
        smaller = max(1, int(width * _SMALLER)), max(1, int(height * _SMALLER))
        if smaller[0] < LEAST_WIDTH or not load.screenshots:
            raise _too_large(load, packing, why)
        made = _measured(load, replace_fit(view, smaller), across, packing.limits)
    return replace(made, why=tuple(why))


def pack(shown: BlindCase, view: View, packing: Packing | None, pictures: Pictures | None = None) -> BlindCase:
    """Return the case with the pictures of its request planned, and the plan in its account of the evidence.

    `pictures` keeps the grids that are made later. Nothing changes for a judge without a Packing. Raises JudgeFailure
    (too_large, final) where no plan fits.
    """
    if packing is None:
        return shown
    made = plan(load_of(shown.case, view, packing.limits), view, packing)
    shots = [(step.number, step.picture) for step in shown.case.steps if step.picture is not None]
    sheets = grids(shots, Manner(made.across, replace_fit(view, made.fit), packing.number_tiles), pictures)
    case = replace(shown.case, sheets=sheets, packing=packing)
    return BlindCase(case, {**shown.evidence, **account(made, packing)})


def seen_as(case: Case, view: View, packing: Packing | None) -> BlindCase:
    """Return a case as another judge wants to see it, with the account of its plan. Raises as `pack` does."""
    steps = tuple(replace(step, picture=step.picture and step.picture.seen(view)) for step in case.steps)
    return pack(BlindCase(replace(case, steps=steps, media_type=media_type(view), sheets=()), {}), view, packing)


def plans_otherwise(case: Case, view: View, packing: Packing) -> bool:
    """Whether another Packing makes another plan for a case than the one it has, and one that fits."""
    before = case.packing or Packing()
    load = load_of(case, view, packing.limits)
    try:
        made, wanted = plan(load, view, before), plan(load, view, packing)
    except JudgeFailure:
        return False
    return (made.fit, made.across) != (wanted.fit, wanted.across)


def broken_limits(load: RequestLoad, made: Plan, view: View, limits: Limits) -> list[str]:
    """Say which limits a request breaks that shows other screenshots in the manner of a plan."""
    other = _measured(load, replace_fit(view, made.fit), made.across, limits)
    too_many = limits.images is not None and other.pictures > limits.images
    return [_at_most(limits.images)] * too_many + _excess(other, load, limits)


def load_of(case: Case, view: View, limits: Limits) -> RequestLoad:
    """Return what a case asks a request to hold; files are looked into only where their size matters."""
    matters = limits.side or limits.many_side or limits.image_bytes or limits.request_bytes or limits.context
    largest = None
    if view.fit is None and matters:
        sizes = [step.picture.recorded_size() for step in case.steps if step.picture is not None]
        largest = (max(width for width, _ in sizes), max(height for _, height in sizes)) if sizes else None
    return RequestLoad(case.pictures, characters_of(case), largest)


def account(made: Plan, packing: Packing) -> Mapping[str, Any]:
    """Return what an outcome says of a plan."""
    return {
        "fit": list(made.fit) if made.fit else None,
        "sent": made.pictures,
        "merged": made.across > 1,
        "grid": [made.across, made.across],
        "picture_size": list(made.size) if made.size else None,
        "limits": f"{packing.provider} {AS_OF}" if packing.provider in LIMITS else packing.provider,
        "why": list(made.why),
        "estimate": {"tokens": made.tokens, "bytes": made.bytes},
    }


def replace_fit(view: View, fit: tuple[int, int] | None) -> View:
    """Return the view with another box."""
    return view if fit == view.fit else view.model_copy(update={"fit": fit})


def _across(screenshots: int, packing: Packing) -> tuple[int, list[str]]:
    """Return the smallest grid whose number of pictures the provider takes, and why one is needed."""
    most = packing.limits.images
    if most is None or screenshots <= most:
        wanted = packing.merge == "always" and screenshots > 0
        return (2, ["the judge asks for grids"]) if wanted else (1, [])
    reason = _at_most(most)
    for across in range(2, MOST_ACROSS + 1):
        if packing.merge != "never" and math.ceil(screenshots / across**2) <= most:
            return across, [reason]
    raise _too_large(RequestLoad(screenshots, 0), packing, [reason])


def _at_most(pictures: int | None) -> str:
    return f"at most {pictures} picture{'s' if pictures != 1 else ''} a request"


def _measured(load: RequestLoad, view: View, across: int, limits: Limits) -> Plan:
    width, height = view.fit or load.largest or PUBLISHED_CELL
    pictures = math.ceil(load.screenshots / across**2)
    area = width * height * across**2
    tokens = limits.tokens_of(width * across, height * across)
    return Plan(
        fit=view.fit,
        across=across,
        pictures=pictures,
        tokens=math.ceil(pictures * tokens + text_tokens(load.characters)),
        bytes=math.ceil(pictures * area * _bytes_per_pixel(view) * BASE64 + text_bytes(load.characters)),
    )


def _bytes_per_pixel(view: View) -> float:
    finer = 1.0 if view.format == "png" else 1 + max(0, view.quality - 60) / 20
    return _BYTES_PER_PIXEL[view.format] * finer


def _excess(made: Plan, load: RequestLoad, limits: Limits) -> list[str]:
    """Say which limits of size a plan breaks."""
    width, height = made.size or load.largest or (0, 0)
    side = side_limit(limits, made.pictures)
    found = []
    if made.pictures and side is not None and max(width, height) > side:
        found.append(f"at most {side} px a side with {made.pictures} picture{'s' if made.pictures > 1 else ''}")
    if limits.context is not None and made.tokens + min(_MOST_FOR_ANSWER, limits.context // 8) > limits.context:
        found.append(f"a context of {limits.context:,} tokens")
    if limits.request_bytes is not None and made.bytes > limits.request_bytes:
        found.append(f"at most {limits.request_bytes / 1e6:g} MB a request")
    if limits.image_bytes is not None and made.pictures and made.bytes / made.pictures / BASE64 > limits.image_bytes:
        found.append(f"at most {limits.image_bytes / 1e6:g} MB a picture")
    return found


def _too_large(load: RequestLoad, packing: Packing, why: list[str]) -> JudgeFailure:
    count, whose = load.screenshots, f" to {packing.provider}" if packing.provider in LIMITS else ""
    subject = f"{count} screenshots do" if count > 1 else "1 screenshot does" if count else "the text alone does"
    message = f"{subject} not fit into one request{whose}: {'; '.join(why)}. {_mends(load, packing)}"
    return JudgeFailure("too_large", message, passing=False)


def _mends(load: RequestLoad, packing: Packing) -> str:
    """Return the advice that can help: what is allowed already, or cannot make a request smaller, is none."""
    most = packing.limits.images
    too_many = most is not None and load.screenshots > most
    mends = ['allow grids (merge = "auto")'] if too_many and packing.merge == "never" else []
    mends += ["correct the judge's limits where its server takes more"]
    mends += ["show fewer screenshots in a request (the kinds filter and stream)"] if load.screenshots > 1 else []
    text = ", or ".join(mends)
    return text[:1].upper() + text[1:]
