"""Bring a window of X11 to the front from any workspace, also a minimised one; the focus, once at rest, proves it.

The window belongs to the nearest process above the session that has one. If it has several, the window is the one that
the terminal names, else the one whose title shows the mark, else WINDOWID.
"""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from Xlib import X
from Xlib.error import XError
from Xlib.protocol.rq import BadDataError

from deskbell.desktop.focus import processes
from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import SHOWS_WITHIN, Desk, Tab, until
from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.own import this_host
from deskbell.desktop.xserver import GONE, Server
from deskbell.errors import Problem

PAGER = 2
"""The source of a request that a person makes: window managers do not refuse it."""
QUIET, QUIET_AFTER_SWITCH = 0.01, 0.06
"""Seconds without a change of the focus after which the desktop is at rest."""
PING = 1
"""The time in our pings, which nobody else uses."""
TAKERS = 8
"""The most windows of a workspace that are asked whether they have done what they were told."""
EVERYWHERE = 0xFFFFFFFF
"""The workspace of a window that is on all of them."""


def window(spot: Spot, desk: Desk, tab: Tab | None) -> Step | None:
    """Return the window; None if no window belongs to SPOT. Raise Problem if the X server does not answer."""
    screen = shared(desk)
    number = screen.window_of(spot, desk, tab.window if tab else None)
    if number is None:
        return None
    return Step(
        "window",
        f"the window of {screen.program_of(number)}",
        lambda: screen.ask_for(number, desk.token),
        lambda: screen.has_focus(number),
        lambda: screen.instead_of(number),
        lambda seconds: screen.rest(number, seconds),
    )


def front(desk: Desk) -> int | None:
    """Return the window in front; None if no X server tells it."""
    if not desk.env.get("DISPLAY") or desk.env.get("WAYLAND_DISPLAY"):
        return None
    try:
        return shared(desk).active() or None
    except Problem:
        return None


def raise_again(number: int, desk: Desk) -> None:
    """Bring the window NUMBER to the front. Do nothing if the X server has gone."""
    with suppress(Problem):
        shared(desk).ask_for(number)
        until(lambda: shared(desk).active() == number)


def shared(desk: Desk) -> "Screen":
    """Return the connection of this jump. Raise Problem if the X server does not answer."""
    if not isinstance(desk.screen, Screen):
        desk.screen = Screen(desk.env["DISPLAY"])
        desk.keep(desk.screen)
    return desk.screen


def marked(spot: Spot, desk: Desk, seconds: float = SHOWS_WITHIN) -> bool | None:
    """Return whether the title of a window shows the mark of SPOT, and so its tab; None if there are no titles."""
    if not desk.env.get("DISPLAY"):
        return None
    screen, word = shared(desk), desk.mark(spot).word()
    windows = screen.windows_of(spot)
    return until(lambda: screen.shows(windows, word) is not None, seconds) if word and windows else None


class Screen:
    """A connection to an X server."""

    def __init__(self, address: str) -> None:
        try:
            self._server = Server(address, AT_ONCE)
        except (*GONE, XError) as error:
            raise Problem(f"The display {address} does not answer.", BY_HAND) from error
        self._address = address
        self._atoms: dict[str, int] = {}
        self._workspace: int | None = None
        """The workspace that was shown when a window was asked for."""

    def close(self) -> None:
        with suppress(*GONE):
            self._server.close()

    def window_of(self, spot: Spot, desk: Desk, named: int | None = None) -> int | None:
        windows = self.windows_of(spot)
        if named in windows or len(windows) < 2:
            return named if named in windows else next(iter(windows), self._known(spot.number("WINDOWID")))
        if (found := self._marked(windows, spot, desk)) is not None:
            return found
        inherited = spot.number("WINDOWID")
        return inherited if inherited in windows else windows[0]

    def windows_of(self, spot: Spot) -> list[int]:
        """Return the windows of the nearest process above SPOT that has any."""
        owned: dict[int, list[int]] = {}
        for number in self._all():
            owned.setdefault(self.owner(number), []).append(number)
        found = ([one for one in owned.get(pid, ()) if self._is_of(pid, one)] for pid in spot.line if pid != 1)
        return next(filter(None, found), [])

    def _is_of(self, pid: int, number: int) -> bool:
        """Return whether the window NUMBER is one of PID.

        A panel or a desktop is not, and neither is a window of another machine, where PID is another process.
        """
        try:
            with self._answering():
                return self._shows_terminal_of(pid, number)
        except (XError, BadDataError):  # it was closed meanwhile
            return False

    def _shows_terminal_of(self, pid: int, number: int) -> bool:
        kinds = self._server.numbers(number, self._atom("_NET_WM_WINDOW_TYPE"))
        is_terminal = program(pid) in processes.TERMINALS  # one that drops down may call itself a panel
        if not is_terminal and {self._atom(f"_NET_WM_WINDOW_TYPE_{kind}") for kind in ("DESKTOP", "DOCK")} & set(kinds):
            return False
        machine = self._server.text(number, self._atom("WM_CLIENT_MACHINE"))
        return not machine or _short(machine) == _short(this_host()) or not processes.is_on_this_host(pid)

    def owner(self, number: int) -> int:
        """Return the process of a window; 0 if it has gone, or does not tell."""
        try:
            with self._answering():
                return self._server.number(number, self._atom("_NET_WM_PID")) or 0
        except (XError, BadDataError):
            return 0

    def title(self, number: int) -> str:
        try:
            with self._answering():
                return self._server.text(number, self._atom("_NET_WM_NAME"))
        except (XError, BadDataError):
            return ""

    def active(self) -> int | None:
        try:
            return self._server.number(self._server.root, self._atom("_NET_ACTIVE_WINDOW"))
        except (*GONE, XError, BadDataError):
            return None

    def ask_for(self, number: int, token: str | None = None) -> None:
        """Ask the window manager to bring the window to the front, unless it is there."""
        with self._answering():
            self._server.watch()
            self._workspace = self._shown_workspace()
            if not self.has_focus(number):
                self._server.ask_for(number, self._atom("_NET_ACTIVE_WINDOW"), PAGER, _time(token), 0)

    def has_focus(self, number: int) -> bool:
        """Return whether the window is the active one, and no other window gets what is typed."""
        return self.active() == number and self._typed_into() in (None, number)

    def instead_of(self, number: int) -> str:
        """Name the window that is in front while the window NUMBER is not; empty if none is."""
        front = self._typed_into() or self.active()
        if not front or front == number:
            return ""
        which = "another window" if self.owner(front) == self.owner(number) else "the window"
        return f"{which} of {self.program_of(front)}"

    def program_of(self, number: int) -> str:
        return program(self.owner(number)) or "the terminal"

    def rest(self, number: int, seconds: float) -> None:
        """Wait for at most SECONDS until the focus is at rest: on the window NUMBER, or taken by another window.

        Some window managers first give the focus to the window that had it last on the workspace that they switch to
        (xfwm4 with `activate_action=switch`). A GTK program takes it only when it comes to that message, after ours
        has come to the front. A program answers a ping after everything that it was told before, so no window can
        take the focus back once all have answered.
        """
        begun = changed_at = time.monotonic()
        awaited, quiet, has_changed = self._pinged([number]), QUIET, False
        while (now := time.monotonic()) < begun + seconds:
            if now - changed_at >= quiet and not awaited and (has_changed or self.has_focus(number)):
                return
            news = list(self._news(quiet))
            awaited -= {answered for _, answered in news}
            if any(is_focus for is_focus, _ in news):
                changed_at, has_changed = time.monotonic(), True
                if quiet == QUIET and self._shown_workspace() != self._workspace:
                    quiet = QUIET_AFTER_SWITCH
                    awaited |= self._pinged(self._uppermost())

    def shows(self, windows: Sequence[int], word: str) -> int | None:
        return next((number for number in windows if word in self.title(number)), None)

    def _marked(self, windows: Sequence[int], spot: Spot, desk: Desk) -> int | None:
        mark = desk.mark(spot)
        before = {} if mark.is_kept else {number: self.title(number) for number in windows}
        word = mark.word()
        found = until(lambda: self.shows(windows, word), SHOWS_WITHIN) if word else None
        if found in before:
            mark.replaces(before[found])
        return found

    def _known(self, number: int | None) -> int | None:
        """Return NUMBER if it is a managed window of an unknown process; otherwise it belongs to another program."""
        return number if number in self._all() and number and not self.owner(number) else None

    def _all(self) -> list[int]:
        with self._answering():
            return self._server.numbers(self._server.root, self._atom("_NET_CLIENT_LIST"))

    def _typed_into(self) -> int | None:
        """Return the managed window that gets what is typed; None if the server does not tell."""
        try:
            one, managed = self._server.focus(), set(self._all())
            while one > X.PointerRoot and one not in managed:
                one = self._server.above(one)
        except (*GONE, XError, BadDataError, Problem):
            return None
        return one if one in managed else None

    def _shown_workspace(self) -> int | None:
        with self._answering():
            return self._server.number(self._server.root, self._atom("_NET_CURRENT_DESKTOP"))

    def _uppermost(self) -> list[int]:
        """Return the uppermost windows of the workspace that is shown."""
        shown = (self._shown_workspace(), EVERYWHERE)
        with self._answering():
            above = self._server.numbers(self._server.root, self._atom("_NET_CLIENT_LIST_STACKING"))[::-1]
        return [one for one in above if set(self._numbers(one, "_NET_WM_DESKTOP")) & set(shown)][:TAKERS]

    def _pinged(self, windows: Sequence[int]) -> set[int]:
        """Ping those of WINDOWS whose programs take the focus by themselves and answer pings. Return these."""
        ping = self._atom("_NET_WM_PING")
        kinds = {self._atom("WM_TAKE_FOCUS"), ping}
        found = {one for one in windows if kinds <= set(self._numbers(one, "WM_PROTOCOLS"))}
        with self._answering():
            for one in found:
                self._server.tell(one, self._atom("WM_PROTOCOLS"), ping, PING, one)
        return found

    def _numbers(self, number: int, kind: str) -> list[int]:
        """Return a property of a window; nothing if the window has gone."""
        try:
            with self._answering():
                return self._server.numbers(number, self._atom(kind))
        except (XError, BadDataError):
            return []

    def _news(self, seconds: float) -> Iterator[tuple[bool, int]]:
        """Yield of each report whether the focus has changed, and the window that has answered our ping, or 0."""
        focus = {self._atom("_NET_ACTIVE_WINDOW"), self._atom("_NET_CURRENT_DESKTOP")}
        with self._answering():
            for one in self._server.reports(seconds):
                is_pong = one.type == X.ClientMessage and one.client_type == self._atom("WM_PROTOCOLS")
                _, time_of_ping, pinged, *_ = one.data[1] if is_pong else (0, 0, 0)
                yield one.type == X.PropertyNotify and one.atom in focus, pinged if time_of_ping == PING else 0

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Raise Problem where the server has gone or is too late, as it can be at every request."""
        try:
            yield
        except GONE as error:
            raise Problem(f"The display {self._address} does not answer.", BY_HAND) from error

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self._server.atom(name)
        return self._atoms[name]


def _short(machine: str) -> str:
    return machine.partition(".")[0].casefold()


def _time(token: str | None) -> int:
    """Return the time of the click, which X11's startup notification writes into TOKEN; 0, which means now, if none."""
    found = re.search(r"_TIME(\d{1,10})$", token or "")
    return int(found[1]) % 2**32 if found else 0
