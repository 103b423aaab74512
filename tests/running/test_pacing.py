"""How fast an endpoint is asked: simulated servers in simulated time, so that nothing depends on the machine."""

import heapq
import math
import random

import pytest

from agenthorizon.running.pacing import OUTAGE, Pace, Pacer, RequestEnded


class Bucket:
    """A server that takes `rate` requests a second, with a reserve, and says how long to wait."""

    def __init__(self, rate, reserve, say):
        self.rate, self.reserve, self.say = rate, reserve, say
        self.tokens, self.at = reserve, 0.0

    def take(self, now):
        """Return None when the request is taken, else the wait in seconds that is asked for."""
        self.tokens = min(self.reserve, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens >= 1:
            self.tokens -= 1
            return None
        return self.say((1 - self.tokens) / self.rate)

    def gives(self, seconds):
        return self.reserve + self.rate * seconds


class Chance:
    """A server that refuses at random."""

    def __init__(self, share, wait):
        self.share, self.wait = share, wait

    def take(self, now):
        return self.wait if random.random() < self.share else None


class Played:
    """What became of requests sent through a pacer for some time."""

    def __init__(self, server, latency, workers=16, seconds=120.0, seed=0, **limits):
        random.seed(seed)
        self.pacer = Pacer(Pace(workers, **limits))
        self.starts, self.answered, self.refused, self.most = [], 0, 0, 0
        on_their_way = []
        now = 0.0
        while now < seconds:
            opens = self.pacer.opens_at(now)
            if opens is not None and opens <= now:
                began = self.pacer.start(now, 100.0)
                self.starts.append(now)
                self.most = max(self.most, self.pacer.in_hand)
                wait = server.take(now)
                ends = now + (latency * random.uniform(0.9, 1.1) if wait is None else 0.005)
                heapq.heappush(on_their_way, (ends, len(self.starts), began, wait))
                continue
            now = min(t for t in (opens, on_their_way[0][0] if on_their_way else None) if t is not None) + 1e-6
            while on_their_way and on_their_way[0][0] <= now:
                ends, _, began, wait = heapq.heappop(on_their_way)
                self._end(began, ends, wait)

    def _end(self, began, ends, wait):
        self.answered += wait is None
        self.refused += wait is not None
        kind = None if wait is None else "rate_limited"
        self.pacer.end(began, RequestEnded(ends, kind, wait or None, 100.0))


@pytest.mark.parametrize("say", [math.ceil, lambda wait: wait], ids=["whole seconds", "exact"])
@pytest.mark.parametrize(
    ("rate", "reserve", "latency"),
    [(20, 10, 0.05), (20, 20, 0.05), (50, 50, 0.1), (5, 5, 0.5), (10, 60, 1.0), (1, 5, 0.05)],
)
def test_a_token_bucket_is_used_to_nine_tenths_without_a_storm_of_refusals(rate, reserve, latency, say):
    server = Bucket(rate, reserve, say)
    played = Played(server, latency)
    assert played.answered >= 0.9 * server.gives(120)
    assert played.refused <= 0.1 * len(played.starts) or played.refused <= 60


def test_refusals_at_random_do_not_slow_it_down_like_a_limit():
    played = Played(Chance(0.3, 0.1), latency=0.05)
    assert played.answered > 400


def test_it_grows_to_the_workers_while_all_is_well_and_never_beyond():
    played = Played(Chance(0.0, 0.0), latency=1.0, workers=32, seconds=20)
    assert played.most == 32


def test_it_shrinks_once_for_all_that_were_refused_together():
    pacer = Pacer(Pace(4))
    together = [pacer.start(1.0) for _ in range(4)]
    for began in together:
        pacer.end(began, RequestEnded(2.0, "rate_limited", 1.0))
    assert pacer.window == pytest.approx(2.8)


def test_nothing_starts_before_the_longest_wait_that_was_asked_for():
    pacer = Pacer(Pace(4))
    first, second = pacer.start(0.0), pacer.start(0.0)
    pacer.end(first, RequestEnded(1.0, "rate_limited", 600.0))
    pacer.end(second, RequestEnded(1.0, "rate_limited", 5.0))
    assert 601 <= pacer.opens_at(2.0) <= 601 + 0.02 * 600


def test_requests_a_minute_hold_in_every_minute():
    starts = Played(Chance(0.0, 0.0), latency=0.01, workers=16, seconds=200, rpm=60).starts
    for begin in starts:
        assert sum(begin <= at < begin + 60 for at in starts) <= 61
    assert len(starts) >= 0.97 * 200


def test_tokens_a_minute_hold_by_what_was_really_taken():
    starts = Played(Chance(0.0, 0.0), latency=0.01, workers=16, seconds=200, tpm=6000).starts
    assert len(starts) == pytest.approx(200, abs=4)  # 100 tokens each


def test_a_few_failures_leave_it_alone_and_many_make_it_ask_one_at_a_time():
    pacer = Pacer(Pace(4))
    for _ in range(3):
        pacer.end(pacer.start(1.0), RequestEnded(1.0, "server"))
    assert pacer.opens_at(1.0) == 1.0
    for _ in range(3):
        pacer.end(pacer.start(1.0), RequestEnded(1.0, "connection"))
    assert (pacer.window, pacer.opens_at(1.0) > 1.0) == (1.0, True)
    pacer.end(pacer.start(9.0), RequestEnded(9.0))
    assert pacer.window > 1.0


def test_an_endpoint_that_answers_nothing_for_half_an_hour_is_out():
    pacer = Pacer(Pace(4))
    for minute in range(30):
        assert not pacer.is_out(minute * 60.0)
        pacer.end(pacer.start(minute * 60.0), RequestEnded(minute * 60.0, "connection"))
    assert pacer.is_out(OUTAGE)
    pacer.end(pacer.start(OUTAGE), RequestEnded(OUTAGE))
    assert not pacer.is_out(OUTAGE)
