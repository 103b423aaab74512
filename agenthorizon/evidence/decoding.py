"""The few threads of their own that screenshots are decoded on.

Few, because every decoded desktop is megabytes, however many tasks are in hand. Of their own, because such a thread
uses its memory again for the next picture instead of fetching it from the system each time, which costs up to a third.
"""

import ctypes
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

MOST_THREADS = 4
"""Two decode 150 screenshots a second; more cores are better left to others."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # from malloc.h


def decoding_pool() -> ThreadPoolExecutor:
    """Return as many threads as are to decode at one time."""
    return ThreadPoolExecutor(decoding_threads(), thread_name_prefix="pictures", initializer=_keep_memory)


def decoding_threads() -> int:
    """Return how many screenshots are decoded at one time."""
    return min(MOST_THREADS, _cores())


def _keep_memory() -> None:
    """Have glibc keep what a picture took for the next one, up to 64 MB a heap; elsewhere nothing is to be done.

    By itself it gives tens of megabytes back to the system and fetches them again, page by page, with each picture. The
    setting is the whole process's: there is none for a thread.
    """
    with suppress(OSError, AttributeError, TypeError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(_M_MMAP_THRESHOLD, 32 << 20)
        set_option(_M_TRIM_THRESHOLD, 64 << 20)


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
