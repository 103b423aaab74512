"""The terminal: vim in xterm."""

from pathlib import Path
from typing import Any

from desk import Desk
from scenario import CRITICAL, Scenario, Side

SERVICE = """\
# Mail gateway
[gateway]
host = 127.0.0.1
retries = 30
pause = 30
timeout = 30
queue = 200
log_level = info
"""

TERMINAL = ["xterm", "-T", "Terminal", "-fa", "DejaVu Sans Mono", "-fs", "13", "-e"]
SHELL = ["env", "PS1=alex@desk:~$ ", "HISTFILE=", "bash", "--norc", "--noprofile", "-i"]


class Setting(Scenario):
    """One of several settings with equal values is changed in vim."""

    name = "vim_setting"
    category = "Development"
    applications = ("xterm", "Vim")
    differs = "which of two lines with the value 30 is changed: one more key press down"
    a = Side(
        instruction="In the terminal open Documents/gateway.conf with vim.tiny, set pause to 45, keep every other "
        "setting, save, leave vim and clear the terminal.",
        choice=4,
        artefact={"retries": "30", "pause": "45", "timeout": "30"},
        mistake=CRITICAL,
        because="another setting was changed; the one that was asked for has its old value",
    )
    b = Side(
        instruction="In the terminal open Documents/gateway.conf with vim.tiny, set timeout to 45, keep every other "
        "setting, save, leave vim and clear the terminal.",
        choice=5,
        artefact={"retries": "30", "pause": "30", "timeout": "45"},
        mistake=CRITICAL,
        because="another setting was changed; the one that was asked for has its old value",
    )

    def prepare(self, home: Path) -> None:
        """Write the settings."""
        (home / "Documents/gateway.conf").write_text(SERVICE, "utf-8")

    def perform(self, desk: Desk, choice: int) -> None:
        """Go down to the line, change the number, save."""
        desk.open([*TERMINAL, *SHELL], "Terminal")
        hands = desk.hands
        hands.type("cd ~/Documents")
        hands.press("enter")
        hands.type("vim.tiny gateway.conf")
        hands.press("enter")
        hands.type("gg")
        for _ in range(choice):
            hands.press("down")
        hands.type("$")
        hands.type("ciw")
        hands.type("45")
        hands.press("esc")
        hands.type("gg")
        hands.type(":wq")
        hands.press("enter")
        hands.type("clear")
        hands.press("enter")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read the three settings that are alike."""
        lines = (home / "Documents/gateway.conf").read_text("utf-8").splitlines()
        values = dict(line.split(" = ") for line in lines if " = " in line)
        return {key: values[key] for key in ("retries", "pause", "timeout")}


SCENARIOS = (Setting,)
