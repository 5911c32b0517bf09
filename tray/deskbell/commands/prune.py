"""`deskbell prune`: delete old sessions, as the running Deskbell does once a day."""

import argparse
import time
from contextlib import suppress
from math import isfinite

from deskbell.board import board
from deskbell.commands._world import world
from deskbell.history.prune import MEGABYTE, Keep, Pruned, prune
from deskbell.home import home
from deskbell.terminal.out import complain, say


def arguments(parser: argparse.ArgumentParser) -> None:
    default = Keep()
    parser.add_argument("--dry-run", action="store_true", help="print what would be deleted and delete nothing")
    parser.add_argument(
        "--days", type=_amount, default=default.days, help="delete sessions older than DAYS (default: %(default)g)"
    )
    parser.add_argument(
        "--megabytes",
        type=_amount,
        default=default.total // MEGABYTE,
        help="keep at most this much, deleting the oldest (default: %(default)g)",
    )


def run(args: argparse.Namespace) -> int:
    now = time.time()
    keep = Keep(days=args.days, total=int(args.megabytes * MEGABYTE))
    done = prune(home(), keep, board(world().read(now), now).ids, now, dry=args.dry_run)
    say(sentence(done, args.dry_run))
    for failure in done.failed:
        complain(failure)
    return 1 if done.failed else 0


def _amount(text: str) -> float:
    """Return the number in TEXT. A negative age would delete every session that does not run."""
    with suppress(ValueError):
        if isfinite(number := float(text)) and number >= 0:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on. Use 30, for example.")


def sentence(done: Pruned, dry: bool) -> str:
    """Return what was deleted, or with DRY what would be deleted."""
    if not (done.removed or done.cut or done.temporary):
        return "Nothing to delete."
    parts = [
        _counted(len(done.removed), "session"),
        _counted(len(done.cut), "long journal", " cut"),
        _counted(done.temporary, "abandoned file"),
    ]
    would = "would be freed" if dry else "freed"
    return f"{', '.join(part for part in parts if part)}: {done.freed / MEGABYTE:.1f} MB {would}."


def _counted(count: int, noun: str, more: str = "") -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}{more}" if count else ""
