"""Says how much of two cores is free: what two processes do at once, as a multiple of what one does alone."""

import subprocess
import sys
import time

LOOP = "import sys; sys.stdin.readline(); sum(range(12_000_000)); print(flush=True); sys.stdin.readline()"


def capacity() -> float:
    """Return it: 2.0 when both cores are free, 1.0 when the two processes shared one. Noise takes it beyond 2."""
    one = _seconds(1)
    return 2 * one / _seconds(2)


def _seconds(processes: int) -> float:
    """Return how long a loop takes in each of some processes at once, their start left out."""
    loops = [
        subprocess.Popen([sys.executable, "-c", LOOP], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    try:
        time.sleep(0.15)
        started = time.perf_counter()
        for loop in loops:
            print(file=loop.stdin, flush=True)
        for loop in loops:
            loop.stdout.readline()
        return time.perf_counter() - started
    finally:
        for loop in loops:
            loop.communicate("\n")
