"""`deskbell snooze` and `deskbell unsnooze`: hold back all notifications for a time, and ring once after it."""

import argparse
import time

from deskbell.errors import Misuse
from deskbell.home import home
from deskbell.nearest import nearest
from deskbell.notices import quiet
from deskbell.terminal.out import say
from deskbell.text.times import clock, end_of

EXAMPLES = """\
examples:
  deskbell snooze        hold back everything for 30 minutes
  deskbell snooze 17:30  hold back everything until 17:30
  deskbell snooze off    ring again
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    if parser.prog.split()[-1] == "snooze":
        parser.epilog = EXAMPLES
        times = "set when the snooze ends: 90s, 30m, 2h, 17:30 or tomorrow; off ends it now (default: 30m)"
        parser.add_argument("span", nargs="?", default="30m", metavar="TIME", help=times)


def run(args: argparse.Namespace) -> int:
    state, now = home().state, time.time()
    if args.verb == "unsnooze" or args.span.strip().lower() == "off":
        before = quiet.change(state, now, lambda before: before.snoozed(None))
        say("The snooze has ended." if before.snooze(now) else "No snooze was set.")
        return 0
    until = _end(args.span, now)
    quiet.change(state, now, lambda before: before.snoozed(until))
    say(f"Snoozed until {clock(until, now)}. `deskbell unsnooze` ends it.")
    return 0


def _end(said: str, now: float) -> float:
    """Return when the snooze that SAID names ends. Raise Misuse, with a suggestion, if it names none."""
    try:
        return end_of(said, now)
    except Misuse as wrong:
        if meant := nearest(said, ("tomorrow", "off")):
            raise Misuse(wrong.what, f'Did you mean "{meant}"?') from None
        if said.isalpha():
            raise Misuse(wrong.what, f"To silence one session or project: deskbell mute {said}") from None
        raise
