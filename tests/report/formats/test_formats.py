"""Every export format: figures as scored, hostile names as text, and readers that read them."""

import io
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pandas
import pytest
from typer.testing import CliRunner

from agenthorizon.cli.app import app
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.errors import UsageError
from agenthorizon.report.leaderboard_table import leaderboard_table
from agenthorizon.report.tabled import FORMATS
from agenthorizon.scoring.answers import Answer, Answers
from agenthorizon.scoring.scorecard import Conditions, score

LABELS = Labels(
    {"AH": [Label(trajectory_id=f"{label}{n}", label=label) for label in ("positive", "negative") for n in range(4)]}
)
HOSTILE = "a|b <script>alert(1)</script> \\input{/etc/passwd} $x_1^2$ 50% #& ~ é 漢 Þ “q” {\n=1"


def card(judge, right=4):
    by_id = {f"positive{n}": Answer("verdict", n < right) for n in range(4)}
    given = Conditions(data="demo", form="three-split", protocol=HOSTILE)
    return score(Answers(judge, "run", by_id), LABELS, conditions=given)


CARDS = [card("b", 2), card("a", 3), card(HOSTILE, 1)]
BOARD = leaderboard_table(CARDS)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)

    def handle_data(self, data):
        self.text += data


def test_html_shows_hostile_names_as_text():
    tags = Tags()
    tags.feed(BOARD.written("html", None))
    assert "script" not in tags.seen
    assert "<script>alert(1)</script>" in tags.text


def test_the_best_of_a_column_is_bold_and_only_that():
    text = BOARD.written("latex", ["judge", "tpr"])
    assert re.findall(r"\\textbf\{(.*?)\}", text) == ["75.0"]


def test_columns_come_as_chosen():
    assert "| TNR | Judge | F1 |" in BOARD.written("md", ["tnr", "judge", "f1"])
    assert BOARD.written("csv", ["judge", "tpr"]).splitlines()[:2] == ["split,judge,tpr", "AH,a,0.75"]
    assert "| Judge | TPR |" in BOARD.written("md", ["judge", "tpr"])


@pytest.mark.parametrize("form", FORMATS)
def test_an_unknown_column_is_named_with_those_there_are(form):
    with pytest.raises(UsageError, match=r"unknown column speed; there are .*tpr"):
        BOARD.written(form, ["judge", "speed"])


def test_judges_that_cannot_be_told_apart_share_a_mark():
    text = BOARD.written("latex", ["judge"])
    assert re.findall(r"\\textsuperscript\{(.*?)\}", text) == ["a"] * len(CARDS)


def test_a_rank_stands_beside_the_split_it_is_of_and_no_other():
    labels = Labels({"AH": LABELS.splits["AH"], "AH-S": [Label(trajectory_id="s", label="positive")]})
    one = score(Answers("one", "run", {"positive0": Answer("verdict", True)}), labels)
    text = leaderboard_table([one]).written("md", ["rank", "judge"])
    assert re.findall(r"^\| .*Judge \|$", text, re.MULTILINE) == ["| Rank | Judge |", "| Judge |"]


@pytest.mark.parametrize("form", FORMATS)
def test_the_command_line_offers_every_format(form):
    assert f"'{form}'" in CliRunner().invoke(app, ["export", "run", "--format", "none"]).output


def test_parquet_reads_back_equal():
    records = BOARD.records
    read = pandas.read_parquet(io.BytesIO(BOARD.written("parquet", None)))
    pandas.testing.assert_frame_equal(read, pandas.DataFrame.from_records(records), check_dtype=False)
    assert read["judge"].tolist()[-1] == HOSTILE


def test_latex_needs_nothing_that_a_name_brings():
    text = BOARD.written("latex", None)
    assert r"\input" not in text
    assert r"\textbackslash{}input\{/etc/passwd\}" in text


TRICKY = ["[a]yes", "*b", "no--x", "what?`", "<<a>>", "''b", "[c", "!`---"]
"""Names that LaTeX would read as options after a row's end, or draw with fewer signs."""


def test_latex_takes_no_name_for_an_option_or_a_ligature():
    text = leaderboard_table([card(name) for name in TRICKY]).written("latex", ["judge", "tpr"])
    starts = re.findall(r"(?:\\\\|rule)\n(.)", text)
    assert len(starts) > len(TRICKY)
    assert not {"[", "*"} & set(starts)
    assert "no-{}-x" in text
    assert "what?{}`" in text
    assert not re.search(r"no--x|\?`", text)


@pytest.mark.outside
@pytest.mark.parametrize("cards", [CARDS, [card(name) for name in TRICKY]], ids=["hostile", "tricky"])
def test_latex_compiles_as_it_is(cards, tmp_path):
    columns = ["rank", "judge", "tpr", "mcc", "missing", "protocol"]
    (tmp_path / "judges.tex").write_text(leaderboard_table(cards).written("latex", ["judge"]))
    compiler = shutil.which("pdflatex")
    assert compiler, "texlive-latex-recommended"
    (tmp_path / "table.tex").write_text(leaderboard_table(cards).written("latex", columns))
    for name in ("judges", "table"):
        words = [compiler, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", f"{name}.tex"]
        done = subprocess.run(
            words, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout[-2000:]
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")
        assert "Missing character" not in done.stdout
