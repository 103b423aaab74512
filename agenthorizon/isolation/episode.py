"""One task before one agent: its folder is written, the door opened, the CLI run in its sandbox, and read."""

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from agenthorizon.case import Case
from agenthorizon.evidence.folder import TaskFolder, write_folder
from agenthorizon.harness import Account, Assignment, Ended, EndedBy, Harness, Launch
from agenthorizon.isolation import processes, sandbox
from agenthorizon.isolation.door import Caps, Door
from agenthorizon.isolation.installs import Installed
from agenthorizon.isolation.processes import Bounds, Command, Finished, Watch
from agenthorizon.isolation.record import DoorRecord
from agenthorizon.isolation.routes import Endpoint
from agenthorizon.isolation.settling import AgentRun, settle
from agenthorizon.isolation.workplace import remove, workplace
from agenthorizon.judge import Reply
from agenthorizon.judging.scrubbing import scrub
from agenthorizon.prices import Prices
from agenthorizon.prompts import prompt
from agenthorizon.usage import Usage

_MOST_LISTED = 200
"""Tool calls and pictures an outcome lists one by one."""

_TRANSCRIPT = 4 * 2**20
"""Characters of output that a transcript keeps."""


@dataclass(frozen=True)
class EpisodeLimits:
    """What one task may take."""

    seconds: float
    idle: float
    requests: int
    dollars: float | None = None
    prices: Prices | None = None


class _Read(NamedTuple):
    """What became of a run, read."""

    account: Account
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Episode:
    """How one agent is asked; `play` asks it about a case."""

    harness: Harness
    installed: Installed
    endpoint: Endpoint | None
    """None for an agent that needs no model of ours."""
    isolation: sandbox.Isolation
    limits: EpisodeLimits

    async def play(self, case: Case) -> Reply:
        """Run the agent over one case. Raises JudgeFailure (class evidence) for a picture that cannot be read."""
        with workplace() as places:
            try:
                folder = await asyncio.to_thread(write_folder, case, places.task)
                record, finished = await self._run(places)
                read = await asyncio.to_thread(self._read, places, finished)
                return self._reply(folder, AgentRun(read.account, finished, record), read)
            finally:
                await asyncio.to_thread(remove, places)

    async def _run(self, places: sandbox.Places) -> tuple[DoorRecord, Finished]:
        async with AsyncExitStack() as stack:
            record, port, watch, key = DoorRecord(), sandbox.DOOR_PORT, Watch(), ""
            if self.endpoint is not None:
                price = self.limits.prices.cost if self.limits.prices else lambda usage: None
                door = await stack.enter_async_context(
                    Door(self.endpoint, Caps(self.limits.requests, self.limits.dollars, price))
                )
                record, key = door.record, door.key
                watch = Watch(door.listen, _limit_of(record), lambda: record.active)
                if self.isolation == "none":
                    port = await door.listen_here()
            command = self._command(places, self._launch(places, port, key))
            bounds = Bounds(self.limits.seconds, self.limits.idle)
            return record, await processes.run(command, bounds, watch)

    def _launch(self, places: sandbox.Places, port: int, key: str) -> Launch:
        task = sandbox.task_inside(places, self.isolation)
        told = {"folder": task, "requests": self.limits.requests, "minutes": f"{self.limits.seconds / 60:g}"}
        return self.harness.launch(
            Assignment(
                prompt=prompt("agent").filled(**told),
                model=self.endpoint.model if self.endpoint else "",
                endpoint=f"http://127.0.0.1:{port}",
                key=key,
                program=self.installed.program,
                task=task,
                home=sandbox.home_inside(places, self.isolation),
                requests=self.limits.requests,
            )
        )

    def _command(self, places: sandbox.Places, launch: Launch) -> Command:
        places.home.mkdir(mode=0o700)
        (places.home / "tmp").mkdir()
        for name, text in launch.files.items():
            (places.home / name).parent.mkdir(parents=True, exist_ok=True)
            (places.home / name).write_text(text, "utf-8")
        (places.root / "stdin").write_text(launch.stdin, "utf-8")

        def arguments(control: int) -> list[str]:
            supervised = sandbox.supervised(launch.argv, control, processes.GRACE, self.isolation)
            if self.isolation == "none":
                return supervised
            return sandbox.enclosed(supervised, places, self.installed.folders)

        return Command(
            arguments=arguments,
            environment=self._environment(places, launch.environment),
            folder=places.task,
            stdin=places.root / "stdin",
            stdout=places.root / "stdout.raw",
            stderr=places.root / "stderr.raw",
            home=places.home,
        )

    def _environment(self, places: sandbox.Places, wanted: Mapping[str, str]) -> dict[str, str]:
        """Build it from nothing: what the user's environment holds is none of the agent's business."""
        home = sandbox.home_inside(places, self.isolation)
        path = [*map(str, self.installed.path), "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]
        plain = {"PATH": os.pathsep.join(path), "HOME": str(home), "TMPDIR": str(home / "tmp")}
        return plain | {"LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1", "TZ": "UTC"} | dict(wanted)

    def _read(self, places: sandbox.Places, finished: Finished) -> _Read:
        ended_by: EndedBy = finished.ended_by
        for stream in ("stdout", "stderr"):
            raw = places.root / f"{stream}.raw"
            if not scrub(raw, places.root / stream) and stream == "stdout":
                ended_by = "output"
            raw.unlink()
        ended = Ended(places.root / "stdout", places.root / "stderr", places.home, finished.exit_code, ended_by)
        account = self.harness.account(ended)
        return _Read(account, ended.text(_TRANSCRIPT), ended.complaint(_TRANSCRIPT))

    def _reply(self, folder: TaskFolder, run: AgentRun, read: _Read) -> Reply:
        account, record = run.account, run.record
        settled = settle(run)
        is_metered = self.endpoint is not None
        return Reply(
            text=settled.text,
            finish=record.finish,
            usage=record.usage if record.usage != Usage() else account.usage,
            model=record.model,
            requests=record.requests,
            images=len(record.pictures) if is_metered else account.pictures_opened or 0,
            tool_calls=len(account.tool_calls),
            cost=record.cost if self.limits.prices else None,
            seconds=run.finished.seconds,
            failure=settled.failure,
            agent=self._doings(folder, run, settled.status),
            raw={"stdout": read.stdout, "stderr": read.stderr, "error": account.error},
        )

    def _doings(self, folder: TaskFolder, run: AgentRun, status: str) -> dict[str, Any]:
        """Return what the agent did, as the outcome tells it."""
        account, record = run.account, run.record
        calls = [
            {"name": call.name, "target": call.target[:500], "ok": call.ok, "said": call.said[:200]}
            for call in account.tool_calls[:_MOST_LISTED]
        ]
        sent = [{"step": folder.digests.get(picture.sha256), **asdict(picture)} for picture in record.pictures.values()]
        return {
            "harness": type(self.harness).__module__.rpartition(".")[2],
            "version": self.installed.version,
            "isolation": self.isolation,
            "status": status,
            "exit_code": run.finished.exit_code,
            "ended_by": run.finished.ended_by,
            "turns": account.turns,
            "tool_calls": calls,
            "pictures_opened": account.pictures_opened,
            "pictures_sent": sent[:_MOST_LISTED],
            "pictures_re_encoded": sum(picture["step"] is None for picture in sent),
            "unmetered": record.unmetered,
            "turned_away": record.turned_away[:_MOST_LISTED],
            "refused_by_endpoint": len(record.failures),
            "left_behind": list(run.finished.left_behind),
        }


def _limit_of(record: DoorRecord) -> Callable[[], EndedBy | None]:
    return lambda: record.exceeded
