"""Bring a window of KDE to the front with a script that KWin runs, also on Wayland; the script's report proves it.

Numbers and words go into the script as JSON, so nothing in them can end a string.
"""

import asyncio
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deskbell.desktop import bus
from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.focus.kwin import NAME, SCRIPTING
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import SHOWS_WITHIN, Desk, Tab
from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.jump.wire import Call
from deskbell.errors import Problem

SCRIPT = "deskbell-jump"
PATH, INTERFACE = "/deskbell/jump", "deskbell.Jump"
# Plasma 6 has windowList and activeWindow, Plasma 5 has clientList and activeClient.
SCRIPT_TEXT = """
var given = GIVEN;
var all = workspace.windowList ? workspace.windowList() : workspace.clientList();
var found = null;
for (var i = 0; i < given.pids.length && !found; i++) {
  var own = all.filter(function (one) { return one.pid === given.pids[i] && one.normalWindow; });
  var marked = own.filter(function (one) { return given.mark && one.caption.indexOf(given.mark) >= 0; });
  found = marked[0] || own[0] || null;
}
if (found && given.raise) {
  if (workspace.windowList) { workspace.activeWindow = found; } else { workspace.activeClient = found; }
}
var active = workspace.windowList ? workspace.activeWindow : workspace.activeClient;
callDBus(given.name, given.path, given.interface, "Found", found ? found.pid : 0, found !== null && active === found,
  active ? active.pid : 0);
"""


class Found(NamedTuple):
    """What the script reports."""

    pid: int
    """The process of the window that was found; 0 for none."""
    active: bool
    """Whether that window is active."""
    front: int
    """The process of the active window; 0 for none."""


def window(spot: Spot, desk: Desk, _tab: Tab | None) -> Step | None:
    """Return the window; None if no window belongs to SPOT. Raise Problem if KWin does not answer."""
    if desk.wire.owner(NAME) is None:
        raise Problem("KWin is not on the session bus.", BY_HAND)
    pid = _run(spot.line, None, desk, raises=False).pid
    if not pid:
        return None
    mark = desk.mark(spot).word()

    def look() -> Found:
        return _run(spot.line, mark, desk, raises=False)

    def instead() -> str:
        return f"the window of {program(front) or 'another program'}" if (front := look().front) else ""

    return Step(
        "window",
        f"the window of {program(pid) or 'the terminal'}",
        lambda: _bring(spot.line, mark, desk),
        lambda: look().active,
        instead,
    )


def _bring(pids: Sequence[int], mark: str | None, desk: Desk) -> None:
    _run(pids, mark, desk, raises=True)


def script(name: str, pids: Sequence[int], mark: str | None, *, raises: bool) -> str:
    """Return the script that finds the window of the first of PIDS that has one, by MARK if it has several."""
    given = {"name": name, "path": PATH, "interface": INTERFACE, "pids": list(pids), "mark": mark, "raise": raises}
    return SCRIPT_TEXT.replace("GIVEN", json.dumps(given), 1)


def _run(pids: Sequence[int], mark: str | None, desk: Desk, *, raises: bool) -> Found:

    async def work(call: Call) -> list[object]:
        connection = desk.wire.connection
        answer = bus.expected(connection, INTERFACE)
        file.write_text(script(str(connection.unique_name), pids, mark, raises=raises))
        await call(NAME, "/Scripting", SCRIPTING, "unloadScript", "s", [SCRIPT])
        loaded = await call(NAME, "/Scripting", SCRIPTING, "loadScript", "ss", [str(file), SCRIPT])
        await call(NAME, "/Scripting", SCRIPTING, "start")
        if loaded is None:
            raise EOFError
        try:
            return await asyncio.wait_for(answer, AT_ONCE)
        finally:
            await call(NAME, "/Scripting", SCRIPTING, "unloadScript", "s", [SCRIPT])

    with tempfile.TemporaryDirectory(prefix="deskbell-") as folder:
        file = Path(folder) / "jump.js"
        said = desk.wire.run(work, AT_ONCE + SHOWS_WITHIN)
    match said:
        case [int() | float() as pid, bool() as active, int() | float() as front]:
            return Found(int(pid), active, int(front))
    raise Problem("KWin did not run the script that shows a window.", BY_HAND)
