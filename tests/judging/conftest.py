"""Attempts with a time limit."""

import asyncio

import pytest

from agenthorizon.judging.patience import waiting


@pytest.fixture
def within():
    """Return what some work returns that has so many seconds, its own work not counted."""

    def run(limit, work):
        async def limited():
            async with asyncio.timeout(limit) as deadline:
                with waiting(deadline):
                    return await work()

        return asyncio.run(limited())

    return run
