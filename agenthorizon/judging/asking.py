"""Asks a judge about a case: one of the user's own may be a plain function, and may answer with text alone."""

import inspect
from pathlib import PurePath
from typing import Any

from agenthorizon.case import Case
from agenthorizon.errors import JudgeFailure
from agenthorizon.judge import Reply
from agenthorizon.judging.threads import in_a_thread


async def ask(judge: Any, case: Case) -> Reply:
    """Return a judge's reply. A plain function runs in a thread, and is left behind there when the caller is cancelled.

    Raises what the judge raises, and JudgeFailure (crashed, passing) for an answer that is no reply. A SystemExit and
    its like, which would end the whole program from within a task or a thread, come as RuntimeError.
    """
    if inspect.iscoroutinefunction(judge.judge):
        answer = await _awaited(judge, case)
    else:
        answer = await in_a_thread(_called, judge, case)
    if isinstance(answer, str):
        return Reply(text=answer)
    if not isinstance(answer, Reply):
        message = f"judge() returned {type(answer).__name__}; expected agenthorizon.Reply or a text{_place(judge)}"
        raise JudgeFailure("crashed", message, passing=True)
    return answer


async def _awaited(judge: Any, case: Case) -> Any:
    try:
        return await judge.judge(case)
    except SystemExit as error:
        raise RuntimeError(f"judge() raised {error!r}") from error


def _called(judge: Any, case: Case) -> Any:
    """Call a plain judge. What is no Exception, and StopIteration, would not come out of a thread as it went in."""
    try:
        return judge.judge(case)
    except BaseException as error:
        if isinstance(error, Exception) and not isinstance(error, StopIteration):
            raise
        raise RuntimeError(f"judge() raised {error!r}") from error


def _place(judge: Any) -> str:
    """Return in brackets where judge() stands, ` (mine.py:12)`; nothing where it is no function of Python's."""
    code = getattr(judge.judge, "__code__", None)
    return f" ({PurePath(code.co_filename).name}:{code.co_firstlineno})" if code else ""
