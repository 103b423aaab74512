"""Data in script files: nothing in it ends the script, and it comes out as it went in."""

import json
import shutil
import subprocess

import pytest

from agenthorizon.report.page.embedding import script


@pytest.mark.parametrize(
    "text", ["</script>", "<!--", "]]>", "&amp;", "a\u2028b\u2029c", '"; alert(1); "', "\\", "'\n`"]
)
def test_no_character_that_means_anything_to_html_or_ends_a_line_is_left(text):
    made = script("task", {"x": text, text: 1})
    assert not set("<>&\u2028\u2029") & set(made)
    assert made.count("\n") == 1


def test_what_is_read_back_is_what_was_written():
    value = {"__proto__": {"x": 1}, "text": "</script>\u2028 é 漢 😀", "n": [1, None, 0.25, True]}
    made = script("task", value)
    literals = json.loads("[" + made.removeprefix("AH.receive(").removesuffix(");\n") + "]")
    assert json.loads(literals[1]) == value


def test_half_a_surrogate_pair_does_not_keep_the_file_from_being_written():
    assert script("task", ["\ud800"]).encode() == b'AH.receive("task", "[\\"?\\"]");\n'


@pytest.mark.outside
def test_javascript_reads_it_back_too():
    value = {"__proto__": {"x": 1}, "text": "</script>\u2028'\"\\ é 漢 😀", "constructor": 1}
    node = shutil.which("node")
    assert node, "Node reads the file as a browser does"
    code = "globalThis.AH = {receive: (n, t) => process.stdout.write(JSON.stringify(JSON.parse(t)))};" + script(
        "x", value
    )
    done = subprocess.run([node, "-e", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == value
