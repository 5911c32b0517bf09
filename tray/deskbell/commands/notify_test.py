"""`deskbell notify-test [STATUS]`: show a real notification, and print who displayed it and whether it was clicked."""

import argparse
import asyncio
import sys
import time
from pathlib import Path

from deskbell.desktop.notify import notifier
from deskbell.errors import Problem
from deskbell.home import home
from deskbell.notices.notice import notice
from deskbell.notices.policyfile import Reading, reread
from deskbell.notices.screen import Notifier, ScreenEvent
from deskbell.notices.subject import CAN_BE_MUTED
from deskbell.program.boundary import Boundary
from deskbell.session import Session
from deskbell.terminal.out import one_of, say
from deskbell_hooks.schema import Status

DISPLAYED_WITHIN = 5.0
"""Seconds that the system has to display the notification."""
COMMAND, SENTENCE = "Bash: echo 'a test of Deskbell'", "A test of Deskbell"
"""What the sample session runs, and what it says."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "status",
        nargs="?",
        default="permission",
        type=one_of(sorted(CAN_BE_MUTED)),
        metavar="STATUS",
        help="choose the status of the session in the test (default: permission)",
    )
    parser.add_argument(
        "--wait", type=float, default=10.0, metavar="SECONDS", help="wait this long for a click (default: 10)"
    )


def run(args: argparse.Namespace) -> int:
    return asyncio.run(_test(args.status, args.wait))


async def _test(status: Status, patience: float) -> int:
    heard: asyncio.Queue[ScreenEvent] = asyncio.Queue()
    screen = notifier(heard.put_nowait, Boundary())
    screen.start()
    try:
        return await _shown(screen, heard, status, patience)
    finally:
        await screen.stop()


async def _shown(screen: Notifier, heard: asyncio.Queue[ScreenEvent], status: Status, patience: float) -> int:
    policy = reread(home().config / "config.toml", Reading()).policy
    screen.show(notice(_sample(status), policy, "a test", time.time()))
    displayed = await _first(heard, DISPLAYED_WITHIN, "displayed", "lost")
    if displayed and displayed.what == "lost" and displayed.why:
        raise Problem(f"The notification is not displayed: {displayed.why}.", "Run `deskbell doctor`.")
    if displayed is None or displayed.what == "lost":
        raise not_displayed(sys.platform)
    say(f"Displayed by {displayed.by}. Click it or close it" + (f" within {patience:g} s." if patience else "."))
    answer = await _first(heard, patience, "clicked", "closed")
    if answer is None:
        say("It was not clicked.")
    elif answer.what == "closed":
        say("It was dismissed or it expired.")
    else:
        token = "with" if answer.token else "without"
        say(f"Clicked: {type(answer.action).__name__.lower()}, {token} an activation token.")
    return 0


def not_displayed(platform: str) -> Problem:
    """Return the Problem that nothing displayed the notification. Only Linux has notification daemons."""
    if platform in ("darwin", "win32"):
        return Problem("This system does not display it.", "Allow Deskbell to notify in its settings.")
    return Problem("No notification daemon answers.", "Start one, such as dunst, or run `deskbell doctor`.")


async def _first(heard: asyncio.Queue[ScreenEvent], patience: float, *what: str) -> ScreenEvent | None:
    """Return the first ScreenEvent of one of the kinds WHAT. Return None after PATIENCE seconds."""
    try:
        async with asyncio.timeout(patience):
            while (event := await heard.get()).what not in what:
                pass
            return event
    except TimeoutError:
        return None


def _sample(status: Status) -> Session:
    now = time.time()
    return Session(
        session_id="test",
        pid=None,
        pid_start=None,
        status=status,
        detail=COMMAND if status in ("permission", "interrupted", "crashed") else SENTENCE,
        reason="a test",
        since=now,
        heard=now,
        project=Path.cwd().name,
        title="notify-test",
        last_line=SENTENCE,
    )
