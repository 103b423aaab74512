"""Re-makes the command outputs shown in README.md and docs/, or checks that they are what the commands print now.

    python scripts/docs.py            re-make
    python scripts/docs.py --check    exit 1 naming every stale block

An output stands between `<!-- output of: COMMAND -->` and `<!-- end of output -->`, in a fence or as it is. The
commands of one file run in order in one empty folder, so that a later one sees what an earlier one left; `*` in a word
names what is there, and a file of the project is named from its root. What goes to stderr (progress, warnings) is not
shown. `<!-- run: COMMAND -->` shows nothing.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = re.compile(
    r"<!-- run: (?P<silent>[^\n]+?) -->"
    r"|<!-- output of: (?P<command>.+?) -->\n+(?P<fence>```\w*\n)?(?P<shown>.*?)(?:\n```)?\n*<!-- end of output -->",
    re.DOTALL,
)


def main() -> None:
    """Re-make or check every file."""
    check = sys.argv[1:] == ["--check"]
    stale = [message for path in documents() for message in remake(path, check)]
    print("\n".join(stale) if stale else "every output shown is what its command prints")
    sys.exit(1 if stale and check else 0)


def documents() -> list[Path]:
    """Return the files that may show outputs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def remake(path: Path, check: bool) -> list[str]:
    """Run a file's commands; return what was stale. Without `check` the file is rewritten."""
    stale: list[str] = []
    with tempfile.TemporaryDirectory() as folder:

        def replaced(found: re.Match[str]) -> str:
            if found["silent"]:
                printed(found["silent"], Path(folder))
                return found[0]
            shown = printed(found["command"], Path(folder)).strip()
            if shown != found["shown"].strip():
                stale.append(f"{path.relative_to(ROOT)}: stale output of `{found['command']}`")
            fence = found["fence"] or ""
            body = f"{fence}{shown}\n```" if fence else shown
            return f"<!-- output of: {found['command']} -->\n\n{body}\n\n<!-- end of output -->"

        text = path.read_text("utf-8")
        made = OUTPUT.sub(replaced, text)
    if not check and made != text:
        path.write_text(made, "utf-8")
    return stale


def printed(command: str, folder: Path) -> str:
    """Return what a command prints on stdout. It may fail (some outputs show failures), but not in silence."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "100"}
    words = [name for word in shlex.split(command) for name in _expanded(word, folder)]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        raise SystemExit(f"`{command}` printed nothing:\n{done.stderr}")
    return done.stdout


def _expanded(word: str, folder: Path) -> list[str]:
    if (ROOT / word).is_file():
        return [str(ROOT / word)]
    names = sorted(str(path.relative_to(folder)) for path in folder.glob(word)) if "*" in word else []
    return names or [word]


if __name__ == "__main__":
    main()
