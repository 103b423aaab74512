"""A run that is killed fifty times ends as an undisturbed one: nothing written is lost, nothing decided asked again."""

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

import agenthorizon as ah
from agenthorizon.plugins import make_judge
from agenthorizon.running.store import read_run

KILLS, IN_FLIGHT, WORKERS, TASKS = 50, 40, 4, 320
MOST_KILLS = 70
"""One in six comes between two rounds of requests; as many more are allowed."""

# Each line on stdin forks a process that runs, from one that has imported everything: a life costs no start-up.
NURSERY = """
import os, sys
import openai, PIL.Image
import agenthorizon as ah
from agenthorizon.plugins import make_judge
data, out, url, workers = sys.argv[1:]
for _ in sys.stdin:
    child = os.fork()
    if child == 0:
        ah.run(data, make_judge("direct:mock", {"base_url": url}), out=out, workers=int(workers))
        os._exit(0)
    print(child, flush=True)
    os.waitpid(child, 0)
    print("ended", flush=True)
"""


class Deciding(list):
    """A script without end; its verdict depends on the task it is asked about."""

    def __init__(self, server, answer_body):
        super().__init__()
        self._server, self._answer_body = server, answer_body

    def __bool__(self):
        return True

    def pop(self, _=0):
        success = "false" if number_of(self._server.received[-1]) % 3 else "true"
        return {"body": self._answer_body(f'{{"success": {success}, "reasoning": "x"}}'), "delay_s": 0.1}


def number_of(request):
    """Return the number of the task that a request is about."""
    return int(re.search(rb"Do (\d+)\.", request.body)[1])


class Lives:
    """Starts, kills and at last finishes a run, and keeps what the server and the disk said at each death."""

    def __init__(self, data, out, server):
        self.out, self.server = out, server
        arguments = [sys.executable, "-c", NURSERY, data, str(out), server.url, str(WORKERS)]
        self.nursery = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.asked, self.on_disk, self.in_flight = [], [], []

    @property
    def met_requests(self):
        """How many deaths came while requests were in flight, by the server's count."""
        return sum(count > 0 for count in self.in_flight)

    def die(self, moment):
        """Run until some time after the first request, then kill."""
        before = len(self.server.received)
        child = self._start()
        deadline = time.monotonic() + 30
        while len(self.server.received) == before:
            assert time.monotonic() < deadline, "nothing was asked"
            time.sleep(0.002)
        time.sleep(moment)
        with self.server.lock:
            os.kill(child, signal.SIGKILL)
            self.in_flight.append(len(self.server.received) - self.server.finished)
        self._note(before)

    def finish(self):
        before = len(self.server.received)
        self._start()
        self._note(before)
        self.nursery.stdin.close()
        self.nursery.wait(30)

    def _start(self):
        self.nursery.stdin.write("\n")
        self.nursery.stdin.flush()
        return int(self.nursery.stdout.readline())

    def _note(self, before):
        assert self.nursery.stdout.readline() == "ended\n"
        time.sleep(0.11)  # what is on its way to the server arrives, what it has in hand ends
        self.asked.append([number_of(request) for request in self.server.received[before:]])
        (path,) = self.out.glob("*/outcomes.jsonl")
        self.on_disk.append(path.read_bytes().split(b"\n")[:-1])


@pytest.fixture
def lives(model_server, small_data, answer_body, tmp_path):
    model_server.script = Deciding(model_server, answer_body)
    made = Lives(str(small_data(TASKS)), tmp_path / "killed", model_server)
    with made.nursery:
        yield made
        made.nursery.kill()


def test_fifty_kills_lose_nothing_and_repeat_at_most_what_was_in_flight(lives, small_data, tmp_path):
    moments = random.Random(5)
    while len(lives.in_flight) < KILLS or (lives.met_requests < IN_FLIGHT and len(lives.in_flight) < MOST_KILLS):
        lives.die(moments.uniform(0, 0.12))
    lives.finish()

    assert lives.met_requests >= IN_FLIGHT
    last = lives.on_disk[-1]
    assert all(last[: len(lines)] == lines for lines in lives.on_disk)
    run = read_run(next(lives.out.glob("*/")))
    assert len(run.outcomes) == len({outcome.task_id for outcome in run.outcomes}) == TASKS
    for lines, asked in zip(lives.on_disk, lives.asked[1:], strict=False):
        decided = {int(re.search(rb"task-(\d+)", line)[1]) for line in lines}
        assert decided.isdisjoint(asked)
    for asked, again in zip(lives.asked, lives.asked[1:], strict=False):
        assert len(set(asked) & set(again)) <= WORKERS

    data = str(tmp_path / f"data-{TASKS}-1")
    judge = make_judge("direct:mock", {"base_url": lives.server.url})
    undisturbed = ah.run(data, judge, out=tmp_path / "undisturbed", workers=32)
    labels = ah.load(data).labels
    assert ah.score(run, labels).to_json() == ah.score(undisturbed, labels).to_json()
