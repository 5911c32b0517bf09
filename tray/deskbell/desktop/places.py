"""List the folders to watch so that no change in the targets is missed, even if folders above them come and go."""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from deskbell.files.there import is_folder

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that exists now. A new folder with the same name is another Place."""

    path: Path
    device: int
    number: int
    target: bool
    """Whether its files matter. Otherwise only the folders that come and go in it matter."""


def resolved(folders: Iterable[Path], unfit: set[Path]) -> list[Path]:
    """Return FOLDERS with links followed, and without those that cannot be folders. UNFIT: those already logged."""
    found = []
    for folder in folders:
        try:
            found.append(folder.resolve())
        except (OSError, RuntimeError, ValueError) as error:  # a circle of links, a NUL, half of a surrogate pair
            if folder not in unfit:
                log.warning("%r cannot be watched (%s)", str(folder), error)
                unfit.add(folder)
        else:
            unfit.discard(folder)
    return found


def places(targets: Iterable[Path]) -> set[Place]:
    """Return each target and its parent, where it comes and goes; for a missing one, the nearest folder above it."""
    found: dict[Path, bool] = {}
    for path in targets:
        above = next((parent for parent in path.parents if is_folder(parent)), None)
        if above:
            found.setdefault(above, False)
        if is_folder(path):
            found[path] = True
    return {place for path, target in found.items() if (place := _place(path, target))}


def needed(target: Path, found: Collection[Place]) -> frozenset[Path]:
    """Return which of the places FOUND have to be watched so that no change in TARGET is missed."""
    paths = {place.path for place in found}
    above = next((parent for parent in target.parents if parent in paths), target)
    return frozenset((above, target)) if target in paths else frozenset((above,))


def modified(folder: Path) -> int:
    """Return when FOLDER was modified, in nanoseconds; 0 if it has gone or cannot be read."""
    try:
        return folder.stat().st_mtime_ns
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return 0


def _place(path: Path, target: bool) -> Place | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return Place(path, status.st_dev, status.st_ino, target)
