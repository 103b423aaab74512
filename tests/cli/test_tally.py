"""One line that says how a run stands."""

from agenthorizon.cli.tally import Tally
from agenthorizon.outcome import Outcome


def outcome(kind=None, cost=None):
    ending = {"status": "verdict", "verdict": {"success": True}}
    if kind:
        ending = {"status": "failed", "error": {"class": kind, "message": "", "passing": True}}
    return Outcome(task_id="A", telemetry={"cost": cost}, **ending)


def test_a_line_says_verdicts_failures_by_class_what_was_asked_again_and_money():
    tally = Tally(settled=2, pending=10, started=0.0)
    for made in (outcome(cost=0.5), outcome(cost=0.25), outcome("refused", 0.5)):
        tally.add(made, last=True, now=3.0)
    for _ in range(2):
        tally.add(outcome("rate_limited"), last=False, now=3.0)
    assert tally.summary == (
        "2 verdict, 1 failed (refused ×1), asked again rate_limited ×2, $1.25 and 2 of unknown cost"
    )


def test_the_rate_is_that_of_late_and_the_time_left_follows_from_it():
    tally = Tally(settled=0, pending=4100, started=0.0)
    for second in range(1, 51):
        tally.add(outcome(), last=True, now=float(second))
    assert tally.pace(50.0) == ", 1.0/s, 68 min left"
    for tenth in range(1, 51):
        tally.add(outcome(), last=True, now=50 + tenth / 10)
    assert tally.pace(55.0) == ", 10.2/s, 7 min left"


def test_nothing_is_said_of_what_is_not_known():
    tally = Tally(settled=0, pending=1, started=0.0)
    assert (tally.summary, tally.pace(1.0)) == ("", "")
    tally.add(outcome(), last=True, now=1.0)
    assert (tally.summary, tally.pace(1.0)) == ("1 verdict", "")
