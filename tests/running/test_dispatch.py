"""What is asked next: nothing that waits holds what another could use."""

import asyncio

from agenthorizon.errors import RunStopped
from agenthorizon.running.clock import Clock
from agenthorizon.running.dispatch import Dispatcher, Made
from agenthorizon.running.lanes import Lane, Work
from agenthorizon.running.pacing import FIRST_WINDOW, Pace, Pacer
from agenthorizon.running.watching import Halt


class Free:
    """Money is no object."""

    def tokens(self, work):
        return 0.0

    def admits(self, work):
        return True


class Story:
    """Plays a script of endings for each task and writes down the order of events."""

    def __init__(self, clock, workers, **lanes):
        self.clock, self.events, self.scripts = clock, [], {}
        self.halt = Halt()
        made = []
        for judge, script in lanes.items():
            lane = Lane(Pacer(Pace(workers)))
            for task, endings in script.items():
                lane.ready.append(Work(judge, task, 0))
                self.scripts[judge, task] = list(endings)
            made.append(lane)
        self.dispatcher = Dispatcher(made, workers, self.ask, Free(), clock)

    async def ask(self, work):
        self.events.append(f"{work.judge} {work.task_id}")
        await asyncio.sleep(0.001)
        ending = self.scripts[work.judge, work.task_id].pop(0)
        if isinstance(ending, Exception):
            raise ending
        if callable(ending):
            ending()
            return Made(again=False)
        work.failures += 1 if ending else 0
        return Made(again=ending is not None, kind=ending[0] if ending else None, wait=ending[1] if ending else None)

    def play(self):
        asyncio.run(self.dispatcher.run(self.halt))
        return self.events


def test_a_judge_whose_endpoint_asks_to_wait_leaves_its_worker_to_another(leaping_clock):
    waiting = {"1": [("rate_limited", 600.0), None]}
    busy = {str(number): [None] for number in range(5)}
    events = Story(leaping_clock, 1, slow=waiting, quick=busy).play()
    assert events[-1] == "slow 1"
    assert events.count("slow 1") == 2
    assert sum(leaping_clock.waits) >= 590


def test_a_task_that_has_just_failed_lets_the_others_go_first(leaping_clock):
    script = {"1": [("server", None), None], "2": [None], "3": [None]}
    assert Story(leaping_clock, 1, judge=script).play() == ["judge 1", "judge 2", "judge 3", "judge 1"]


def test_a_refused_task_is_the_first_to_be_asked_again(leaping_clock):
    script = {"1": [("rate_limited", 5.0), None], "2": [None]}
    assert Story(leaping_clock, 1, judge=script).play() == ["judge 1", "judge 1", "judge 2"]


def test_a_reason_to_stop_one_judge_leaves_the_other(leaping_clock):
    story = Story(leaping_clock, 1, a={"1": [RunStopped("key", "no")], "2": [None]}, b={"1": [None], "2": [None]})
    assert sorted(story.play()) == ["a 1", "b 1", "b 2"]
    assert [reason.code for reason in story.dispatcher.reasons] == ["key"]


def test_a_full_disk_stops_every_judge(leaping_clock):
    story = Story(leaping_clock, 1, a={"1": [RunStopped("disk", "no space")], "2": [None]}, b={"1": [None]})
    assert story.play() == ["a 1"]


def test_a_request_to_stop_ends_a_long_wait_at_once(quick_clock):
    story = Story(quick_clock, 1, a={"1": [("rate_limited", 3600.0 * 5)], "2": [None]})

    async def stop_soon():
        running = asyncio.create_task(story.dispatcher.run(story.halt))
        await asyncio.sleep(0.05)
        story.halt.ask()
        await asyncio.wait_for(running, 5)

    asyncio.run(stop_soon())
    assert story.events == ["a 1"]


def test_what_is_in_flight_is_finished_when_a_stop_is_asked_for(leaping_clock):
    story = Story(leaping_clock, 2, a={"1": [None], "2": [None], "3": [None]})
    story.scripts["a", "1"] = [story.halt.ask]
    assert story.play() == ["a 1", "a 2"]


class Crowd:
    """Sixteen workers and more tasks than that; writes down when each was asked and how many were in hand."""

    def __init__(self, clock, limits, answer):
        self.clock, self.answer, self.starts, self.in_hand, self.peak = clock, answer, [], 0, 0
        lane = Lane(Pacer(limits))
        for number in range(40):
            lane.ready.append(Work("judge", str(number), 0))
        self.dispatcher = Dispatcher([lane], limits.workers, self.ask, Free(), clock)

    async def ask(self, work):
        self.starts.append(self.clock.now())
        self.in_hand += 1
        self.peak = max(self.peak, self.in_hand)
        await self.answer(self)
        self.in_hand -= 1
        return Made(again=False)


def test_before_the_first_answer_no_more_is_in_hand_than_the_first_window_whatever_the_workers(quick_clock):
    async def play():
        crowd = Crowd(quick_clock, Pace(16), lambda crowd: answered.wait())
        answered = asyncio.Event()
        running = asyncio.create_task(crowd.dispatcher.run(Halt()))
        await asyncio.sleep(0.05)
        peak = crowd.peak
        answered.set()
        await running
        return peak, len(crowd.starts)

    assert asyncio.run(play()) == (FIRST_WINDOW, 40)


class SteppingClock(Clock):
    """Stands still but for the waits, so that every time is exact."""

    time = 0.0

    def now(self):
        return self.time

    async def wait(self, event, seconds):
        if seconds is None:
            await event.wait()
        else:
            await asyncio.sleep(0)
            self.time += 0.0 if event.is_set() else seconds


def test_the_users_limit_of_requests_a_minute_spaces_the_first_ones_too():
    crowd = Crowd(SteppingClock(), Pace(16, rpm=120), lambda crowd: asyncio.sleep(0))
    asyncio.run(crowd.dispatcher.run(Halt()))
    assert crowd.starts == [number * 0.5 for number in range(40)]
