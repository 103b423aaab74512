"""OpenCode (`opencode run`), which speaks Chat Completions and views pictures with its read tool.

    {"type": "tool_use", "part": {"tool": "read", "callID": "…", "state": {"status": "completed", "input": {…},
        "attachments": [{"mime": "image/png", "url": "data:…"}]}}}
    {"type": "text", "part": {"text": "{\\"success\\": …"}}
    {"type": "step_finish", "part": {"reason": "stop", "tokens": {"input": 1200, "output": 34, …}, "cost": 0}}

The last text counts. Sometimes stdout ends in the middle of a line although the exit code is 0.
"""

import json
from typing import Any, ClassVar, Literal

from agenthorizon.harness import Account, Assignment, Ended, Event, Harness, Launch, Package, Status, ToolCall
from agenthorizon.usage import Usage

_OFF = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE")
_XDG = {"CONFIG": ".config", "DATA": ".local/share", "STATE": ".local/state", "CACHE": ".cache"}


class Opencode(Harness):
    """The OpenCode agent, for any OpenAI-compatible endpoint."""

    package = Package(
        "npm",
        "opencode-ai",
        "1.18.33",
        "opencode",
        native=("opencode-{machine}-baseline/bin/opencode", "opencode-{machine}/bin/opencode"),
    )
    protocol: ClassVar[Literal["chat"]] = "chat"

    shell: bool = False
    """Whether it may use a shell."""
    context: int = 200_000
    """Tokens of the model's context."""
    max_tokens: int = 32_000
    """Tokens of one answer."""

    def launch(self, assignment: Assignment) -> Launch:
        """Run one session; the prompt is an argument, the configuration a variable."""
        arguments = ["run", "--format", "json", "-m", f"door/{assignment.model}", assignment.prompt]
        folders = {f"XDG_{name}_HOME": str(assignment.home / folder) for name, folder in _XDG.items()}
        off = {f"OPENCODE_DISABLE_{name}": "1" for name in _OFF}
        configuration = {"OPENCODE_CONFIG_CONTENT": json.dumps(self._configuration(assignment))}
        return Launch((*assignment.program, *arguments), folders | off | configuration)

    def _configuration(self, assignment: Assignment) -> dict[str, Any]:
        model = {
            "name": assignment.model,
            "attachment": True,
            "tool_call": True,
            "modalities": {"input": ["text", "image"], "output": ["text"]},
            "limit": {"context": self.context, "output": self.max_tokens},
        }
        options = {"baseURL": f"{assignment.endpoint}/v1", "apiKey": assignment.key}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "door", "options": options}
        shell = "allow" if self.shell else "deny"
        return {
            "model": f"door/{assignment.model}",
            "small_model": f"door/{assignment.model}",
            "share": "disabled",
            "autoupdate": False,
            "provider": {"door": provider | {"models": {assignment.model: model}}},
            "permission": {"edit": "deny", "bash": shell, "webfetch": "deny", "external_directory": shell},
        }

    def account(self, ended: Ended) -> Account:
        """Read the events of the session."""
        events = ended.events()
        text: str | None = None
        error: str | None = None
        last: Event = {}
        calls: list[ToolCall] = []
        usage: list[Event] = []
        pictures = 0
        for event in events:
            kind, part = event.get("type"), event.get("part") or {}
            if kind == "text":
                text, error = str(part.get("text")), None
            elif kind == "tool_use":
                text = None  # what it said before a tool was no answer
                calls.append(_call(part))
                pictures += _pictures(part)
            elif kind == "step_finish":
                last = part
                usage.append(part.get("tokens") or {})
            elif kind == "error":
                error = _error(event.get("error") or {})
        return Account(
            status=_status(last, error, ended, events.is_cut),
            text=text,
            error=error,
            usage=_usage(usage),
            turns=len(usage),
            tool_calls=tuple(calls),
            pictures_opened=pictures,
        )


def _status(last: Event, error: str | None, ended: Ended, is_cut: bool) -> Status:
    if error is not None:
        return "model_error"
    if is_cut:
        return "cut_output"
    if not last:
        return "crashed" if ended.exit_code else "no_answer"
    reason = last.get("reason", "stop")
    return "truncated" if reason == "length" else "ok" if reason == "stop" else "cut_output"


def _call(part: Event) -> ToolCall:
    state = part.get("state") or {}
    given = state.get("input") or {}
    target = given.get("filePath") or given.get("command") or json.dumps(given)
    is_good = state.get("status") == "completed" and not (state.get("metadata") or {}).get("exit")
    said = str(state.get("output") or state.get("error") or "")
    return ToolCall(str(part.get("tool")), str(target), is_good and part.get("tool") != "invalid", said)


def _pictures(part: Event) -> int:
    attachments = (part.get("state") or {}).get("attachments") or []
    return sum(str(each.get("mime")).startswith("image/") for each in attachments)


def _error(error: Event) -> str:
    data = error.get("data") or {}
    return str(data.get("message") or error.get("name") or error)


def _usage(steps: list[Event]) -> Usage:
    """Sum the steps; the request for a title is in none of them."""
    if not steps:
        return Usage()
    cached = sum((step.get("cache") or {}).get("read", 0) for step in steps)
    return Usage(
        input=sum(step.get("input", 0) for step in steps) + cached,
        output=sum(step.get("output", 0) for step in steps),
        cached_read=cached,
        reasoning=sum(step.get("reasoning", 0) for step in steps),
    )
