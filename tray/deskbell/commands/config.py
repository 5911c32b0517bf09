"""`deskbell config show|edit|set|path`: what rings, when and how."""

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

from deskbell.errors import Problem
from deskbell.home import home
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import parse
from deskbell.notices.policytext import changed, document, write


def arguments(parser: argparse.ArgumentParser) -> None:
    wishes = parser.add_subparsers(dest="wish", metavar="show|edit|set|path", required=True)
    wishes.add_parser("show", help="every setting, its value and what it means")
    wishes.add_parser("edit", help="open the file in your editor, and check it after")
    wishes.add_parser("path", help="where the file is")
    setting = wishes.add_parser("set", help="change one setting: deskbell config set rings.idle.min_turn 30")
    setting.add_argument("name")
    setting.add_argument("value")


def run(args: argparse.Namespace) -> int:
    path = home().config / "config.toml"
    if args.wish == "path":
        print(path)
    elif args.wish == "show":
        print(document(parse(_text(path), path)), end="")
    elif args.wish == "set":
        text = _text(path)
        parse(text, path)
        write(path, changed(text, args.name, args.value))
        print(f"{args.name} = {args.value}")
    else:
        return _edit(path)
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{path} cannot be read ({error}); mend it or move it away.") from None


def _edit(path: Path) -> int:
    """A new file holds every setting, commented out: only what is uncommented differs from the defaults."""
    if not path.exists():
        write(path, document(Policy(), commented=True))
    command = [*shlex.split(_editor(), posix=os.name == "posix"), str(path)]
    try:
        done = subprocess.run(command, check=False)  # the person's own editor
    except OSError as error:
        raise Problem(f"{command[0]} does not start ({error}); set EDITOR, or open {path} yourself.") from None
    parse(_text(path), path)
    return done.returncode


def _editor() -> str:
    fallback = {"win32": "notepad", "darwin": "open -tW"}.get(sys.platform, "vi")
    return os.environ.get("VISUAL") or os.environ.get("EDITOR") or fallback
