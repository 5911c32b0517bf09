"""`deskbell doctor`: check every link from Claude Code to the screen, and say how to fix a broken one."""

import argparse
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path

from deskbell.commands._settings import add_arguments, selected
from deskbell.commands._world import world
from deskbell.doctor import jump, report
from deskbell.doctor.each import each
from deskbell.errors import Misuse, Problem
from deskbell.home import home
from deskbell.settings.claude_code import installed_client
from deskbell.settings.registration import Version
from deskbell.settings.targets import Target, user_targets
from deskbell.terminal.out import say, say_json


def arguments(parser: argparse.ArgumentParser) -> None:
    add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object, as docs/json.md describes it")
    parser.add_argument("--jump", action="store_true", help="check how far a jump to each running session comes")


def run(args: argparse.Namespace) -> int:
    here = home()
    if args.jump:
        _check_alone(args)
        found = list(each({"jumps": partial(jump.examined, world().read(time.time()))}, jump.AGAIN))
    else:
        client = installed_client(here.config)
        found = report.checks(here, client, _targets(args, here.config, client.version))
    if args.json:
        say_json({"version": 1, "checks": [asdict(check) for check in found]}, indent=2)
    else:
        say(*report.lines(found))
    return int(any(check.verdict == "bad" for check in found))


def _check_alone(args: argparse.Namespace) -> None:
    if args.scope or args.project or args.config_dir:
        what = "`deskbell doctor --jump` tries jumps and reads no settings."
        raise Misuse(what, "Leave out --scope, --project and --config-dir.")


def _targets(args: argparse.Namespace, config: Path, client: Version | None) -> list[Target]:
    """Return the files that ARGS name. If they name none and Deskbell's claude.json cannot be read, which a check
    reports, return the person's settings."""
    try:
        return selected(args, config, client)
    except Problem:
        if args.config_dir or args.scope or args.project:
            raise
        return user_targets(())
