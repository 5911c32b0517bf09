"""`deskbell why`: print the latest decisions to ring or not, each with its reason."""

import argparse
import json
from dataclasses import asdict

from deskbell.home import home
from deskbell.notices import decisions
from deskbell.text.times import exact


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "about", nargs="?", metavar="ID", help="explain only this project, or the session whose id starts like this"
    )
    parser.add_argument("--last", type=int, default=20, metavar="N", help="print the last N decisions (default 20)")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line, as docs/json.md describes it"
    )


def run(args: argparse.Namespace) -> int:
    found = decisions.read(home().state, max(1, args.last), args.about)
    for decision in found:
        if args.json:
            print(json.dumps({"version": 1, **asdict(decision)}, ensure_ascii=False))
        else:
            print(f"{exact(decision.at):<15}  {decision.status or '':<11}  {decisions.sentence(decision)}")
    if not found and not args.json:
        print(f"No decision about {args.about} is recorded." if args.about else "No decision is recorded.")
    return 0
