"""The layers of the house: imports go down only, adapters are found and never imported, labels are out of reach."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {"judges": "agenthorizon.judges", "harnesses": "agenthorizon.harnesses", "data": "agenthorizon.data"}

# From the bottom up. A module may import its own layer and those below it.
LAYERS = [
    {"errors", "reply_braces", "surrogates"},
    {"files"},
    {"task", "usage", "verdict"},
    {"case", "prices"},
    {"judge"},
    {"dataset", "judging"},
    {"harness", "outcome", "plugins", "prompts", "source"},
    {"evidence", "importer", "importing"},
    {"isolation"},
    {"scripted"},
    {"scoring", "judges", "harnesses", "data"},
    {"running", "construction", "recording"},
    {"results"},
    {"report"},
    {"api"},
    {"cli", "__main__"},
]
ADAPTERS = {"judges", "harnesses", "data"}
JUDGES_SIDE = {"judges", "harnesses", "evidence", "isolation", "judge", "harness", "prompts"}
"""Rooms that a judge is made of; what these import, however far away, is followed."""

LONGEST_JUDGE = 200
"""Lines of a file of the judges: whoever writes the next kind reads one whole."""

ANSWERS = {
    "agenthorizon.api",
    "agenthorizon.dataset.bench",
    "agenthorizon.dataset.hf_dataset",
    "agenthorizon.dataset.label",
    "agenthorizon.dataset.labels",
    "agenthorizon.dataset.pair_link",
    "agenthorizon.dataset.pairs",
    "agenthorizon.dataset.survey",
    "agenthorizon.results",
    "agenthorizon.scoring",
    "agenthorizon.source",
}


def modules():
    for path in sorted(
        [*ROOT.glob("agenthorizon/**/*.py"), *(p for room in ROOMS for p in ROOT.glob(f"{room}/**/*.py"))]
    ):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(("agenthorizon", *parts) if parts[0] in ROOMS else parts).removesuffix(".__init__")
        yield name, path


def imports(path, package=""):
    """Every module of ours that a file names, at the top or inside a function; type-checking imports left out.

    `package` is what a relative import counts from.
    """
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("agenthorizon"))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            if module.split(".")[0] == "agenthorizon":
                yield from (f"{module}.{alias.name}" for alias in node.names)


def package_of(name, path):
    return name if path.name == "__init__.py" else name.rpartition(".")[0]


def offenders(files):
    """Yield the chain of imports from each module of JUDGES_SIDE to one that holds answers, if there is one."""
    named = {name: list(imports(path, package_of(name, path))) for name, path in files.items()}
    for start in (name for name in files if room(name) in JUDGES_SIDE):
        chains = [[start]]
        seen = {start}
        while chains:
            chain = chains.pop()
            if any(chain[-1] == answer or chain[-1].startswith(f"{answer}.") for answer in ANSWERS):
                yield chain
                break
            for other in named.get(chain[-1], []):
                # What is imported may be a module, or a name of one; its packages are imported with it.
                parts = other.split(".")
                for module in (".".join(parts[:end]) for end in range(2, len(parts) + 1)):
                    if module in files and module not in seen:
                        seen.add(module)
                        chains.append([*chain, module])


def room(name):
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def height(name):
    return next((level for level, layer in enumerate(LAYERS) if room(name) in layer), None)


MODULES = [pytest.param(name, path, id=name) for name, path in modules() if room(name)]


@pytest.mark.parametrize(("name", "path"), MODULES)
def test_every_module_has_a_layer(name, path):
    assert height(name) is not None, f"{name} is in no layer of this test"


@pytest.mark.parametrize(("name", "path"), MODULES)
def test_imports_go_down_only(name, path):
    found = [other for other in imports(path, package_of(name, path)) if room(other)]
    assert [other for other in found if height(other) is None] == []
    assert [other for other in found if height(other) > height(name)] == []


@pytest.mark.parametrize(("name", "path"), MODULES)
def test_no_module_imports_an_adapter(name, path):
    found = set(imports(path, package_of(name, path)))
    own_parts = {other for other in found if room(other) == room(name) and other.split(".")[2].startswith("_")}
    named = {other for other in found if room(other) in ADAPTERS} - own_parts
    assert named == set()


@pytest.mark.parametrize("path", sorted(ROOT.glob("judges/*.py")), ids=lambda path: path.stem)
def test_a_kind_of_judge_is_told_in_two_hundred_lines(path):
    assert len(path.read_text().splitlines()) <= LONGEST_JUDGE, "move an idea of its own into a file of its own"


def test_nothing_a_judge_can_reach_imports_labels_however_far_away():
    assert list(offenders({name: path for name, path in modules() if room(name)})) == []


@pytest.mark.parametrize(
    "text",
    [
        "from agenthorizon.dataset.label import Label",
        "from ..dataset.label import Label",
        "from ..dataset import label",
        "import agenthorizon.source",
        "def late():\n    from agenthorizon.api import score",
        "from agenthorizon.dataset.hf_dataset import to_dataset",
    ],
)
def test_a_planted_import_of_labels_is_found_behind_another_module(text, tmp_path):
    files = {name: path for name, path in modules() if room(name)}
    for name, source in {"planted": "from .between import x", "between": text}.items():
        (tmp_path / f"{name}.py").write_text(source)
        files[f"agenthorizon.evidence.{name}"] = tmp_path / f"{name}.py"
    found = [chain for chain in offenders(files) if chain[0] == "agenthorizon.evidence.planted"]
    assert len(found) == 1
    assert found[0][1] == "agenthorizon.evidence.between"


def test_importing_the_package_loads_no_heavy_library():
    import subprocess
    import sys

    heavy = "{'pandas', 'datasets', 'openai', 'sklearn', 'numpy', 'PIL', 'huggingface_hub', 'aiohttp'}"
    code = f"import sys, agenthorizon.cli.app; print(sorted({heavy} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
