"""An attempt's time runs while it waits for others, and stands still while this machine works for it."""

import asyncio

import pytest

from agenthorizon.judging.patience import own_work


def test_waiting_is_ended_by_the_limit(within):
    with pytest.raises(TimeoutError):
        within(0.05, lambda: asyncio.sleep(30))


def test_own_work_is_not_counted(within):
    async def work():
        with own_work():
            await asyncio.sleep(0.4)
        return "done"

    assert within(0.1, work) == "done"


def test_the_time_left_before_own_work_is_what_is_left_behind_it(within):
    async def work():
        with own_work():
            await asyncio.sleep(0.2)
        await asyncio.sleep(30)

    with pytest.raises(TimeoutError):
        within(0.1, work)


def test_of_several_at_once_the_last_to_end_lets_the_time_run_again(within):
    async def one(seconds):
        with own_work():
            await asyncio.sleep(seconds)

    async def work():
        await asyncio.gather(one(0.1), one(0.9))
        return "done"

    assert within(0.5, work) == "done"


def test_own_work_outside_of_an_attempt_is_nothing_special():
    with own_work():
        assert 1 + 1 == 2


def test_without_a_limit_there_is_nothing_to_stop(within):
    async def work():
        with own_work():
            return "done"

    assert within(None, work) == "done"
