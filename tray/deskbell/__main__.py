"""The command line: one line per command, each a module of `deskbell.commands`."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from deskbell import VERSION
from deskbell.errors import Problem

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("run", "the icon in the tray and the notifications"),
    "list": ("list", "every session and what it is doing, the most urgent first"),
    "show": ("show", "everything that is known of one session, and what happened in it"),
    "events": ("events", "what happened, in one session or in all, and what happens"),
    "prune": ("prune", "forget sessions that are long over"),
    "demo": ("demo", "an eventful afternoon to watch, without Claude Code"),
    "autostart": ("autostart", "start Deskbell at login: on, off, status"),
    "install": ("install", "put the hooks into Claude Code's settings"),
    "uninstall": ("uninstall", "take the hooks out again"),
    "status": ("status", "how the hooks stand in each settings file"),
    "doctor": ("doctor", "check every link of the chain and say how to mend it"),
    "restore": ("restore", "list, compare or put back what the settings were before"),
    "config": ("config", "what rings, when and how: show, edit, set, path"),
    "mute": ("mute", "do not ring for a session, a project or a status"),
    "notify-test": ("notify_test", "show a notification and say who displayed it"),
    "snooze": ("snooze", "do not ring for a while"),
    "unsnooze": ("snooze", "ring again before the snooze ends"),
    "unmute": ("mute", "ring again for a session, a project or a status"),
    "why": ("why", "why it rang, or did not"),
}
# verb: (module of deskbell.commands, what it does)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    verb = next((word for word in arguments if not word.startswith("-")), None)
    args = _parser(verb).parse_args(arguments)
    try:
        return int(import_module(f"deskbell.commands.{COMMANDS[args.verb][0]}").run(args))
    except Problem as problem:
        print(f"deskbell: {problem}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on: leave without a traceback
        return 0
    except KeyboardInterrupt:
        return 130


def _parser(verb: str | None) -> argparse.ArgumentParser:
    """Only the module of the verb that was typed is imported: starting must not cost what it does not use."""
    parser = argparse.ArgumentParser(prog="deskbell", description="The bell on the desk for Claude Code.")
    parser.add_argument("--version", action="version", version=f"deskbell {VERSION}")
    verbs = parser.add_subparsers(dest="verb", metavar="COMMAND", required=True)
    for name, (module, help_text) in COMMANDS.items():
        sub = verbs.add_parser(name, help=help_text, description=help_text)
        if name == verb:
            import_module(f"deskbell.commands.{module}").arguments(sub)
    return parser


if __name__ == "__main__":
    sys.exit(main())
