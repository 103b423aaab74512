"""Whatever value stands anywhere in a source's files, an import ends with sound records and a count, never a crash."""

import json
import random
import shutil

import pytest

ODD = [None, True, 0, -1, 10**30, "", "x", "\ud800", "../../x", "\0", [], {}, [[]], [None], {"a": 1}, [1, 2], "a" * 300]
SAMPLES = {
    "screenagent": "screenagent",
    "pc_agent": "pc-agent",
    "openadapt_flow": "openadapt-flow",
    "webvoyager": "webvoyager",
    "online_mind2web": "online-mind2web-example",
    "web_user_demo": "nathan-user-demo",
}
WORDS = dict.fromkeys(("recording", "run", "sample", "sample/recording", "sample/run"), "Do it")


def places(value, path=()):
    """Every place in a JSON value but its top."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*path, key)
        yield from places(item, (*path, key))


def spoilt(value, rng):
    """Replace or remove a few values at random."""
    value = json.loads(json.dumps(value))
    for _ in range(4):
        found = list(places(value))
        if not found:
            return value
        *above, last = rng.choice(found)
        holder = value
        for key in above:
            holder = holder[key]
        if isinstance(holder, dict) and rng.random() < 0.2:
            del holder[last]
        else:
            holder[last] = rng.choice(ODD)
    return value


def spoil(path, rng):
    if path.suffix == ".jsonl":
        lines = spoilt([json.loads(line) for line in path.read_text().splitlines()], rng)
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    else:
        path.write_text(json.dumps(spoilt(json.loads(path.read_text()), rng)))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", SAMPLES)
def test_spoilt_values_never_stop_an_import(imported, native, tmp_path, name, seed):
    rng = random.Random(seed)
    source = tmp_path / "sample"
    shutil.copytree(native / SAMPLES[name], source, ignore=shutil.ignore_patterns("*.png", "*.jpg"))
    paths = sorted(path for path in source.rglob("*.json*") if "with_reason" not in path.name)
    spoil(rng.choice(paths), rng)
    one = imported(name, source, instructions=WORDS)  # raises for a record with a fault
    assert one.report.recordings > 0 or one.report.lost or not one.folder.exists()
