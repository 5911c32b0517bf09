"""Choose the terminal of Warp by its URL, which Warp gives each terminal; nothing proves it."""

import os
import re
import subprocess
import sys

from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem, reason

# Each release of Warp has a scheme of its own: https://github.com/warpdotdev/warp/pull/11130
_URL = re.compile(r"warp(preview|oss|dev|local)?://session/[0-9a-fA-F-]{8,40}")
_opened: "list[subprocess.Popen[bytes]]" = []
"""The openers that run, so that those that have ended are collected."""


def tab(spot: Spot, _desk: Desk) -> Tab | None:
    """Return the terminal; None for another program, and for another URL, which any program might open."""
    url = spot.handle("WARP_FOCUS_URL")
    if spot.terminal or not _URL.fullmatch(url):
        return None
    return Tab(Step("tab", "its terminal in Warp", lambda: visit(url), lambda: None), raises=True)


def visit(url: str) -> None:
    """Open URL with the program that takes such URLs.

    An opener that needs longer is left to itself: xdg-open waits for an editor to start before that takes the URL.
    """
    from deskbell.desktop.launch import opener, start  # imported for such a jump, and for no other

    try:
        if sys.platform == "win32":
            os.startfile(url)
            return
        process = start([opener(), url])
    except OSError as error:
        raise Problem(f"{url.partition(':')[0]} could not be opened: {reason(error)}.", BY_HAND) from None
    _opened[:] = [one for one in (*_opened, process) if one.poll() is None]
    try:
        code = process.wait(AT_ONCE)
    except subprocess.TimeoutExpired:
        return
    if code:
        raise Problem(f"{opener()} opened no program.", BY_HAND)
