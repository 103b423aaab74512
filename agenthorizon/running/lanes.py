"""Work that is to be asked, in lanes, one an endpoint: what is ready, what waits for its time or for another task."""

import heapq
from collections import deque
from dataclasses import dataclass, field
from itertools import count

from agenthorizon.running.pacing import Pacer


@dataclass(eq=False)
class Work:
    """One task and repeat of one judge, until it is settled."""

    judge: str
    """The judge's key: what stops one judge leaves the others."""
    task_id: str
    repeat: int
    recording: str | None = None
    """What stands for its recording, where tasks on one recording are asked one after the other."""
    follows: bool = False
    """Whether it is asked right after another one on its recording."""
    is_shared: bool = False
    """Whether another one on its recording is asked right before or after."""
    failures: int = 0
    """Failed attempts within this command."""
    invalid: int = 0
    """Invalid replies within this command."""

    @property
    def queue(self) -> str:
        """What stands for its judge and recording, where tasks wait for each other."""
        return f"{self.judge} {self.recording}"


@dataclass
class Lane:
    """The work of all judges that ask one endpoint."""

    pacer: Pacer
    ready: deque[Work] = field(default_factory=deque)
    _later: list[tuple[float, int, Work]] = field(default_factory=list)
    _order: "count[int]" = field(default_factory=count)
    _held: dict[str, deque[Work]] = field(default_factory=dict)
    """Work that waits for another on the same recording of the same judge."""

    @property
    def waiting(self) -> list[Work]:
        """All that is ready or held back, before anything is asked."""
        return [*self.ready, *(work for held in self._held.values() for work in held)]

    def add(self, work: Work) -> None:
        """Take new work; behind its recording's first where it has one."""
        if work.recording is None:
            self.ready.append(work)
            return
        if work.queue in self._held:
            work.follows = True
            self._held[work.queue].append(work)
        else:
            self._held[work.queue] = deque()
            self.ready.append(work)

    def settled(self, work: Work) -> None:
        """Let the next task on the same recording go first."""
        held = self._held.get(work.queue)
        if held:
            self.ready.appendleft(held.popleft())

    def again(self, work: Work, due: float) -> None:
        """Take work back that is to be asked again, not before `due`."""
        heapq.heappush(self._later, (due, next(self._order), work))

    def wake(self, now: float) -> None:
        """Make ready what is due; what has waited goes first."""
        due = []
        while self._later and self._later[0][0] <= now:
            due.append(heapq.heappop(self._later)[2])
        self.ready.extendleft(reversed(due))

    def next_due(self) -> float | None:
        """Return when the next of what waits is due."""
        return self._later[0][0] if self._later else None

    def drop(self, judge: str | None) -> None:
        """Forget the work of one judge, or all."""
        self.ready = deque(work for work in self.ready if judge is not None and work.judge != judge)
        self._later = [item for item in self._later if judge is not None and item[2].judge != judge]
        heapq.heapify(self._later)
        for held in self._held.values():
            if held and (judge is None or held[0].judge == judge):
                held.clear()
