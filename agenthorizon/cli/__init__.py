"""The command line: one file per command, each thin. Answers go to stdout, everything else to stderr."""

import gc
import os
import sys

from agenthorizon.errors import AgentHorizonError, RunStopped

DONE, SOME_FAILED, BAD_INPUT, STOPPED, INTERRUPTED = 0, 1, 2, 3, 130

_LOOKS_FOR_RINGS_AFTER = 20_000
"""New objects. Python looks after 700 for rings among them; records hold none, and a tenth of a run went into that."""


def main() -> None:
    """Run the command line and exit with a code that scripts can use."""
    gc.set_threshold(_LOOKS_FOR_RINGS_AFTER)
    from agenthorizon.cli.app import app

    try:
        app()
    except AgentHorizonError as error:
        sys.stderr.write(f"agenthorizon: {printable(str(error))}\n")
        sys.exit(STOPPED if isinstance(error, RunStopped) else BAD_INPUT)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader left; nothing more to say
        sys.exit(DONE)
    except OSError as error:
        if error.filename is None:  # not about a place that the user named: a fault of ours, shown whole
            raise
        sys.stderr.write(f"agenthorizon: {printable(str(error.filename))}: {error.strerror}\n")
        sys.exit(BAD_INPUT)


def printable(text: str) -> str:
    """Return text without terminal control codes, which data may hold."""
    from agenthorizon.evidence.safe_text import safe_text

    return safe_text(text)


def shortened(message: str, most: int = 240) -> str:
    """Return a message on one line, its end left out where it is long."""
    line = " ".join(message.split())
    return line if len(line) <= most else f"{line[:most]} …"
