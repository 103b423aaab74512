"""Finds implementations by name: the file's name is the name, and other packages add theirs by entry points.

The core never imports an adapter; it looks here. A file whose name begins with an underscore is not an adapter.
"""

import difflib
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from pydantic import ValidationError

from agenthorizon.errors import BrokenPlugin, UsageError
from agenthorizon.judge import Judge
from agenthorizon.judging.judge_files import published, read_judge_file

AGENTIC = "agentic"
"""The kind of judge that a harness is run by."""


@cache
def names(room: str) -> tuple[str, ...]:
    """Return the names in a room (`judges`, `data`): files there, and entry points of `agenthorizon.<room>`."""
    package = importlib.import_module(f"agenthorizon.{room}")
    own = [name for _, name, is_package in pkgutil.iter_modules(package.__path__) if not is_package]
    others = [point.name for point in entry_points(group=f"agenthorizon.{room}")]
    return tuple(sorted({name for name in own if not name.startswith("_")} | set(others)))


class Room(NamedTuple):
    """What is in a room."""

    found: dict[str, Any]
    """Every class that can be loaded, by name."""
    broken: tuple[BrokenPlugin, ...]
    """Why others cannot: a package that is broken is of no concern to who does not use it."""


def implementations(room: str) -> Room:
    """Import every class of a room."""
    found: dict[str, Any] = {}
    broken: list[BrokenPlugin] = []
    for name in names(room):
        try:
            found[name] = implementation(room, name)
        except BrokenPlugin as error:
            broken.append(error)
    return Room(found, tuple(broken))


def implementation(room: str, name: str) -> Any:
    """Import and return one class. Raises UsageError that lists the known names, BrokenPlugin for a package's fault."""
    name = name.replace("-", "_")
    if name not in names(room):
        raise UsageError(f"unknown name {name!r} in {room}; known: {', '.join(names(room))}")
    for point in entry_points(group=f"agenthorizon.{room}"):
        if point.name == name:
            return _loaded(point)
    return _only_class(importlib.import_module(f"agenthorizon.{room}.{name}"))


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        package = point.dist.name if point.dist else point.value
        raise BrokenPlugin(
            f"{point.name!r} of the package {package} cannot be loaded: {error}; mend or uninstall {package}"
        ) from error


def _only_class(module: ModuleType) -> type:
    public = [
        value
        for key, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and not key.startswith("_")
    ]
    if len(public) != 1:
        raise UsageError(f"{module.__name__} must define one public class, found {len(public)}")
    return public[0]


def make_judge(spec: str, offered: Mapping[str, Any] | None = None) -> Any:
    """Make the judge that `spec` names.

    KIND, KIND:MODEL, HARNESS:MODEL, PUBLISHED:MODEL (a published configuration), package.module:Class, or a TOML file.
    `offered` settings are taken where the judge has them (a command's --base-url). Raises UsageError that names what
    is wrong.
    """
    if spec.endswith(".toml"):
        return _of_file(Path(spec), {}, offered or {})
    kind, _, rest = spec.partition(":")
    model = {"model": rest} if rest else {}
    if kind in published():
        return _of_file(published()[kind], model, offered or {})
    if _is(kind, "judges"):
        return _construct(implementation("judges", kind), model, offered or {}, spec)
    if _is(kind, "harnesses"):
        return _construct(implementation("judges", AGENTIC), {"harness": kind} | model, offered or {}, spec)
    if rest and rest.isidentifier():
        return _construct(_users_class(kind, rest), {}, offered or {}, spec)
    raise UsageError(
        f"unknown judge {spec!r}; known kinds: {', '.join(names('judges'))}; known harnesses: "
        f"{', '.join(names('harnesses'))}; a published configuration, package.module:Class, or a .toml file"
    )


def _is(name: str, room: str) -> bool:
    return name.replace("-", "_") in names(room)


def _of_file(path: Path, more: Mapping[str, Any], offered: Mapping[str, Any]) -> Any:
    file = read_judge_file(path)
    kind, settings = file.kind, {**file.settings, **more}
    if "model" in file.to_fill_in({**more, **offered}):
        raise UsageError(
            f"{path.stem} is published without its model's id: name yours, {path.stem}:MODEL, or add model to the file"
        )
    if _is(kind, "harnesses"):
        kind, settings = AGENTIC, {"harness": kind} | settings
    judge = _construct(implementation("judges", kind), settings, offered, str(path))
    if isinstance(judge, Judge):
        judge.see_from(path.parent)
    return judge


def judge_class(spec: str) -> type:
    """Return the class that makes the judge `spec` names, not a file. Raises UsageError where there is none."""
    kind, _, rest = spec.partition(":")
    if _is(kind, "harnesses"):
        kind = AGENTIC
    is_ours = _is(kind, "judges") or not rest.isidentifier()
    return implementation("judges", kind) if is_ours else _users_class(kind, rest)


def _users_class(module: str, name: str) -> type:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # a user's module beside the command is what they mean
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError as error:
        raise UsageError(
            f"cannot import {module!r} for judge {module}:{name}: {error}{_where(module, error)}"
        ) from error
    if not inspect.isclass(found) or not callable(getattr(found, "judge", None)):
        raise UsageError(f"{module} has no class {name!r} with a method judge(case)")
    return found


def _where(module: str, error: ImportError) -> str:
    """Say where the user's module was looked for, where it is that module and not one it imports that is missing."""
    if not isinstance(error, ModuleNotFoundError) or error.name not in (module, module.partition(".")[0]):
        return ""
    return f". Modules are looked for in this folder ({Path.cwd()}), in PYTHONPATH, and among installed packages"


def _construct(cls: type, settings: Mapping[str, Any], offered: Mapping[str, Any], spec: str) -> Any:
    known = cls.model_fields if issubclass(cls, Judge) else {}
    taken = {key: value for key, value in offered.items() if key in known and value is not None}
    try:
        return cls(**{**settings, **taken})
    except ValidationError as error:
        lines = "; ".join(_fault(fault, tuple(known), spec) for fault in error.errors())
        raise UsageError(f"judge {spec}: {lines} (settings: {', '.join(known) or 'none'})") from error
    except TypeError as error:
        raise UsageError(f"judge {spec} cannot be made with {', '.join(settings) or 'no settings'}: {error}") from error


def _fault(fault: Mapping[str, Any], known: tuple[str, ...], spec: str) -> str:
    """Say what is wrong with one setting and what would be right."""
    name = ".".join(map(str, fault["loc"]))
    if fault["type"] == "missing" and name == "model" and ":" not in spec and not spec.endswith(".toml"):
        return f"name its model: {spec}:MODEL"
    if fault["type"] == "missing":
        return f"{name} must be set"
    if fault["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, known, n=1)
        return f"there is no setting {name}" + (f"; did you mean {near[0]}?" if near else "")
    return f"{name}: {fault['msg']}"
