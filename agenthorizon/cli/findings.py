"""Findings in lines: each for itself, or summed by kind."""

from collections.abc import Iterable, Sequence

from agenthorizon.cli import printable
from agenthorizon.errors import Finding
from agenthorizon.evidence.safe_text import safe_text

SHOWN = {"fault": 20, "leak": 20, "note": 2}
"""Findings of one code that are printed without --all."""


def finding_lines(kind: str, findings: Iterable[Finding], show_all: bool = False) -> list[str]:
    """Return one line per finding, those of one code together, no more than SHOWN of each unless all are wanted."""
    by_code: dict[str, list[str]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(safe_text(f"{kind}: {finding}", keep_newlines=False))
    lines = []
    for code, found in by_code.items():
        shown = len(found) if show_all else SHOWN[kind]
        lines += found[:shown]
        if len(found) > shown:
            lines.append(f"{kind}: … and {len(found) - shown} more of {code} (--all shows them)")
    return lines


def summed(warnings: Sequence[Finding], shown: int = 2) -> list[str]:
    """Return one line per kind of warning: how many, and the first of them."""
    kinds: dict[str, list[Finding]] = {}
    for warning in warnings:
        kinds.setdefault(warning.code, []).append(warning)
    lines = []
    for code, found in kinds.items():
        examples = "; ".join(printable(str(warning)) for warning in found[:shown])
        more = f"; … and {len(found) - shown} more" if len(found) > shown else ""
        lines.append(f"warning: {code} ×{len(found)}: {examples}{more}")
    return lines
