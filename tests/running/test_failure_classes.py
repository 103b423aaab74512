"""What a class of failures means stands in one table: whatever raises one, and the documents, say the same."""

import ast
import re
from pathlib import Path

import pytest

from agenthorizon.errors import MalformedVerdict, RunStopped, UsageError
from agenthorizon.isolation import settling
from agenthorizon.running.chosen_classes import refuse_unknown_classes
from agenthorizon.running.complaints import SAID
from agenthorizon.running.failure_classes import (
    CLASSES,
    FINAL,
    MEANINGS,
    STOPPING,
    STOPS_A_JUDGE,
)
from agenthorizon.running.failures import failure
from agenthorizon.verdict import MALFORMED_CODES, read_verdict

ROOT = Path(__file__).parents[2]
RUNS = (ROOT / "docs" / "runs.md").read_text("utf-8")
NAMES = re.compile(r"`(\w+)`")


def raised():
    """Yield class and `passing` of every JudgeFailure whose class stands in the code, and where that is."""
    for room in ("agenthorizon", "judges", "harnesses"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "JudgeFailure"):
                    continue
                passing = next(word.value for word in node.keywords if word.arg == "passing")
                if isinstance(node.args[0], ast.Constant) and isinstance(passing, ast.Constant):
                    yield f"{path.name}:{node.lineno}", node.args[0].value, passing.value


def rows():
    """Yield the classes of each row of the documents' table, and what it says of asking again."""
    for line in RUNS.partition("## Failures")[2].partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and NAMES.findall(cells[1]):
            yield NAMES.findall(cells[1]), cells[2]


def test_a_failure_that_is_raised_is_passing_where_the_table_says_so():
    found = {(place, kind, passing) for place, kind, passing in raised()}
    assert {"no_pick", "repacked", "evidence", "cut"} <= {kind for _, kind, _ in found}
    assert {each for each in found if each[1] not in CLASSES or each[2] is (each[1] in FINAL)} == set()


def test_the_ends_of_an_agent_s_run_are_passing_where_the_table_says_so():
    assert {kind: passing for kind, passing in settling._CODES.values() if passing is (kind in FINAL)} == {}


class StatusError(Exception):
    def __init__(self, status, body):
        super().__init__(body)
        self.status_code, self.body = status, body


def test_every_status_and_every_word_comes_to_a_known_class_or_stops_the_judge():
    ends = set()
    for status in range(300, 600):
        try:
            ends.add(failure(StatusError(status, "something")).code)
        except RunStopped as reason:
            ends.add(reason.code)
    assert {"rate_limited", "overloaded", "server", "too_large", "bad_request", "key"} <= ends
    assert ends | SAID <= CLASSES | STOPPING.keys()
    assert not CLASSES & STOPPING.keys()


@pytest.mark.parametrize("kind", sorted(CLASSES | MALFORMED_CODES))
def test_every_class_can_be_named_to_be_asked_again_before_any_outcome_has_it(kind):
    refuse_unknown_classes("retry", [kind], [])
    with pytest.raises(UsageError, match=f"{kind}x"):
        refuse_unknown_classes("retry", [f"{kind}x"], [])


def test_every_rule_that_a_reply_may_break_is_broken_by_one():
    replies = [
        "", "[]", "no idea", '{"a": 1}', '{"success": 1}', '{"success": true, "success": false}',
        '[{"success": true}] as said', '{"success": tru', "[" * 100_000,
    ]  # fmt: skip
    broken = set()
    for reply in replies:
        with pytest.raises(MalformedVerdict) as caught:
            read_verdict(reply)
        broken.add(caught.value.code)
    assert broken == MALFORMED_CODES


def test_the_documents_name_every_class_once_with_when_it_is_asked_again():
    said = {kind: again for kinds, again in rows() for kind in kinds}
    assert sorted(kind for kinds, _ in rows() for kind in kinds) == sorted(CLASSES)
    assert {kind: again for kind, again in said.items() if not again.startswith(MEANINGS[kind].again)} == {}


def test_the_documents_name_the_classes_that_stop_a_judge():
    (listed,) = re.findall(r"first five tasks all end in one of\n(.*?) \(", RUNS, re.S)
    assert set(NAMES.findall(listed)) == STOPS_A_JUDGE
