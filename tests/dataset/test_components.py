"""Names joined two by two are one group, called by its lowest."""

import random

from agenthorizon.dataset.components import Components


def walked(names, links):
    """Return each name's group by walking the links from it, another way than the one tested."""
    near = {name: {name} for name in names}
    for one, other in links:
        near[one].add(other)
        near[other].add(one)
    groups = {}
    for name in names:
        seen, waiting = set(), [name]
        while waiting:
            if (next_one := waiting.pop()) not in seen:
                seen.add(next_one)
                waiting += near[next_one]
        groups[name] = min(seen)
    return groups


def test_groups_are_those_that_walking_the_links_finds():
    chance = random.Random(7)
    names = [f"{number:03}" for number in range(300)]
    links = [(chance.choice(names), chance.choice(names)) for _ in range(140)]
    joined = Components()
    for one, other in links:
        joined.join(one, other)
    assert {name: joined.of(name) for name in names} == walked(names, links)


def test_a_group_is_called_by_the_first_in_the_order_given():
    joined = Components({"late": 0, "early": 1}.__getitem__)
    joined.join("early", "late")
    assert joined.of("early") == "late"


def test_a_name_that_nothing_was_said_of_is_a_group_of_its_own():
    assert Components().of("alone") == "alone"
