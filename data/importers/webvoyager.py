"""WebVoyager: a chat (interact_messages.json) and screenshotN.png, the observation of the Nth assistant turn.

{"role": "assistant", "content": "Thought: …\\n\\nAction: Type [8]; x^5-20x^4"}

Elements are numbers drawn on the pictures, without coordinates; each observation lists them in words. The pictures
with the numbers are all there are, so they are used; thoughts stay out.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agenthorizon.importer import Notes, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.recorded import done, objects, unknown
from agenthorizon.importing.timeline import Done, Timeline

WAIT_SECONDS = 5
"""What the format's own prompt says of Wait."""

_TASK = re.compile(r"Now given a task: *(.+?)\s*(?:\nObservation:|\Z)", re.DOTALL)
_ACTION = re.compile(r"Action: *(.+?)\s*\Z", re.DOTALL)
_ELEMENT = re.compile(r"\[(\d+)\]: (.*?)(?:;\t|;\s*\Z|;\n|\Z)", re.DOTALL)
_CLICK = re.compile(r"Click \[?(\d+)\]?", re.IGNORECASE)
_TYPE = re.compile(r"Type \[?(\d+)\]?[; ]+\[?(.*?)\]?", re.IGNORECASE | re.DOTALL)
_SCROLL = re.compile(r"Scroll \[?(\d+|WINDOW)\]?[; ]+\[?(up|down)\]?", re.IGNORECASE)
_ANSWER = re.compile(r"ANSWER[; ]+\[?(.*?)\]?", re.IGNORECASE | re.DOTALL)


class WebVoyager:
    """Reads task folders."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a chat."""
        for source in sources:
            for path in source.files("interact_messages.json"):
                messages = objects(source.json(path, notes))
                if messages:
                    yield _recording(source, path, messages, notes)


def _recording(source: SourceFolder, path: Path, messages: list[dict[str, Any]], notes: Notes) -> Recording:
    line = Timeline()
    texts = [_text(message) for message in messages]
    pictures = set(source.inside(path.parent))
    thoughts = []
    turn = 0
    for index, (message, words) in enumerate(zip(messages, texts, strict=True)):
        if message.get("role") != "assistant":
            continue
        turn += 1
        observed = texts[index - 1] if index else ""
        if _is_observation(observed) or path.with_name(f"screenshot{turn}.png") in pictures:
            line.see(source.frame(f"screenshot{turn}.png", path.parent))
        refused = index + 1 < len(texts) and not _is_observation(texts[index + 1])
        action = _ACTION.search(words)
        thoughts.append(words[: action.start()].strip() if action else words)
        if action is None:
            notes.add("turn_without_action", source.name(path), f"assistant turn {turn}")
        else:
            line.do([_refused(action[1]) if refused else _translated(action[1], observed)])
    task = next((found for words in texts if (found := _TASK.search(words))), None)
    return Recording(
        key=source.name(path.parent),
        instruction=task[1].strip() if task else None,
        steps=line.steps(),
        os="web",
        kept={"thoughts": thoughts},
    )


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    parts = [part.get("text") for part in objects(content)] if isinstance(content, list) else [content]
    return "\n".join(part for part in parts if isinstance(part, str))


def _is_observation(words: str) -> bool:
    """Whether a user turn shows the page; the others say that the last action could not be read or carried out."""
    return "Observation:" in words


def _refused(action: str) -> Done:
    return done("not_executed", action, value=action)


def _translated(action: str, observed: str) -> Done:
    if found := _CLICK.fullmatch(action):
        return done("click_element", action, element=_element(found[1], observed))
    if found := _TYPE.fullmatch(action):
        # Typing replaces what stands there and presses Enter, by the format's own prompt.
        element = _element(found[1], observed)
        return done("type", action, text=found[2], element=element, replaces=True, then_press="enter")
    if found := _SCROLL.fullmatch(action):
        element = "WINDOW" if found[1].upper() == "WINDOW" else _element(found[1], observed)
        return done("scroll", action, direction=found[2].lower(), element=element)
    if found := _ANSWER.fullmatch(action):
        return done("answer", action, text=found[1])
    plain = {"wait": ("wait", {"duration_s": WAIT_SECONDS}), "goback": ("go_back", {}), "google": ("go_to_google", {})}
    kind, parameters = plain.get(action.strip().lower(), ("", {}))
    return done(kind, action, **parameters) if kind else unknown(action)


def _element(number: str, observed: str) -> str:
    listed = dict(_ELEMENT.findall(observed))
    return f"[{number}] {listed[number].strip()}" if number in listed else f"[{number}]"
