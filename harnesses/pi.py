"""pi (`pi -p --mode json`), which speaks Chat Completions and views pictures with its read tool.

    {"type": "message_end", "message": {"role": "assistant", "content": [{"type": "text", "text": "…"}],
        "usage": {"input": 1200, "output": 34, "cacheRead": 0, …}, "stopReason": "stop", "errorMessage": null}}
    {"type": "tool_execution_end", "toolCallId": "c1", "toolName": "read", "isError": false,
        "result": {"content": [{"type": "image", …}]}}

It exits with 0 whatever happened, repeats every picture several times, and has no limit of turns.
"""

import json
from typing import Any, ClassVar, Literal

from agenthorizon.harness import Account, Assignment, Ended, Event, Harness, Launch, Package, Status, ToolCall
from agenthorizon.usage import Usage


class Pi(Harness):
    """The pi coding agent, for any OpenAI-compatible endpoint."""

    package = Package("npm", "@mariozechner/pi-coding-agent", "0.73.1", "pi")
    protocol: ClassVar[Literal["chat"]] = "chat"

    tools: str = "read,grep,find,ls"
    """Tools on offer, by comma. With bash it has a shell."""
    context: int = 200_000
    """Tokens of the model's context."""
    max_tokens: int = 32_000
    """Tokens of one answer."""

    def launch(self, assignment: Assignment) -> Launch:
        """Run one prompt; the model is declared in a file, with vision."""
        arguments = ["-p", "--mode", "json", "--provider", "door", "--model", assignment.model]
        arguments += ["--tools", self.tools, "--no-session", "--no-extensions", "--no-skills", assignment.prompt]
        off = dict.fromkeys(("PI_OFFLINE", "PI_SKIP_VERSION_CHECK"), "1")
        return Launch(
            argv=(*assignment.program, *arguments),
            environment={"PI_CODING_AGENT_DIR": str(assignment.home / "pi"), "PI_TELEMETRY": "0"} | off,
            files={"pi/models.json": json.dumps({"providers": {"door": self._provider(assignment)}})},
        )

    def _provider(self, assignment: Assignment) -> dict[str, Any]:
        free = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
        model = {"id": assignment.model, "name": assignment.model, "reasoning": False, "input": ["text", "image"]}
        model |= {"contextWindow": self.context, "maxTokens": self.max_tokens, "cost": free}
        address = {"baseUrl": f"{assignment.endpoint}/v1", "api": "openai-completions", "apiKey": assignment.key}
        return address | {"models": [model]}

    def account(self, ended: Ended) -> Account:
        """Read the events; the last message of the assistant counts."""
        events = ended.events()
        messages: list[Event] = []
        uses: dict[str, Event] = {}
        results: dict[str, Event] = {}
        for event in events:
            kind, message = event.get("type"), event.get("message") or {}
            if kind == "message_end" and message.get("role") == "assistant":
                messages.append(_without_pictures(message))
                uses |= {str(part.get("id")): part for part in _parts(message, "toolCall")}
            elif kind == "tool_execution_end":
                results[str(event.get("toolCallId"))] = _summary(event)
        last = messages[-1] if messages else {}
        return Account(
            status=_status(last, ended, events.is_cut),
            text="".join(str(part.get("text")) for part in _parts(last, "text")) if last else None,
            error=last.get("errorMessage"),
            usage=_usage([message.get("usage") or {} for message in messages]),
            turns=len(messages),
            tool_calls=tuple(_call(use, results.get(key)) for key, use in uses.items()),
            pictures_opened=sum(bool(result["pictures"]) for result in results.values()),
        )


def _status(last: Event, ended: Ended, is_cut: bool) -> Status:
    if not last:
        return "cut_output" if is_cut else "crashed" if ended.exit_code else "no_answer"
    reason = last.get("stopReason")
    return {"stop": "ok", "length": "truncated", "error": "model_error"}.get(str(reason), "cut_output")  # type: ignore[return-value]


def _parts(message: Event, kind: str) -> list[Event]:
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return [part for part in parts if isinstance(part, dict) and part.get("type") == kind]


def _without_pictures(message: Event) -> Event:
    return message | {"content": [*_parts(message, "text"), *_parts(message, "toolCall")]}


def _summary(event: Event) -> Event:
    result = event.get("result") or {}
    said = "".join(str(part.get("text")) for part in _parts(result, "text"))
    return {"ok": not event.get("isError"), "said": said[:200], "pictures": len(_parts(result, "image"))}


def _call(use: Event, result: Event | None) -> ToolCall:
    given = use.get("arguments") or {}
    target = str(given.get("path") or given.get("command") or json.dumps(given))
    return ToolCall(str(use.get("name")), target, result["ok"] if result else None, result["said"] if result else "")


def _usage(turns: list[Event]) -> Usage:
    if not turns:
        return Usage()
    total = {
        kind: sum(turn.get(kind) or 0 for turn in turns) for kind in ("input", "output", "cacheRead", "cacheWrite")
    }
    cached = total["cacheRead"], total["cacheWrite"]
    return Usage(total["input"] + sum(cached), total["output"], cached_read=cached[0], cached_write=cached[1])
