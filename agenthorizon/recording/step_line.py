"""Steps in the order in which they began, of which the last may still grow."""

from agenthorizon.recording.steps import Step, joined, step


class StepLine:
    """Joins each step with the one before where they are one, and gives those that cannot grow any more."""

    def __init__(self) -> None:
        self._finished: list[Step] = []
        self._open: Step | None = None
        self._waiting: list[Step] = []

    def finished(self) -> list[Step]:
        """Return the steps that cannot grow any more, each once."""
        taken, self._finished = self._finished, []
        return taken

    def add(self, made: Step) -> None:
        """Take the next step."""
        grown = joined(self._open, made) if self._open else None
        if grown is None:
            self.end()
        self._open = grown or made

    def add_later(self, made: Step) -> None:
        """Take a step that one is to go before which has begun already, but is not known yet."""
        self._waiting.append(made)

    @property
    def has_waiting(self) -> bool:
        """Whether steps wait for one that began before them."""
        return bool(self._waiting)

    def catch_up(self) -> None:
        """Add the steps that waited, in the order in which they began."""
        waiting, self._waiting = self._waiting, []
        for each in sorted(waiting, key=lambda each: each.at):
            self.add(each)

    def end(self) -> None:
        """Let the last step grow no more."""
        if self._open is not None:
            self._finished.append(_named_space(self._open))
            self._open = None


def _named_space(made: Step) -> Step:
    """A space by itself is the key that presses a button, not a text."""
    if made.action.type != "type" or made.action.parameters["text"] != " ":
        return made
    return step("press", made.at, made.frame, keys=["space"])
