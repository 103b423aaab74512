"""What providers take: every recorded case, and what is learned from a server that says so."""

import json
from pathlib import Path

import pytest

from agenthorizon.case import Limits, Packing, View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.grids import Manner, grids
from agenthorizon.evidence.limits import AS_OF, LIMITS, learned, limits_of
from agenthorizon.evidence.packing import RequestLoad, plan

LINES = (Path(__file__).parents[1] / "recorded" / "images" / "limits.jsonl").read_text("utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
PROVIDERS = [case for case in CASES.values() if "provider" in case and case["provider"] != "any"]
GRIDS = [case for case in CASES.values() if case["provider"] == "any"]


def limits_in(case):
    if case["provider"].startswith("vllm"):
        started_with = case["provider"].partition("image=")[2]
        return limits_of("vllm", {"images": int(started_with)} if started_with else {})
    return limits_of(case["provider"])


def faults(limits, images, largest, size):
    """What a provider would refuse about a request: its number of pictures, the largest one in pixels, its bytes."""
    side = limits.many_side if limits.many is not None and images > limits.many else limits.side
    found = {"images": (images, limits.images), "side": (max(largest), side), "bytes": (size, limits.request_bytes)}
    return [name for name, (wanted, most) in found.items() if most is not None and wanted > most]


@pytest.mark.parametrize("case", PROVIDERS, ids=lambda case: case["id"])
def test_what_a_provider_refuses_is_known_beforehand(case):
    found = faults(limits_in(case), case["images"], tuple(case["max_px"]), case["payload_mb"] * 1_000_000)
    # A server whose limit is a start option nobody told us has no known fault: its answer is learned from.
    assert (found == []) is (case["expect"]["fits"] is not False)


@pytest.mark.parametrize("case", PROVIDERS, ids=lambda case: case["id"])
def test_every_case_has_a_plan_that_fits(case):
    limits = limits_in(case)
    load = RequestLoad(case["images"], 50_000, tuple(case["max_px"]))
    made = plan(load, View(fit=None), Packing(limits=limits))
    assert faults(limits, made.pictures, made.size or tuple(case["max_px"]), made.bytes) == []


def test_more_than_twenty_large_pictures_are_made_smaller_for_anthropic():
    twenty, one_more = (
        plan(
            RequestLoad(count, 0, (3840, 2160)),
            View(fit=None),
            Packing(limits=limits_of("anthropic", {"request_bytes": None})),
        )
        for count in (20, 21)
    )
    assert (twenty.fit, one_more.across) == (None, 1)
    assert max(one_more.fit) <= 2000


@pytest.mark.parametrize("provider", ["anthropic", "azure-openai", "bedrock-converse"])
def test_one_picture_too_many_is_merged(provider):
    limits = LIMITS[provider]
    exactly, more = (
        plan(RequestLoad(count, 0), View(), Packing(limits=limits)) for count in (limits.images, limits.images + 1)
    )
    assert (exactly.across, exactly.pictures, exactly.fit) == (1, limits.images, (512, 332))
    assert (more.across, more.size) == (2, (1024, 664))


def test_server_that_takes_too_few_pictures_is_named_when_merging_is_not_allowed():
    with pytest.raises(JudgeFailure, match=r"6 screenshots .* at most 5 pictures") as caught:
        plan(RequestLoad(6, 0), View(), Packing(provider="vllm", limits=Limits(images=5), merge="never"))
    assert (caught.value.code, caught.value.passing) == ("too_large", False)


@pytest.mark.parametrize("case", GRIDS, ids=lambda case: case["id"])
def test_grid_has_the_published_size_and_order(case):
    class Shot:
        def seen(self, view):
            return self

    made = grids([(number, Shot()) for number in range(1, case["images"] + 1)], Manner(2, View(), False))
    expect = case["expect"]
    assert (len(made), list(made[0].size)) == (expect["composites"], expect["composite_size"])
    assert len(made[-1].numbers) == expect["cells_used_in_last"]
    assert [number for grid in made for number in grid.numbers] == list(range(1, case["images"] + 1))


def test_table_has_a_date():
    assert len(AS_OF.split("-")) == 2


@pytest.mark.parametrize(
    ("message", "name", "value"),
    [
        ("At most 5 image(s) may be provided in one request.", "images", 5),
        ("Too many images in request. Max is 50.", "images", 50),
        ("Invalid 'messages': the maximum is 250 images", "images", 250),
        ("This model's maximum context length is 32768 tokens. However, you requested 45000", "context", 32768),
        ("maximum model length of 8,192 exceeded", "context", 8192),
    ],
)
def test_limit_is_learned_from_a_refusal(message, name, value):
    assert getattr(learned(Limits(), message), name) == value


@pytest.mark.parametrize("message", ["", "Incorrect API key", "At most 900 image(s) may be provided"])
def test_what_says_nothing_tighter_changes_nothing(message):
    assert learned(Limits(images=100), message) == Limits(images=100)


@pytest.mark.parametrize(
    ("provider", "size", "tokens"),
    [
        ("openai", (340, 200), 85 + 400),
        ("anthropic", (1500, 1000), 2000),
        ("anthropic", (4000, 4000), 4784),
        ("vertex", (340, 200), 1120),
        ("vertex", (4000, 4000), 1120),
    ],
)
def test_a_picture_s_tokens_are_counted_as_its_provider_counts_them(provider, size, tokens):
    assert LIMITS[provider].tokens_of(*size) == pytest.approx(tokens)
