"""Records as Parquet: one row per record, unrounded, typed."""

import io
from collections.abc import Sequence
from typing import Any


def records_to_parquet(records: Sequence[dict[str, Any]]) -> bytes:
    """Write records; a column that is empty throughout is one of nulls."""
    from pandas import DataFrame

    buffer = io.BytesIO()
    DataFrame.from_records(records).to_parquet(buffer, index=False)
    return buffer.getvalue()
