"""`deskbell autostart on|off|status`: whether Deskbell starts when the person logs in."""

import argparse
import os
import shlex

from deskbell.desktop import autostart

SAYS: dict[autostart.LoginState, str] = {
    "off": "off: Deskbell does not start at login",
    "on": "on: {command}",
    "elsewhere": "on, but not this Deskbell: {command}\nto start this one: deskbell autostart on",
    "gone": "on, but it points to a Deskbell that is gone: {command}\nto mend it: deskbell autostart on",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wish", choices=("on", "off", "status", "start"), help="`start` is what the login entry calls")
    parser.add_argument("--home", metavar="FOLDER", help="with `start`: the DESKBELL_HOME to start with")


def run(args: argparse.Namespace) -> int:
    if args.wish == "start":
        return _start(args.home)
    entry = autostart.entry()
    if args.wish == "on":
        print("Deskbell starts at login" if entry.write(autostart.ours()) else "Deskbell starts at login already")
    elif args.wish == "off":
        print("Deskbell does not start at login" + ("" if entry.remove() else ": it did not before"))
    else:
        command = shlex.join(entry.read() or ())
        print(SAYS[autostart.state(entry, autostart.ours())].format(command=command))
    print(entry.where)
    return 0


def _start(home: str | None) -> int:
    from deskbell.__main__ import main

    if home:
        os.environ["DESKBELL_HOME"] = home
    return main(["run"])
