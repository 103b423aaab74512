"""Tasks that share a recording: asked one after the other, so that a server's prefix cache is used."""

import json

import pytest

import agenthorizon as ah
from agenthorizon.plugins import make_judge
from agenthorizon.running.run_state import state_of


class Caching(list):
    """A script without end: counts the bytes that a request shares with the beginning of an answered one."""

    def __init__(self, server, answer_body):
        super().__init__()
        self._server, self._answer_body, self._answered = server, answer_body, []

    def __bool__(self):
        return True

    def pop(self, _=0):
        told = json.dumps(self._server.received[-1].json["messages"]).encode()
        shared = max((common(told, other) for other in self._answered), default=0)
        self._answered.append(told)
        usage = {"prompt_tokens": len(told), "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": shared}}
        return {"body": self._answer_body(usage=usage)}


def common(one, other):
    """Return how many bytes two texts begin alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


@pytest.fixture
def judged(model_server, answer_body, tmp_path):
    """judged(order): the run of complete pairs by a judge with that prompt order, four at once."""

    def run(order):
        model_server.script = Caching(model_server, answer_body)
        bench = ah.load("demo")
        pairs = [task for group in bench.labels.pairs() for task in complete(group)]
        judge = make_judge("direct:mock", {"base_url": model_server.url, "prompt_order": order})
        return ah.run(bench, judge, ids=pairs, out=tmp_path / order, workers=4)

    return run


def complete(group):
    """Return the tasks of recordings that are shown under two instructions."""
    by_recording = {}
    for label in (*group.positives, *group.negatives):
        by_recording.setdefault(label.original_id, []).append(label.trajectory_id)
    return [task for tasks in by_recording.values() if len(tasks) == 2 for task in tasks]


def share_from_cache(run):
    saving = state_of(run).saving
    return saving.cached / saving.input


def test_with_the_trajectory_first_nearly_half_of_the_prompt_of_complete_pairs_comes_from_the_cache(judged):
    run = judged("trajectory-first")
    saving = state_of(run).saving
    assert len(run.latest) >= 20
    assert saving.cached / saving.input >= 0.45
    assert saving.cached <= 1.05 * saving.shareable


def test_with_the_instruction_first_it_does_not(judged):
    assert share_from_cache(judged("instruction-first")) < 0.2


def test_what_shares_a_recording_is_never_in_hand_together_and_comes_right_after(model_server, small_bench, tmp_path):
    bench = small_bench(6)  # all on one recording
    judge = make_judge("direct:mock", {"base_url": model_server.url, "prompt_order": "trajectory-first"})
    run = ah.run(bench, judge, out=tmp_path / "runs", workers=6)
    assert [outcome.task_id for outcome in run.outcomes] == bench.select()
    assert [outcome.evidence.get("follows", False) for outcome in run.outcomes] == [False] + [True] * 5
