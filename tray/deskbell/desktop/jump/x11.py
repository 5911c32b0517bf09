"""Bring a window of X11 to the front from any workspace, also a minimised one; _NET_ACTIVE_WINDOW proves it.

The window belongs to the nearest process above the session that has one. If it has several, the window is the one that
the terminal names, else the one whose title shows the mark, else WINDOWID.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

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


def window(spot: Spot, desk: Desk, tab: Tab | None) -> Step | None:
    """Return the window; None if no window belongs to SPOT. Raise Problem if the X server does not answer."""
    screen = shared(desk)
    number = screen.window_of(spot, desk, tab.window if tab else None)
    if number is None:
        return None
    return Step(
        "window",
        f"the window of {program(screen.owner(number)) or 'the terminal'}",
        lambda: screen.ask_for(number, desk.token),
        lambda: screen.active() == number,
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
        if self.active() != number:
            with self._answering():
                kind = self._atom("_NET_ACTIVE_WINDOW")
                self._server.ask_for(number, kind, PAGER, _time(token), 0)

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
