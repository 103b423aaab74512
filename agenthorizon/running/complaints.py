"""The words by which providers and command-line tools say what went wrong; of error texts alone, never of answers.

Where a text has words of several classes, the first one below counts: a key that is refused often comes with "error",
and an empty quota with "429".
"""

import re

_WORDS: tuple[tuple[str, str], ...] = (
    (
        "quota",
        r"insufficient[_ ]quota|credit balance is too low|insufficient (?:credits|balance|funds)|payment required"
        r"|exceeded your current quota, please check your plan|billing (?:hard )?limit|out of credits",
    ),
    (
        "too_large",
        r"context[_ ]length|context window|maximum context|too many (?:images|tokens)|too large"
        r"|(?:prompt|input|messages?|string|content) (?:is |was |are )?too long"
        r"|image\(s\) may be|image dimensions|many-image|input tokens? (?:count )?exceed|too much media"
        r"|exceeds the maximum number of (?:images|tokens)|request_too_large",
    ),
    (
        "rate_limited",
        r"rate[-_ ]?limit|usage limit|too many requests|limit reached|resource[_ ]exhausted|quota exceeded"
        r"|hit your (?:\w+ )?limit|\b429\b|throttl",
    ),
    ("overloaded", r"overloaded|at capacity|temporarily unavailable|high demand|\b(?:529|503)\b"),
    (
        "key",
        r"(?:invalid|incorrect|missing|expired|no)[ _]+(?:\w+[-_ ]){0,2}(?:api[-_ ]?key|auth\w* (?:token|credentials))"
        r"|api[-_ ]?key (?:is |not )?(?:invalid|missing|expired|valid|found|required)|unauthori[sz]ed"
        r"|authentication_error|authentication failed|not logged in|please (?:run )?/?log ?in"
        r"|permission[_ ]denied|\b401\b",
    ),
    (
        "model",
        r"model[_ ]not[_ ]found|(?:no such|unknown|invalid|unsupported) model\b|not a valid model"
        r"|model\b.{0,80}\b(?:does not exist|not found|is not supported|not available)",
    ),
    (
        "refused",
        r"content[_ ](?:policy|filter|management)|flagged|moderation|safety (?:system|reasons|setting)|blocked by",
    ),
    ("timeout", r"timed? ?out|deadline exceeded|ETIMEDOUT"),
    ("cut", r"stream (?:disconnected|closed|ended)|closed before completion|premature(?:ly)? clos"),
    (
        "connection",
        r"ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|socket hang ?up|fetch failed|network error"
        r"|connection (?:error|reset|refused)|error sending request|getaddrinfo",
    ),
    ("server", r"internal server error|bad gateway|gateway time-?out|server[_ ]error|api[_ ]error|\b50[024]\b"),
)
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for kind, pattern in _WORDS)

SAID = frozenset(kind for kind, _ in _WORDS)
"""What words alone may come to: classes of `failure_classes`, or what stops a judge."""

_LONGEST = 20_000

# How tools begin when they print an error in the place of an answer, and end with exit code 0.
_INSTEAD = re.compile(r"\s*(?:API Error\b|\[?error\]?:|fatal:|Error \w+:)", re.IGNORECASE)
_SHORT = 1000


def kind_of(text: str) -> str | None:
    """Return the class that an error text names: one of a failure, or key, quota, model; None where it names none."""
    shown = text[:_LONGEST]
    return next((kind for kind, pattern in _PATTERNS if pattern.search(shown)), None)


def is_instead_of_answer(text: str) -> bool:
    """Whether a text without any verdict is a tool's error message that stands where its answer should."""
    return len(text) <= _SHORT and _INSTEAD.match(text) is not None and kind_of(text) is not None
