"""The built wheel, installed elsewhere, does the main job from any folder, with the extra and without it."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.outside  # installs from a package registry


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    shutil.rmtree(ROOT / "build", ignore_errors=True)  # what an earlier build left would be packed again
    words = [sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT]
    built = subprocess.run(words, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    (path,) = folder.glob("*.whl")
    return path


def test_every_file_of_the_packages_is_packed(wheel):
    rooms = {
        "agenthorizon": "agenthorizon",
        **{room: f"agenthorizon/{room}" for room in ("data", "harnesses", "judges")},
    }
    paths = {room: [path for path in (ROOT / room).rglob("*") if path.is_file()] for room in rooms}
    wanted = {
        f"{rooms[room]}/{path.relative_to(ROOT / room).as_posix()}"
        for room, found in paths.items()
        for path in found
        if "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as packed:
        assert wanted - set(packed.namelist()) == set()


def demo(wheel, folder, extra):
    """Install the wheel into a new environment and run the demo in an empty folder."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    binaries = folder / "venv" / "bin"
    install = [binaries / "python", "-m", "pip", "install", "--quiet", f"{wheel}{extra}"]
    subprocess.run(install, capture_output=True, check=True)
    (folder / "elsewhere").mkdir()
    words = [binaries / "agenthorizon", "demo"]
    return subprocess.run(words, cwd=folder / "elsewhere", capture_output=True, text=True, check=False)


def judges_of(done):
    return [line.split("|")[2].strip().replace("\\", "") for line in done.stdout.splitlines() if line.startswith("| ")][
        1:
    ]


def test_with_the_extra_four_judges_are_scored(wheel, tmp_path):
    done = demo(wheel, tmp_path, "[ocr]")
    assert done.returncode == 0, done.stderr
    assert sorted(set(judges_of(done)) - {"---"}) == ["always_no", "always_yes", "coin", "ocr"]
    runs = tmp_path / "elsewhere" / "demo-runs"
    assert (runs / "leaderboard.md").is_file()
    words = [tmp_path / "venv" / "bin" / "agenthorizon", "report", *runs.glob("demo.*"), "-o", tmp_path / "page"]
    subprocess.run([*words, "--images", "none"], capture_output=True, check=True)
    assert (tmp_path / "page" / "app" / "main.js").is_file()
    words = [tmp_path / "venv" / "bin" / "agenthorizon", "score", "--published", "--json"]
    printed = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert printed.returncode == 0, printed.stderr
    assert len(json.loads(printed.stdout)["runs"]) == 19


def test_without_the_extra_the_others_are_scored_and_it_is_named(wheel, tmp_path):
    done = demo(wheel, tmp_path, "")
    assert done.returncode == 0, done.stderr
    assert sorted(set(judges_of(done)) - {"---"}) == ["always_no", "always_yes", "coin"]
    assert "FILE.whl[ocr]" in done.stderr
