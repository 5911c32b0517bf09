"""Decide from which folder to resume a session, given the folders that its record and its transcript name. Pure.

Claude Code keeps a transcript under the name of the folder in which the session was started, and older versions resume
it only there. So a folder is certain if the transcript is kept under its name, and no other source contradicts.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from deskbell.errors import Problem
from deskbell.sessions.project_folder import Meant, project_folder
from deskbell.text.wording import short

GO_THERE = "Go to the right one and run this again."
MAKE = "Make it again, or move it back."
CHOOSE = "Run `deskbell resume` to choose from those that can be resumed."
NAMED = 3
"""How many folders a sentence names."""


class Clues(NamedTuple):
    recorded: tuple[str, ...] = ()
    """The folders that the record names: where the session was started, and where it was last."""
    written: tuple[str, ...] = ()
    """The same two folders, as the transcript names them."""
    kept_in: str = ""
    """The name of the project folder that holds the transcript; empty if there is none."""


class Whereabouts(NamedTuple):
    folder: str
    doubt: str = ""
    """A sentence that says why to ask the person first; empty if the folder is certain."""


class Disk(NamedTuple):
    is_folder: Callable[[str], bool]
    meant: Callable[[str], Meant]
    """The folders that the name of a project folder can mean."""
    here: str
    """The current folder."""


def whereabouts(clues: Clues, disk: Disk) -> Whereabouts:
    """Return the folder to resume from. Raise Problem if there is none, or if it may be one of several."""
    recorded, written = (_of_this_name(paths, clues.kept_in) for paths in (clues.recorded, clues.written))
    own = [*written[:1], *recorded[:1]]
    there = [path for path in own if disk.is_folder(path)]
    if len(set(own)) == 2 and there:
        return Whereabouts(there[0], f"Its record names {_named(recorded[:1])}, its transcript {_named(written[:1])}.")
    if there:
        return Whereabouts(there[0], _contradiction(there[0], clues))
    if own:
        return _instead_of(own[0], clues, disk)
    if not clues.kept_in:
        return _without_transcript(clues, disk)
    return _by_name(clues, disk)


def _contradiction(folder: str, clues: Clues) -> str:
    """Return the sentence that the record names a start that the transcript does not name; empty if it does not.

    A start below FOLDER is no contradiction: the first event that is recorded may come after a change of the folder.
    """
    start = clues.recorded[:1]
    below = (f"{folder.rstrip('/')}/", f"{folder}\\")
    if not start or start[0] in (folder, *clues.written) or start[0].startswith(below):
        return ""
    return f"Its record names {_named(start)}, its transcript {_named([folder])}."


def _instead_of(gone: str, clues: Clues, disk: Disk) -> Whereabouts:
    """Choose another folder, because GONE, in which the session was started, no longer exists."""
    others = [*dict.fromkeys((*disk.meant(clues.kept_in).paths, *_existing(clues, disk)))]
    if not others:
        raise Problem(f"Its folder {_named([gone])} no longer exists.", MAKE)
    if len(others) > 1 and disk.here not in others:
        raise Problem(f"Its folder {_named([gone])} no longer exists. It may be {_any_of(others)}.", GO_THERE)
    chosen = disk.here if disk.here in others else others[0]
    return Whereabouts(chosen, f"Its folder {_named([gone])} no longer exists.")


def _without_transcript(clues: Clues, disk: Disk) -> Whereabouts:
    existing = _existing(clues, disk)
    if not existing:
        raise Problem("Neither its transcript nor its folder was found.", CHOOSE)
    return Whereabouts(existing[0], "Its transcript was not found, and without it Claude Code cannot resume it.")


def _by_name(clues: Clues, disk: Disk) -> Whereabouts:
    """Choose a folder by the name of the project folder alone: no source names the folder that it is for."""
    found, named = disk.meant(clues.kept_in), _existing(clues, disk)
    said = [*clues.written, *clues.recorded]
    if len(found.paths) > 1:
        ambiguous = f"Its folder is ambiguous: {_any_of(found.paths)}."
        if disk.here not in found.paths:
            raise Problem(ambiguous, GO_THERE)
        return Whereabouts(disk.here, ambiguous)
    if found.paths and said:
        return Whereabouts(found.paths[0], f"Its transcript is kept for this folder, but names {_named(said[:1])}.")
    if found.paths:
        return Whereabouts(found.paths[0], "" if found.whole else "Not every folder that may be meant could be read.")
    if named:
        return Whereabouts(named[0], f"Its transcript is kept for another folder, {short(clues.kept_in, 100)}.")
    what = f"It names {_named(said[:1])}, and its" if said else "Its"
    raise Problem(f"{what} transcript is kept in {short(clues.kept_in, 100)}: no such folder exists here.", MAKE)


def _of_this_name(paths: Sequence[str], name: str) -> list[str]:
    return [path for path in paths if name and project_folder(path) == name]


def _existing(clues: Clues, disk: Disk) -> list[str]:
    return [path for path in dict.fromkeys((*clues.recorded, *clues.written)) if disk.is_folder(path)]


def _named(paths: Sequence[str]) -> str:
    return ", ".join(short(path, 200) for path in paths[:NAMED])


def _any_of(paths: Sequence[str]) -> str:
    more = f" or {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return " or ".join(short(path, 200) for path in paths[:NAMED]) + more
