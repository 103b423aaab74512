"""Every figure as CSV: one row per record, unrounded, and no text that a spreadsheet takes for a formula."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from agenthorizon.report.cells import spreadsheet


def records_to_csv(records: Sequence[dict[str, Any]]) -> str:
    """Write records under a line of their keys."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(records[0]) if records else ["judge"], lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: spreadsheet(v) if isinstance(v, str) else v for name, v in record.items()})
    return text.getvalue()
