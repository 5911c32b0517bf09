"""`deskbell autostart on|off|status`: switch the start at login on or off, or show it.

The login entry calls `deskbell autostart start --home FOLDER`, which is not for people and hidden from the help.
"""

import argparse
import os
import shlex

from deskbell.desktop import autostart
from deskbell.terminal.out import one_of, say

SAYS: dict[autostart.LoginState, str] = {
    "off": "Deskbell does not start at login.",
    "on": "Deskbell starts at login: {command}",
    "elsewhere": "Another Deskbell starts at login: {command}\nTo start this one, run `deskbell autostart on`.",
    "gone": "The Deskbell that starts at login is gone: {command}\nTo start this one, run `deskbell autostart on`.",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "wish",
        metavar="{on,off,status}",
        type=_wish,
        help="switch it on or off, or show whether it is on",
    )
    parser.add_argument("--home", help=argparse.SUPPRESS)


def _wish(word: str) -> str:
    """Return WORD if it is a wish. No error names `start`."""
    return word if word == "start" else one_of(("on", "off", "status"))(word)


def run(args: argparse.Namespace) -> int:
    if args.wish == "start":
        return _start(args.home)
    entry = autostart.entry()
    if args.wish == "on":
        say("Deskbell now starts at login." if entry.write(autostart.ours()) else "Autostart was already on.")
    elif args.wish == "off":
        say("Deskbell no longer starts at login." if entry.remove() else "Autostart was already off.")
    else:
        command = shlex.join(entry.read() or ())
        lines = SAYS[autostart.state(entry, autostart.ours())].split("\n")
        say(*(line.format(command=command) for line in lines))
    say(entry.where)
    return 0


def _start(home: str | None) -> int:
    from deskbell.__main__ import main

    if home:
        os.environ["DESKBELL_HOME"] = home
    return main(["run", "--at-login"])
