"""The documents: the judge they teach works, and every output they show is what its command prints."""

import os
import re
import subprocess
import sys
from pathlib import Path

from agenthorizon.running.store import read_run

ROOT = Path(__file__).parents[1]


def test_the_judge_of_the_docs_runs_from_outside_the_package(tmp_path):
    text = (ROOT / "docs" / "judges.md").read_text("utf-8")
    (code,) = re.findall(r"<!-- tested: mine.py -->\n```python\n(.*?)```", text, re.S)
    (settings,) = re.findall(r"<!-- tested: strict.toml -->\n```toml\n(.*?)```", text, re.S)
    (tmp_path / "mine.py").write_text(code)
    (tmp_path / "strict.toml").write_text(settings)
    words = [sys.executable, "-m", "agenthorizon", "run", "demo", "--judge", "mine:LastWords", "--judge", "strict.toml"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("41 verdict") == 2
    assert [read_run(tmp_path / each).config["judge"]["settings"] for each in done.stdout.split()] == [
        {"case_sensitive": False},
        {"case_sensitive": True},
    ]


def test_every_output_shown_is_what_its_command_prints():
    words = [sys.executable, str(ROOT / "scripts" / "docs.py"), "--check"]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
