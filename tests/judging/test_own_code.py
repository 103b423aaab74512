"""What of a user's own code decides whether a run is the same one: all of it that the judge's class can use."""

import importlib
import subprocess
import sys

import pytest

from agenthorizon.judging.own_code import UNKNOWN, code_hash

JUDGE = """
import json
from os.path import join
{imports}
THRESHOLD = {threshold}

class Mine:
    def judge(self, case):
        return json.dumps({{"success": THRESHOLD > 1, "reasoning": "x"}})
"""


def hash_of(folder, files, monkeypatch):
    """Write modules and return the hash of Mine in `strictly`, as a new process would have it."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    tops = {name.partition("/")[0].removesuffix(".py") for name in files}
    for name in [each for each in sys.modules if each.partition(".")[0] in tops]:
        monkeypatch.delitem(sys.modules, name)
    if str(folder) not in sys.path:
        monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    return code_hash(importlib.import_module("strictly").Mine)


@pytest.fixture
def hashed(tmp_path, monkeypatch):
    yield lambda **files: hash_of(tmp_path, {"strictly.py": JUDGE.format(imports="", threshold=1)} | files, monkeypatch)
    for name in ("strictly", "ownhelp", "ownpack", "ownpack.deep", "ownpack.wide"):
        sys.modules.pop(name, None)


def test_a_constant_of_its_module_is_part_of_a_judge(hashed):
    before = hashed()
    assert before == hashed()
    assert before != hashed(**{"strictly.py": JUDGE.format(imports="", threshold=2)})


@pytest.mark.parametrize("imports", ["import ownhelp", "from ownhelp import f", "def g():\n    import ownhelp"])
def test_a_module_of_the_user_s_that_it_imports_is_part_of_it(hashed, imports):
    files = {"strictly.py": JUDGE.format(imports=imports, threshold=1), "ownhelp.py": "f = 1\n"}
    before = hashed(**files)
    assert before == hashed(**files)
    assert before != hashed(**files | {"ownhelp.py": "f = 2\n"})


def test_modules_of_a_package_are_followed_from_one_to_the_next(hashed):
    files = {
        "strictly.py": JUDGE.format(imports="from ownpack import deep", threshold=1),
        "ownpack/__init__.py": "",
        "ownpack/deep.py": "from . import wide\nfrom .wide import a\n",
        "ownpack/wide.py": "from ownpack import deep\na = 1\n",
    }
    before = hashed(**files)
    assert before != hashed(**files | {"ownpack/wide.py": "from ownpack import deep\na = 2\n"})
    assert before != hashed(**files | {"ownpack/__init__.py": "b = 1\n"})


def test_a_module_beside_it_that_it_does_not_import_is_no_part_of_it(hashed):
    before = hashed(**{"ownhelp.py": "f = 1\n"})
    assert before == hashed(**{"ownhelp.py": "f = 2\n"})


def test_where_the_folder_lies_is_no_part_of_it(tmp_path, monkeypatch):
    files = {"strictly.py": JUDGE.format(imports="import ownhelp", threshold=1), "ownhelp.py": "f = 1\n"}
    with monkeypatch.context() as here:
        first = hash_of(tmp_path / "a", files, here)
    with monkeypatch.context() as there:
        assert first == hash_of(tmp_path / "b", files, there)
    for name in ("strictly", "ownhelp"):
        sys.modules.pop(name, None)


def test_an_installed_package_is_not_read(hashed, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    files = {
        "strictly.py": JUDGE.format(imports="import ownhelp", threshold=1),
        "site-packages/ownhelp.py": "f = 1\n",
    }
    before = hashed(**files)
    assert before == hashed(**files | {"site-packages/ownhelp.py": "f = 2\n"})


def test_a_class_of_a_script_has_the_hash_of_the_script(tmp_path):
    script = "from agenthorizon.judging.own_code import code_hash\nN = {}\nclass Mine: pass\nprint(code_hash(Mine))\n"
    said = []
    for number in (1, 1, 2):
        (tmp_path / "mine.py").write_text(script.format(number))
        done = subprocess.run([sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
        said.append(done.stdout)
    assert said[0] == said[1] != said[2]


def test_a_class_that_stands_in_no_file_has_the_hash_of_its_text_or_none():
    typed = type("Typed", (), {"__module__": "__typed__"})
    assert code_hash(typed) == UNKNOWN
