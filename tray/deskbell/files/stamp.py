"""Tell whether a file has changed, without reading it."""

from pathlib import Path

Stamp = tuple[int, int, int]


def stamp(path: Path) -> Stamp | None:
    """Return a value that stays equal until PATH is written or replaced; None if PATH cannot be examined."""
    try:
        found = path.stat()
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
