"""`deskbell uninstall`: remove the hooks from Claude Code's settings, and restore the files to the byte."""

import argparse

from deskbell.commands._settings import add_arguments, add_consent, agreed, selected
from deskbell.desktop.notify.entry import take_away
from deskbell.home import home
from deskbell.settings.claude_code import installed_client
from deskbell.settings.install import plan_uninstall, uninstall
from deskbell.settings.known import read_known
from deskbell.terminal.out import say


def arguments(parser: argparse.ArgumentParser) -> None:
    add_arguments(parser)
    add_consent(parser)


def run(args: argparse.Namespace) -> int:
    here = home()
    client = installed_client(here.config) if args.scope == "local" else None
    targets = selected(args, here.config, client.version if client else None)
    if not agreed(plan_uninstall(targets, here), args):
        return 0
    changed = {change.path for change in uninstall(targets, here) if change.needed}
    for target in targets:
        done = "Removed the hooks from" if target.path in changed else "The hooks are not installed in"
        say(f"{done} {target.path}.")
    is_everywhere = not (args.scope or args.project or args.config_dir)
    if is_everywhere and (entry := take_away()):
        say(f"Removed {entry}, the entry for jumps on GNOME.")
    if read_known(here.config).lines:
        say("The statusline stays. Run `deskbell statusline uninstall` to remove it, too.")
    return 0
