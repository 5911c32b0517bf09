"""`deskbell why`: print the latest decisions to ring or not, each with its reason."""

import argparse
from dataclasses import asdict

from deskbell.home import home
from deskbell.notices import decisions
from deskbell.terminal.out import say, say_json
from deskbell.text.times import exact
from deskbell_hooks.trim import without_secrets

MOST = 1_000_000
"""Decisions that are read: more than the log can hold."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "about", nargs="?", metavar="ID", help="explain only this project, or the session whose id starts like this"
    )
    parser.add_argument("--last", type=int, default=20, metavar="N", help="print the last N decisions (default 20)")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line, as docs/json.md describes it"
    )


def run(args: argparse.Namespace) -> int:
    found = decisions.read(home().state, min(max(1, args.last), MOST), args.about)
    for decision in found:
        if args.json:
            about = {"project": without_secrets(decision.project), "reason": without_secrets(decision.reason)}
            say_json({"version": 1, **asdict(decision), **about})
        else:
            say(f"{exact(decision.at):<15}  {decision.status or '':<11}  {decisions.sentence(decision)}")
    if not found and not args.json:
        say(f"No decision about {args.about} is recorded." if args.about else "No decision is recorded.")
    return 0
