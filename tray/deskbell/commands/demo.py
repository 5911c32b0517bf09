"""deskbell demo: an eventful afternoon, played through the real hooks in a private home, and the icon that tells it."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from deskbell.demo.afternoon import AFTERNOON, BEGINS, BRANCHES
from deskbell.demo.player import play, private, stage
from deskbell.demo.scenes import Moment
from deskbell.desktop.autostart import program

SPEED = 120.0
PATIENCE = 10.0


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--speed", type=_speed, default=SPEED, help=f"minutes that pass in one (default: {SPEED:g})")
    parser.add_argument("--headless", action="store_true", help="without an icon, only notifications")
    parser.add_argument("--no-tray", action="store_true", help="only play, for another terminal: it is told where")


def run(args: argparse.Namespace) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the icon goes, too
    with tempfile.TemporaryDirectory(prefix="deskbell-demo-", ignore_cleanup_errors=True) as name:
        os.environ.update(private(Path(name)))
        print("Nothing of yours is touched: this Deskbell and its sessions have a home of their own. Ctrl+C ends it.")
        with stage(Path(name), BRANCHES) as opened, _watched(args) as wait:
            played = play(AFTERNOON, args.speed, _told(opened.show), wait)
            if played and not args.no_tray:
                print("The afternoon is over, and one session still waits for you. Quit in the menu, or Ctrl+C here.")
                while wait(60.0):
                    pass
    return 0


def _told(show: Callable[[Moment], None]) -> Callable[[Moment], None]:
    def shown(moment: Moment) -> None:
        if moment.told:
            hours, minutes = divmod(BEGINS + int(moment.at), 60)
            print(f"{hours}:{minutes:02}  {moment.who:6}  {moment.told}", flush=True)
        show(moment)

    return shown


@contextmanager
def _watched(args: argparse.Namespace) -> Iterator[Callable[[float], bool]]:
    """Starts the icon; what is given waits so many seconds, and says whether it is still there."""
    if args.no_tray:
        print(f"DESKBELL_HOME={os.environ['DESKBELL_HOME']} CLAUDE_CONFIG_DIR={os.environ['CLAUDE_CONFIG_DIR']}")
        yield _slept
        return
    tray = subprocess.Popen([*program(), "run", *(["--headless"] if args.headless else [])])
    try:
        yield lambda seconds: _still_there(tray, seconds)
    finally:
        tray.terminate()
        try:
            tray.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            tray.kill()
            tray.wait()


def _slept(seconds: float) -> bool:
    time.sleep(seconds)
    return True


def _still_there(tray: "subprocess.Popen[bytes]", seconds: float) -> bool:
    try:
        tray.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def _speed(text: str) -> float:
    speed = float(text)
    if not 0 < speed < 1e9:
        raise argparse.ArgumentTypeError("a number above 0")
    return speed
