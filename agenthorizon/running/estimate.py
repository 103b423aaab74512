"""What a judge's attempts are thought to take: tokens and bytes, from the texts and a sample of the pictures.

Counted as the plan of a request counts them, but for the pictures' sizes: a plan must hold for the largest and takes
the box that they are fitted into, an estimate takes what a few of them really come to.
"""

import io
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agenthorizon.case import Case, Limits, Picture, RequestSize, Sheet
from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import AgentHorizonError
from agenthorizon.evidence.ablation import COMPLETE, Ablation
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.evidence.sizes import BASE64, CHARACTERS_A_TOKEN, characters_of, text_bytes, text_tokens
from agenthorizon.judging.judge_traits import Traits, traits_of
from agenthorizon.running.showing import show
from agenthorizon.usage import Usage

USUAL_ANSWER = 1000
"""Tokens of an answer where no setting limits them."""

_SAMPLED_TASKS = 6
_SAMPLED_PICTURES = 3


@dataclass(frozen=True)
class _Picture:
    """The average picture of a sample."""

    tokens: float
    bytes: float


@dataclass(frozen=True)
class Workload:
    """What asking a number of tasks once takes."""

    tasks: int
    screenshots: int
    bytes: int
    usage: Usage


@dataclass
class Estimate:
    """Estimates for one judge. Pictures are sampled once, texts and numbers of screenshots are counted."""

    bench: Bench
    judge: Any
    name: str
    ids: Sequence[str]
    """The tasks to sample from."""
    ablation: Ablation = COMPLETE
    _known: dict[str, Workload] = field(default_factory=dict)
    _is_planned: bool = False

    @property
    def may_cost(self) -> bool:
        """Whether it may cost anything: only a judge that says it asks no model does not."""
        return self._traits.may_cost

    @property
    def is_a_maximum(self) -> bool:
        """Whether an attempt may cost far less than estimated (of what is kept, say), which tells nothing of others."""
        return self._is_planned

    @property
    def limits(self) -> Limits:
        """Whose tokens a picture takes: its provider's where the judge names one, else the published protocol's."""
        return self._traits.picture_limits

    def usage(self, task_id: str) -> Usage:
        """Return the tokens that one attempt at a task is thought to take."""
        return self.of(task_id).usage

    def of(self, task_id: str) -> Workload:
        """Return what one attempt at a task is thought to take."""
        if task_id not in self._known:
            self._known[task_id] = self._load(task_id)
        return self._known[task_id]

    @property
    def _traits(self) -> Traits:
        return traits_of(self.judge)

    def _load(self, task_id: str) -> Workload:
        try:
            with closing(Pictures()) as pictures:
                case = self._case(task_id, pictures)
                requests = self._requests(case)
        except AgentHorizonError:  # it will fail when it is asked, before anything is sent
            return Workload(1, 0, 0, Usage(0, 0))
        answer = self._traits.most_answer_tokens or USUAL_ANSWER
        tokens = size = 0.0
        for request in requests:
            characters = request.characters + round(request.answers * answer * CHARACTERS_A_TOKEN)
            tokens += text_tokens(characters) + request.screenshots * self._picture.tokens
            size += text_bytes(characters) + request.screenshots * self._picture.bytes
        answers = sum(request.answer_tokens or answer for request in requests)
        return Workload(1, case.pictures, round(size), Usage(round(tokens), answers))

    def _requests(self, case: Case) -> Sequence[RequestSize]:
        one = RequestSize(characters_of(case), len(_pictures(case)))
        planned = self._traits.planned_requests(case)
        self._is_planned = planned is not None
        return [one] if planned is None else planned

    def _case(self, task_id: str, pictures: Pictures) -> Case:
        return show(self.bench, task_id, self.judge, self.ablation, pictures).case

    @cached_property
    def _picture(self) -> _Picture:
        sample = self._sample()
        if not sample:
            return _Picture(0.0, 0.0)
        tokens = sum(self.limits.tokens_of(*_size(data)) for data in sample)
        return _Picture(tokens / len(sample), sum(len(data) * BASE64 for data in sample) / len(sample))

    def _sample(self) -> list[bytes]:
        """Return a few pictures of a few tasks, as they are sent."""
        step = max(1, len(self.ids) // _SAMPLED_TASKS)
        sample: list[bytes] = []
        with closing(Pictures()) as pictures:
            for task_id in self.ids[::step][:_SAMPLED_TASKS]:
                with suppress(AgentHorizonError):
                    shots = _pictures(self._case(task_id, pictures))
                    sample += [shot.encoded() for shot in shots[:: max(1, len(shots) // _SAMPLED_PICTURES)]]
        return sample


def _pictures(case: Case) -> Sequence[Picture | Sheet]:
    """Return what is sent: the planned pictures of a request where there are any, else every screenshot."""
    return case.sheets or [step.picture for step in case.steps if step.picture is not None]


def _size(data: bytes) -> tuple[int, int]:
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        return image.size
