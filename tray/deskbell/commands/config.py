"""`deskbell config`: show, edit and change what rings, when and how."""

import argparse
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from deskbell.errors import Misuse, Problem
from deskbell.files.there import exists
from deskbell.home import home
from deskbell.notices.channels.exposed import without_path
from deskbell.notices.complaint import LIST
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import Unreadable, meant, parse, text
from deskbell.notices.policytext import changed, document, write
from deskbell.terminal.out import say, say_exactly


def arguments(parser: argparse.ArgumentParser) -> None:
    wishes = parser.add_subparsers(dest="wish", metavar="show|edit|set|path", required=True)
    wishes.add_parser("show", help="print every setting with its value and what it means")
    wishes.add_parser("edit", help="open config.toml in your editor, then check it")
    wishes.add_parser("path", help="print the path of config.toml")
    setting = wishes.add_parser("set", help="change one setting, such as `deskbell config set rings.idle.min_turn 30`")
    setting.add_argument(
        "name", metavar="NAME", help="name a setting as `deskbell config show` lists it: rings.idle.min_turn"
    )
    setting.add_argument("value", metavar="VALUE", help="give it this value: 30, true, low, '[\"scratch*\"]'")


def run(args: argparse.Namespace) -> int:
    path = home().config / "config.toml"
    if args.wish == "path":
        say(str(path))
    elif args.wish == "show":
        _show(path)
    elif args.wish == "set":
        write(path, _changed(path, args.name, args.value))
        say(f"{args.name} = {args.value}")
    else:
        return _edit(path)
    return 0


def _show(path: Path) -> None:
    """Print every setting. Raise Problem if the file has a mistake, after every setting with its default."""
    try:
        policy = parse(_text(path), path)
    except Problem as problem:
        say_exactly(document(Policy(), values=f"the defaults, because {path.name} has a mistake"))
        names = [] if isinstance(problem, Unreadable) else meant(_text(path))
        hint = f"Did you mean {' and '.join(dict.fromkeys(names))}?" if names else problem.step
        raise Problem(problem.what.replace(LIST.rstrip("."), ""), hint) from None
    say_exactly(document(_without_secrets(policy)))


def _without_secrets(policy: Policy) -> Policy:
    """Return POLICY with only the hosts of its channels, because whoever knows the path can often send or read."""
    hidden = (channel.model_copy(update={"url": without_path(channel.url)}) for channel in policy.channels)
    return policy.model_copy(update={"channels": tuple(hidden)})


def _changed(path: Path, name: str, value: str) -> str:
    """Return the content of PATH with one setting changed. Raise Misuse if the change is invalid.

    Raise Problem if the file is invalid before.
    """
    before = _text(path)
    parse(before, path)
    after = changed(before, name, value)
    try:
        parse(after, path)
    except Problem as problem:
        # The line that it names is one of AFTER, which is never written.
        what = re.sub(rf"{re.escape(str(path))}, line \d+: ", "", problem.what)
        raise Misuse(f"{what}.", "Nothing was changed.") from None
    return after


def _text(path: Path) -> str:
    return text(path) or ""


def _edit(path: Path) -> int:
    """Open the file in the editor, then check it. Write a missing file first, with every setting commented out."""
    if not exists(path, unknown=True):
        write(path, document(Policy(), commented=True))
    command = [*_editor(path), str(path)]
    try:
        done = subprocess.run(command, check=False)  # the editor of the person
    except OSError as error:
        raise Problem(f"{command[0]} does not start ({error.strerror}). Set EDITOR, or open {path} yourself.") from None
    if done.returncode:
        raise Problem(f"{command[0]} ended with error {done.returncode}. Run `deskbell config edit` again.")
    parse(_text(path), path)
    say(f"{path} has no mistake.")
    return 0


def _editor(path: Path) -> list[str]:
    """Return the words that start the editor. Raise Problem if they cannot be read."""
    named = (os.environ.get(name, "").strip() for name in ("VISUAL", "EDITOR"))
    fallback = {"win32": "notepad", "darwin": "open -tW"}.get(sys.platform, "vi")
    try:
        return shlex.split(next(filter(None, named), fallback), posix=os.name == "posix")
    except ValueError as error:
        what = f"The words of your editor cannot be read: {error}."
        raise Problem(what, f"Set EDITOR, or open {path} yourself.") from None
