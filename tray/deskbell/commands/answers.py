"""`deskbell answers`: switch answers from outside of the terminal on or off, and check that they work."""

import argparse

from deskbell.commands._settings import add_consent, agreed
from deskbell.doctor import answers, report
from deskbell.doctor.hooks import Scene
from deskbell.home import home
from deskbell.notices.policyfile import parse, text
from deskbell.settings.claude_code import installed_client
from deskbell.settings.interpreter import stable_interpreter
from deskbell.settings.managed import managed_folder
from deskbell.settings.setup import setup
from deskbell.settings.switch import KINDS, USUAL, carry_out, plan
from deskbell.settings.targets import known_targets, user_targets
from deskbell.terminal.out import one_of, say


def arguments(parser: argparse.ArgumentParser) -> None:
    wishes = parser.add_subparsers(dest="wish", metavar="on|off|status", required=True)
    on = wishes.add_parser("on", help="switch answers on, and add the hook that they need to Claude Code's settings")
    off = wishes.add_parser("off", help="switch answers off, and remove the hook once nothing needs it")
    for one, usual in ((on, ", ".join(USUAL)), (off, "all")):
        about = f"name what can be answered: {', '.join(KINDS)} (default: {usual})"
        one.add_argument("kinds", nargs="*", type=one_of(KINDS), metavar="KIND", help=about)
        add_consent(one)
    wishes.add_parser("status", help="show what can be answered, and check every link that it needs")


def run(args: argparse.Namespace) -> int:
    return _status() if args.wish == "status" else _switch(args, on=args.wish == "on")


def _switch(args: argparse.Namespace, on: bool) -> int:
    kinds = args.kinds or (USUAL if on else KINDS)
    wish = plan(kinds, on, setup(home()))
    if not agreed(wish.changes, args):
        return 0
    done = "Installed the hook for answers into" if wish.setup.answers else "Removed the hook for answers from"
    for change in carry_out(wish):
        if change.needed:
            say(f"{done} {change.path}.")
    say(f"Answers are switched {'on' if on else 'off'}: {', '.join(dict.fromkeys(kinds))}.")
    if on and wish.setup.answers:
        say("They count for what is asked from now on. What is open already is answered in its terminal.")
    return 0


def _status() -> int:
    here = home()
    path = here.config / "config.toml"
    policy = parse(text(path) or "", path).answers
    for kind in KINDS:
        say(f"{kind:<11}{'on' if getattr(policy, kind) else 'off'}")
    targets = known_targets(here.config) or user_targets(())
    scene = Scene(here, installed_client(here.config), stable_interpreter(), managed_folder(), tuple(targets))
    found = answers.examined(scene)
    say(*report.lines(found))
    return int(any(check.verdict == "bad" for check in found))
