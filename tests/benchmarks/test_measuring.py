"""What the benchmarks are measured by: the cost of a process, and a server to ask."""

import json
import sys
import urllib.request
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def measuring(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import measuring

    return measuring


def test_a_process_costs_the_time_it_works_and_the_memory_it_holds(measuring):
    code = "import time; held = bytearray(200_000_000); started = time.process_time()\n"
    code += "while time.process_time() < started + 0.3: pass\ntime.sleep(0.5)"
    cost = measuring.cost_of([sys.executable, "-c", code])
    assert cost.cpu >= 0.3
    assert cost.wall >= cost.cpu + 0.4
    assert cost.peak >= 200_000_000 / 2**20


def test_a_process_that_fails_is_no_measurement_and_its_words_are_told(measuring):
    with pytest.raises(RuntimeError, match="ended with 3: no model"):
        measuring.cost_of([sys.executable, "-c", "import sys; sys.stderr.write('no model'); sys.exit(3)"])


def test_the_slow_server_answers_as_long_as_it_is_served(measuring):
    with measuring.serving(BENCHMARKS / "slow_server.py", 0) as url:
        stats = url.replace("/v1", "/stats")
        with urllib.request.urlopen(stats) as told:
            assert json.load(told)["answered"] == 0
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(stats)
