"""List the transcripts that Claude Code keeps on this machine, and read the beginning and the end of one.

The format is Claude Code's own and undocumented. What cannot be read gives empty values.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from deskbell.files.read import opened
from deskbell.sessions.appended import take_each
from deskbell.sessions.conversation import Conversation
from deskbell.sessions.lines import parsed, text
from deskbell_hooks.record import is_safe_id

LOOK = 64 * 1024
"""Bytes that `glance` reads at the beginning of a transcript, and as many at its end."""
SUFFIX = ".jsonl"
_OF_SUBAGENT = "agent-"
_SAYS_WHERE = re.compile(rb'"cwd": ?"')


class Written(NamedTuple):
    """A transcript."""

    session_id: str
    path: str
    account: str
    """The folder of Claude Code that holds it."""
    at: float
    """When it was written to last."""

    @property
    def kept_in(self) -> str:
        """The name of the project folder that holds it."""
        return Path(self.path).parent.name


class Glance(NamedTuple):
    """What the beginning and the end of a transcript say."""

    first: str = ""
    """The folder where the session was started."""
    last: str = ""
    """The folder where it was last."""
    title: str = ""
    prompt: str = ""
    printed: bool = False
    """Whether it was a run of `claude -p`."""


def written(config_dirs: Iterable[str | Path]) -> list[Written]:
    """Return the newest transcript of every session, the newest session first."""
    every = sorted((one for folder in config_dirs for one in _of_account(str(folder))), key=lambda one: -one.at)
    found: dict[str, Written] = {}
    for one in every:
        found.setdefault(one.session_id, one)
    return list(found.values())


def _of_account(account: str) -> Iterator[Written]:
    for project in _entries(Path(account, "projects")):
        for entry in _entries(project.path):
            session_id = entry.name.removesuffix(SUFFIX)
            if entry.name != session_id and is_resumable(session_id):
                with suppress(OSError):
                    if entry.is_file() and (found := entry.stat()).st_size:
                        yield Written(session_id, entry.path, account, found.st_mtime)


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (OSError, ValueError):  # it is none, or its name has a NUL
        return []


def is_resumable(session_id: str) -> bool:
    """Return False for an id that Claude Code would take for an option, and for the id of a subagent."""
    return is_safe_id(session_id) and not session_id.startswith(("-", _OF_SUBAGENT))


def glance(path: str | Path, look: int = LOOK) -> Glance:
    """Read LOOK bytes at the beginning of a transcript and as many at its end."""
    try:
        with opened(path) as (fd, found):
            head = os.read(fd, look)
            behind = max(len(head), found.st_size - look)
            os.lseek(fd, behind, os.SEEK_SET)
            tail = os.read(fd, look)
    except (OSError, MemoryError):
        return Glance()
    is_joined = behind == len(head)
    return _said(_whole(head + tail) if is_joined else [*_whole(head), *tail.splitlines()[1:]])


def _whole(data: bytes) -> list[bytes]:
    """Return the complete lines of DATA."""
    return data[: data.rfind(b"\n") + 1].splitlines()


def _said(lines: list[bytes]) -> Glance:
    conversation = Conversation()
    take_each(lines, conversation.take)
    tail = conversation.tail()
    placed = [line for line in lines if _SAYS_WHERE.search(line)]
    first, last = _first_placed(placed), _first_placed(reversed(placed))
    return Glance(
        first=text(first.get("cwd")) or "",
        last=text(last.get("cwd")) or "",
        title=tail.title or "",
        prompt=tail.prompt,
        printed=first.get("entrypoint") == "sdk-cli",
    )


def _first_placed(lines: Iterable[bytes]) -> dict[str, object]:
    """Return the first line that says where the session was."""
    read = map(parsed, lines)
    return next((line for line in read if line and text(line.get("cwd"))), {})
