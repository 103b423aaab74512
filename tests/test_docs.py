"""The documents: the judge they teach works, and every output they show is what its command prints."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_judge_of_the_docs_runs_from_outside_the_package(tmp_path):
    text = (ROOT / "docs" / "judges.md").read_text("utf-8")
    (code,) = re.findall(r"<!-- tested: mine.py -->\n```python\n(.*?)```", text, re.S)
    (tmp_path / "mine.py").write_text(code)
    words = [sys.executable, "-m", "agenthorizon", "run", "demo", "--judge", "mine:LastWords"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "41 verdict" in done.stderr


def test_every_output_shown_is_what_its_command_prints():
    words = [sys.executable, str(ROOT / "scripts" / "docs.py"), "--check"]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
