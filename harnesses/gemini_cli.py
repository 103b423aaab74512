"""Gemini CLI (`gemini -p`), which speaks Gemini's own protocol and views pictures with its read_file tool.

    {"type": "tool_use", "tool_name": "read_file", "tool_id": "t1", "parameters": {"file_path": "screenshots/001.png"}}
    {"type": "tool_result", "tool_id": "t1", "status": "success", "output": "Read image file: screenshots/001.png"}
    {"type": "message", "role": "assistant", "content": "{\\"success\\": …", "delta": true}
    {"type": "result", "status": "success", "stats": {"input_tokens": 3600, "output_tokens": 102, "cached": 0, …}}

Ended by a signal, or with a stream cut off, it exits with 0 and an empty answer. With `-o json` it prints one object,
{"response": "…", "stats": {…}}, which is read, too.
"""

import json
from typing import Any, ClassVar, Literal

from agenthorizon.harness import Account, Assignment, Ended, Event, Harness, Launch, Package, Status, ToolCall
from agenthorizon.usage import Usage

_PICTURE, _SHELL = "Read image file", "run_shell_command"


class GeminiCli(Harness):
    """Google's Gemini CLI."""

    package = Package("npm", "@google/gemini-cli", "0.61.0", "gemini")
    protocol: ClassVar[Literal["gemini"]] = "gemini"

    tools: tuple[str, ...] = ("read_file", "list_directory", "search_file_content", "glob")
    """Tools on offer. With `run_shell_command` it has a shell."""

    def launch(self, assignment: Assignment) -> Launch:
        """Run one conversation; the prompt is an argument."""
        settings = {
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "model": {"maxSessionTurns": assignment.requests},
            "tools": {"core": list(self.tools), "allowed": list(self.tools)},
        }
        arguments = ["-m", assignment.model, "-o", "stream-json", "--approval-mode", "default", "-p", assignment.prompt]
        return Launch(
            argv=(*assignment.program, *arguments),
            environment={
                "GEMINI_CLI_HOME": str(assignment.home),
                "GOOGLE_GEMINI_BASE_URL": assignment.endpoint,
                "GEMINI_API_KEY": assignment.key,
                "GEMINI_CLI_TRUST_WORKSPACE": "true",
            },
            files={".gemini/settings.json": json.dumps(settings)},
        )

    def account(self, ended: Ended) -> Account:
        """Read the events; the answer is what the assistant said after its last tool."""
        events = ended.events()
        result: Event = {}
        said: list[str] = []
        uses: dict[str, Event] = {}
        results: dict[str, Event] = {}
        for event in events:
            kind = event.get("type")
            if kind == "result":
                result = event
            elif kind == "message" and event.get("role") == "assistant":
                said.append(str(event.get("content") or ""))
            elif kind == "tool_use":
                uses[str(event.get("tool_id"))] = event
                said.clear()
            elif kind == "tool_result":
                results[str(event.get("tool_id"))] = event
        if not result and not uses:
            return _of_one_object(ended)
        calls = [_call(use, results.get(key)) for key, use in uses.items()]
        error = result.get("error") or {}
        return Account(
            status=_status(result, ended, events.is_cut),
            text="".join(said) if result.get("status") == "success" else None,
            error=str(error.get("message") or error) if error else None,
            usage=_usage(result.get("stats") or {}),
            tool_calls=tuple(calls),
            pictures_opened=sum(_PICTURE in str(found.get("output")) for found in results.values()),
        )


def _status(result: Event, ended: Ended, is_cut: bool) -> Status:
    if not result:
        return "cut_output" if is_cut or ended.exit_code == 0 else "crashed"
    if result.get("status") == "success":
        return "ok"
    said = str((result.get("error") or {}).get("message"))
    return "turn_limit" if "max session turns" in said.lower() else "model_error"


def _call(use: Event, result: Event | None) -> ToolCall:
    given, name = use.get("parameters") or {}, str(use.get("tool_name"))
    target = given.get("file_path") or given.get("command") or json.dumps(given)
    ok = result.get("status") == "success" if result else None
    if ok and name == _SHELL:
        ok = None  # a command that failed is a success, too; its exit code is not told
    return ToolCall(name, str(target), ok, str((result or {}).get("output") or ""))


def _usage(stats: Event) -> Usage:
    return Usage(stats.get("input_tokens"), stats.get("output_tokens"), stats.get("cached"))


def _of_one_object(ended: Ended) -> Account:
    """Read what `-o json` prints; where that is nothing, the error stands in stderr alone."""
    printed, said = ended.text(), ended.complaint()
    try:
        found: Any = json.loads(printed)
    except ValueError:
        found = None
    if isinstance(found, dict) and "response" in found:
        return Account(status="ok", text=found["response"])
    if isinstance(found, dict) and isinstance(found.get("error"), dict):
        return Account(status="model_error", error=str(found["error"].get("message")))
    if not ended.exit_code:
        return Account(status="cut_output" if printed.strip() else "no_answer", error=said or None)
    return Account(status="model_error" if "Gemini API" in said else "crashed", error=said or None)
