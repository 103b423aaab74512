"""Our own work is done beside the loop, and the time it takes is nobody's waiting."""

import asyncio
import os
import signal
import threading
import time
from contextvars import ContextVar

import pytest

from agenthorizon.judging.beside_the_loop import on_disk, prepared

SAID = ContextVar("SAID", default="")


@pytest.mark.parametrize("beside", [prepared, on_disk])
def test_our_own_work_is_not_counted_as_waiting(beside, within):
    assert within(0.1, lambda: beside(lambda: time.sleep(0.3) or "done")) == "done"


def test_work_on_the_disk_waits_side_by_side():
    met = threading.Barrier(2, timeout=5)

    async def both():
        return await asyncio.gather(on_disk(met.wait), on_disk(met.wait))

    assert sorted(asyncio.run(both())) == [0, 1]


@pytest.mark.parametrize("beside", [prepared, on_disk])
def test_our_own_work_raises_what_it_raises_and_leaves_the_loop_free(beside):
    ticks = []

    async def tick():
        while True:
            ticks.append(1)
            await asyncio.sleep(0.01)

    async def work():
        ticking = asyncio.create_task(tick())
        with pytest.raises(OSError, match="no such disk"):
            await beside(fails)
        ticking.cancel()

    def fails():
        time.sleep(0.3)
        raise OSError("no such disk")

    asyncio.run(work())
    assert len(ticks) > 5


def test_waiting_behind_others_that_prepare_is_not_counted_either(within):
    async def work():
        return await asyncio.gather(*[prepared(lambda: time.sleep(0.1) or "done") for _ in range(4)])

    assert within(0.2, work) == ["done"] * 4


def test_one_thread_prepares_and_it_is_not_the_loops():
    async def work():
        return await asyncio.gather(*[prepared(threading.get_ident) for _ in range(8)])

    threads = set(asyncio.run(work()))
    assert len(threads) == 1
    assert threads != {threading.get_ident()}


def test_what_is_raised_comes_out():
    with pytest.raises(ZeroDivisionError):
        asyncio.run(prepared(lambda: 1 // 0))


def test_the_callers_context_holds_while_preparing():
    async def work():
        SAID.set("mine")
        return await prepared(SAID.get)

    assert asyncio.run(work()) == "mine"


def test_arguments_are_handed_on():
    assert asyncio.run(prepared(int, "ff", base=16)) == 255


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_prepares_too():
    asyncio.run(prepared(int))
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # instead of waiting for ever for a thread that the parent has
        os._exit(asyncio.run(prepared(int, "7")))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
