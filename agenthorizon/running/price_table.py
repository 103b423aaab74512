"""Prices that come with litellm, read from the file inside its package: nothing is fetched, nothing imported.

An entry: "gpt-x": {"input_cost_per_token": 2e-06, "output_cost_per_token": 8e-06, "cache_read_input_token_cost": 5e-07}
"""

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.prices import BEYOND_ANY_PRICE, MILLION, Prices

_FILE = "model_prices_and_context_window_backup.json"
_FIELDS = {
    "input": "input_cost_per_token",
    "output": "output_cost_per_token",
    "cached_read": "cache_read_input_token_cost",
    "cached_write": "cache_creation_input_token_cost",
    "reasoning": "output_cost_per_reasoning_token",
}
_PREFIXES = {"openrouter.ai": "openrouter/"}


def prices_of(judge: Any) -> Prices | None:
    """Return what a judge's tokens cost: as its settings say, else by the table; None where neither knows."""
    traits = traits_of(judge)
    if traits.dearest is not None:
        return traits.dearest
    return None if traits.model is None or not traits.asks_one_model else table_price(traits.model, traits.base_url)


def table_price(model: str, base_url: str | None = None) -> Prices | None:
    """Return a model's prices by the table, or None; a relay's own prices where the table has them."""
    host = urlsplit(base_url or "").hostname or ""
    entry = _table().get(f"{_PREFIXES.get(host, '')}{model}")
    if not isinstance(entry, dict):
        return None
    found = {name: entry[key] * MILLION for name, key in _FIELDS.items() if _is_price(entry.get(key))}
    return Prices(**found) if {"input", "output"} <= found.keys() else None


@cache
def _table() -> dict[str, Any]:
    spec = importlib.util.find_spec("litellm")
    if spec is None or not spec.submodule_search_locations:
        return {}
    for folder in spec.submodule_search_locations:
        path = Path(folder) / _FILE
        if path.is_file():
            return dict(json.loads(path.read_bytes()))
    return {}


def _is_price(value: Any) -> bool:
    """Whether an entry can be what one token costs, in US dollars."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value * MILLION < BEYOND_ANY_PRICE
