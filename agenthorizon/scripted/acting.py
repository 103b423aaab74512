"""The scripted model: reads task.md, opens one screenshot, gives its verdict; or does what a scenario says instead.

Nothing is kept between requests: what comes next is decided from the request alone, so one server serves many agents.
"""

import json
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from agenthorizon.scripted.asking import Asked, Json

Scenario = Literal[
    "good", "prose", "empty", "truncated", "loop", "blind",
    "refused_key", "bad_request", "busy", "broken", "malformed", "cut", "hang",
]  # fmt: skip
"""good: a verdict. prose, empty, truncated: a final text without one. loop: never stops calling tools. blind: gives
its verdict without looking. refused_key (401), bad_request (400), busy (429), broken (500): no answer. malformed: not
JSON. cut: breaks off in mid-answer. hang: never answers."""

VERDICT: Json = {
    "success": True,
    "reasoning": "Scripted: no model looked at this.",
    "confidence": "low",
    "mistake_type": None,
}

_READ = ("Read", "read_file", "read", "file_editor", "str_replace_editor")
_SHELL = ("exec_command", "shell_command", "shell", "Bash", "bash", "run_shell_command", "terminal", "execute_bash")
_VIEW = ("view_image", *_READ)
_ANSWER = ("StructuredOutput", "structured_output", "finish")
_DUMMIES: Json = {"boolean": False, "integer": 1, "number": 1, "array": [], "object": {}}
_SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""What mini-swe-agent ends by: the first line a command prints, the answer after it."""


class Call(NamedTuple):
    """A tool to use."""

    name: str
    arguments: Json


class Say(NamedTuple):
    """A final text."""

    text: str


@dataclass(frozen=True)
class Script:
    """What the model does."""

    scenario: Scenario = "good"
    orders: tuple[str, ...] = ()
    """Shell commands it gives first, to an agent that has a shell."""
    reads: tuple[str, ...] = ()
    """Files it has the agent read first."""
    verdict: str = json.dumps(VERDICT)


def decide(asked: Asked, script: Script) -> Call | Say:
    """Return the model's next act."""
    if not asked.tools:
        return Say("Judging")  # a side request, for a title
    plan = _plan(asked, script)
    if script.scenario == "loop" and plan:
        return plan[asked.calls % len(plan)]
    if asked.calls < len(plan):
        return plan[asked.calls]
    return _end(asked, script, len(plan))


def _plan(asked: Asked, script: Script) -> list[Call]:
    folder = asked.folder or "."
    planned = [*(_shell(asked, order) for order in script.orders), *(_reading(asked, path) for path in script.reads)]
    if script.scenario != "blind":
        planned += [_reading(asked, f"{folder}/task.md"), _viewing(asked, folder)]
    return [call for call in planned if call is not None]


def _end(asked: Asked, script: Script, planned: int) -> Call | Say:
    texts = {
        "prose": "I believe that all is well.",
        "empty": "",
        "truncated": script.verdict[: len(script.verdict) // 2],
    }
    if script.scenario in texts:
        return Say(texts[script.scenario])
    if _SUBMIT in asked.text and (ending := _shell(asked, f"echo {_SUBMIT}; echo '{script.verdict}'")):
        return ending
    name = next((name for name in _ANSWER if name in asked.tools), None)
    if name is None or asked.calls > planned:
        return Say(script.verdict)
    schema = asked.tools[name]
    is_verdict = "success" in (schema.get("properties") or {})
    known = {"message": script.verdict, "output": script.verdict}
    return Call(name, json.loads(script.verdict) if is_verdict else _filled(schema, known))


def _reading(asked: Asked, path: str) -> Call | None:
    name = next((name for name in _READ if name in asked.tools), None)
    return Call(name, _filled(asked.tools[name], _paths(path))) if name else _shell(asked, f"cat {path}")


def _viewing(asked: Asked, folder: str) -> Call | None:
    """Open the last screenshot that task.md named."""
    name = next((name for name in _VIEW if name in asked.tools), None)
    path = f"{folder}/{max(asked.screenshots, default='screenshots/001.png')}"
    if name is None and asked.viewer:
        return _shell(asked, f"sh {asked.viewer} {path}")
    return Call(name, _filled(asked.tools[name], _paths(path))) if name else None


def _shell(asked: Asked, command: str) -> Call | None:
    name = next((name for name in _SHELL if name in asked.tools), None)
    known = {"command": command, "cmd": command, "description": "scripted"}
    return Call(name, _filled(asked.tools[name], known)) if name else None


def _paths(path: str) -> Json:
    return {"path": path, "file_path": path, "filePath": path, "absolute_path": path, "command": "view"}


def _filled(schema: Json, known: Json) -> Json:
    """Return arguments for a tool: what is known by name, something harmless for what else it requires."""
    properties: Json = schema.get("properties") or {}
    arguments = {name: value for name, value in known.items() if name in properties}
    for name in schema.get("required") or []:
        arguments.setdefault(name, _harmless(properties.get(name) or {}))
    return arguments


def _harmless(schema: Json) -> Any:
    choices = schema.get("enum") or [None]
    return choices[0] or _DUMMIES.get(str(schema.get("type", "string")).lower(), "scripted")
