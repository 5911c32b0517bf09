"""Choose the terminal of Warp by its URL, which Warp gives each terminal; nothing proves it."""

import re
import sys

from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.jump.told import told
from deskbell.errors import Problem

_URL = re.compile(r"warp(preview)?://session/[0-9a-fA-F-]{8,40}")


def tab(spot: Spot, _desk: Desk) -> Tab | None:
    """Return the terminal; None for another program, and for another URL, which any program might open."""
    url = spot.handle("WARP_FOCUS_URL")
    if not _URL.fullmatch(url):
        return None
    return Tab(Step("tab", "its terminal in Warp", lambda: visit(url), lambda: None), raises=True)


def visit(url: str) -> None:
    """Open URL with the program that claims its scheme. Raise Problem if that fails."""
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    if told(opener, url, children="leave") is None:
        raise Problem(f"{opener} opened no program.", BY_HAND)
