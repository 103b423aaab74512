"""mini-swe-agent (`mini`), which speaks Chat Completions and has a shell and nothing else.

It has no tool for pictures: a script in its home prints one in the form that `multimodal_regex` makes a picture of.
What stdout shows is for people; the run stands in its trajectory file:

    {"info": {"exit_status": "Submitted", "submission": "{\\"success\\": …", "model_stats": {"api_calls": 4, …}},
     "messages": [{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "bash", …}}]}, …]}
"""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from agenthorizon.harness import Account, Assignment, Ended, Event, Harness, Launch, Package, Status, ToolCall

_SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
_TAGS = "<MSWEA_MULTIMODAL_CONTENT><CONTENT_TYPE>image_url</CONTENT_TYPE>", "</MSWEA_MULTIMODAL_CONTENT>"
_SEE = f"""printf '%s' '{_TAGS[0]}data:image/png;base64,'
base64 -w 0 "$1"
printf '%s' '{_TAGS[1]}'
"""
# Only what the script prints is a picture: an address in a recorded text must not be fetched by anybody.
_REGEX = (
    "(?s)<MSWEA_MULTIMODAL_CONTENT><CONTENT_TYPE>(image_url)</CONTENT_TYPE>"
    "(data:image/png;base64,[A-Za-z0-9+/=]+)</MSWEA_MULTIMODAL_CONTENT>"
)
_HOW = """{{task}}

You act through a bash tool, one command or more a turn, each in a new shell. To look at a picture, run
`sh SEE screenshots/001.png`, alone. To end, run one command whose output begins with the line
SUBMIT and goes on with your final message, the JSON object; for example
echo SUBMIT; echo '...'"""


class MiniSweAgent(Harness):
    """mini-swe-agent, for any OpenAI-compatible endpoint."""

    package = Package("pypi", "mini-swe-agent", "2.4.6", "mini")
    protocol: ClassVar[Literal["chat"]] = "chat"

    def launch(self, assignment: Assignment) -> Launch:
        """Run one task; the prompt is an argument, the rest a file over its own defaults."""
        home = assignment.home
        arguments = ["-y", "--exit-immediately", "-l", "0", "-o", str(home / "trajectory.json")]
        arguments += ["-c", "mini.yaml", "-c", str(home / "judge.yaml"), "-t", assignment.prompt]
        settings = {
            "agent": {
                "instance_template": _HOW.replace("SEE", f"{home}/see.sh").replace("SUBMIT", _SUBMIT),
                "step_limit": assignment.requests,
            },
            "model": {
                "model_name": f"openai/{assignment.model}",
                "model_kwargs": {"api_base": f"{assignment.endpoint}/v1"},
                "multimodal_regex": _REGEX,
                # Its own template writes the output as JSON, in which the regex finds nothing.
                "observation_template": "<returncode>{{ output.returncode }}</returncode>\n{{ output.output }}",
            },
        }
        return Launch(
            argv=(*assignment.program, *arguments),
            environment={
                "MSWEA_GLOBAL_CONFIG_DIR": str(home / "mini"),
                "MSWEA_CONFIGURED": "true",
                "MSWEA_SILENT_STARTUP": "1",
                "MSWEA_COST_TRACKING": "ignore_errors",
                "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "3",
                "LITELLM_LOCAL_MODEL_COST_MAP": "True",
                "LITELLM_TELEMETRY": "False",
                "OPENAI_API_KEY": assignment.key,
            },
            files={"judge.yaml": json.dumps(settings), "see.sh": _SEE},  # JSON is YAML
        )

    def account(self, ended: Ended) -> Account:
        """Read the trajectory file."""
        trajectory = ended.left_json("trajectory.json")
        info: Event = trajectory.get("info") or {} if isinstance(trajectory, dict) else {}
        messages = trajectory.get("messages") or [] if isinstance(trajectory, dict) else []
        status = str(info.get("exit_status") or "")
        calls = list(_calls(messages))
        return Account(
            status=_status(status, ended),
            text=info.get("submission") if status == "Submitted" else None,
            error=status if status not in ("", "Submitted") else ended.complaint() or None,
            turns=(info.get("model_stats") or {}).get("api_calls"),
            tool_calls=tuple(calls),
            pictures_opened=sum("/see.sh " in call.target and call.ok is not False for call in calls),
        )


def _status(status: str, ended: Ended) -> Status:
    if status == "Submitted":
        return "ok"
    if "Limits" in status:
        return "turn_limit"
    if "Format" in status or not (status or ended.exit_code):
        return "no_answer"
    return "model_error"


def _calls(messages: list[Any]) -> Iterator[ToolCall]:
    outputs = {str(message.get("tool_call_id")): message for message in messages if message.get("role") == "tool"}
    for message in messages:
        for call in message.get("tool_calls") or []:
            function, output = call.get("function") or {}, outputs.get(str(call.get("id")), {})
            command = str(function.get("arguments"))
            if _SUBMIT in command:  # its way of answering
                continue
            code = (output.get("extra") or {}).get("returncode")
            said = output.get("content")
            ok = None if code is None else code == 0
            yield ToolCall(str(function.get("name")), command, ok, said if isinstance(said, str) else "")
