"""Hashes the code that a user's judge is made of: its module's file, and their own modules that it imports.

What the standard library and installed packages hold is not looked at: their versions are the environment's business.
"""

import ast
import hashlib
import inspect
import sys
from collections.abc import Iterator
from importlib.util import find_spec, resolve_name
from pathlib import Path

UNKNOWN = "unknown"
_OTHERS = sys.stdlib_module_names | {"agenthorizon"}
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def code_hash(cls: type) -> str:
    """Return a hash of all the code of the user's own that a class can use, 16 hexadecimal digits.

    Of a class that stands in no file (a notebook, a prompt) that of its own text alone; UNKNOWN where there is none.
    """
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    sources = _sources(cls.__module__, Path(file)) if file else {}
    if not sources:
        try:
            sources = {cls.__module__: inspect.getsource(cls)}
        except (OSError, TypeError):
            return UNKNOWN
    if len(sources) == 1:
        (text,) = sources.values()
    else:
        text = "".join(f"{name} {len(source)}\n{source}" for name, source in sorted(sources.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_own(module: str, file: str) -> bool:
    """Whether a module, by its name and file, is the user's own code: neither ours, nor Python's, nor installed."""
    is_frozen = file.startswith("<frozen")
    return not (is_frozen or module.partition(".")[0] in _OTHERS or _INSTALLED.intersection(Path(file).parts))


def _sources(module: str, file: Path) -> dict[str, str]:
    """Return the source of a module and of every own one it leads to, by name."""
    package = module.partition(".")[0]
    found: dict[str, str] = {}
    waiting = {module: file}
    while waiting:
        name, path = waiting.popitem()
        try:
            found[name] = path.read_text(encoding="utf-8")
            imported = list(_imported(name, path, found[name]))
        except (OSError, ValueError, SyntaxError):  # compiled, or not UTF-8: no source to go by
            continue
        waiting |= {one: origin for one in imported if one not in found and (origin := _own_file(one, package))}
    return found


def _imported(module: str, path: Path, source: str) -> Iterator[str]:
    """Yield the names of what a module imports, inside functions too; some may be no modules."""
    parent = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            if node.level and not parent:
                continue
            base = resolve_name(name, parent)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names if alias.name != "*")


def _own_file(name: str, package: str) -> Path | None:
    """Return the file of a module that is the user's own or of the same `package`; None for any other."""
    top = name.partition(".")[0]
    if top in _OTHERS:
        return None
    # The outermost name first: finding an inner one imports what it stands in, which may be large and not theirs.
    parts = [top, name] if name != top else [top]
    for part in parts:
        path = _file(part)
        if path is None or (top != package and _INSTALLED.intersection(path.parts)):
            return None
    return path


def _file(name: str) -> Path | None:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None:
        return None
    if spec.origin and spec.has_location:
        return Path(spec.origin)
    places = list(spec.submodule_search_locations or ())  # a package without __init__.py: its folder
    return Path(places[0]) if places else None
