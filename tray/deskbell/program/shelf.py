"""Keep the pages that clicks have opened: private files in the state folder, the newest few.

`deskbell.history.prune` removes those of yesterday.
"""

from contextlib import suppress
from pathlib import Path

from deskbell.files.write import write_private

KEPT = 20


def put(folder: Path, name: str, page: str) -> Path:
    """Write PAGE into FOLDER in one step, in place of the page with that name, and return its path. Raise OSError."""
    path = folder / f"{name}.html"
    write_private(path, page.encode(errors="replace"))
    with suppress(OSError):  # it is tried again with the next page
        _prune(folder)
    return path


def _prune(folder: Path) -> None:
    pages = sorted(folder.glob("*.html"), key=lambda path: path.lstat().st_mtime_ns)
    for path in pages[:-KEPT]:
        path.unlink()
