"""Which settings files did the person name on the command line, and do they agree to the change?"""

import argparse
import difflib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from deskbell.errors import Problem
from deskbell.settings.registration import Version
from deskbell.settings.settings_file import Change
from deskbell.settings.targets import Target, known_targets, local_target, project_target, user_targets


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scope", choices=("user", "project", "local"), help="whose settings: user is the default")
    parser.add_argument("--project", metavar="DIR", type=Path, help="the project; the current folder is the default")
    parser.add_argument(
        "--config-dir",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="Claude's folder of another account; may be repeated",
    )
    parser.set_defaults(usage_error=parser.error)


def add_consent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="print the exact change and make none")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def selected(args: argparse.Namespace, config: Path, client: Version | None) -> list[Target]:
    """What was named; without a name the person's own settings and every file that Deskbell was installed into."""
    scope = args.scope or ("project" if args.project else "user")
    if scope != "user":
        if args.config_dir:
            args.usage_error("--config-dir goes with --scope user only")
        project = args.project or Path()
        if not project.is_dir():
            raise Problem(f"{project} is not a folder: name the project's folder")
        return [project_target(project) if scope == "project" else local_target(project, client)]
    if args.project:
        args.usage_error("--project goes with --scope project or local")
    named = user_targets(args.config_dir)
    return named if args.config_dir or args.scope else list(dict.fromkeys([*named, *known_targets(config)]))


def agreed(changes: Sequence[Change], args: argparse.Namespace) -> bool:
    """Shows what is about to happen. Without a person to ask, --yes must have said it."""
    needed = [change for change in changes if change.needed]
    if not args.dry_run and (args.yes or not needed):
        return True
    for change in needed:
        print(diff(change), end="")
    if args.dry_run:
        print("" if needed else "nothing to change\n", end="")
        return False
    if not sys.stdin.isatty():
        raise Problem("nobody is here to be asked, so nothing was changed: add --yes")
    try:
        return input("Make this change? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def diff(change: Change) -> str:
    """As `patch` takes it, to the last byte of a valid UTF-8 file."""
    name = str(change.path)
    before = "/dev/null" if change.before is None else name
    after = "/dev/null" if change.after is None else name
    lines = difflib.unified_diff(_lines(change.before), _lines(change.after), before, after)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _lines(content: bytes | None) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", (content or b"").decode(errors="replace"))
