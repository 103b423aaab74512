"""A case as Markdown: one goal, one header a step, whatever the recorded texts contain."""

import json
import re
from pathlib import Path

import pytest

from agenthorizon.case import Case, View
from agenthorizon.dataset.schema import Place, read_task
from agenthorizon.dataset.screenshots import NO_SCREENSHOT, Screenshot
from agenthorizon.evidence.blind import build_case
from agenthorizon.evidence.markdown import code_span, fenced, render
from agenthorizon.evidence.pictures import Pictures

TRAJECTORIES = Path(__file__).resolve().parent.parent / "recorded" / "trajectories"
HARD_CASES = [
    "ansi-control",
    "long-typed-text",
    "markdown-injection",
    "odd-coordinates",
    "prompt-injection-instruction",
    "surrogate-instruction",
    "thousand-steps",
    "unicode-rtl-emoji",
    "unknown-actions",
]
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def cases_of(name: str, shot: Screenshot = NO_SCREENSHOT) -> list[Case]:
    lines = (TRAJECTORIES / name / "trajectories.jsonl").read_text(encoding="utf-8").split("\n")
    tasks = [read_task(json.loads(line), Place(name)) for line in lines if line.strip()]
    return [build_case(task, [shot] * len(task.trajectory.steps), View(), "", Pictures()).case for task in tasks]


def headings(page: str) -> list[str]:
    """Return every line that could be taken for a heading, however a reader cuts lines."""
    return [line for line in page.splitlines() if re.match(r"\s*(#|=+\s*$|-+\s*$)", line)]


@pytest.mark.parametrize("name", HARD_CASES)
def test_page_has_one_goal_and_one_header_a_step(name: str):
    for case in cases_of(name):
        assert headings(render(case)) == ["# Goal", *(f"## Step {n + 1}" for n in range(len(case.steps)))]


@pytest.mark.parametrize("name", HARD_CASES)
def test_page_can_be_encoded_and_holds_no_raw_control_characters(name: str):
    pages = [render(case) for case in cases_of(name)]
    assert [UNSAFE.findall(page.encode().decode()) for page in pages] == [[] for _ in pages]


@pytest.mark.parametrize("name", HARD_CASES)
def test_page_holds_every_action_whole(name: str):
    for case in cases_of(name):
        page = render(case)
        assert [step.number for step in case.steps if code_span(step.wording) not in page] == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("unknown-actions", ["doubleClick", "5", "long_press", "800", "2.5", "44", "55"]),
        ("odd-coordinates", ["-3", "0.512", "0.334", "5000", "960.5"]),
    ],
)
def test_unusual_actions_are_shown_as_recorded(name: str, parts: list[str]):
    page = render(cases_of(name)[0])
    assert [part for part in parts if part not in page] == []


def test_records_that_differ_late_in_a_typed_text_give_different_pages():
    first, second, third = map(render, cases_of("long-typed-text"))
    assert first != second
    assert "z" * 20_000 in third


def test_links_and_html_in_typed_text_stay_inside_the_code_span():
    page = render(cases_of("markdown-injection")[0])
    span = re.search(r"Action: (`+)(?!`)(.*?)(?<!`)\1(?!`)$", page, re.MULTILINE)
    assert "![x](../../labels.jsonl)" in span[2]
    assert "<script>" in span[2]
    assert (page.count("![x]"), page.count("<script>")) == (1, 1)


def test_every_line_of_the_instruction_is_quoted():
    page = render(cases_of("markdown-injection")[0])
    goal = page.split("# Goal\n\n")[1].split("\n\n## Step 1")[0]
    assert [line for line in goal.split("\n") if not line.startswith("> ")] == []
    assert "> ### Step 0" in goal


@pytest.mark.parametrize("text", ["plain", "``` fence", "a\n````\nb", "`" * 9])
def test_fence_is_longer_than_any_run_of_backticks_inside(text: str):
    fence = fenced(text).split("\n")[-1]
    assert set(fence) == {"`"}
    assert fence not in text


@pytest.mark.parametrize(
    ("line", "span"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a``", "``` a`` ```"), (" a ", "`  a  `")],
)
def test_code_span_holds_any_line(line: str, span: str):
    assert code_span(line) == span


def test_screenshots_are_called_by_number_and_never_by_file(tmp_path: Path):
    page = render(cases_of("unknown-actions", Screenshot(str(tmp_path / "secret.png")))[0])
    assert "Before the action: screenshot 3\n" in page
    assert "secret" not in page


def test_screenshots_are_linked_under_the_names_given(tmp_path: Path):
    case = cases_of("unknown-actions", Screenshot(str(tmp_path / "secret.png")))[0]
    page = render(case, lambda step: f"shots/{step.number:04}.jpg")
    assert re.findall(r"!\[(.*?)\]\((.*?)\)", page) == [(f"screenshot {n}", f"shots/{n:04}.jpg") for n in range(1, 5)]


@pytest.mark.parametrize(
    ("shot", "note"),
    [
        (NO_SCREENSHOT, "(no screenshot was taken for this step)"),
        (Screenshot(fault="missing_screenshot"), "(the screenshot of this step is missing)"),
    ],
)
def test_step_without_a_picture_has_a_note_in_its_place_and_no_link(shot: Screenshot, note: str):
    page = render(cases_of("prompt-injection-instruction", shot)[0], lambda step: "link")
    assert f"Before the action: {note}\n" in page
    assert "(link)" not in page
