"""Watch what tmux holds and shows of a pane while a situation is played, with a tray without an icon beside it.

What the board says is checked by `tests/client/watch.py`. Here each pane must say the same within a second: its options,
the mark in its border, and that after the name of its window.
"""

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from deskbell.settings.tmux_include import Wish, text
from deskbell_hooks.panes import ON, PREFIX, SESSION
from tests.client import copies
from tests.client.claude import Claude, Tui
from tests.client.watch import PATIENCE, RUNNING, WITHIN, Check, Expected, slowness

GLANCE = 0.1
"""Seconds between two looks at a pane, each of which starts a process."""
SEPARATOR = "\x1f"
OPTIONS = (SESSION, f"{PREFIX}status", f"{PREFIX}deskbell_status", f"{PREFIX}detail")
FIELDS = SEPARATOR.join((*(f"#{{{name}}}" for name in OPTIONS), "#{E:@deskbell_pane}", "#{E:@deskbell_window}"))


@dataclass(frozen=True)
class Marks:
    """What a pane holds and shows; all of it empty where no session is."""

    session: str
    group: str
    status: str
    detail: str
    border: str
    window: str

    def __str__(self) -> str:
        return f"{self.status} {self.detail} {self.border}{self.window}".strip()

    def trouble(self, expected: Expected, session: str | None) -> str:
        """Return the names of what differs from what the board must show; empty if nothing does."""
        over = expected.is_over
        running = expected.status in RUNNING
        is_new = expected.status == "new"
        mark = "[■]" if over else "[▶]" if running else "[·]" if is_new else "[⏸]"
        wrong = {
            "session": bool(self.session) if over else session not in (None, self.session),
            "status": self.status != ("" if over else expected.status),
            "group": self.group != ("" if over else "running" if running else "stopped"),
            "detail": not over and expected.detail not in self.detail,
            "border": mark not in self.border and not (over and not self.border.strip()),
            "window": ("(⏸)" in self.window) is (over or running or is_new),
        }
        return " ".join(name for name, is_wrong in wrong.items() if is_wrong)


def marks(tui: Tui) -> Marks | None:
    """Return what the pane of a client shows; None if there is no such pane, or no server."""
    if not tui.pane.id:
        return None
    try:
        said = tui.pane.terminal.run("list-panes", "-a", "-F", f"#{{pane_id}}{SEPARATOR}{FIELDS}")
    except subprocess.CalledProcessError:
        return None
    rows = [row.split(SEPARATOR) for row in said.splitlines()]
    return next((Marks(*row[1:]) for row in rows if row[0] == tui.pane.id), None)


def trouble(tui: Tui, expected: Expected) -> str:
    """Return what is wrong in the pane of a client; empty if nothing is, as in a pane that closed with its client."""
    shown = marks(tui)
    if shown is not None:
        wrong = shown.trouble(expected, (tui.registry or {}).get("sessionId"))
        return wrong and f"its pane shows {shown}: {wrong}"
    return "its pane is gone" if tui.pane.id and not expected.is_over else ""


class Glances(threading.Thread):
    """Look at a pane from a deed on, until it shows what is EXPECTED or has gone."""

    def __init__(self, tui: Tui, since: float, expected: Expected) -> None:
        super().__init__(daemon=True)
        self._tui, self._since, self._expected = tui, since, expected
        self._came: float | None = None
        self._ended = threading.Event()
        self.start()

    def run(self) -> None:
        while not self._ended.is_set():
            if not trouble(self._tui, self._expected):
                self._came = time.monotonic()
                return
            self._ended.wait(GLANCE)

    def checked(self, check: Check, holds: Callable[[], bool]) -> Check:
        """Return CHECK, of the board, with what is wrong in the pane: it comes late, or it does not stay while it HOLDS."""
        if check.trouble:
            self._ended.set()
            return check
        self.join(max(0.1, self._since + PATIENCE * slowness() - time.monotonic()))
        self._ended.set()
        self.join()
        if self._came is None:
            return replace(check, trouble=trouble(self._tui, self._expected) or "its pane came too late")
        if wrong := self._left(holds):
            return replace(check, trouble=wrong)
        late = self._came - self._since - WITHIN
        return (
            replace(check, trouble=f"its pane was late by {late:.1f} s") if late > WITHIN * (slowness() - 1) else check
        )

    def _left(self, holds: Callable[[], bool]) -> str:
        """Return what is wrong in the pane for a second, while the board says that it HOLDS; empty if nothing is."""
        ends = time.monotonic() + WITHIN * slowness()
        while (wrong := trouble(self._tui, self._expected)) and holds():
            if time.monotonic() > ends:
                return wrong
            time.sleep(GLANCE)
        return ""


def installed(claude: Claude) -> None:
    """Have tmux show the sessions as `deskbell tmux install` does, before there is a pane."""
    state = claude.home / "deskbell" / "state"
    state.mkdir(parents=True, exist_ok=True)
    (state / ON).touch()
    include = claude.home / "deskbell.conf"
    include.write_text(text(Wish(("true",), ("true",))))
    stays = ("set-option", "-s", "exit-empty", "off")
    claude.terminal.run("start-server", ";", *stays, ";", "source-file", str(include))


@contextmanager
def tray(claude: Claude) -> Iterator[None]:
    """Run Deskbell without an icon."""
    with (claude.home / "output").open("wb") as output:
        running = copies.start(["run", "--headless"], claude.environment, output, output)
    try:
        yield
    finally:
        running.terminate()
        running.wait(20)
