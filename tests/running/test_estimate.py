"""What a request is thought to take is the same where money is counted and where the request is planned."""

import pytest

from agenthorizon.evidence.ablation import COMPLETE
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.plugins import make_judge
from agenthorizon.running.estimate import Estimate
from agenthorizon.running.showing import show

STEPS = 30
SHOT = (64, 40)
"""Width and height of every screenshot of `small_bench`."""


@pytest.fixture
def estimated(small_bench, tmp_path):
    """estimated(provider): the estimate of one task for a judge of that provider, and the plan's own estimate."""
    bench = small_bench(2, STEPS)

    def estimate_of(provider):
        file = tmp_path / f"{provider}.toml"
        settings = f'model = "m"\nprovider = "{provider}"\nimage_size = "none"\nimage_format = "png"\n'
        file.write_text(f'kind = "direct"\nbase_url = "http://127.0.0.1:9/v1"\n{settings}')
        judge, (task_id, *_) = make_judge(str(file)), bench.select()
        planned = show(bench, task_id, judge, COMPLETE, Pictures()).evidence["estimate"]
        return Estimate(bench, judge, provider, bench.select()).of(task_id), planned

    return estimate_of


@pytest.mark.parametrize("provider", ["anthropic", "gemini-inline", "openai", "vertex"])
def test_the_tokens_of_a_request_are_those_that_its_plan_counts_on(provider, estimated):
    load, planned = estimated(provider)
    assert planned["tokens"] - load.usage.input in (0, 1)  # the plan rounds up


@pytest.mark.parametrize(
    ("provider", "tokens"),
    [
        ("anthropic", SHOT[0] * SHOT[1] / 750),
        ("openai", 85 + SHOT[0] * SHOT[1] / 170),
        ("openrouter", 85 + SHOT[0] * SHOT[1] / 170),
    ],
)
def test_pictures_are_counted_as_the_provider_counts_them(provider, tokens, estimated):
    (load, _), (known, _) = estimated(provider), estimated("gemini-inline")  # the same texts, 1,120 tokens a picture
    assert known.usage.input - load.usage.input == pytest.approx(STEPS * (1120 - tokens), abs=1)
