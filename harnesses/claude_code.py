"""Claude Code (`claude -p`), which speaks the Messages protocol and views pictures with its Read tool.

    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t1", "name": "Read", "input": {…}}]}}
    {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": […]}]}}
    {"type": "result", "subtype": "success", "is_error": false, "num_turns": 4, "structured_output": {…}, "usage": {…}}

`subtype` says success even where `is_error` is true. An answer given as text stands in `result` alone.
"""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from agenthorizon.harness import Account, Assignment, Ended, Event, Harness, Launch, Package, Status, ToolCall
from agenthorizon.prompts import verdict_schema
from agenthorizon.usage import Usage


class ClaudeCode(Harness):
    """Anthropic's Claude Code."""

    package = Package(
        "npm", "@anthropic-ai/claude-code", "2.1.197", "claude", native=("@anthropic-ai/claude-code-{machine}/claude",)
    )
    protocol: ClassVar[Literal["messages"]] = "messages"
    longest_side = 2000
    """The API takes no larger pictures once there are many; Claude Code would shrink them to JPEG."""

    tools: str = "Read,Grep,Glob"
    """Tools on offer, by comma. With Bash it has a shell."""

    def launch(self, assignment: Assignment) -> Launch:
        """Run one conversation; the prompt comes on stdin."""
        arguments = ["-p", "--output-format", "stream-json", "--verbose", "--model", assignment.model]
        arguments += ["--tools", self.tools, "--allowedTools", self.tools, "--permission-mode", "dontAsk"]
        arguments += ["--max-turns", str(assignment.requests), "--json-schema", json.dumps(verdict_schema())]
        arguments += ["--setting-sources", "", "--strict-mcp-config", "--no-session-persistence"]
        return Launch((*assignment.program, *arguments), self._environment(assignment), stdin=assignment.prompt)

    def _environment(self, assignment: Assignment) -> dict[str, str]:
        off = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER")
        return {
            "CLAUDE_CONFIG_DIR": str(assignment.home / "claude"),
            "ANTHROPIC_BASE_URL": assignment.endpoint,
            "ANTHROPIC_API_KEY": assignment.key,
            # Side requests would go to a smaller model, which the door does not let through.
            "ANTHROPIC_SMALL_FAST_MODEL": assignment.model,
            "ANTHROPIC_DEFAULT_HAIKU_MODEL": assignment.model,
            "CLAUDE_CODE_MAX_RETRIES": "3",  # 2.1.197 tries ten times else, for minutes
            **dict.fromkeys((*off, "DISABLE_ERROR_REPORTING"), "1"),
        }

    def account(self, ended: Ended) -> Account:
        """Read the events; the last one, `result`, is the end."""
        events = ended.events()
        result: Event = {}
        uses: dict[str, Event] = {}
        results: dict[str, Event] = {}
        for event in events:
            if event.get("type") == "result":
                result = event
            for block in _blocks(event):
                if block.get("type") == "tool_use":
                    uses[str(block.get("id"))] = block
                elif block.get("type") == "tool_result":
                    results[str(block.get("tool_use_id"))] = _without_content(block)
        calls = [_call(use, results.get(key, {})) for key, use in uses.items() if use.get("name") != "StructuredOutput"]
        is_error = bool(result.get("is_error"))
        return Account(
            status=_status(result, ended, events.is_cut),
            text=None if is_error else _answer(result),
            error=str(result.get("result") or result.get("subtype")) if is_error else None,
            usage=_usage(result.get("usage") or {}),
            cost=result.get("total_cost_usd"),
            turns=result.get("num_turns"),
            tool_calls=tuple(calls),
            pictures_opened=sum(bool(found.get("is_picture")) for found in results.values()),
        )


def _blocks(event: Event) -> Iterator[Event]:
    message = event.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return (block for block in content if isinstance(block, dict)) if isinstance(content, list) else iter(())


def _without_content(block: Event) -> Event:
    content: Any = block.get("content")
    kinds = {part.get("type") for part in content if isinstance(part, dict)} if isinstance(content, list) else set()
    said = content if isinstance(content, str) else ""
    return {"is_error": bool(block.get("is_error")), "is_picture": "image" in kinds, "said": said[:200]}


def _call(use: Event, result: Event) -> ToolCall:
    given = use.get("input") or {}
    target = given.get("file_path") or given.get("command") or given.get("pattern") or json.dumps(given)
    return ToolCall(
        str(use.get("name")), str(target), not result["is_error"] if result else None, result.get("said", "")
    )


def _answer(result: Event) -> str | None:
    structured = result.get("structured_output")
    return json.dumps(structured) if structured is not None else result.get("result")


def _status(result: Event, ended: Ended, is_cut: bool) -> Status:
    if not result:
        return "cut_output" if is_cut or ended.exit_code == 0 else "crashed"
    if not result.get("is_error"):
        return "ok"
    said = str(result.get("result"))
    if result.get("subtype") == "error_max_turns":
        return "turn_limit"
    if "output token maximum" in said:
        return "truncated"
    return "timeout" if "timed out" in said else "model_error"


def _usage(usage: Event) -> Usage:
    read, written = usage.get("cache_read_input_tokens"), usage.get("cache_creation_input_tokens")
    plain = usage.get("input_tokens")
    return Usage(
        input=None if plain is None else plain + (read or 0) + (written or 0),
        output=usage.get("output_tokens"),
        cached_read=read,
        cached_write=written,
    )
