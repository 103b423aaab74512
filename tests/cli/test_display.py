"""What a run shows while it goes on."""

import re
from pathlib import Path

from agenthorizon.cli.display import Display
from agenthorizon.outcome import Outcome


def test_two_judges_of_one_name_are_counted_apart(capsys):
    one, two = Path("runs/demo.mine.11111111"), Path("runs/demo.mine.22222222")
    outcome = Outcome(task_id="A", status="verdict", verdict={"success": True, "reasoning": "x"})
    with Display() as display:
        display.opened("mine", one, 0, 3)
        display.opened("mine", two, 1, 2)
        for folder in (one, one, two):
            display.wrote(folder, outcome, last=True)
    told = capsys.readouterr().err
    assert str(one) in told
    assert re.findall(r"^mine: (\d) asked: (\d) verdict", told, flags=re.MULTILINE) == [("2", "2"), ("1", "1")]
