"""Looks for what the instruction names in what was typed and in what OCR reads on a few screens; needs no key.

It counts words and understands nothing: on real recordings expect a balanced accuracy of about 0.6, and compare it
with the judges that look at nothing. Its few weights were fitted on AH-D alone, by `scripts/fit_ocr.py`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import Field, ValidationInfo, field_validator

from agenthorizon.evidence.safe_text import safe_text
from agenthorizon.judge import Case, Judge, Reply, answer

from ._ocr_looking import Found, Look, look
from ._ocr_reading import engine_version
from ._ocr_weights import Shares, Weights, stored_weights, weights_version

_SHOWN = 8
"""Terms named in a reasoning, of those found and of those not found."""
_SHOWN_CHARACTERS = 60
_MEDIUM, _HIGH = 0.6, 0.8
"""Probabilities of the given answer from which its confidence is called so."""
_PLACES = {
    "typed": "in what was typed at step {}",
    "screen": "on the screen at step {}",
    "pressed": "among the keys of step {}",
}


class Ocr(Judge):
    """Accepts when enough of what the instruction names is found.

    It never names a mistake type: a missing word does not tell a task that was missed from one misunderstood, and a
    side effect is just what no instruction names.
    """

    looks_at_pictures: ClassVar[bool] = True
    sends_requests: ClassVar[bool] = False

    frames: int = Field(2, ge=0)
    """Screenshots read at most: the last, and others evenly spaced before it. The weights were fitted with 2."""
    threshold: float | None = Field(None, ge=0, le=1)
    """Probability of success from which the answer is yes; null takes the fitted one."""
    engine: str = Field(default_factory=engine_version)
    """The OCR engine; only the installed one can be asked for."""
    weights: str = Field(default_factory=weights_version)
    """The version of the weights; only the one that comes with this judge can be asked for."""

    @field_validator("engine", "weights")
    @classmethod
    def _must_be_here(cls, wanted: str, info: ValidationInfo) -> str:
        here = engine_version() if info.field_name == "engine" else weights_version()
        if wanted != here:
            raise ValueError(f"asked for {wanted}, installed is {here}")
        return wanted

    async def judge(self, case: Case) -> Reply:
        """Read the screens, look for what the instruction names, weigh what was found."""
        weights = stored_weights()
        seen = await look(case, self.frames)
        shares = weights.rarity.shares(seen)
        probability = weights.probability(shares)
        threshold = weights.threshold if self.threshold is None else self.threshold
        success = probability >= threshold
        reasoning = f"{_account(seen)} {_reckoning(weights, shares, threshold)}"
        reply = answer(success, reasoning, _confidence(probability if success else 1 - probability))
        return replace(reply, images=len(seen.screens))


def _confidence(certainty: float) -> str:
    if certainty < _MEDIUM:
        return "low"
    return "medium" if certainty < _HIGH else "high"


def _account(seen: Look) -> str:
    """Say where each term was found and which were not."""
    if not seen.findings:
        return "The instruction names nothing that could be looked for."
    rarity = stored_weights().rarity
    findings = sorted(seen.findings, key=lambda found: -rarity.worth(found.term))
    found = [_found(one) for one in findings if one.sources]
    missing = [_quoted(one.term.text) for one in findings if not one.sources]
    steps = " and ".join(map(str, seen.screens)) or "none"
    return f"Screens read: {steps}. Found: {_listed(found, '; ')}. Not found: {_listed(missing, ', ')}."


def _found(one: Found) -> str:
    source = one.sources[0]
    return f"{_quoted(one.term.text)} {_PLACES[source.kind].format(source.step)}"


def _reckoning(weights: Weights, shares: Shares, threshold: float) -> str:
    """Give the score with all it is made of, so that a reader can work it out again; a weight of 0 adds nothing."""
    named = [
        (weights.anywhere, shares.anywhere, "anywhere"),
        (weights.last, shares.last, "on the last screen"),
        (weights.typed, shares.typed, "in what was typed"),
    ]
    counted = [(weight, share, where) for weight, share, where in named if weight]
    found = " and ".join(f"{share:.1%} {where}" for _, share, where in counted)
    terms = "".join(f" {weight:+.4g}·{share:.3f}" for weight, share, _ in counted)
    return (
        f"By weight, of what the instruction names was found {found}. Score: {weights.probability(shares):.3f} = "
        f"logistic({weights.bias:.4g}{terms}), accepted from {threshold:.3f}. Words were counted, not understood."
    )


def _listed(items: Sequence[str], separator: str) -> str:
    more = f"{separator}{len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return (separator.join(items[:_SHOWN]) or "nothing") + more


def _quoted(text: str) -> str:
    short = text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
    return f"'{safe_text(short, keep_newlines=False)}'"
