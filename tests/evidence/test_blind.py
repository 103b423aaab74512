"""A case holds what a judge may see, in order, and nothing that gives the answer away."""

import copy
import hashlib
import json
import pickle
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from agenthorizon.case import FULL_SIZE, Case, View
from agenthorizon.dataset.screenshots import NO_SCREENSHOT, Screenshot
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.blind import BlindCase, build_case
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.task import Action, Step, Task, Trajectory

COLOURS = ("red", "green", "blue")


@pytest.fixture
def shots(tmp_path: Path) -> list[Screenshot]:
    """Three screenshots of one colour each, wider than the protocol's box."""
    folder = tmp_path / "recording-of-b"
    folder.mkdir()
    for number, colour in enumerate(COLOURS, start=1):
        Image.new("RGB", (1024, 768), colour).save(folder / f"step_{number}.png")
    return [Screenshot(str(folder / f"step_{number}.png")) for number in (1, 2, 3)]


def task_of(count: int, instruction: str = "Rename a.txt", **step: object) -> Task:
    steps = tuple(
        Step(step_id=10 * n, action=Action(type="click", parameters={"x": n, "y": 0, "button": "left"}), **step)
        for n in range(count)
    )
    return Task(
        id="0103-secret-id",
        instruction=instruction,
        trajectory=Trajectory(steps=steps),
        metadata={"source": {"original_file": "original-17"}, "milestones": [{"description": "milestone-9"}]},
    )


def built(shots: Sequence[Screenshot], view: View = View(), **task: str) -> BlindCase:  # noqa: B008 - frozen
    return build_case(task_of(len(shots), **task), shots, view, "the guide", Pictures())


def middle_colours(case: Case) -> list[tuple[int, ...]]:
    return [step.picture.image().getpixel((5, 5)) for step in case.steps if step.picture]


def test_steps_are_numbered_from_one_by_position(shots: list[Screenshot]):
    assert [step.number for step in built(shots).case.steps] == [1, 2, 3]


def test_every_step_has_its_own_screenshot_and_action(shots: list[Screenshot]):
    case = built(shots).case
    assert middle_colours(case) == [(255, 0, 0), (0, 128, 0), (0, 0, 255)]
    assert [step.wording for step in case.steps] == [f'click {{"x": {n}, "y": 0, "button": "left"}}' for n in range(3)]


def test_step_without_a_picture_says_that_none_was_taken():
    step = built([NO_SCREENSHOT]).case.steps[0]
    assert (step.picture, step.note) == (None, "no screenshot was taken for this step")


def test_step_whose_picture_is_missing_says_so_without_saying_where():
    step = built([Screenshot(fault="missing_screenshot", detail="no file 'a/b.png'")]).case.steps[0]
    assert (step.picture, step.note) == (None, "the screenshot of this step is missing")


def test_step_with_a_picture_has_no_note(shots: list[Screenshot]):
    assert {step.note for step in built(shots).case.steps} == {None}


def test_file_known_to_be_no_image_is_missing(shots: list[Screenshot]):
    broken = Screenshot(shots[0].file, fault="not_an_image")
    assert built([broken]).case.steps[0].picture is None


def test_evidence_counts_what_was_shown_and_names_what_was_missing(shots: list[Screenshot]):
    evidence = built([shots[0], NO_SCREENSHOT, Screenshot(fault="remote_screenshot"), shots[1]]).evidence
    assert evidence == {
        "steps": 4,
        "pictures": 2,
        "none_taken": 1,
        "missing": [{"step": 3, "why": "remote_screenshot"}],
        "fit": [512, 332],
        "format": "jpeg",
        "quality": 60,
    }


def test_evidence_of_full_size_pictures_has_neither_box_nor_quality(shots: list[Screenshot]):
    evidence = built(shots, FULL_SIZE).evidence
    assert (evidence["fit"], evidence["format"], evidence["quality"]) == (None, "png", None)


def test_number_of_screenshots_must_be_that_of_the_steps(shots: list[Screenshot]):
    with pytest.raises(ValueError, match="shorter"):
        build_case(task_of(2), shots[:1], View(), "", Pictures())


def test_case_shows_nothing_of_ids_files_folders_or_the_recorders_words(shots: list[Screenshot], tmp_path: Path):
    task = task_of(3, thought="thought-5", action_description="description-6", screenshot="recording-of-b/x.png")
    shown = repr(build_case(task, shots, View(), "the guide", Pictures()).case)
    secrets = ["0103-secret-id", "original-17", "milestone-9", "thought-5", "description-6", "recording-of-b", "step_1"]
    assert [secret for secret in [*secrets, str(tmp_path)] if secret in shown] == []


def test_id_is_the_same_every_time_and_another_for_another_task():
    first, again, other = (
        build_case(Task(id=name, instruction="x", trajectory=Trajectory()), [], View(), "", Pictures()).case.id
        for name in ("a", "a", "b")
    )
    assert first == again != other


def test_instruction_is_made_safe():
    assert built([], instruction="Run \x1b[8m\ud83d\nnow").case.instruction == "Run \\u001b[8m\ufffd\nnow"


def test_pictures_are_encoded_as_the_view_asks(shots: list[Screenshot]):
    case = built(shots, View(fit=(100, 100), format="webp", quality=30)).case
    with Image.open(BytesIO(case.steps[0].picture.encoded())) as sent:
        assert (sent.format, sent.size, case.media_type) == ("WEBP", (100, 75), "image/webp")


def test_building_opens_no_picture(tmp_path: Path):
    case = built([Screenshot(str(tmp_path / "gone.png"))]).case
    assert case.pictures == 1


@pytest.mark.parametrize("ask", [lambda picture: picture.encoded(), lambda picture: picture.digest])
def test_picture_gone_since_is_a_failure_of_evidence(tmp_path: Path, ask):
    picture = built([Screenshot(str(tmp_path / "gone.png"))]).case.steps[0].picture
    with pytest.raises(JudgeFailure, match=r"^the screenshot of step 1 cannot be read"):
        ask(picture)


def test_digest_is_that_of_the_recorded_file(shots: list[Screenshot]):
    picture = built(shots).case.steps[0].picture
    assert picture.digest == hashlib.sha256(shots[0].path.read_bytes()).hexdigest()


def everything_in(value: object, depth: int = 12) -> str:
    """All that vars, slots, fields, repr and str of a value and of what it holds say."""
    if depth == 0 or isinstance(value, str | bytes | int | float | None):
        return repr(value)
    inner = list(value.items()) if isinstance(value, dict) else list(value) if isinstance(value, list | tuple) else []
    names = {*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())}
    held = [getattr(value, name) for name in names if name != "__dict__"]
    return " ".join([repr(value), str(value), *(everything_in(each, depth - 1) for each in (*inner, *held))])


def test_no_attribute_of_a_case_holds_the_place_of_a_screenshot(shots: list[Screenshot]):
    said = everything_in(built(shots).case)
    assert "the guide" in said  # or the search found nothing at all
    assert "recording-of-b" not in said
    assert "step_1.png" not in said


def test_a_picture_cannot_be_pickled_and_a_copy_is_itself(shots: list[Screenshot]):
    picture = built(shots).case.steps[0].picture
    with pytest.raises(TypeError, match="cannot leave its process"):
        pickle.dumps(picture)
    assert copy.deepcopy(picture) is copy.copy(picture) is picture


@pytest.mark.parametrize(
    "ask",
    [
        lambda picture: picture.encoded(),
        lambda picture: picture.image(),
        lambda picture: picture.digest,
        lambda picture: picture.recorded_size(),
        lambda picture: picture.seen(FULL_SIZE).encoded(),
    ],
)
def test_what_a_judge_hears_of_a_broken_screenshot_names_the_step_alone(shots: list[Screenshot], ask):
    shots[1].path.unlink()
    picture = built(shots).case.steps[1].picture
    with pytest.raises(JudgeFailure, match="the screenshot of step 2") as caught:
        ask(picture)
    assert (caught.value.code, caught.value.step) == ("evidence", 2)
    error: BaseException | None = caught.value
    while error is not None:
        assert "step_2.png" not in everything_in(error)
        assert getattr(error, "filename", None) is None
        error = error.__cause__ or error.__context__


def acted(parameters: dict[str, object], **extra: object) -> Task:
    steps = (
        Step(
            step_id=0,
            screenshot="./media/4e92-b/step_1.png",
            action={"type": "done"} | extra | {"parameters": parameters},
        ),
    )
    return Task(id="t", instruction="Rename a.txt", trajectory=Trajectory(steps=steps))


def shown_of(task: Task) -> BlindCase:
    return build_case(task, [NO_SCREENSHOT], FULL_SIZE, "guide", Pictures())


ANSWERS = [
    "label",
    "success",
    "verdict",
    "mistake_type",
    "paired_id",
    "original_id",
    "pair_group_id",
    "negative_source",
]


@pytest.mark.parametrize("name", [*ANSWERS, "Success", "mistake-type", "Original ID"])
@pytest.mark.parametrize(
    "inside", [lambda field: field, lambda field: {"more": field}, lambda field: {"rows": [field]}]
)
def test_a_parameter_named_like_an_answer_is_left_out_wherever_it_stands(name, inside):
    shown = shown_of(acted({"x": 5, **inside({name: "given-away", "kept": 1})}))
    step = shown.case.steps[0]
    assert "given-away" not in everything_in(shown.case)
    assert '"kept": 1' in step.wording
    assert '"x": 5' in step.wording
    (withheld,) = shown.evidence["withheld_parameters"]
    assert withheld["step"] == 1
    assert [field.rpartition(".")[2] for field in withheld["fields"]] == [name]


@pytest.mark.parametrize("name", ANSWERS)
def test_a_field_beside_an_actions_type_is_not_shown(name):
    case = shown_of(acted({"x": 5}, **{name: "given-away"})).case
    assert "given-away" not in everything_in(case)
    assert case.steps[0].wording == 'done {"x": 5}'


@pytest.mark.parametrize(
    "path",
    [
        "./media/4e92-b/step_1.png",
        "media/4e92-b/step_1.png",
        "/data/media/4e92-b/step_9.png",
        "media\\4e92-b\\step_1.png",
    ],
)
def test_a_parameter_that_holds_the_place_of_a_screenshot_is_left_out(path):
    shown = shown_of(acted({"x": 5, "shot": path}))
    assert "4e92-b" not in everything_in(shown.case)
    assert shown.evidence["withheld_parameters"] == [{"step": 1, "fields": ["shot"]}]


@pytest.mark.parametrize(
    "parameters",
    [
        {"text": "label: positive, success"},
        {"text": "./media/4e92-b/step_1.png"},
        {"keys": ["ctrl", "s"], "x": 1, "y": 2, "button": "left"},
        {"url": "https://example.org/media/step_1.png"},
        {"value": "success", "successor": 1, "labelled": "yes", "raw": "pyautogui.click(3, 4)"},
    ],
)
def test_every_other_parameter_is_shown_as_recorded(parameters):
    shown = shown_of(acted(parameters))
    assert json.loads(shown.case.steps[0].wording.removeprefix("done ")) == parameters
    assert "withheld_parameters" not in shown.evidence
