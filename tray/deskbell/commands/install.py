"""`deskbell install`: put the hooks into Claude Code's settings."""

import argparse

from deskbell.commands._settings import add_arguments, add_consent, agreed, selected
from deskbell.home import home
from deskbell.settings.install import install, plan_install
from deskbell.settings.setup import setup
from deskbell.terminal.out import say


def arguments(parser: argparse.ArgumentParser) -> None:
    add_arguments(parser)
    add_consent(parser)


def run(args: argparse.Namespace) -> int:
    ready = setup(home())
    targets = selected(args, ready.home.config, ready.client)
    if not agreed(plan_install(targets, ready), args):
        return 0
    changed = {change.path for change in install(targets, ready) if change.needed}
    if not ready.client:
        say(ready.reach)
    for target in targets:
        if target.path in changed:
            say(f"Installed the hooks into {target.path}. Running sessions report within a second or two.")
        else:
            say(f"The hooks are already installed in {target.path}.")
        if target.scope == "project":
            say("The repository shares this file, which now names paths of this machine. Prefer --scope local.")
    return 0
