"""Find Claude Code's folders of all accounts: those that are known, and those that only a record names.

A record may name anything. A path that cannot be a folder is left out, and only the newest MOST are used.
"""

import errno
import os
from collections.abc import Iterable
from heapq import nlargest
from pathlib import Path

from deskbell_hooks.schema import Record

MOST = 50
"""The most accounts that come from records: those with the newest events."""


def account_of(record: Record) -> str | None:
    """Return the session's account: as the hooks recorded it, else the folder above `projects` in its transcript."""
    if config_dir := record.get("config_dir"):
        return config_dir
    above, found, _ = record.get("transcript", "").rpartition("/projects/")
    return above if found else None


def accounts(known: Iterable[Path], records: Iterable[Record]) -> tuple[Path, ...]:
    """Return KNOWN and the folders that RECORDS name, each once, in an order that new events do not change."""
    heard: dict[str, float] = {}
    for record in records:
        if named := account_of(record):
            heard[named] = max(record["last_at"], heard.get(named, 0.0))
    newest = nlargest(MOST, heard, key=lambda name: heard[name])
    return tuple(path for path in dict.fromkeys((*known, *map(Path, sorted(newest)))) if can_be_folder(path))


def can_be_folder(path: Path) -> bool:
    """Return False for a circle of links and for an impossible name. A missing folder may still be created."""
    try:
        os.stat(path)  # noqa: PTH116  # at every reading: a method of Path costs more
    except ValueError:  # a NUL, or half of a surrogate pair
        return False
    except OSError as error:
        return error.errno not in (errno.ELOOP, errno.ENAMETOOLONG)
    return True
