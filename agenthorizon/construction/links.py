"""Reads the links between recordings: which two make an instruction pair, and how a swap of the two goes wrong.

One line of pairs.jsonl; of the types one may be missing or null, both then stay untyped:
{"parent": "0103…", "child": "4e92…", "mistake_types": {"parent_instruction_child_trajectory": "Critical Mistake",
 "child_instruction_parent_trajectory": "Bad Side Effect"}}
"""

from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

from agenthorizon.dataset.components import Components
from agenthorizon.dataset.pair_link import DIRECTIONS, PairLink
from agenthorizon.dataset.schema import Place
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.jsonlines import Line, read_lines
from agenthorizon.verdict import MISTAKE_TYPES, normalise_mistake_type

_TYPES = ", ".join(MISTAKE_TYPES)


def read_links(path: Path, recordings: Container[str]) -> tuple[PairLink, ...]:
    """Read a file of links. Raises DataError with every line that is none or names an unknown recording."""
    links: dict[frozenset[str], PairLink] = {}
    faults: list[Finding] = []
    for line in read_lines(path):
        place = Place(path.name, line.number)
        if found := _fault(line, place, recordings):
            faults.append(found)
            continue
        link = _link(line.value)
        if frozenset((link.parent, link.child)) in links:
            faults.append(place.finding("duplicate_pair", f"{link.parent} and {link.child} are linked before"))
        links.setdefault(frozenset((link.parent, link.child)), link)
    if faults:
        raise DataError(f"{path.name} cannot be used as a file of pairs", faults)
    return tuple(links.values())


def _fault(line: Line, place: Place, recordings: Container[str]) -> Finding | None:
    if line.fault:
        return line.fault
    if not isinstance(line.value, dict):
        return place.finding("not_an_object", "a pair is a JSON object with parent and child")
    ends = [line.value.get(end) for end in ("parent", "child")]
    if unknown := [end for end in ends if not isinstance(end, str) or end not in recordings]:
        return place.finding("unknown_recording", f"no recording {unknown[0]!r}")
    if ends[0] == ends[1]:
        return place.finding("paired_with_itself", f"{ends[0]} is both parent and child")
    return _type_fault(line.value.get("mistake_types"), place)


def _type_fault(types: Any, place: Place) -> Finding | None:
    if types is None:
        return None
    if not isinstance(types, dict) or set(types) - set(DIRECTIONS):
        return place.finding("bad_direction", f"mistake_types must be an object with {' and '.join(DIRECTIONS)}")
    for direction, given in types.items():
        if given is not None and normalise_mistake_type(given) is None:
            return place.finding("unknown_mistake_type", f"{given!r}; the types: {_TYPES}", fields=(direction,))
    return None


def _link(value: dict[str, Any]) -> PairLink:
    given = {name: normalise_mistake_type(kind) for name, kind in (value.get("mistake_types") or {}).items()}
    return PairLink(value["parent"], value["child"], {name: kind for name, kind in given.items() if kind})


def components(recordings: Iterable[str], links: Iterable[PairLink]) -> dict[str, str]:
    """Return each recording's pair group: the first recording, in the given order, that links lead to from it."""
    order = {name: number for number, name in enumerate(recordings)}
    groups = Components(order.__getitem__)
    for link in links:
        groups.join(link.parent, link.child)
    return {name: groups.of(name) for name in order}
