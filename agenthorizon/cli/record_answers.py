"""What the recorder asks its user, on stderr, and what may be answered."""

import sys
from collections.abc import Sequence

from agenthorizon.construction.pair_checks import bare_instruction
from agenthorizon.errors import UsageError


def asked(*, pair: bool) -> list[str]:
    """Ask for the instruction to record, or for the two of a pair."""
    names = ("First instruction", "Second instruction") if pair else ("Instruction",)
    return [ask(f"{name}: ") for name in names]


def checked(instructions: Sequence[str], *, pair: bool) -> list[str]:
    """Return instructions as they are recorded.

    Raises UsageError for more or fewer than there are to be, an empty one, and a pair of which both are the same.
    """
    wanted = 2 if pair else 1
    if len(instructions) != wanted:
        what = "a pair" if pair else "a recording without --pair"
        raise UsageError(f"{len(instructions)} times --instruction; {what} takes {wanted}")
    bare = [bare_instruction(text) for text in instructions]
    if not all(bare):
        raise UsageError("an instruction is empty; say what is to be done")
    if len(set(bare)) < wanted:
        raise UsageError("both instructions are the same; a pair takes two that differ in one thing")
    return [text.strip() for text in instructions]


def ask(question: str) -> str:
    """Ask for a line. Raises UsageError where stdin has ended: nothing can be asked then."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise UsageError("stdin ended, so nothing could be asked and nothing was saved; --yes keeps without asking")
    return line.strip()


def choose(question: str, answers: Sequence[str]) -> str:
    """Ask until one of the answers is given, whole or by its first letter."""
    while True:
        given = ask(question).lower()
        for answer in answers:
            if given in (answer, answer[0]):
                return answer
