"""Find the local ssh that holds the connection of a session on another machine.

The session records the two ends of its connection. Exactly one process here must own a connection with the same two
ports; otherwise none is chosen. Nothing else that the other machine recorded is used, because it is not true here.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.spot import Spot, spot

ESTABLISHED = "01"


class Connection(NamedTuple):
    """The ports of a connection: of the ssh here, and of the server."""

    ours: int
    theirs: int


def holder(said: str) -> Spot | None:
    """Return the spot of the ssh that holds the connection SAID, an SSH_CONNECTION; None if that is not certain."""
    wanted = connection(said)
    if wanted is None:
        return None
    tables = [_text(Path("/proc/net") / name) for name in ("tcp", "tcp6")]
    sockets = {inode for table in tables for inode in inodes(table.split("\n"), wanted)}
    found = [pid for pid in processes.pids() if processes.name(pid) == "ssh" and sockets & processes.open_files(pid)]
    return spot(found[0]) if len(found) == 1 else None


def connection(said: str) -> Connection | None:
    """Read "10.0.0.1 50000 10.0.0.2 22"; None for another text."""
    match said.split(" "):
        case [_, ours, _, theirs] if all(one.isascii() and one.isdigit() and len(one) < 6 for one in (ours, theirs)):
            return Connection(int(ours), int(theirs))
    return None


def inodes(table: Iterable[str], wanted: Connection) -> set[str]:
    """Return the sockets in /proc/net/tcp with the WANTED ports, as `processes.open_files` names them."""
    rows = [line.split() for line in table]
    return {
        f"socket:[{row[9]}]"
        for row in rows
        if len(row) > 9 and row[3] == ESTABLISHED and (_port(row[1]), _port(row[2])) == (wanted.ours, wanted.theirs)
    }


def _port(address: str) -> int:
    found = re.search(r":([0-9A-F]{4})$", address)
    return int(found[1], 16) if found else -1


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
