"""`deskbell run`: show the tray icon and the notifications until the person quits."""

import argparse
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from deskbell.errors import NOT_WRITTEN, Problem, reason
from deskbell.home import Home, home
from deskbell.program.single import Other, ask_to_show, claim, place
from deskbell.terminal.out import is_terminal, say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--headless", action="store_true", help="show notifications only, without an icon")
    parser.add_argument("--install", action="store_true", help="install the hooks first")
    parser.add_argument("--at-login", action="store_true", help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    places = home()
    claimed = claim(place(places))
    if isinstance(claimed, Other):
        if not args.at_login:  # no person started this one, so nothing has to be shown
            _have_it_shown(claimed, places)
        return 0
    from deskbell.desktop.descriptors import allow_enough
    from deskbell.program import log
    from deskbell.program.assembly import Program  # imported here, so that a second start costs little

    handler = log.start(places.state)
    allow_enough()
    try:
        with logged():
            Program(places, args.headless, tell=_tell).run(install=args.install)
    finally:
        handler.close()
        claimed.release()
    return 0


@contextmanager
def logged() -> Iterator[None]:
    """Log that Deskbell ends, and the error if one ends it. Ctrl+C and an exit are no errors; a cancellation is one."""
    log = logging.getLogger("deskbell")
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        log.exception("Deskbell cannot go on")
        raise
    finally:
        log.info("Deskbell ends")


def _tell(sentence: str) -> None:
    """Print SENTENCE if a person started this in a terminal that still exists."""
    if is_terminal():
        with suppress(Problem, OSError):
            say(sentence, flush=True)


def _have_it_shown(other: Other, places: Home) -> None:
    """Ask the OTHER Deskbell to show itself, and print its counts. Raise Problem if it does not answer."""
    number = f" (process {other.pid})" if other.pid else ""
    already = f"Deskbell is already running{number}"
    try:
        answers = ask_to_show(places.state)
    except OSError as error:
        raise Problem(f"{already}, but cannot be asked to show itself: {reason(error)}.", NOT_WRITTEN) from None
    if not answers:
        step = f"End process {other.pid}" if other.pid else "End it"
        raise Problem(f"{already}, but does not answer.", f"{step}, then start Deskbell again.")
    say(f"{already} and shows its sessions now: {_counted()}.")


def _counted() -> str:
    from deskbell.board import board  # imported here, because only a second start needs it
    from deskbell.commands._world import world
    from deskbell.text.wording import counts

    now = time.time()
    said = counts(board(world().read(now), now))
    return said[:1].lower() + said[1:]
