"""Qwen Code (`qwen -p`), which speaks Chat Completions and views pictures with its read_file tool.

    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "c1", "name": "read_file", "input": {…}}]}}
    {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "c1", "is_error": false, …}]}}
    {"type": "result", "subtype": "success", "is_error": false, "result": "…", "structured_result": {…}, "usage": {…}}

Without a schema an error of the API is a result, "[API Error: 401 …]", with `is_error` false and exit code 0; with one,
an answer as text is an error. The limit of turns is told on stderr alone, with exit code 53. With `-o json` stdout is
one list of the same objects.
"""

import json
from collections.abc import Iterable
from typing import ClassVar, Literal

from agenthorizon.harness import Account, Assignment, Ended, Event, Harness, Launch, Package, Status, ToolCall
from agenthorizon.prompts import verdict_schema
from agenthorizon.usage import Usage

_TURN_LIMIT = 53
_API_ERROR = "[API Error"


class QwenCode(Harness):
    """Alibaba's Qwen Code, for any OpenAI-compatible endpoint."""

    package = Package("npm", "@qwen-code/qwen-code", "0.15.10", "qwen")
    protocol: ClassVar[Literal["chat"]] = "chat"

    tools: str = "read_file,list_directory,glob,grep_search"
    """Tools on offer, by comma. With run_shell_command it has a shell."""

    def launch(self, assignment: Assignment) -> Launch:
        """Run one conversation; the prompt is an argument."""
        settings = {
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False},
            "security": {"auth": {"selectedType": "openai"}},
            # Else a picture is replaced by a remark that it was left out.
            "model": {"name": assignment.model, "generationConfig": {"modalities": {"image": True}}},
        }
        arguments = ["--auth-type", "openai", "-m", assignment.model, "-o", "stream-json"]
        arguments += ["--approval-mode", "default", "--json-schema", json.dumps(verdict_schema())]
        arguments += ["--core-tools", self.tools, "--allowed-tools", self.tools]
        arguments += ["--max-session-turns", str(assignment.requests), "-p", assignment.prompt]
        return Launch(
            argv=(*assignment.program, *arguments),
            environment={
                "OPENAI_BASE_URL": f"{assignment.endpoint}/v1",
                "OPENAI_API_KEY": assignment.key,
                "OPENAI_MODEL": assignment.model,
            },
            files={".qwen/settings.json": json.dumps(settings)},
        )

    def account(self, ended: Ended) -> Account:
        """Read the events; the last one, `result`, is the end."""
        events = ended.events()
        result: Event = {}
        uses: dict[str, Event] = {}
        results: dict[str, Event] = {}
        for event in _listed(ended) or events:
            if event.get("type") == "result":
                result = event
            for block in _blocks(event):
                if block.get("type") == "tool_use":
                    uses[str(block.get("id"))] = block
                elif block.get("type") == "tool_result":
                    results[str(block.get("tool_use_id"))] = block
        usage, said = result.get("usage") or {}, _said(result)
        calls = [_call(use, results.get(key)) for key, use in uses.items() if use.get("name") != "structured_output"]
        return Account(
            status=_status(result, said, ended, events.is_cut),
            text=None if said.startswith(_API_ERROR) else said,
            error=(said if said.startswith(_API_ERROR) else None) or ended.complaint() or None,
            usage=Usage(usage.get("input_tokens"), usage.get("output_tokens"), usage.get("cache_read_input_tokens")),
            turns=result.get("num_turns"),
            tool_calls=tuple(calls),
            pictures_opened=sum(call.ok is not False and call.target.endswith(".png") for call in calls),
        )


def _listed(ended: Ended) -> list[Event]:
    head = ended.text(limit=1)
    if head != "[":
        return []
    try:
        listed = json.loads(ended.text(limit=2**26))
    except ValueError:
        return []
    return [event for event in listed if isinstance(event, dict)]


def _blocks(event: Event) -> Iterable[Event]:
    message = event.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _said(result: Event) -> str:
    """Return the answer: the structured one, else the text."""
    if (structured := result.get("structured_result")) is not None:
        return json.dumps(structured)
    return str(result.get("result") or "")


def _status(result: Event, said: str, ended: Ended, is_cut: bool) -> Status:
    if ended.exit_code == _TURN_LIMIT:
        return "turn_limit"
    if not result:
        return "cut_output" if is_cut else "crashed" if ended.exit_code else "no_answer"
    if said.startswith(_API_ERROR):
        return "no_answer" if "empty response" in said else "model_error"
    if result.get("is_error"):
        return "no_answer" if "plain text" in str(result.get("error")) else "model_error"
    return "ok"


def _call(use: Event, result: Event | None) -> ToolCall:
    given = use.get("input") or {}
    path = given.get("file_path") or given.get("absolute_path") or given.get("path") or given.get("command")
    said = (result or {}).get("content")
    ok = not result.get("is_error") if result else None
    return ToolCall(str(use.get("name")), str(path or json.dumps(given)), ok, said if isinstance(said, str) else "")
