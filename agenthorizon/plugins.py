"""Finds implementations by name: the file's name is the name, and other packages add theirs by entry points.

The core never imports an adapter; it looks here. A file whose name begins with an underscore is not an adapter.
"""

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

from agenthorizon.errors import BrokenPlugin, UsageError, did_you_mean
from agenthorizon.judge import Judge
from agenthorizon.judging.judge_files import published, read_judge_file

_ABSENT = object()
AGENTIC = "agentic"
"""The kind of judge that a harness is run by."""
OWN_AGENT = "command"
"""The harness that runs an agent of the user's own, and its one required setting."""


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
    named, name = name, name.replace("-", "_")
    if name not in names(room):
        near = did_you_mean(name, names(room))
        raise UsageError(f"unknown name {named!r} in {room}{near or ';'} known: {', '.join(names(room))}")
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
    raise _unknown(f"judge {spec!r}", kind)


def _names_of_judges() -> list[str]:
    return [*names("judges"), *names("harnesses"), *published()]


def _unknown(what: str, name: str) -> UsageError:
    """Return the error for a name that is no kind of judge, with all that could be meant."""
    near = did_you_mean(name, _names_of_judges())
    return UsageError(
        f"unknown {what}{near or ';'} known kinds: {', '.join(names('judges'))}; known harnesses: "
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
    judge = _construct(_class_of(kind, path), settings, offered, str(path))
    if isinstance(judge, Judge):
        judge.see_from(path.parent)
    return judge


def _class_of(kind: str, path: Path) -> type:
    """Return the class that a judge file's kind names: one of ours, of another package, or a user's module:Class."""
    module, _, name = kind.partition(":")
    if name.isidentifier():
        return _users_class(module, name)
    if not _is(kind, "judges"):
        raise _unknown(f"kind {kind!r} in {path}", kind)
    found: type = implementation("judges", kind)
    return found


def judge_class(spec: str) -> type:
    """Return the class that makes the judge `spec` names, not a file. Raises UsageError where there is none."""
    kind, _, rest = spec.partition(":")
    if _is(kind, "harnesses"):
        kind = AGENTIC
    if _is(kind, "judges"):
        found: type = implementation("judges", kind)
        return found
    if rest.isidentifier():
        return _users_class(kind, rest)
    raise _unknown(f"judge {spec!r}", kind)


def look_beside_command() -> None:
    """Have modules be looked for in the working folder too: a user's module beside the command is what they mean."""
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))


def _users_class(module: str, name: str) -> type:
    look_beside_command()
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
    near = did_you_mean(module, _names_of_judges())
    places = f"this folder ({Path.cwd()}), in PYTHONPATH, and among installed packages"
    return f"{near or '.'} Modules are looked for in {places}"


def _construct(cls: type, settings: Mapping[str, Any], offered: Mapping[str, Any], spec: str) -> Any:
    if not issubclass(cls, Judge):
        return _plain(cls, settings, spec)
    known = cls.model_fields
    taken = {key: value for key, value in offered.items() if key in known and value is not None}
    try:
        return cls(**{**settings, **taken})
    except ValidationError as error:
        faults = error.errors()
        lines = "; ".join(_fault(fault, tuple(known), spec) for fault in faults)
        # A wrong value is said with what would be right; of a wrong name the right one may be any.
        is_of_names = any(fault["type"] in ("missing", "extra_forbidden") for fault in faults)
        names = f" (settings: {', '.join(known) or 'none'})" if is_of_names else ""
        raise UsageError(f"judge {spec}: {lines}{names}") from error
    except TypeError as error:
        raise UsageError(f"judge {spec} cannot be made with {', '.join(settings) or 'no settings'}: {error}") from error


def _plain(cls: type, settings: Mapping[str, Any], spec: str) -> Any:
    """Make a judge of a plain class, whose constructor takes its settings by name.

    Each must then be an attribute of that name and value: by these a run is told from another, and made again.
    """
    takes = inspect.signature(cls).parameters
    known = [name for name, each in takes.items() if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)]
    takes_any = any(each.kind is each.VAR_KEYWORD for each in takes.values())
    if unknown := [name for name in settings if name not in known and not takes_any]:
        lines = "; ".join(f"there is no setting {name}{did_you_mean(name, known)}" for name in unknown)
        raise UsageError(f"judge {spec}: {lines} (settings: {', '.join(known) or 'none'})")
    try:
        judge = cls(**settings)
    except (TypeError, ValueError) as error:
        raise UsageError(f"judge {spec} cannot be made with {', '.join(settings) or 'no settings'}: {error}") from error
    for name, value in settings.items():
        if getattr(judge, name, _ABSENT) != value:
            raise UsageError(
                f"judge {spec}: {cls.__name__} must keep its setting {name} as the attribute self.{name}, unchanged, "
                "so that a run can record it; or be a subclass of agenthorizon.Judge, whose fields are its settings"
            )
    return judge


def _fault(fault: Mapping[str, Any], known: tuple[str, ...], spec: str) -> str:
    """Say what is wrong with one setting and what would be right."""
    name = ".".join(map(str, fault["loc"]))
    if fault["type"] == "missing" and name == "model" and ":" not in spec and not spec.endswith(".toml"):
        return f"name its model: {spec}:MODEL"
    if fault["type"] == "missing" and name == OWN_AGENT:
        return f"an agent of your own is named by its TOML file, which holds its {name} (docs/agents.md)"
    if fault["type"] == "missing":
        return f"{name} must be set"
    if fault["type"] == "extra_forbidden":
        return f"there is no setting {name}{did_you_mean(name, known)}"
    return f"{name}: {fault['msg'].removeprefix('Value error, ')}"
