"""Human web demonstrations of Webvoyager-using-Gemini: Interactions_recording.json and screenshot_recording/.

{"Interaction_Step": 3, "Actual_Interaction": "Input \\"quantum computing\\" into INPUT", "Executed_On_URL": "https://…"}

screenshot_k.png was taken when step k was logged: before a click, but for scrolling after it, since that is logged at
its end. Elements have words, seldom a position.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from agenthorizon.importer import Notes, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.recorded import done, mapping, objects, text, unknown
from agenthorizon.importing.timeline import TERMINATE, Done, Timeline

CSS = "CSS pixels"
"""Positions are of the page; how many screen pixels one is (1.25 in the sample seen) is not recorded."""

_FORMS: list[tuple[str, Callable[[re.Match[str]], dict[str, Any]]]] = [
    (r"go_to Start from the website at (\S+?)\.?", lambda m: {"url": m[1]}),
    (r'click_element Click on element with text "(.*)"', lambda m: {"element": m[1]}),
    (
        r"click Click on (\w+) at position \((-?\d+), *(-?\d+)\)",
        lambda m: {"x": int(m[2]), "y": int(m[3]), "unit": CSS, "button": "left", "num_clicks": 1, "element": m[1]},
    ),
    (r'type Input "(.*)" into (\w+)', lambda m: {"text": m[1], "element": m[2]}),
    (
        r"scroll Scroll (up|down) with total_distance: ([\d.]+)",
        lambda m: {"direction": m[1], "amount": round(float(m[2])), "element": "page"},
    ),
    (r'select_element Select "(.*)" in (\w+)', lambda m: {"element": m[2], "value": m[1]}),
    (rf"{TERMINATE} (Task Completed)", lambda m: {"status": m[1]}),
]
"""Action type, a blank, the text's pattern; and its parameters."""


class WebUserDemo:
    """Reads recording folders."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording an Interactions_recording.json; the file with reasons tells more than was done."""
        for source in sources:
            for path in source.files("Interactions_recording.json"):
                value = mapping(source.json(path, notes))
                yield _recording(source, path, value)


def _recording(source: SourceFolder, path: Path, value: dict[str, Any]) -> Recording:
    line = Timeline()
    events = objects(value.get("userInteraction_recording"))
    for position, event in enumerate(events):
        number = event.get("Interaction_Step", position)
        if number != 0:  # nothing is pictured before the start page is opened
            line.see(source.frame(f"screenshot_recording/screenshot_{number}.png", path.parent))
        line.do([_translated(event)])
    return Recording(
        key=source.name(path.parent),
        instruction=text(value.get("task_question")),
        steps=line.steps(),
        os="web",
        kept={"urls": [event.get("Executed_On_URL") for event in events], "claims": line.claims},
    )


def _translated(event: dict[str, Any]) -> Done:
    words = str(event.get("Actual_Interaction"))
    for form, parameters in _FORMS:
        kind, _, pattern = form.partition(" ")
        if found := re.fullmatch(pattern, words, re.DOTALL):
            return done(kind, words, **parameters(found))
    return unknown(words)
