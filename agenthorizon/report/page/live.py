"""The site of runs that may still be going on: read anew whenever their outcomes have changed."""

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path

from agenthorizon.report.page.catalogue import Catalogue
from agenthorizon.report.page.site import Site
from agenthorizon.report.page.sites import Shown, site_of_runs
from agenthorizon.results.scorecards import named_runs
from agenthorizon.running.config_file import CONFIG
from agenthorizon.running.store import OUTCOMES


class LiveSite:
    """Returns the site as the runs stand now; threads may ask at once."""

    def __init__(self, catalogue: Catalogue, folders: Sequence[Path], shown: Shown) -> None:
        """Take the data set, the run folders (none shows the data set alone) and what to show."""
        self._catalogue = catalogue
        self._folders = folders
        self._shown = shown
        self._lock = threading.Lock()
        self._site: Site | None = None

    def __call__(self) -> Site:
        """Return the site. Raises UsageError or DataError where a run's folder has gone or broken."""
        with self._lock:
            stamp = self._stamp()
            if self._site is None or self._site.stamp != stamp:
                self._site = self._made(stamp)
            return self._site

    def _made(self, stamp: str) -> Site:
        if not self._folders:
            return Site(self._catalogue, is_blind=self._shown.is_blind or self._catalogue.labels is None, stamp=stamp)
        return site_of_runs(self._catalogue, named_runs(self._folders), self._shown, stamp)

    def _stamp(self) -> str:
        digest = hashlib.sha256()
        for folder in self._folders:
            for name in (CONFIG, OUTCOMES):
                stat = (folder / name).stat() if (folder / name).exists() else None
                digest.update(repr(stat and (stat.st_size, stat.st_mtime_ns)).encode())
        return digest.hexdigest()[:16]
