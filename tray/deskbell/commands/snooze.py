"""`deskbell snooze [30m|1h|tomorrow|off]`: nothing rings until then; what was missed is summed up after."""

import argparse
import time

from deskbell.home import home
from deskbell.notices import quiet
from deskbell.text.times import clock, end_of


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("span", nargs="?", default="30m", help="30m (without it), 90s, 2h, tomorrow, or off")


def run(args: argparse.Namespace) -> int:
    state, now = home().state, time.time()
    until = None if args.span == "off" else end_of(args.span, now)
    quiet.write(state, quiet.read(state).snoozed(until))
    print("Not snoozed." if until is None else f"Snoozed until {clock(until, now)}.")
    return 0
