"""Shows a task as one judge wants to see it: blind, without what is left out, packed into the pictures of a request."""

from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.evidence.ablation import Ablation, ablate
from agenthorizon.evidence.blind import BlindCase, build_case
from agenthorizon.evidence.packing import pack
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.prompts import guide


def show(bench: Bench, task_id: str, judge: Any, ablation: Ablation, pictures: Pictures) -> BlindCase:
    """Build the case of a task; `pictures` prepares its screenshots when they are asked for.

    Raises DataError for a broken record, JudgeFailure where it fits into no request of the judge's.
    """
    task, traits = bench[task_id], traits_of(judge)
    view = traits.view  # once: the judge makes another with each asking, and equal ones are compared slowly
    whole = build_case(task, bench.verified_screenshots(task), view, guide().text, pictures)
    return pack(ablate(whole, ablation), view, traits.packing, pictures)
