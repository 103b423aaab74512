"""Plans: every screenshot is shown, as large as it fits, and the outcome says how."""

from math import ceil

import pytest

from agenthorizon.case import Limits, Packing, View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.packing import LEAST_WIDTH, RequestLoad, plan

PUBLISHED = View()


def packing(**limits):
    return Packing(limits=Limits(**limits))


def test_without_limits_every_screenshot_goes_alone_in_the_size_asked_for():
    made = plan(RequestLoad(358, 40_000), PUBLISHED, packing())
    assert (made.across, made.pictures, made.fit, made.why) == (1, 358, (512, 332), ())


@pytest.mark.parametrize(("most", "across"), [(300, 1), (299, 2), (75, 2), (74, 3), (34, 3), (33, 4), (20, 4), (5, 8)])
def test_smallest_grid_that_fits_is_taken(most, across):
    made = plan(RequestLoad(300, 0), PUBLISHED, packing(images=most))
    assert (made.across, made.pictures) == (across, ceil(300 / across**2))
    assert made.size == (512 * across, 332 * across)


def test_longest_recording_fits_into_bedrock():
    made = plan(RequestLoad(358, 80_000), PUBLISHED, packing(images=20, side=8000, image_bytes=3_750_000))
    assert made.pictures <= 20
    assert made.across**2 * made.pictures >= 358


@pytest.mark.parametrize("context", [90_000, 120_000, 200_000])
def test_tokens_make_screenshots_smaller_until_they_fit(context):
    made = plan(RequestLoad(300, 30_000), PUBLISHED, packing(context=context))
    width, height = made.fit
    own = 300 * (85 + width * height / 170) + 10_000
    assert own <= context
    assert abs(width / height - 512 / 332) < 0.05
    assert made.why == (f"a context of {context:,} tokens",)


def test_context_that_is_large_enough_changes_nothing():
    assert plan(RequestLoad(300, 30_000), PUBLISHED, packing(context=1_000_000)).fit == (512, 332)


def test_bytes_make_screenshots_smaller():
    made = plan(RequestLoad(100, 0, (1710, 1112)), View(fit=None, format="png"), packing(request_bytes=20_000_000))
    assert made.fit[0] < 1710
    assert made.bytes <= 20_000_000


def test_what_would_be_too_small_to_see_is_refused_and_nothing_else():
    with pytest.raises(JudgeFailure, match="context of 8,192 tokens") as caught:
        plan(RequestLoad(300, 0), PUBLISHED, packing(context=8192))
    assert (caught.value.code, caught.value.passing) == ("too_large", False)
    assert plan(RequestLoad(300, 0), PUBLISHED, packing(context=90_000)).fit[0] >= LEAST_WIDTH


def test_text_that_is_too_long_by_itself_is_refused():
    with pytest.raises(JudgeFailure, match="context"):
        plan(RequestLoad(0, 100_000), PUBLISHED, packing(context=8192))


def test_task_without_screenshots_has_an_empty_plan():
    made = plan(RequestLoad(0, 100), PUBLISHED, Packing(limits=Limits(images=1), merge="always"))
    assert (made.pictures, made.across) == (0, 1)


def test_judge_may_ask_for_grids_always():
    made = plan(RequestLoad(5, 0), PUBLISHED, Packing(merge="always"))
    assert (made.across, made.pictures, made.why) == (2, 2, ("the judge asks for grids",))


@pytest.mark.parametrize(
    ("load", "packing", "said"),
    [
        (
            RequestLoad(1, 100_000),
            Packing(provider="anthropic", limits=Limits(context=8192)),
            "1 screenshot does not fit into one request to anthropic: a context of 8,192 tokens. "
            "Correct the judge's limits where its server takes more",
        ),
        (
            RequestLoad(0, 100_000),
            Packing(limits=Limits(context=8192)),
            "the text alone does not fit into one request: a context of 8,192 tokens. "
            "Correct the judge's limits where its server takes more",
        ),
        (
            RequestLoad(30, 0),
            Packing(limits=Limits(images=20), merge="never"),
            '30 screenshots do not fit into one request: at most 20 pictures a request. Allow grids (merge = "auto"), '
            "or correct the judge's limits where its server takes more, or show fewer screenshots in a request "
            "(the kinds filter and stream)",
        ),
        (
            RequestLoad(65, 0),
            Packing(limits=Limits(images=1)),
            "65 screenshots do not fit into one request: at most 1 picture a request. "
            "Correct the judge's limits where its server takes more, or show fewer screenshots in a request "
            "(the kinds filter and stream)",
        ),
    ],
    ids=["one", "text", "no-grids", "grids"],
)
def test_what_does_not_fit_is_counted_in_words_with_the_advice_that_can_help(load, packing, said):
    with pytest.raises(JudgeFailure) as caught:
        plan(load, PUBLISHED, packing)
    assert str(caught.value) == said
