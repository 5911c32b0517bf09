"""`deskbell statusline`: install the statusline, remove it, preview it, or print it for Claude Code."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from deskbell.board import board
from deskbell.commands._line_preview import Picture, pictures
from deskbell.commands._settings import NOTHING, add_consent, agreed
from deskbell.commands._world import world
from deskbell.desktop.link import command, handler
from deskbell.errors import Misuse, NotFound, Problem
from deskbell.files.there import is_folder
from deskbell.home import Home, claude_dir, home
from deskbell.settings.known import line_files, read_known
from deskbell.settings.line_command import Order
from deskbell.settings.line_install import install_line, is_taken, plan_line, plan_without_line, uninstall_line
from deskbell.settings.line_override import overriding, reach
from deskbell.settings.managed import managed_folder
from deskbell.settings.setup import setup
from deskbell.settings.targets import Target, user_targets
from deskbell.terminal.out import ask, columns, has_colours, say
from deskbell_hooks import statusline

QUESTION = "Show your own line above Deskbell's (first), below it (last), or change nothing? [first/last/N] "


def arguments(parser: argparse.ArgumentParser) -> None:
    wishes = parser.add_subparsers(dest="wish", metavar="install|uninstall|preview")
    install = wishes.add_parser("install", help="add the statusline to Claude Code's settings")
    install.add_argument(
        "--chain", choices=get_args(Order), help="keep your own line, above Deskbell's (first) or below it (last)"
    )
    uninstall = wishes.add_parser("uninstall", help="remove the statusline and give your own line back")
    for one in (install, uninstall):
        one.add_argument(
            "--config-dir",
            metavar="DIR",
            type=Path,
            action="append",
            default=[],
            help="name the Claude folder of another account; may be repeated",
        )
        add_consent(one)
    wishes.add_parser("preview", help="show every preset and every segment with the data of this machine")


def run(args: argparse.Namespace) -> int:
    if args.wish is None:
        return _print(home())
    return {"install": _install, "uninstall": _uninstall, "preview": _preview}[args.wish](args)


def _print(here: Home) -> int:
    """Print the statusline, for people who put `deskbell statusline` into their settings themselves."""
    if sys.stdin is None or sys.stdin.isatty():
        step = "Run `deskbell statusline preview` to see it, or `deskbell statusline install`."
        raise Misuse("Claude Code starts `deskbell statusline` and gives it a session on stdin.", step)
    words = [str(here.state), str(here.config / "config.toml")]
    statusline.write(statusline.printed(words, statusline.stdin()))
    return 0


def _targets(args: argparse.Namespace, config: Path) -> list[Target]:
    """Return the accounts that ARGS name; without a name, the person's own and all that have Deskbell's statusline."""
    named = user_targets(args.config_dir)
    for target in named:
        if not is_folder(target.place, unknown=True) and target.place != claude_dir():
            raise NotFound(f"{target.place} is not a folder. Name the folder that Claude Code uses for the account.")
    lines = read_known(config).lines.items()
    known = [Target(path, file.scope) for path, file in lines if is_folder(path.parent, unknown=True)]
    return named if args.config_dir else list(dict.fromkeys([*named, *known]))


def _install(args: argparse.Namespace) -> int:
    ready = setup(home())
    targets = _targets(args, ready.home.config)
    order = args.chain
    can_ask = not (ready.windows or args.dry_run or args.yes) and sys.stdin.isatty()
    if order is None and can_ask and any(is_taken(target.path) for target in targets):
        say("You have a statusLine of your own. Deskbell can show both.")
        order = (ask(QUESTION) or "").strip().lower()
        if order not in get_args(Order):
            raise Problem(NOTHING)
    if not agreed(plan_line(targets, ready, order), args):
        return 0
    changed = {change.path for change in install_line(targets, ready, order) if change.needed}
    for target in targets:
        done = "Installed the statusline into" if target.path in changed else "The statusline is already installed in"
        say(f"{done} {target.path}.")
    _say_link()
    for path in overriding([Path.cwd()], ready.managed, line_files(ready.home.config)):
        say(f"{path} has a statusLine, too. Claude Code shows that one {reach(path, ready.managed)}.")
    return 0


def _say_link() -> None:
    opener = handler()
    if opener and opener.install(command()):
        say("In terminals with links, a click on the session that waits jumps to it.")
    else:
        say("This desktop cannot open Deskbell's links. Run `deskbell jump --next` to go to the session that waits.")


def _uninstall(args: argparse.Namespace) -> int:
    here = home()
    targets = _targets(args, here.config)
    if not agreed(plan_without_line(targets, here), args):
        return 0
    for removed in uninstall_line(targets, here):
        change = removed.change
        if not change.needed:
            say(f"{change.path} has no statusline of Deskbell's.")
            continue
        say(f"Removed the statusline from {change.path}.")
        if removed.edited:
            say(f"What you had changed in it was removed, too: {removed.edited}. `deskbell restore` has a copy.")
    opener = handler()
    if opener and not read_known(here.config).lines:
        opener.remove()
    return 0


def _preview(args: argparse.Namespace) -> int:
    here, now = home(), time.time()
    sessions = board(world().read(now), now).sessions
    own = next((one for one in sessions if one.model), sessions[0] if sessions else None)
    _show(pictures(here, own, now, columns() or statusline.USUAL, has_colours()))
    for path in overriding([Path.cwd()], managed := managed_folder(), line_files(here.config)):
        say(f"{path} has a statusLine. Claude Code shows that one {reach(path, managed)}.")
    return 0


def _show(found: Sequence[Picture]) -> None:
    for one in found:
        say(one.title, flush=True)
        if one.line:
            statusline.write(f"  {one.line}\n".encode())
