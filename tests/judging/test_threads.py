"""A plain function is called beside the event loop, and one that never returns holds nothing up."""

import asyncio
import subprocess
import sys
import threading

import pytest

from agenthorizon.judging.threads import in_a_thread


def test_the_answer_is_that_of_the_function_in_another_thread():
    def add(first, *, second):
        return first + second, threading.current_thread() is threading.main_thread()

    assert asyncio.run(in_a_thread(add, 1, second=2)) == (3, False)


@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(3)], ids=["exception", "exit"])
def test_what_the_function_raises_is_raised(error):
    def fail():
        raise error

    async def caught():
        with pytest.raises(type(error)) as found:
            await in_a_thread(fail)
        return found.value

    assert asyncio.run(caught()) is error


def test_the_event_loop_goes_on_meanwhile():
    async def both():
        may_end = threading.Event()
        waiting = asyncio.create_task(in_a_thread(may_end.wait, 30))
        await asyncio.sleep(0)
        may_end.set()
        return await waiting

    assert asyncio.run(both()) is True


def test_a_process_ends_though_a_cancelled_function_never_does():
    code = """
import asyncio, threading
from agenthorizon.judging.threads import in_a_thread
async def main():
    async with asyncio.timeout(0.1):
        await in_a_thread(threading.Event().wait)
try:
    asyncio.run(main())
except TimeoutError:
    print("given up")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "given up\n", "")
