"""The link between two recordings that make an instruction pair, before any task is made of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

CHILD_SHOWN = "parent_instruction_child_trajectory"
PARENT_SHOWN = "child_instruction_parent_trajectory"
DIRECTIONS = (CHILD_SHOWN, PARENT_SHOWN)
"""The two swaps of a pair, by the names that label files give them (`negative_source`)."""


@dataclass(frozen=True)
class PairLink:
    """Two recordings whose instructions differ minimally."""

    parent: str
    child: str
    """The recording that was made a pair with the parent."""
    mistake_types: Mapping[str, str] = field(default_factory=dict)
    """Direction → one of verdict.MISTAKE_TYPES (in an importer's link as the source spells it); a direction without one
    is untyped. The two need not agree."""
