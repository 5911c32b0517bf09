"""deskbell install: puts the hooks into Claude Code's settings."""

import argparse

from deskbell.commands._settings import add_arguments, add_consent, agreed, selected
from deskbell.home import home
from deskbell.settings.install import install, plan_install, setup


def arguments(parser: argparse.ArgumentParser) -> None:
    add_arguments(parser)
    add_consent(parser)


def run(args: argparse.Namespace) -> int:
    ready = setup(home())
    targets = selected(args, ready.home.config, ready.client)
    if not agreed(plan_install(targets, ready), args):
        return 0
    changed = {change.path for change in install(targets, ready) if change.needed}
    for target in targets:
        done = "installed into" if target.path in changed else "already installed in"
        print(f"{done} {target.path}: running sessions report within a second or two")
        if target.scope == "project":
            print("this file is shared through the repository, and names paths of this machine: --scope local is not")
    return 0
