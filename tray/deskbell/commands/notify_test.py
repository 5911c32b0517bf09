"""`deskbell notify-test [STATUS]`: shows a real notification and says who displayed it and whether it was clicked."""

import argparse
import asyncio
import time
from pathlib import Path

from deskbell.desktop.notify import notifier
from deskbell.home import home
from deskbell.notices.notice import LABELS, notice
from deskbell.notices.policyfile import Reading, reread
from deskbell.notices.screen import Notifier, Told
from deskbell.session import Session
from deskbell_hooks.schema import Status

DISPLAYED_WITHIN = 5.0


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("status", nargs="?", default="permission", choices=sorted(LABELS))
    parser.add_argument("--wait", type=float, default=10.0, metavar="SECONDS", help="how long to wait for a click (10)")


def run(args: argparse.Namespace) -> int:
    return asyncio.run(_test(args.status, args.wait))


async def _test(status: Status, patience: float) -> int:
    heard: asyncio.Queue[Told] = asyncio.Queue()
    screen = notifier(heard.put_nowait)
    screen.start()
    try:
        return await _shown(screen, heard, status, patience)
    finally:
        screen.stop()
        await asyncio.sleep(0.05)  # for the last message to leave


async def _shown(screen: Notifier, heard: asyncio.Queue[Told], status: Status, patience: float) -> int:
    policy = reread(home().config / "config.toml", Reading()).policy
    screen.show(notice(_sample(status), policy, "a test", time.time()))
    displayed = await _first(heard, DISPLAYED_WITHIN, "displayed", "lost")
    if displayed is None or displayed.what == "lost":
        print("Not displayed: no notification daemon answers. The icon carries on without one.")
        return 1
    print(f"Displayed by {displayed.by}. Click it, or close it" + (f" (waiting {patience:g} s)." if patience else "."))
    answer = await _first(heard, patience, "clicked", "closed")
    if answer is None:
        print("It was not clicked.")
    elif answer.what == "closed":
        print("It was closed, by you or by time.")
    else:
        token = "with" if answer.token else "without"
        print(f"Clicked: {type(answer.action).__name__.lower()}, {token} an activation token.")
    return 0


async def _first(heard: asyncio.Queue[Told], patience: float, *what: str) -> Told | None:
    """The first word of one of these kinds."""
    try:
        async with asyncio.timeout(patience):
            while (told := await heard.get()).what not in what:
                pass
            return told
    except TimeoutError:
        return None


def _sample(status: Status) -> Session:
    now = time.time()
    return Session(
        session_id="test",
        pid=None,
        pid_start=None,
        status=status,
        detail="Bash: echo 'a test of Deskbell'",
        reason="a test",
        since=now,
        heard=now,
        project=Path.cwd().name,
        title="notify-test",
    )
