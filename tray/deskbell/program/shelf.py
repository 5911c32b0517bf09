"""Write the pages that clicks open, as private files, and keep only the newest few of one day.

`deskbell.history.prune` removes older pages from the state folder even if no other page is opened.
"""

from contextlib import suppress
from pathlib import Path

from deskbell.files.write import write_private

KEPT = 20
DAY = 86400.0


def put(folder: Path, name: str, page: str) -> Path:
    """Write PAGE into FOLDER atomically, in place of a page with that name. Return its path. Raise OSError."""
    path = folder / f"{name}.html"
    write_private(path, page.encode(errors="replace"))
    with suppress(OSError):  # the next page tries again
        _prune(folder)
    return path


def _prune(folder: Path) -> None:
    written = {path: path.lstat().st_mtime for path in folder.glob("*.html")}
    pages = sorted(written, key=lambda path: written[path])
    newest = written[pages[-1]]
    for at, path in enumerate(pages):
        if at < len(pages) - KEPT or newest - written[path] > DAY:
            path.unlink()
