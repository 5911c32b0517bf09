"""Make the machine of the afternoon: three clients with their files, a screen, a panel and a desktop that record."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from deskbell.board import Board
from deskbell.desktop.ears import Deaths
from deskbell.errors import Problem
from deskbell.face import Face
from deskbell.home import Home
from deskbell.notices.notice import Notice
from deskbell.notices.screen import Listener, ScreenEvent
from deskbell.session import Session
from deskbell.settings.settings_file import Change
from deskbell_hooks.client import process_start
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Record

SECRET = "ghp_" + "f4B2" * 9
"""It stands in a prompt, in a command, in the environment and in a channel."""
NOON = 1_790_000_000.0


class Client(NamedTuple):
    """A process that does nothing until it is killed."""

    process: "subprocess.Popen[bytes]"
    pid: int
    start: int | None

    def killed(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def client() -> Iterator[Client]:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        try:
            yield Client(process, process.pid, process_start(process.pid))
        finally:
            process.kill()


@dataclass
class Machine:
    """The files that the clients and their hooks write. All times are in seconds since NOON."""

    state: Path
    claude: Path
    clients: Mapping[str, Client]
    """By the id of their session, which is the name of its project, too."""
    records: dict[str, Record] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in (self.state / "sessions", self.claude / "sessions", self.claude / "projects"):
            folder.mkdir(parents=True, mode=0o700)

    def hook(self, session: str, name: str, at: float, **fields: Any) -> None:
        client = {"pid": self.clients[session].pid, "start": self.clients[session].start}
        order = int((NOON + at) * 1000)
        line: Any = {"v": 1, "event": name, "at": NOON + at, "order": order, "client": client, **fields}
        if session not in self.records:
            line |= {"where": {**client, "attended": True}, "cwd": f"/home/me/{session}"}
            line |= {"transcript": str(self.claude / "projects" / f"{session}.jsonl"), "config_dir": str(self.claude)}
        self.records[session] = fold(self.records.get(session), line, session)
        _put(self.state / "sessions" / f"{session}.json", encode(self.records[session]), at)

    def registry(self, session: str, status: str, at: float, **fields: Any) -> None:
        _, pid, start = self.clients[session]
        entry = {"pid": pid, "sessionId": session, "procStart": str(start), "kind": "interactive"}
        entry |= {"cwd": f"/home/me/{session}", "status": status, "statusUpdatedAt": int((NOON + at) * 1000), **fields}
        _put(self.claude / "sessions" / f"{pid}.json", json.dumps(entry).encode(), at)

    def transcript(self, session: str, *lines: bytes) -> None:
        with (self.claude / "projects" / f"{session}.jsonl").open("ab") as file:
            file.writelines(line + b"\n" for line in lines)


def _put(path: Path, data: bytes, at: float) -> None:
    temporary = path.with_suffix(".new")
    temporary.write_bytes(data)
    os.utime(temporary, (NOON + at, NOON + at))
    temporary.replace(path)


@dataclass
class Screen:
    """A screen that keeps the notices. Nobody clicks on them."""

    listener: Listener = lambda event: None
    daemon: str | None = "a screen"
    takes_text: bool = False
    shown: list[Notice] = field(default_factory=list)

    def start(self) -> None:
        self.listener(ScreenEvent("left"))

    def show(self, notice: Notice) -> None:
        self.shown.append(notice)

    def withdraw(self, slot: str) -> None:
        """Do nothing: `shown` keeps all that was ever shown."""

    async def stop(self) -> None:
        """Do nothing: no notice is on a real screen."""


@dataclass
class Panel:
    faces: list[Face] = field(default_factory=list)

    def start(self) -> None:
        """Do nothing."""

    def show(self, face: Face) -> None:
        self.faces.append(face)

    def stop(self) -> None:
        """Do nothing."""


class Desktop:
    """A desktop whose person looks at no session."""

    known = True

    def start(self) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""

    def focused(self, session: Session) -> bool | None:
        return False

    def awaits_focus(self, session: Session) -> bool:
        return False

    def dnd(self) -> str | None:
        return None


@dataclass
class Ears:
    """Notices processes that end, as the program does. The story wakes the loop itself when files have changed."""

    deaths: Callable[[Callable[[], None]], Deaths]
    followed: Deaths | None = None

    def listen(self, wake: Callable[[], None]) -> None:
        self.followed = self.deaths(wake)

    def changes(self) -> None:
        """Return None: which files have changed is not known."""

    def follow(self, pids: frozenset[int]) -> float | None:
        assert self.followed
        self.followed.watch(pids)
        return None

    def mend(self) -> None:
        """Do nothing: there is no watcher."""

    def close(self) -> None:
        if self.followed:
            self.followed.close()


@dataclass
class Others:
    """What clicks in the menu reach besides files: the hooks, the start at login, the clipboard."""

    copied: list[str] = field(default_factory=list)

    def change(self, wish: object) -> str:
        return "done"

    def examine(self) -> None:
        """Find nothing wrong."""

    def planned(self) -> list[Change]:
        return []

    def offer(self) -> None:
        """Offer nothing: all is installed."""

    def set(self, on: bool) -> None:
        """Do nothing: nobody logs in."""

    def copy(self, text: str) -> str:
        self.copied.append(text)
        return ""

    def show(self, path: Path) -> None:
        """Do nothing: there is no desktop."""

    def board(self, session: Session | None, home: Home) -> None:
        raise Problem("No terminal was found.")


def places(board: Board) -> list[tuple[str, str]]:
    return sorted((session.session_id, session.status) for session in board.sessions)
