"""A recording without any step, or without any screenshot, is judged by every kind of judge: it is a plain failure."""

import json

import pytest

import agenthorizon as ah
from agenthorizon.plugins import make_judge

ACTION = {"type": "wait", "parameters": {}}
STEPS = {"no step": [], "no screenshot": [{"step_id": 0, "screenshot": None, "action": ACTION}]}


@pytest.fixture(autouse=True)
def _own_texts(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTHORIZON_CACHE", str(tmp_path / "cache"))


@pytest.fixture(params=STEPS)
def data(request, tmp_path):
    record = {"trajectory_id": "0b8f4a52-77aa-4b3e-9c1d-2f6f0e8a4c11", "task": {"instruction": "Do it."}}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "trajectories.jsonl").write_text(json.dumps({**record, "steps": STEPS[request.param]}))
    return str(tmp_path / "data")


@pytest.mark.parametrize("kind", ["direct", "filter", "stream", "describe"])
@pytest.mark.parametrize("packing", [{}, {"merge": "always"}], ids=["alone", "grids"])
def test_recording_with_nothing_to_see_is_asked_about_once(kind, packing, data, model_server, tmp_path):
    judge = make_judge(kind, {"model": "m", "base_url": model_server.url, **packing})
    (outcome,) = ah.run(data, judge, out=tmp_path / "runs", allow_missing=True).outcomes
    assert (outcome.status, outcome.telemetry.requests, outcome.telemetry.images) == ("verdict", 1, 0)
    (request,) = model_server.received
    assert "Do it." in json.dumps(request.json)
