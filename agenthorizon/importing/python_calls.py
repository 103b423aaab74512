"""Reads Python text as a list of calls with literal arguments. The text is parsed, never run.

    pyautogui.moveTo(x=0.2, y=0.3); pyautogui.dragTo(0.4, 0.3, button='left')

is two calls. A statement that is no such call (a loop, an assignment, a computed argument) is kept as its text.
"""

import ast
import re
import warnings
from dataclasses import dataclass, field
from typing import Any

MAX_LENGTH = 100_000
"""Characters; a longer text is kept whole and not parsed."""

_FENCE = re.compile(r"^\s*```(?:python|py)?[ \t]*\n(.*?)\n?```\s*$", re.DOTALL)
_NO_ACTION = (ast.Import, ast.ImportFrom, ast.Pass)


@dataclass(frozen=True)
class Call:
    """One statement."""

    text: str
    """Its own source text."""
    owner: str = ""
    """What stands before the dot: `pyautogui`; empty for a bare name."""
    name: str = ""
    """The function's name; empty when the statement is not a call with literal arguments."""
    args: tuple[Any, ...] = ()
    keywords: dict[str, Any] = field(default_factory=dict)

    def bound(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the arguments by name, given the names of the positional ones; those left None are not in it."""
        by_name = dict(zip(names, self.args, strict=False)) | self.keywords
        return {key: value for key, value in by_name.items() if value is not None}


def read_calls(code: str) -> list[Call]:
    """Return the statements of a text in order; imports, comments and bare strings do nothing and are left out."""
    fenced = _FENCE.match(code)
    text = fenced[1] if fenced else code.strip()
    if len(text) > MAX_LENGTH:
        return [Call(code)]
    try:
        with warnings.catch_warnings(action="ignore"):  # e.g. of an invalid escape in a recorded string
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [Call(code)] if text else []
    return [_call(node, text) for node in body if not _does_nothing(node)]


def _does_nothing(node: ast.stmt) -> bool:
    return isinstance(node, _NO_ACTION) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _call(node: ast.stmt, code: str) -> Call:
    text = ast.get_source_segment(code, node) or ast.unparse(node)
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return Call(text)
    called = node.value
    owner, name = _name(called.func)
    try:
        args = tuple(ast.literal_eval(arg) for arg in called.args)
        keywords = {word.arg: ast.literal_eval(word.value) for word in called.keywords if word.arg is not None}
    except (ValueError, TypeError, RecursionError, MemoryError):
        return Call(text)
    unpacked = any(word.arg is None for word in called.keywords)
    return Call(text) if unpacked or not name else Call(text, owner, name, args, keywords)


def _name(function: ast.expr) -> tuple[str, str]:
    if isinstance(function, ast.Name):
        return "", function.id
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.value.id, function.attr
    return "", ""
