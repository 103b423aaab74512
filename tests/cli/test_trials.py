"""What a trial says reaches the terminal without control codes, and its exit code says whether all is well."""

import pytest
import typer

from agenthorizon.cli.trials import say_tried
from agenthorizon.running.tried import Tried


def test_a_failure_is_marked_and_loses_control_codes(capsys):
    with pytest.raises(typer.Exit) as ended:
        say_tried([Tried(True, "started"), Tried(False, "said \x1b]0;mine\x07 and stopped")])
    assert ended.value.exit_code == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == "ok   started"
    assert second.startswith("FAIL said ")
    assert second.isprintable()


def test_all_well_exits_with_0(capsys):
    with pytest.raises(typer.Exit) as ended:
        say_tried([Tried(True, "started")])
    assert ended.value.exit_code == 0
