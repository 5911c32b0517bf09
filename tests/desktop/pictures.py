"""Make the pictures in README.md again: `make pictures`.

Run by hand on Linux. It needs the packages of tests/system-packages.sh and `faketime`. Panel, notification daemon, hooks
and Deskbell are real; the sessions are played as in `deskbell demo`.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from PIL import Image
from rich.console import Console
from rich.style import Style
from rich.text import Text

from deskbell.cards.state import State
from deskbell.commands._follow import following
from deskbell.commands._hands import RealHands
from deskbell.commands._world import world
from deskbell.commands.list import KEPT, REFRESH
from deskbell.demo.afternoon import BRANCHES
from deskbell.demo.player import Stage, private, stage
from deskbell.demo.scenes import (
    Moment,
    asks_permission,
    asks_question,
    finishes,
    is_prompted,
    lists_tasks,
    needs_input,
    runs_tool,
    starts,
    starts_subagents,
)
from deskbell.home import home
from deskbell.terminal.tui import Tui
from tests.desktop.conftest import ROOT
from tests.desktop.desktop import NOTIFYD, Desktop, desktop, difference, wait_until
from tests.desktop.panel import Panel
from tests.tray.terminal.boards import export, recorded

PICTURES = ROOT / "packaging/pictures"
SIZE = (1104, 490)
COLOURS = 256
COLUMNS = 104
BOARD = (104, 24)
"""Columns and lines of the board."""
GAP = Style(meta={"gap": True})
"""The style of the space between columns: rich then gives every cell a place of its own, whatever the font."""
NOW = 48.0
"""The minute of the pictures. The moments below are minutes, too."""

EARLIER = (
    *starts(0, "api"),
    *is_prompted(1, "api", "Release 2.4"),
    *lists_tasks(2, "api", 2, "Run the tests", "Bump the version", "Publish to the registry"),
    *starts(2, "web"),
    *is_prompted(3, "web", "Redesign the checkout page"),
    *lists_tasks(8, "web", 1, "Read the page", "Ask how it is to be", "Write it", "Test it on phones"),
    *runs_tool(9, "web", 20, "Edit", file_path="src/checkout/Page.tsx"),
    *starts(4, "mobile"),
    *is_prompted(5, "mobile", "Fix the crash on cold start"),
    *starts(6, "infra"),
    *is_prompted(7, "infra", "Move staging to the cloud"),
    *finishes(29, "infra", "Staging runs there, and all checks pass."),
    *starts(8, "docs"),
    *is_prompted(9, "docs", "Update the API reference"),
    *starts_subagents(38, "docs", 39, {"Find every changed endpoint": 99.0, "Look for dead links": 99.0}),
    *starts(31, "data"),
    *is_prompted(32, "data", "Backfill the March invoices"),
    *lists_tasks(33, "data", 1, "Read the March exports", "Backfill the invoices", "Compare the sums"),
    *runs_tool(44, "data", 99, "Bash", command="python backfill.py --resume"),
)
"""What has happened when Deskbell starts; it does not ring."""
ASKED = (
    *asks_permission(36, "api", 99, "yes", "Bash", command="npm publish --access public"),
    *asks_question(41, "web", 99, "One page, or step by step?", ("One page", "Step by step")),
    *needs_input(47, "mobile", 99, "tracker", "Which project is it?"),
)
"""What rings. Every answer comes after the pictures."""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="deskbell-pictures-", ignore_cleanup_errors=True) as name:
        root = Path(name)
        with desktop(root / "desk", size=SIZE) as xfce:
            _notify_on_the_left(xfce)
            os.environ.update(xfce.env)
            os.environ.update(private(root), TZ=_afternoon(), TERM="xterm-256color")
            clock = Clock()
            with stage(root, BRANCHES, clock) as opened:
                for moment in _until_now(EARLIER):
                    _show(opened, moment, clock)
                panel = Panel(xfce)
                with _deskbell():
                    panel.wait_for("your_turn")
                    for number, moment in enumerate(_until_now(ASKED), 1):
                        _show(opened, moment, clock)
                        panel.wait_for("blocked", number)
                    _desktop(xfce, panel)
                    _list()
                    asyncio.run(_board())


def _until_now(moments: Iterable[Moment]) -> list[Moment]:
    return sorted((moment for moment in moments if moment.at <= NOW), key=lambda moment: moment.at)


def _afternoon() -> str:
    """Return a time zone in which it is two o'clock."""
    return f"LOCAL{datetime.now(UTC).hour - 14:+}"


class Clock:
    """The time of the moment that is shown."""

    minute = NOW

    def __call__(self) -> float:
        return time.time() - (NOW - self.minute) * 60


def _show(opened: Stage, moment: Moment, clock: Clock) -> None:
    """Show MOMENT with the clocks put back, so that the sessions do not all begin in the same minute."""
    clock.minute = moment.at
    command = ["faketime", "-f", f"-{NOW - moment.at}m", "printenv", "LD_PRELOAD", "FAKETIME"]
    preload, offset = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    os.environ.update(LD_PRELOAD=preload, FAKETIME=offset)
    opened.show(moment)
    del os.environ["LD_PRELOAD"], os.environ["FAKETIME"]


@contextmanager
def _deskbell() -> Iterator[None]:
    with subprocess.Popen([sys.executable, "-m", "deskbell", "run"]) as program:
        try:
            yield
        finally:
            program.terminate()


def _notify_on_the_left(xfce: Desktop) -> None:
    file = xfce.root / "config/xfce4/xfconf/xfce-perchannel-xml/xfce4-notifyd.xml"
    file.write_text(NOTIFYD.replace('value="2"', 'value="0"'))
    xfce.notifications_up("xfce4-notifyd")


def _desktop(xfce: Desktop, panel: Panel) -> None:
    _still(xfce)  # all notifications are there
    panel.open_menu()
    xfce.xdotool("key", "Down")
    _still(xfce).quantize(COLOURS).save(PICTURES / "desktop.png", optimize=True)


def _still(xfce: Desktop) -> Image.Image:
    """Return the screen once it has not changed for a second."""
    shots: list[Image.Image] = []

    def still() -> bool:
        shots.append(xfce.shot())
        time.sleep(0.25)
        return len(shots) > 4 and not any(difference(shots[-1], earlier) for earlier in shots[-5:-1])

    wait_until(still, "a screen that no longer changes")
    return shots[-1]


def _list() -> None:
    """Draw what `deskbell list` prints."""
    command = [sys.executable, "-m", "deskbell", "list"]
    environment = os.environ | {"COLUMNS": str(COLUMNS), "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    text = Text.from_ansi(f"$ deskbell list\n\n{printed.rstrip()}")
    text.highlight_regex(" {2,}", GAP)
    with open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere)
        console.print(text, "", sep="\n")  # rich cuts the letters of the last line
    _save("list", console.export_svg(title="deskbell list", unique_id="list"))


async def _board() -> None:
    """Draw `deskbell board` as Textual shows it, with the sessions as they are."""
    feed = partial(following, world(ended_for=KEPT), refresh=REFRESH, own_terminal=False)
    app = Tui(feed, RealHands(home()), State())
    async with app.run_test(size=BOARD) as pilot:
        while "Running 2" not in export(app, styles=False):
            await pilot.pause(0.1)
        _save("board", recorded(app).export_svg(title="deskbell board", unique_id="board"))


def _save(name: str, svg: str) -> None:
    """Leave out the fonts that rich loads from elsewhere: GitHub refuses them."""
    (PICTURES / f"{name}.svg").write_text(re.sub(r" *@font-face \{.*?\}\n", "", svg, flags=re.DOTALL))


if __name__ == "__main__":
    main()
