"""`deskbell why [ID] [--last N] [--json]`: why it rang, or did not."""

import argparse
import json
from dataclasses import asdict

from deskbell.home import home
from deskbell.notices import decisions
from deskbell.text.times import exact


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("about", nargs="?", metavar="ID", help="a project, or the beginning of a session's id")
    parser.add_argument("--last", type=int, default=20, metavar="N", help="how many decisions (20)")
    parser.add_argument("--json", action="store_true", help="as JSON, one decision a line")


def run(args: argparse.Namespace) -> int:
    found = decisions.read(home().state, max(1, args.last), args.about)
    for decision in found:
        if args.json:
            print(json.dumps({"version": 1, **asdict(decision)}, ensure_ascii=False))
        else:
            print(f"{exact(decision.at)}  {decision.status or '':<11}  {decisions.sentence(decision)}")
    if not found and not args.json:
        print(f"Nothing was decided about {args.about} yet." if args.about else "Nothing was decided yet.")
    return 0
