"""Where the screenshots of a task lie, as recorded, and whether a text tells it: who knows it knows the recording.

A path is spelt in many ways (`Images/Rec-4711`, `images//rec-4711`, `images%2Frec-4711`): all are read as one.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

_SLASHES = re.compile(r"/(?:\.?/)+")
_SHORTEST = 4
"""Characters of a folder name that is a recording's own."""
_SHORTEST_NUMBER = 6
"""Digits of one: a shorter number stands in actions by chance."""
_DEEPEST = 8
"""Folders above a screenshot that are looked at one by one."""
_LAYERS = 3
"""Times that a text may have been written with % codes."""
_REMEMBERED = 200
"""Characters of a text whose plain spelling is kept for the next time."""


class Places(NamedTuple):
    """What no value of an action may be or hold, each spelt plainly."""

    whole: frozenset[str] = frozenset()
    """Paths and parts of them, file names, folder names of one's own, the task's id: no value may be one of them."""
    within: frozenset[str] = frozenset()
    """Paths and folders of two parts or more: no value may hold one of them."""

    def told_by(self, text: str) -> bool:
        """Whether a text is one of them or holds one."""
        spelt = _plain(text)
        return spelt in self.whole or ("/" in spelt and any(place in spelt for place in self.within))


def recorded_places(screenshots: Iterable[object], task_id: str = "") -> Places:
    """Return what tells where screenshots, as recorded, lie, and the id of their task."""
    whole = {_plain(task_id)} if is_own(task_id) else set()
    within: set[str] = set()
    paths = {_spelt_plainly(recorded) for recorded in screenshots if isinstance(recorded, str)} - {""}
    for folder, names in _by_folder(paths).items():  # a task has few folders: what they say is worked out once
        parts = folder.split("/")[:-1]
        near = parts[-_DEEPEST:]
        ends = ["/".join(near[at:]) + "/" for at in range(len(near))]
        of_own = [end for end, part in zip(ends, near, strict=True) if is_own(part)]
        whole.update(names, _pieces(near), *([end + name for name in names] for end in ends))
        within.update(*([end + name for name in names] for end in of_own))
        within.update([folder[:-1]] if len(parts) > 1 else [folder + name for name in names])
    return Places(frozenset(whole | paths) - {""}, frozenset(place for place in within if "/" in place))


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the names of files by what stands before them, which ends with a slash unless it is nothing."""
    names = defaultdict(list)
    for path in paths:
        name = path.rpartition("/")[2]
        names[path.removesuffix(name)].append(name)
    return names


def is_own(name: str) -> bool:
    """Whether a name is one recording's own, as `rec-4711` is and `images`, `chrome` or `1024` are not."""
    long_enough = _SHORTEST_NUMBER if name.isdecimal() else _SHORTEST
    return len(name) >= long_enough and not name.isalpha()


def without_format(text: str) -> str:
    """Return a text in lower case, in one form of each letter, without characters that nobody sees."""
    if not text.isascii():
        text = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return text.casefold()


def _pieces(folders: list[str]) -> set[str]:
    """Return the parts of a path of folders, of one or more, that hold a name of their own."""
    spans = (folders[start:end] for start in range(len(folders)) for end in range(start + 1, len(folders) + 1))
    return {"/".join(span) for span in spans if any(map(is_own, span))}


def _plain(path: str) -> str:
    """Return a path as it is compared."""
    return _spelt_plainly(path) if len(path) > _REMEMBERED else _remembered(path)


def _spelt_plainly(path: str) -> str:
    text = without_format(path).strip().replace("\\", "/")
    for _ in range(_LAYERS):
        if "%" not in text:
            break
        text = without_format(unquote(text)).replace("\\", "/")
    if "//" in text or "/./" in text:  # nearly none: looking costs a third of what the pattern does
        text = _SLASHES.sub("/", text)
    return text.removeprefix("./").rstrip("/") if "/" in text else text


_remembered = lru_cache(maxsize=4096)(_spelt_plainly)  # names of parameters, which are those of the next task too
