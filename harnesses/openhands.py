"""OpenHands (`openhands --headless`), which speaks Chat Completions and views pictures with its file_editor tool.

    {"kind": "ActionEvent", "tool_name": "file_editor", "tool_call_id": "c1", "action": {"command": "view", …}}
    {"kind": "ObservationEvent", "tool_call_id": "c1", "observation": {"content": [{"type": "image", …}], …}}
    {"kind": "ActionEvent", "tool_name": "finish", "action": {"message": "{\\"success\\": …"}}
    {"kind": "ConversationErrorEvent", "code": "AuthenticationError", "detail": "…"}

Other lines of stdout are for people. It exits with 0 whatever happened, and its shell cannot be taken away: 1.16.0 sets
its own tools. Tokens stand in a file of the conversation, the door counts them, too.
"""

import json
from typing import Any, ClassVar, Literal

from agenthorizon.harness import Account, Assignment, Ended, Event, Harness, Launch, Package, Status, ToolCall


class Openhands(Harness):
    """The OpenHands agent, for any OpenAI-compatible endpoint; needs Python 3.12, git and tmux."""

    package = Package("pypi", "openhands", "1.16.0", "openhands", python="3.12")
    protocol: ClassVar[Literal["chat"]] = "chat"

    known_as: str = "gpt-4o"
    """A model whose abilities it is to assume. It sends pictures only to models that its LiteLLM knows to have vision,
    and says nothing when it does not."""

    def launch(self, assignment: Assignment) -> Launch:
        """Run one task; the prompt is an argument, the model a settings file."""
        home = assignment.home / "openhands"
        arguments = ["--headless", "--json", "--exit-without-confirmation", "-t", assignment.prompt]
        return Launch(
            argv=(*assignment.program, *arguments),
            environment={
                "OPENHANDS_PERSISTENCE_DIR": str(home),
                "OPENHANDS_CONVERSATIONS_DIR": str(home / "conversations"),
                "OPENHANDS_WORK_DIR": str(assignment.task),
                "OPENHANDS_SUPPRESS_BANNER": "1",
                "LITELLM_LOCAL_MODEL_COST_MAP": "True",
                "DO_NOT_TRACK": "1",
            },
            files={"openhands/agent_settings.json": json.dumps(self._settings(assignment))},
        )

    def _settings(self, assignment: Assignment) -> dict[str, Any]:
        model = {
            "model": f"openai/{assignment.model}",
            "model_canonical_name": self.known_as,
            "base_url": f"{assignment.endpoint}/v1",
            "api_key": assignment.key,
            "usage_id": "agent",
            "num_retries": 3,
        }
        return {"kind": "Agent", "llm": model, "tools": []}

    def account(self, ended: Ended) -> Account:
        """Read the events; the answer is the message of `finish`, else the agent's last message."""
        events = ended.events()
        text: str | None = None
        error: str | None = None
        uses: dict[str, Event] = {}
        results: dict[str, Event] = {}
        for event in events:
            kind = event.get("kind")
            if kind == "ActionEvent":
                uses[str(event.get("tool_call_id"))] = event
                text = (event.get("action") or {}).get("message") if event.get("tool_name") == "finish" else None
            elif kind == "MessageEvent" and event.get("source") == "agent":
                text = _text(event.get("llm_message") or {})
            elif kind in ("ObservationEvent", "AgentErrorEvent"):
                results[str(event.get("tool_call_id"))] = event
            elif kind == "ConversationErrorEvent":
                error = f"{event.get('code')}: {event.get('detail')}"
        calls = [_call(use, results.get(key)) for key, use in uses.items() if use.get("tool_name") != "finish"]
        return Account(
            status=_status(text, error, ended, events.is_cut),
            text=text,
            error=error,
            turns=len(uses),
            tool_calls=tuple(calls),
            pictures_opened=sum(_is_picture(result) for result in results.values()),
        )


def _status(text: str | None, error: str | None, ended: Ended, is_cut: bool) -> Status:
    if error is not None:
        return "model_error"
    if text is not None:
        return "cut_output" if is_cut else "ok"
    return "crashed" if ended.exit_code else "cut_output" if is_cut else "no_answer"


def _text(holder: Event) -> str:
    parts = holder.get("content") or []
    return "".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")


def _call(use: Event, result: Event | None) -> ToolCall:
    action = use.get("action") or {}
    target = action.get("path") or action.get("command") or json.dumps(action)
    said = _text((result or {}).get("observation") or {})
    return ToolCall(str(use.get("tool_name")), str(target), _succeeded(result), said)


def _succeeded(result: Event | None) -> bool | None:
    if result is None:
        return None
    observation = result.get("observation") or {}
    return result.get("kind") == "ObservationEvent" and not observation.get("is_error") and not _exit_code(observation)


def _exit_code(observation: Event) -> int:
    return (observation.get("metadata") or {}).get("exit_code") or 0


def _is_picture(result: Event) -> bool:
    content = (result.get("observation") or {}).get("content") or []
    return any(part.get("type") == "image" for part in content)
