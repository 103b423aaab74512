"""Codex CLI (`codex exec`), which speaks the Responses protocol and reads files through its shell tool.

{"type": "item.completed", "item": {"type": "agent_message", "text": "{\"success\": true, …}"}}
{"type": "turn.completed", "usage": {"input_tokens": 3600, "cached_input_tokens": 0, "output_tokens": 102, …}}
"""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from agenthorizon.harness import Account, Assignment, Ended, Event, Harness, Launch, Package, Status, ToolCall
from agenthorizon.prompts import verdict_schema
from agenthorizon.usage import Usage

_OFF = ("multi_agent", "goals", "plugins", "apps", "remote_plugin", "plugin_sharing", "unbounded_connection_retries")
"""Features that offer tools of no use here, or reach out: 0.171.0 asks for chatgpt.com and github.com with the middle
ones, and waits for ever for a refused connection with the last."""


class Codex(Harness):
    """OpenAI's Codex CLI."""

    package = Package("npm", "@openai/codex", "0.171.0", "codex")
    protocol: ClassVar[Literal["responses"]] = "responses"

    reasoning_effort: str | None = None
    sandbox_mode: Literal["read-only", "danger-full-access"] = "read-only"
    """Codex's own sandbox, inside ours. It bars writing and sockets from its shell, not reading."""

    def launch(self, assignment: Assignment) -> Launch:
        """Run one turn; the prompt comes on stdin."""
        home = assignment.home / "codex"
        arguments = ["exec", "--json", "--skip-git-repo-check", "--output-schema", str(home / "schema.json")]
        for feature in _OFF:
            arguments += ["-c", f"features.{feature}=false"]
        return Launch(
            argv=(*assignment.program, *arguments, "-"),
            environment={"CODEX_HOME": str(home), "AGENTHORIZON_KEY": assignment.key},
            stdin=assignment.prompt,
            files={"codex/config.toml": self._config(assignment), "codex/schema.json": json.dumps(verdict_schema())},
        )

    def _config(self, assignment: Assignment) -> str:
        effort = f"model_reasoning_effort = {json.dumps(self.reasoning_effort)}\n" if self.reasoning_effort else ""
        # JSON strings are TOML strings.
        return f"""model = {json.dumps(assignment.model)}
model_provider = "door"
{effort}approval_policy = "never"
sandbox_mode = "{self.sandbox_mode}"
check_for_update_on_startup = false
web_search = "disabled"
[model_providers.door]
name = "door"
base_url = {json.dumps(assignment.endpoint + "/v1")}
env_key = "AGENTHORIZON_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
[shell_environment_policy]
inherit = "core"
[analytics]
enabled = false
[otel]
exporter = "none"
"""

    def account(self, ended: Ended) -> Account:
        """Read the events; some tool calls stand only in the session file."""
        events = ended.events()
        text, usage, error, calls, completed = None, Usage(), None, [], False
        for event in events:
            kind, item = event.get("type"), event.get("item") or {}
            if kind == "item.completed" and item.get("type") == "agent_message":
                text = item.get("text")
            elif kind == "item.completed" and item.get("type") == "command_execution":
                calls.append(ToolCall("shell", str(item.get("command")), item.get("exit_code") == 0))
            elif kind == "turn.completed":
                usage, completed, error = _usage(event.get("usage") or {}), True, None
            elif kind in ("error", "turn.failed"):
                error, completed = str(event.get("message") or (event.get("error") or {}).get("message")), False
        calls = list(_calls(ended)) or calls
        return Account(
            status="ok" if completed else _failed(error, ended, events.is_cut),
            text=text if completed else None,
            error=error,
            usage=usage,
            tool_calls=tuple(calls),
            pictures_opened=sum(call.name == "view_image" and call.ok is not False for call in calls),
        )


def _failed(error: str | None, ended: Ended, is_cut: bool) -> Status:
    if error is not None:
        return "truncated" if "max_output_tokens" in error else "model_error"
    return "cut_output" if is_cut or ended.exit_code == 0 else "crashed"


def _usage(usage: Event) -> Usage:
    return Usage(
        input=usage.get("input_tokens"),
        output=usage.get("output_tokens"),
        cached_read=usage.get("cached_input_tokens"),
        reasoning=usage.get("reasoning_output_tokens"),
        cached_write=usage.get("cache_write_input_tokens"),
    )


def _calls(ended: Ended) -> Iterator[ToolCall]:
    """Yield the tool calls of the session file: stdout leaves out pictures, and commands that fail at once."""
    calls: dict[str, Event] = {}
    outputs: dict[str, Any] = {}
    for line in ended.left_events("codex/sessions/**/rollout-*.jsonl"):
        item = line.get("payload") or {}
        if line.get("type") == "response_item" and item.get("type") == "function_call":
            calls[str(item.get("call_id"))] = item
        elif line.get("type") == "response_item" and item.get("type") == "function_call_output":
            outputs[str(item.get("call_id"))] = item.get("output")
    for call_id, item in calls.items():
        output = outputs.get(call_id)
        said = output if isinstance(output, str) else ""
        yield ToolCall(str(item.get("name")), str(item.get("arguments")), _succeeded(output), said)


def _succeeded(output: Any) -> bool:
    """A picture comes as a list of parts; a command's text tells its exit code; other texts are errors."""
    return isinstance(output, list) or "Process exited with code 0" in str(output)
