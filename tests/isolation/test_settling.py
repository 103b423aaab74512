"""How an agent's run counts, from what its CLI said, how its process ended and what the door saw."""

import pytest

from agenthorizon.harness import Account
from agenthorizon.isolation.processes import Finished
from agenthorizon.isolation.record import DoorRecord
from agenthorizon.isolation.settling import AgentRun, settle

ENDED_BY_ITSELF = Finished(exit_code=0, ended_by="itself", seconds=1.0)
TURNED_AWAY = DoorRecord(exceeded="requests", turned_away=["the limit of this task is reached"])
REFUSAL = "not passed on: the limit of this task is reached"
ACCOUNTS = {
    "said it as its answer": Account("ok", text=REFUSAL),
    "said it as an error": Account("model_error", error=REFUSAL),
    "said nothing": Account("no_answer"),
    "broke down": Account("crashed", error="unhandled rejection"),
}


@pytest.mark.parametrize("account", ACCOUNTS.values(), ids=ACCOUNTS)
def test_a_cli_that_ended_over_being_turned_away_reached_its_limit(account):
    settled = settle(AgentRun(account, ENDED_BY_ITSELF, TURNED_AWAY))
    assert settled.status == "turn_limit"
    assert settled.failure.code == "turn_limit"
    assert not settled.failure.passing


def test_a_verdict_given_at_the_limit_stands():
    settled = settle(AgentRun(Account("ok", text='{"success": true, "reasoning": "x"}'), ENDED_BY_ITSELF, TURNED_AWAY))
    assert settled.status == "ok"
    assert settled.failure is None


def test_an_answer_that_cannot_be_read_is_kept_where_no_limit_was_reached():
    settled = settle(AgentRun(Account("ok", text="I think so."), ENDED_BY_ITSELF, DoorRecord()))
    assert (settled.status, settled.text, settled.failure) == ("ok", "I think so.", None)


def test_a_failure_s_message_does_not_repeat_its_class():
    run = AgentRun(Account("crashed", error="exit code 3: oops"), ENDED_BY_ITSELF, DoorRecord())
    assert str(settle(run).failure) == "exit code 3: oops"
