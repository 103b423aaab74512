"""What a run is: the data, the judge and every setting that changes what a judge sees or how it is asked.

These stand in config.json and, as a short hash, in the folder's name; another configuration is another folder.
"""

import hashlib
import json
import platform
import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from agenthorizon.case import View
from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import UsageError
from agenthorizon.evidence.ablation import COMPLETE, Ablation
from agenthorizon.evidence.images import PIPELINE
from agenthorizon.evidence.pixels import best
from agenthorizon.judge import Judge
from agenthorizon.judging.describing import described, without_secrets
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.prompts import Prompt, prompt
from agenthorizon.verdict import READER

COMPARED = ("data", "judge", "prompt", "evidence", "reask")
"""Keys of config.json that make one run another; the rest is for people, but for `reader`: see REFUSED."""

REFUSED = (*COMPARED, "reader")
"""Keys in which a folder and a command must agree. Another reader is mended by reading anew, in the same folder."""

PUBLISHED_VIEW = View()
"""Screenshots fitted into 512×332, JPEG quality 60: the direct judge of the published protocol."""


def describe(bench: Bench, judge: Any, name: str, reask: int, ablation: Ablation = COMPLETE) -> dict[str, Any]:
    """Return the config of a run. It never holds a key, and no answer.

    Raises UsageError where the judge says of itself what cannot be.
    """
    left_out = ablation.to_record()
    return {
        "data": {"name": bench.name, "form": bench.form, "fingerprint": bench.fingerprint},
        "judge": {"name": f"{name}, {ablation}" if left_out else name, **described(judge)},
        "prompt": _prompt(judge),
        "evidence": {
            "pipeline": PIPELINE,
            "view": traits_of(judge).view.model_dump(mode="json"),
            **({"ablation": left_out} if left_out else {}),
        },
        "reask": reask,
        "reader": READER,
        "protocol": protocol(judge, reask, ablation),
        "location": bench.location,
        "remake": {"name": name, "settings": _unrecorded(judge)},
        "versions": versions(),
        "asked": [],
    }


def versions() -> dict[str, str]:
    """Return what did the work. The last are the packages that decode, shrink and encode screenshots."""
    return {
        "agenthorizon": version("agenthorizon"),
        "python": platform.python_version(),
        "pictures": best().name,
    }


def protocol(judge: Any, reask: int, ablation: Ablation = COMPLETE) -> str:
    """Say whether a judge's settings follow the published protocol: `published`, what deviates, or `does not apply`.

    What a judge was not shown is named whether the protocol applies to it or not.
    """
    left_out = [str(ablation)] if str(ablation) else []
    traits = traits_of(judge)
    if not traits.protocol_applies:
        return "; ".join(["does not apply", *left_out])
    deviations = [*left_out, *traits.deviations]
    view = traits.view
    if view != PUBLISHED_VIEW and traits.has_published_view:
        size = "full size" if view.fit is None else f"{view.fit[0]}×{view.fit[1]}"
        quality = "" if view.format == "png" else f" q{view.quality}"
        deviations.append(f"screenshots {size} {view.format}{quality}")
    if reask:
        deviations.append(f"asks again {reask}× after an invalid reply")
    return "; ".join(deviations) or "published"


def texts_of(judge: Any) -> list[Prompt]:
    """Return the texts that a judge says it is asked with. Raises UsageError where it names one that is not there."""
    try:
        return [prompt(name) for name in traits_of(judge).prompts]
    except UsageError as error:
        raise UsageError(f"{type(judge).__name__}.prompts: {error}") from error


def folder_name(config: Mapping[str, Any]) -> str:
    """Return `<data>.<judge>.<hash>`, safe as a file name."""
    parts = (config["data"]["name"], config["judge"]["name"], short_hash(config))
    return ".".join(re.sub(r"[^\w.+-]+", "-", part).strip("-.")[:60] or "x" for part in parts)


def short_hash(config: Mapping[str, Any]) -> str:
    """Return eight hex digits over the keys that make a run what it is."""
    identity = json.dumps({key: config.get(key) for key in COMPARED}, sort_keys=True)
    return hashlib.sha256(identity.encode()).hexdigest()[:8]


def refuse_difference(found: Mapping[str, Any], wanted: Mapping[str, Any], folder: str) -> None:
    """Raise UsageError naming the keys in which a folder says otherwise than the command."""
    differing = sorted(_differences({k: found.get(k) for k in REFUSED}, {k: wanted.get(k) for k in REFUSED}))
    if differing == ["reader"]:
        raise UsageError(f"{folder} was read by another version of the reader; first: agenthorizon reread {folder}")
    if differing:
        raise UsageError(
            f"{folder} holds a run of another configuration; different: {', '.join(differing)}. "
            "Verdicts of two configurations are not mixed: move that folder away or choose another --out"
        )


def _differences(found: Any, wanted: Any, prefix: str = "") -> set[str]:
    if not (isinstance(found, Mapping) and isinstance(wanted, Mapping)):
        return set() if found == wanted else {prefix}
    names = found.keys() | wanted.keys()
    dotted = f"{prefix}." if prefix else ""
    return set().union(*(_differences(found.get(n), wanted.get(n), f"{dotted}{n}") for n in names))


def _prompt(judge: Any) -> dict[str, str]:
    texts = texts_of(judge)
    hashes = "".join(text.sha256 for text in texts)
    whole = hashes if len(texts) == 1 else hashlib.sha256(hashes.encode()).hexdigest()
    return {"name": "+".join(text.name for text in texts), "sha256": whole}


def _unrecorded(judge: Any) -> dict[str, Any]:
    """Return what else it takes to make the judge again: where its key stands, not the key."""
    if not isinstance(judge, Judge):
        return {}
    return dict(without_secrets(judge.model_dump(mode="json", include=set(judge.unrecorded))))
