"""Keep the options of every tmux pane up to date with its session, even when no hook fires: at Escape, or a kill.

The loop calls `show`, which never blocks: a thread calls tmux. It writes only what tmux does not hold yet. A server
that hangs is left alone for a while, and the others still get their options.
"""

import contextlib
import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deskbell.board import Board
from deskbell.desktop.focus.asked import HUNG_FOR
from deskbell.desktop.focus.processes import environment, terminal_of
from deskbell.desktop.own import this_host
from deskbell.desktop.tmux.server import MOST_BYTES, Hung, ask, is_usable
from deskbell.errors import Problem
from deskbell.files.write import write_changed
from deskbell.session import Session
from deskbell.supervision import Supervisor
from deskbell_hooks import panes
from deskbell_hooks.client import process_start
from deskbell_hooks.others import run_of
from deskbell_hooks.record import read_record

LOOK_AGAIN = 30.0
"""Seconds until a server is asked again what its panes hold, because another server may be at its socket."""
PAUSE = 0.15
"""Seconds between two writes, because tmux draws all its clients again after each."""
LINE_AFTER = 1.1
"""Seconds from a write to the redraw of the status line: tmux runs its command at most once a second."""
LISTED = (panes.SESSION, panes.STATUS, panes.TIME, panes.OURS, panes.ENDED, panes.OWNER)
"""The options that are read back. None of them holds a space."""
FIELDS = " ".join(("#{pane_id}", "#{pane_tty}", *(f"#{{?{name},#{{{name}}},-}}" for name in LISTED)))

log = logging.getLogger(__name__)

Ask = Callable[..., str | None]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a pane is: its server, its id and its terminal."""

    socket: str
    pane: str
    tty: str


Held = tuple[str, dict[str, str]]
"""The terminal of a pane, and the pane's options that Deskbell writes."""


@dataclass(slots=True)
class Server:
    """What is known of one server."""

    held: dict[str, Held] = field(default_factory=dict)
    """Each pane that has such options."""
    looked: float = float("-inf")
    """When it was last asked what its panes hold."""
    hung: float = float("-inf")
    """When it last did not answer."""


class Panes:
    """The options of all panes, and the thread that writes them."""

    def __init__(
        self,
        state: Path,
        supervisor: Supervisor,
        ask: Ask = ask,
        clock: Callable[[], float] = time.monotonic,
        pauses: tuple[float, float] = (PAUSE, LINE_AFTER),
    ) -> None:
        self._state = state
        self._supervisor = supervisor
        self._ask = ask
        self._clock = clock
        self._pause, self._line_after = pauses
        self._lock = threading.Lock()
        self._news = threading.Event()
        """Set while the thread has something to show."""
        self._wanted: tuple[Session, ...] | None = None
        self._works = False
        self._shown: tuple[Session, ...] | None = None
        self._begun = float("-inf")
        self._announced = False
        self._servers: dict[str, Server] = {}
        self._spots: dict[tuple[int, int | None, bool], Spot | None] = {}
        self.problem: str | None = None
        """Why panes may show old marks, in one sentence; None if they do not."""

    def show(self, board: Board | None) -> None:
        """Show the sessions of BOARD in their panes. Call this in the loop at every turn, and with None at the end."""
        if board is None or not is_on(self._state):
            self._rest()
            return
        here = tuple(one for one in board.sessions if not one.over)
        now = self._clock()
        if here == self._shown and 0 <= now - self._begun < LOOK_AGAIN:
            return
        self._shown, self._begun = here, now
        with self._lock:
            self._wanted = here
            self._news.set()
            if self._works:
                return
            self._works = True
        if not self._supervisor.thread("panes of tmux", self._work):
            self._works = False

    def write(self, sessions: Sequence[Session]) -> None:
        """Show these sessions in their panes once. Return when that is done."""
        self._apply(sessions)

    def _rest(self) -> None:
        """Leave the panes to the hooks, because Deskbell ends or the marks were uninstalled."""
        if self._shown is None:
            return
        self._shown, self.problem, self._announced = None, None, False
        self._servers = {}
        with contextlib.suppress(OSError):
            (self._state / panes.TRAY).unlink()

    def _announce(self) -> None:
        """Tell the hooks, by a file, that they need not write the options while this process runs."""
        if not self._announced and shutil.which("tmux"):
            write_changed(self._state / panes.TRAY, b"%d %d\n" % (os.getpid(), process_start("self") or 0))
            self._announced = True

    def _work(self) -> None:
        """Write the wanted options until nothing newer is wanted. Only one thread runs this at a time."""
        redraw: set[str] = set()
        try:
            self._announce()
            while True:
                with self._lock:
                    sessions, self._wanted = self._wanted, None
                    self._news.clear()
                    if sessions is None and not redraw:
                        self._works = False
                        return
                if sessions is not None:
                    redraw |= self._apply(sessions)
                    time.sleep(self._pause)
                elif not self._news.wait(self._line_after):
                    self._redraw(redraw)
                    redraw = set()
        except BaseException:
            self._works = False
            raise

    def _apply(self, sessions: Sequence[Session]) -> set[str]:
        """Write the options. Return the sockets of the servers that were written to."""
        stamp, owner = time.monotonic_ns() // 1000, panes.owner(self._state.stat())
        wanted: dict[str, dict[str, Held]] = {}
        for session in _by_pane(sessions):
            if spot := self._spot(session):
                options = {**self._options(session), panes.OWNER: owner}
                wanted.setdefault(spot.socket, {})[spot.pane] = (spot.tty, options)
        written, problems = set(), []
        for socket in [*wanted, *(known for known in self._servers if known not in wanted)]:
            server = self._servers.setdefault(socket, Server())
            if self._clock() - server.hung < HUNG_FOR:
                problems.append(f"tmux does not answer at {socket}.")
                continue
            try:
                if self._bring(socket, server, wanted.get(socket, {}), stamp, owner):
                    written.add(socket)
            except Hung as problem:
                server.hung = self._clock()
                problems.append(problem.what)
            except Problem as problem:
                problems.append(problem.what)
        self.problem = f"{problems[0]} Its panes may show old marks." if problems else None
        return written

    def _bring(self, socket: str, server: Server, wanted: Mapping[str, Held], stamp: int, owner: str) -> bool:
        """Bring the panes of one server to what is WANTED. Return whether anything was written."""
        if not is_usable(socket):
            self._servers.pop(socket, None)
            return False
        if self._clock() - server.looked >= LOOK_AGAIN or any(pane not in server.held for pane in wanted):
            self._look(socket, server)
        changes = []
        for pane, (tty, options) in wanted.items():
            held = server.held.get(pane)
            if held != (tty, options) and not (held and _is_shown_better(held[1], options)):
                changes.append((pane, tty, options))
        for pane, (tty, ours) in server.held.items():
            if pane not in wanted and panes.SESSION in ours and ours.get(panes.OWNER) == owner:
                changes.append((pane, tty, {panes.ENDED: ours[panes.SESSION], panes.OWNER: owner}))
        for batch in _batches(panes.command(pane, tty, stamp, options) for pane, tty, options in changes):
            self._ask(socket, *batch)
        for pane, tty, options in changes:
            server.held[pane] = (tty, options)
        return bool(changes)

    def _look(self, socket: str, server: Server) -> None:
        """Ask what the panes hold now, because the server may be a new one, or hooks may have written."""
        said = self._ask(socket, "list-panes", "-a", "-F", FIELDS) or ""
        server.held, server.looked = still(listed(said), server.held), self._clock()

    def _redraw(self, sockets: Iterable[str]) -> None:
        """Make the status lines run their command again, because tmux may have run it right before this change."""
        for socket in sockets:
            if socket in self._servers:
                with contextlib.suppress(Problem):
                    self._ask(socket, "set-option", "-gq", "@deskbell_drawn", f"{time.monotonic_ns()}")

    def _options(self, session: Session) -> dict[str, str]:
        record = read_record(f"{self._state}/sessions/{session.session_id}.json", session.session_id)
        run = run_of(dict(record), session.pid) if record else {}
        return panes.options(session.session_id, session.status, session.detail, run)

    def _spot(self, session: Session) -> Spot | None:
        """Return the pane of SESSION; None if it is not in tmux, or on another machine or in a container."""
        if session.pid is None or (session.host and session.host != this_host()):
            return None
        key = (session.pid, session.pid_start, bool(session.place.handles))
        if key not in self._spots:
            if len(self._spots) > 1000:
                self._spots.clear()
            self._spots[key] = spot(session)
        return self._spots[key]


def is_on(state: Path) -> bool:
    """Return whether the person wants the marks: `deskbell tmux install` creates a file that says so."""
    return (state / panes.ON).exists()


def spot(session: Session) -> Spot | None:
    """Return the pane of SESSION, from the variables and the terminal of its client; None if it is not in tmux."""
    given: Mapping[str, str] = dict(session.place.handles)
    if session.pid is not None and not given:  # no hook has reported the session
        given = environment(session.pid)
    socket, pane = panes.socket_of(given.get("TMUX", "")), given.get("TMUX_PANE", "")
    if not socket or not panes.is_pane(pane):
        return None
    tty = session.place.tty or (terminal_of(session.pid) if session.pid is not None else None)
    return Spot(socket, pane, tty) if tty and panes.is_terminal(tty) else None


def listed(said: str) -> dict[str, Held]:
    """Return the options of LISTED, and the terminal, of each pane that has any. SAID: what tmux prints for FIELDS."""
    found = {}
    for line in said.split("\n"):
        pane, *rest = line.split(" ")
        if len(rest) != len(LISTED) + 1:
            continue
        tty, *values = rest
        if options := {name: value for name, value in zip(LISTED, values, strict=True) if value != "-"}:
            found[pane] = (tty, options)
    return found


def still(now: Mapping[str, Held], before: Mapping[str, Held]) -> dict[str, Held]:
    """Return what the panes hold: what was written BEFORE, if NOW shows that nobody has changed it; else NOW."""
    same = {pane for pane, one in now.items() if pane in before and _listed_of(before[pane]) == one}
    return {pane: before[pane] if pane in same else one for pane, one in now.items()}


def _is_shown_better(held: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """Return whether another Deskbell shows the session in the pane, and only its hooks report the session."""
    is_anothers = held.get(panes.OWNER, "") not in ("", wanted[panes.OWNER])
    is_same = held.get(panes.SESSION) == wanted[panes.SESSION]
    return is_anothers and is_same and panes.TIME in held and panes.TIME not in wanted


def _listed_of(held: Held) -> Held:
    return held[0], {name: value for name, value in held[1].items() if name in LISTED}


def _by_pane(sessions: Sequence[Session]) -> list[Session]:
    """Return SESSIONS in an order in which the last one of each pane is the one that is visible in it."""
    return sorted(sessions, key=lambda one: (not one.suspended, one.heard))


def _batches(commands: Iterable[list[str]]) -> Iterable[list[str]]:
    """Join commands of tmux to requests of at most MOST_BYTES."""
    batch: list[str] = []
    size = 0
    for command in commands:
        length = sum(len(word.encode()) + 1 for word in command)
        if batch and size + length > MOST_BYTES:
            yield batch
            batch, size = [], 0
        batch += [*([";"] if batch else []), *command]
        size += length
    if batch:
        yield batch
