"""`hub:OWNER/NAME[@revision]`: a data set repository of the Hugging Face hub, downloaded once into its usual cache.

huggingface_hub does the work: the download resumes, is shared with every other program, and is then a folder.
"""

from dataclasses import replace
from pathlib import Path

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import DataError, UsageError
from agenthorizon.source import open_as_it_is

PREFIX = "hub:"


class Hub:
    """Downloads and opens."""

    order = 10

    def accepts(self, location: str) -> bool:
        """Whether the location says so."""
        return location.startswith(PREFIX)

    def open(self, location: str, labels: Path | None) -> Bench:
        """Fetch what is not in the cache yet, then open the snapshot's folder.

        Raises UsageError for a name that is not OWNER/NAME[@revision], DataError when the hub cannot give it.
        """
        name, _, revision = location.removeprefix(PREFIX).partition("@")
        if name.count("/") != 1 or not all(name.split("/")):
            raise UsageError(f"{location!r} is not hub:OWNER/NAME or hub:OWNER/NAME@revision")
        bench = open_as_it_is(_download(name, revision or None), labels)
        return replace(bench, name=name.split("/")[1], location=location)


def _download(name: str, revision: str | None) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, repo_type="dataset", revision=revision))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        at = f" at {revision}" if revision else ""
        raise DataError(f"the hub did not give {name}{at}: {error}; what was fetched is kept, try again") from error
