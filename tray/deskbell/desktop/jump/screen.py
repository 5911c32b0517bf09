"""Show a window of GNU screen in the display that was used last; nothing proves it.

`screen -Q number` would tell which window is shown, but it can hang the person's display (seen with 4.9.0).
"""

from pathlib import Path

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Inside
from deskbell.desktop.jump.output import output
from deskbell.desktop.jump.spot import Spot, spot
from deskbell.errors import Problem


def inside(there: Spot, desk: Desk) -> Inside | None:
    """Return None for a process that no screen has started."""
    server = server_of(there)
    shell = there.below(server)[-1:] if server else ()
    if server is None or not shell:
        return None
    given = processes.environment(shell[0])
    number = given.get("WINDOW", "")
    if not given.get("STY", "").startswith(f"{server}.") or not (number.isascii() and number.isdigit()):
        raise Problem("The session runs in a screen whose window is not known.", BY_HAND)
    name = f"{server}."  # what follows the dot may be another name by now, and screen takes the beginning of one
    outer = _display(server)
    if outer is None:
        return Inside(None, None, f"It is in screen {server}, to which nobody is attached.", ("screen", "-r", name))

    def bring() -> None:
        if output("screen", "-S", name, "-X", "select", number) is None:
            raise Problem(f"screen did not switch to window {number}.", BY_HAND)

    return Inside(Step("pane", f"screen window {number}", bring, lambda: None), outer)


def server_of(there: Spot) -> int | None:
    """Return the nearest server above THERE; None if there is none."""
    return next((pid for pid in there.line[1:] if processes.name(pid) == "screen"), None)


def _display(server: int) -> Spot | None:
    """Return the client whose terminal the server holds open; of several, the last that a person typed into."""
    terminals = processes.open_files(server)
    clients = [
        found
        for pid in processes.pids()
        if pid != server and processes.name(pid) == "screen" and (found := spot(pid)) and found.tty in terminals
    ]
    return max(clients, key=lambda one: _typed(one.tty or ""), default=None)


def _typed(tty: str) -> float:
    try:
        return Path(tty).stat().st_atime
    except OSError:
        return 0.0
