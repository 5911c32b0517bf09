"""Keep the pages that clicks have opened: private files, the newest few of one day.

`deskbell.history.prune` removes those of yesterday from the state folder even if no other page is opened.
"""

from contextlib import suppress
from pathlib import Path

from deskbell.files.write import write_private

KEPT = 20
DAY = 86400.0


def put(folder: Path, name: str, page: str) -> Path:
    """Write PAGE into FOLDER in one step, in place of the page with that name, and return its path. Raise OSError."""
    path = folder / f"{name}.html"
    write_private(path, page.encode(errors="replace"))
    with suppress(OSError):  # it is tried again with the next page
        _prune(folder)
    return path


def _prune(folder: Path) -> None:
    written = {path: path.lstat().st_mtime for path in folder.glob("*.html")}
    pages = sorted(written, key=lambda path: written[path])
    newest = written[pages[-1]]
    for at, path in enumerate(pages):
        if at < len(pages) - KEPT or newest - written[path] > DAY:
            path.unlink()
