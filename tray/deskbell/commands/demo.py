"""`deskbell demo`: play an eventful afternoon through the real hooks in a private home, with the icon beside it."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deskbell.demo.afternoon import AFTERNOON, BEGINS, BRANCHES
from deskbell.demo.player import play, private, stage
from deskbell.demo.scenes import Moment
from deskbell.desktop.autostart import program
from deskbell.terminal.out import say

SPEED = 120.0
"""Minutes of the afternoon in one minute."""
PATIENCE = 10.0
"""Seconds for the icon to end before it is killed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    environment = "do not start the icon; print the environment to use in another terminal"
    speed = "play this many minutes of the afternoon in one minute (default: %(default)g)"
    parser.add_argument("--speed", type=_speed, default=SPEED, help=speed)
    parser.add_argument("--headless", action="store_true", help="show notifications only, without an icon")
    parser.add_argument("--no-tray", action="store_true", help=environment)


def run(args: argparse.Namespace) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the icon ends with this process
    with tempfile.TemporaryDirectory(prefix="deskbell-demo-", ignore_cleanup_errors=True) as name:
        os.environ.update(private(Path(name)))
        say("This Deskbell and its sessions have a private home: yours stays as it is. Press Ctrl+C to end.")
        with stage(Path(name), BRANCHES) as opened, _icon(args) as wait:
            played = play(AFTERNOON, args.speed, _printed(opened.show), wait)
            if played and not args.no_tray:
                say(f"The afternoon is over, and one session is still blocked. {ending(args.headless)}")
                while wait(60.0):
                    pass
    return 0


def ending(headless: bool) -> str:
    """Return how the person ends the demo. Without an icon there is no menu."""
    return "Press Ctrl+C to end." if headless else "Quit in the menu or press Ctrl+C."


def _printed(show: Callable[[Moment], None]) -> Callable[[Moment], None]:
    def shown(moment: Moment) -> None:
        if moment.text:
            hours, minutes = divmod(BEGINS + int(moment.at), 60)
            say(f"{hours}:{minutes:02}  {moment.who:6}  {moment.text}", flush=True)
        show(moment)

    return shown


@contextmanager
def _icon(args: argparse.Namespace) -> Iterator[Callable[[float], bool]]:
    """Run the icon. Yield a function that waits so many seconds and returns whether the icon still runs."""
    if args.no_tray:
        say(f"DESKBELL_HOME={os.environ['DESKBELL_HOME']} CLAUDE_CONFIG_DIR={os.environ['CLAUDE_CONFIG_DIR']}")
        yield _sleep
        return
    tray = subprocess.Popen([*program(), "run", *(["--headless"] if args.headless else [])])
    try:
        yield lambda seconds: _still_runs(tray, seconds)
    finally:
        tray.terminate()
        try:
            tray.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            tray.kill()
            tray.wait()


def _sleep(seconds: float) -> bool:
    time.sleep(seconds)
    return True


def _still_runs(tray: "subprocess.Popen[bytes]", seconds: float) -> bool:
    try:
        tray.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def _speed(text: str) -> float:
    with suppress(ValueError):
        if 0 < (speed := float(text)) < 1e9:
            return speed
    raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0. Use 120, for example.")
