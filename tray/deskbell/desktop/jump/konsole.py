"""Choose the terminal of Konsole in any window, tab and split; `currentSession` of the window proves it."""

import re
from typing import Any, NamedTuple

from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

WINDOW = "org.kde.konsole.Window"
_SERVICE = re.compile(r"(:[\d.]+|org\.kde\.konsole(-\d+)?)")
_SESSION = re.compile(r"/Sessions/(\d{1,9})")


class Place(NamedTuple):
    """Where the session is now."""

    service: str
    window: int
    session: int


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the tab; None for another terminal. Search for its window, because a tab may have been moved."""
    service, found = spot.handle("KONSOLE_DBUS_SERVICE"), _SESSION.fullmatch(spot.handle("KONSOLE_DBUS_SESSION"))
    if not found or not _SERVICE.fullmatch(service) or desk.wire.owner(service) not in spot.line:
        return None
    session = _session_of(spot, service, int(found[1]), desk)
    window = next((one for one in _windows(service, desk) if session in _sessions(service, one, desk)), None)
    if window is None or session is None:
        raise Problem("Konsole has no tab with the session any more.", BY_HAND)
    path = f"/Windows/{window}"

    def bring() -> None:
        if desk.wire.call(service, path, WINDOW, "setCurrentSession", "i", [session]) is None:
            raise Problem("Konsole did not choose the tab.", BY_HAND)

    def there() -> bool | None:
        said = desk.wire.call(service, path, WINDOW, "currentSession")
        return said[0] == session if said else None

    return Tab(Step("tab", "its tab in Konsole", bring, there), _number(service, window, desk))


def _session_of(spot: Spot, service: str, inherited: int, desk: Desk) -> int | None:
    """Return Konsole's session whose shell is above SPOT. The INHERITED one is wrong if another tab started it."""
    for number in (inherited, *_children(service, "/Sessions", desk)):
        said = desk.wire.call(service, f"/Sessions/{number}", "org.kde.konsole.Session", "processId")
        if said and said[0] in spot.line:
            return number
    return None


def _windows(service: str, desk: Desk) -> list[int]:
    return _children(service, "/Windows", desk)


def _sessions(service: str, window: int, desk: Desk) -> set[int]:
    said = desk.wire.call(service, f"/Windows/{window}", WINDOW, "sessionList")
    return {int(one) for one in said[0]} if said else set()


def _children(service: str, path: str, desk: Desk) -> list[int]:
    said = desk.wire.call(service, path, "org.freedesktop.DBus.Introspectable", "Introspect")
    return [int(number) for number in re.findall(r'\bnode name="(\d{1,9})"', _text(said))]


def _number(service: str, window: int, desk: Desk) -> int | None:
    """Return the X11 number of the window."""
    path = f"/konsole/MainWindow_{window}"
    said = desk.wire.call(service, path, "org.kde.KMainWindow", "winId")
    return int(said[0]) if said else None


def _text(said: list[Any] | None) -> str:
    return str(said[0]) if said else ""
