"""Writes a site to a folder that opens from disk and from any web server."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

from agenthorizon.errors import JudgeFailure, UsageError
from agenthorizon.evidence.decoding import decoding_threads
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.files.regular_file import open_regular
from agenthorizon.report.page.album import THUMB, Album
from agenthorizon.report.page.embedding import opening
from agenthorizon.report.page.site import Site

INDEX = "index.html"
_DATA, _TASKS, _IMAGES, _APP = "data", "tasks", "images", "app"

Progress = Callable[[int, int, str], None]
"""Called with how many files are written, of how many, of what: first of the tasks, then of the screenshots."""


def app_files() -> dict[str, bytes]:
    """Return the files of the page itself by their path in a site."""
    folder = resources.files("agenthorizon.report.page") / _APP
    files = {f"{_APP}/{file.name}": file.read_bytes() for file in folder.iterdir() if not file.name.startswith(".")}
    return {INDEX: files.pop(f"{_APP}/{INDEX}"), **files}


def write_site(site: Site, folder: Path, how: str, progress: Progress) -> None:
    """Write a site, over an older one if there is one.

    Args:
        site: What to show.
        folder: A new or empty folder, or an older site's.
        how: What becomes of screenshots: `thumbs` shrinks them, `link` links to the data set's, `none` leaves them out.
        progress: Called as it goes on.

    Raises UsageError where the folder holds anything else, which is left untouched, or cannot be written.
    """
    _refuse_other(folder)
    try:
        for part in (_DATA, _IMAGES, _APP):
            shutil.rmtree(folder / part, ignore_errors=True)
        (folder / _DATA / _TASKS).mkdir(parents=True)
        (folder / _APP).mkdir()
        for name, content in app_files().items():
            (folder / name).write_bytes(content)
        _write_tasks(site, folder / _DATA, progress)
        if site.catalogue.album is not None:
            _write_images(site.catalogue.album, folder / _IMAGES, how, progress)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}") from error


def _refuse_other(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; a report is a folder")
    if folder.is_dir() and any(folder.iterdir()) and not _is_report(folder):
        raise UsageError(
            f"{folder} is not empty and holds no report or other things too; choose another folder with -o"
        )


def _is_report(folder: Path) -> bool:
    """Whether a folder is an older report and nothing else: what is in it will be deleted."""
    found = list(folder.iterdir())
    if any(path.name not in (INDEX, _DATA, _IMAGES, _APP) or path.is_symlink() for path in found):
        return False
    mark = opening("index").encode()
    try:
        with open_regular(folder / _DATA / "index.js") as file:
            return file.read(len(mark)) == mark
    except OSError:
        return False


def _write_tasks(site: Site, folder: Path, progress: Progress) -> None:
    (folder / "index.js").write_text(site.index, "utf-8")
    (folder / "reasons.js").write_text(site.reasons, "utf-8")
    for done, entry in enumerate(site.catalogue.tasks.values(), start=1):
        (folder / _TASKS / f"{entry.key}.js").write_text(site.task(entry.id), "utf-8")
        progress(done, len(site.catalogue.tasks), "tasks")


def _write_images(album: Album, folder: Path, how: str, progress: Progress) -> None:
    folder.mkdir()
    if how == "link":
        for done, (name, path) in enumerate(album.paths.items(), start=1):
            (folder / name).symlink_to(path.resolve())
            progress(done, len(album.paths), "screenshots linked")
        return
    pictures, names, paths = Pictures.kept(), list(album.paths), list(album.paths.values())

    def shrink(name: str, path: Path) -> None:
        try:
            (folder / name).write_bytes(pictures.encoded(path, THUMB).data)
        except JudgeFailure:
            return  # a picture that cannot be decoded: the page says so in its place

    with ThreadPoolExecutor(decoding_threads()) as threads:
        for done, _ in enumerate(threads.map(shrink, names, paths), start=1):
            progress(done, len(names), "screenshots shrunk")
    pictures.close()
