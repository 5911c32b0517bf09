"""Find out from which folder and with which account to resume a session, and whether that is certain.

It reads the disk for `whereabouts`, which decides.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deskbell.errors import Problem
from deskbell.home import own_home
from deskbell.sessions.lines import text
from deskbell.sessions.project_folder import Meant, Tree, meant
from deskbell.sessions.whereabouts import Clues, Disk, whereabouts
from deskbell.sessions.written import Written, glance, is_resumable
from deskbell.text.wording import short_id
from deskbell_hooks.record import read_record


class Resumable(NamedTuple):
    session_id: str
    cwd: str
    """The folder from which to resume it."""
    config_dir: str | None
    """The folder of Claude Code that holds its transcript, or that its record names."""
    doubt: str = ""
    """A sentence that says why to ask the person first; empty if the folder is certain."""

    @property
    def project(self) -> str:
        return Path(self.cwd).name


def resumable(session_id: str, records: Path, transcript: Written | None, here: str, stays: bool = False) -> Resumable:
    """Return how to resume a session. Raise Problem if its folder cannot be found.

    RECORDS: the folder of the records. HERE: the current folder. STAYS: resume it in the current folder.
    """
    if not is_resumable(session_id):
        raise Problem(f"{short_id(session_id)} is not an id that Claude Code can resume.", "Name another session.")
    record: Mapping[str, object] = read_record(f"{records}/{session_id}.json", session_id) or {}
    account = transcript.account if transcript else text(record.get("config_dir"))
    if stays and not here:
        raise Problem("The current folder does not exist any more.", "Go to another one and run this again.")
    if stays:
        return Resumable(session_id, here, account)
    clues = Clues(recorded=_texts(record.get("start_cwd"), record.get("cwd")))
    if transcript:
        said = glance(transcript.path)
        clues = clues._replace(written=_texts(said.first, said.last), kept_in=transcript.kept_in)
    try:
        found = whereabouts(clues, disk(here))
    except Problem as problem:
        raise Problem(f"Cannot resume {short_id(session_id)}. {problem.what}", problem.step) from None
    return Resumable(session_id, found.folder, account, found.doubt)


def _texts(*values: object) -> tuple[str, ...]:
    return tuple(value for value in values if isinstance(value, str) and value)


def current_folder() -> str:
    """Return the current folder; empty if it was deleted."""
    try:
        return os.getcwd()  # noqa: PTH109  # a text is compared with texts
    except OSError:
        return ""


def disk(here: str) -> Disk:
    return Disk(_is_folder, lambda name: _once_each(meant(name, TREE, _starts(name, here))), here)


def _starts(name: str, here: str) -> list[str]:
    """Return where to search: the current folder and those above it, the home folder and those above it, the root."""
    near = [Path(path) for path in (here, own_home()) if path]
    tops = [f"{name[:1]}:\\"] if os.name == "nt" else ["/"]
    return list(dict.fromkeys([*(str(one) for path in near for one in (path, *path.parents)), *tops]))


def _once_each(found: Meant) -> Meant:
    """Leave out each path that leads through links to another one that was found."""
    real = {path: os.path.realpath(path) for path in found.paths}
    kept: dict[str, str] = {}
    for path in sorted(found.paths, key=lambda path: real[path] != path):  # stable: links come last
        kept.setdefault(real[path], path)
    return found._replace(paths=tuple(path for path in found.paths if path in kept.values()))


def _is_folder(path: str) -> bool:
    return os.path.isabs(path) and os.path.isdir(path)  # noqa: PTH112, PTH117  # a Path for each of many names takes too long


def _children(path: str) -> list[str] | None:
    try:
        return os.listdir(path)  # noqa: PTH208  # the names alone, of 50,000 folders
    except (NotADirectoryError, FileNotFoundError, ValueError):
        return []
    except OSError:
        return None


TREE = Tree(_children, _is_folder, os.sep)
