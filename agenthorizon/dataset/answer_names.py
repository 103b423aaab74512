"""What a field is called that holds an answer: a label, a verdict, how a task ended, or which task or recording it is.

Others name it as they like (`task_success`, `trueLabel`, `GROUND-TRUTH-LABEL`, `evalScore`), so a name is taken apart
into its words, and words that qualify an answer's name leave it one. A name that something on a screen has as well
(`aria_label`, `score`, `failed`) is one only beside a word that says it is about the task.
"""

import re
from functools import lru_cache

from agenthorizon.dataset.recorded_places import without_format
from agenthorizon.dataset.schema import LEAKING_FIELDS

ANSWER_FIELDS = LEAKING_FIELDS | {"success", "verdict", "is_positive", "is_correct", "is_success", "ground_truth"}
"""Fields of labels and of verdicts, in lower case with underscores."""

ID_FIELDS = frozenset({"trajectory_id", "task_id", "recording_id"})
"""Fields that name the task or its recording."""

_OTHER_WORDS = frozenset({"correct", "correctness", "reward", "succeeded", "successful"})
"""Names that others give to what is a label or a verdict here."""

_HIDDEN = frozenset(name.replace("_", "") for name in ANSWER_FIELDS | ID_FIELDS | _OTHER_WORDS)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENDS = _words("complete completed completion failed failure grade outcome passed rating score")
"""What is an answer only where it is said of the task."""
_OF_THE_TASK = _words(
    "annotator episode eval evaluation evaluator gold golden ground gt human judge overall task trajectory truth"
)
_QUALIFYING = _OF_THE_TASK | _words("actual expected final has is real true was")
"""Words beside an answer's name that leave it one, as in true_label or isTaskSuccessful."""
_BEHIND = _words("bool boolean flag label rate score status value")
"""Words behind one that do, as in success_flag; an aria_label is another thing."""

_NO_LETTERS = re.compile(r"[\W\d_]+")
_NO_WORD = re.compile(r"[\W_]+")
_CASE_CHANGES = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS_IN_ONE = re.compile(rf"(?:{'|'.join(sorted(_QUALIFYING, key=len, reverse=True))})++")

_SAID = re.compile(
    r"""(?<![\w?&/%.=-])([a-z][\w.-]{1,63}+)\\*+["']?\s*+(?::|=|=>|==)\s*+\\*+["']?"""
    r"""(?:true|false|yes|no|none|null|[01](?:\.0+)?|positive|negative|succe\w*+|fail\w*+|pass(?:ed)?|correct|incorrect"""
    r"""|wrong|critical\ mistake|bad\ side\ effect|misunderstanding\ of\ the\ instructions?)"""
    r"""(?=\s*+(?:$|[\n,;.)}\]"'\\`|]))""",
    re.IGNORECASE,
)
"""A field and what it says of a task, as JSON, Python, YAML and logs have it; not as an address has it."""


@lru_cache(maxsize=4096)
def is_hidden_name(key: str) -> bool:
    """Whether a field is named like an answer or an id, in any spelling: originalId, mistake-type, label.value."""
    whole = without_format(key)
    words = list(filter(None, _NO_LETTERS.split(without_format(_CASE_CHANGES.sub("_", key)))))
    unqualified = [word for word in words if word not in _QUALIFYING]
    names = {_NO_WORD.sub("", name) for name in (whole, *whole.split("."), *whole.split("/"))}
    names |= {"".join(unqualified), "".join(word for word in words if word not in _BEHIND | _QUALIFYING)}
    names |= {"".join(word for word in words if word not in _BEHIND), _WORDS_IN_ONE.sub("", "".join(words), count=1)}
    return any(name in _HIDDEN or name.removesuffix("s") in _HIDDEN for name in names) or _tells_end(words, unqualified)


def _tells_end(words: list[str], unqualified: list[str]) -> bool:
    """Whether the words of a name say how the task ended, as task_failed and judge_score do and `failed` does not."""
    return "".join(unqualified).removesuffix("s") in _ENDS and any(word in _OF_THE_TASK for word in words)


def says_answer(text: str) -> bool:
    """Whether a text says what a field named like an answer holds: `success: true`, `"label": "negative"`."""
    if ":" not in text and "=" not in text:
        return False
    return any(is_hidden_name(found[1]) for found in _SAID.finditer(without_format(text)))
