"""Reads a run's config.json: checked once, here, so that whatever a hand changed in it is named and not stumbled over.

What is compared and hashed is the file's own content, so the checked record is not what is returned: keys that this
version does not know stay, and keys that are absent stay absent.
"""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agenthorizon.errors import DataError, Finding, UsageError
from agenthorizon.files.jsonlines import bad_json, parse_json
from agenthorizon.files.record_faults import record_faults
from agenthorizon.files.regular_file import read_regular
from agenthorizon.outcome import MOST_REPEATS
from agenthorizon.prices import Prices

CONFIG = "config.json"

_Side = Annotated[int, Field(ge=1)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow")


class _Data(_Part):
    name: str
    form: str | None = None
    fingerprint: str | None = None


class _Judge(_Part):
    name: str
    class_: str = Field("", alias="class")
    settings: dict[str, Any] = Field(default_factory=dict)
    facts: dict[str, Any] = Field(default_factory=dict)


class _Prompt(_Part):
    name: str | None = None
    sha256: str | None = None


class _View(_Part):
    fit: Annotated[list[_Side], Field(min_length=2, max_length=2)] | None = None


class _Ablation(_Part):
    model_config = ConfigDict(strict=True, extra="forbid")

    without: list[str] = Field(default_factory=list)
    only: str | None = None
    drop_duplicates: bool = False


class _Evidence(_Part):
    view: _View | None = None
    ablation: _Ablation = _Ablation()


class _Remake(_Part):
    name: str | None = None
    settings: dict[str, Any] = Field(default_factory=dict)


class _Config(_Part):
    """What this package reads of a config.json; `running.config.describe` writes it."""

    data: _Data
    judge: _Judge
    prompt: _Prompt = _Prompt()
    evidence: _Evidence = _Evidence()
    reask: int = Field(0, ge=0)
    reader: int | None = None
    protocol: str = ""
    location: str = ""
    remake: _Remake = _Remake()
    versions: dict[str, str] = Field(default_factory=dict)
    asked: list[str] = Field(default_factory=list)
    repeats: int = Field(1, ge=1, le=MOST_REPEATS)
    repeats_by_task: dict[str, Annotated[int, Field(ge=1, le=MOST_REPEATS)]] | None = None
    prices: Prices | None = None
    id: str | None = None


def read_config(folder: Path) -> dict[str, Any]:
    """Return what the config.json of a run folder says.

    Raises UsageError where there is none, DataError with every key of it that cannot be used.
    """
    path = folder / CONFIG
    if not path.exists():
        if folder.is_file():
            raise UsageError(f"{folder} is a file, not a run folder; {folder.parent}/*/ names folders alone")
        raise UsageError(f"{folder} is not a run folder: it has no {CONFIG}")
    try:
        config = parse_json(read_regular(path))
        _Config.model_validate(config)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        faults = [
            Finding("bad_config", CONFIG, fields=(fault.key,) if fault.key else (), detail=fault.detail)
            for fault in record_faults(error)
        ]
        raise DataError(f"{path} is not the config of a run", faults) from error
    except ValueError as error:
        raise DataError(f"{path} is not the config of a run", [bad_json(CONFIG, error)]) from error
    return dict(config)
