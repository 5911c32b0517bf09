"""deskbell doctor: checks every link of the chain and says how to mend what is broken."""

import argparse
import json
from dataclasses import asdict

from deskbell.commands.selection import add_arguments, selected
from deskbell.desktop import checks as desktop
from deskbell.doctor import Scene, examined
from deskbell.errors import Problem
from deskbell.home import home
from deskbell.settings.client import installed_client
from deskbell.settings.interpreter import Interpreter, stable_interpreter
from deskbell.settings.managed import managed_folder

MARKS = {"ok": "✓", "warn": "!", "bad": "✗"}


def arguments(parser: argparse.ArgumentParser) -> None:
    add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    here, client = home(), installed_client()
    targets = selected(args, here.config, client.version if client else None)
    scene = Scene(here, client, _interpreter(), managed_folder(), tuple(targets))
    checks = [*examined(scene), *desktop.examined(here)]
    if args.json:
        print(json.dumps({"version": 1, "checks": [asdict(check) for check in checks]}, indent=2, ensure_ascii=False))
    else:
        for check in checks:
            print(f"{MARKS[check.verdict]} {check.name}: {check.sentence}")
            if check.mend:
                print(f"    mend: {check.mend}")
    return int(any(check.verdict == "bad" for check in checks))


def _interpreter() -> Interpreter | None:
    try:
        return stable_interpreter()
    except Problem:
        return None
