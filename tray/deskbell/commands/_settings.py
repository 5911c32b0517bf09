"""Hold what the commands that change settings files share: options, the files that these name, and the consent."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from deskbell.errors import NotFound, Problem
from deskbell.files.there import is_folder
from deskbell.home import claude_dir
from deskbell.settings.diff import diff
from deskbell.settings.registration import Version
from deskbell.settings.settings_file import Change
from deskbell.settings.targets import Target, known_targets, local_target, project_target, user_targets
from deskbell.terminal.out import ask, say, say_exactly

SCOPE = "choose your account's settings (user, the default), a project's, or your own in a project (local)"


NOTHING = "Nothing was changed."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that name settings files."""
    parser.add_argument("--scope", choices=("user", "project", "local"), help=SCOPE)
    parser.add_argument("--project", metavar="DIR", type=Path, help="name the folder of the project (default: .)")
    parser.add_argument(
        "--config-dir",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="name the Claude folder of another account; may be repeated",
    )
    parser.set_defaults(usage_error=parser.error)


def add_consent(parser: argparse.ArgumentParser) -> None:
    """Add the options that show a change, or make it without a question."""
    parser.add_argument("--dry-run", action="store_true", help="print the exact change without making it")
    parser.add_argument("--yes", action="store_true", help="make the change without asking")


def selected(args: argparse.Namespace, config: Path, client: Version | None) -> list[Target]:
    """Return the files that ARGS name; without a name, the person's settings and all files that Deskbell is in.

    Raise NotFound for a folder that does not exist, except this environment's Claude folder, which install creates.
    """
    scope = args.scope or ("project" if args.project else "user")
    if scope != "user":
        if args.config_dir:
            args.usage_error("--config-dir needs --scope user")
        project = args.project or Path()
        if not is_folder(project, unknown=True):
            raise NotFound(f"{project} is not a folder. Name the folder of the project.")
        return [project_target(project) if scope == "project" else local_target(project, client)]
    if args.project:
        args.usage_error("--project needs --scope project or --scope local")
    named = user_targets(args.config_dir)
    for target in named:
        if not is_folder(target.place, unknown=True) and target.place != claude_dir():
            raise NotFound(f"{target.place} is not a folder. Name the folder that Claude Code uses for the account.")
    return named if args.config_dir or args.scope else list(dict.fromkeys([*named, *known_targets(config)]))


def agreed(changes: Sequence[Change], args: argparse.Namespace) -> bool:
    """Show the changes and ask. Return False for --dry-run. Raise Problem for a No, or if none can be asked."""
    needed = [change for change in changes if change.needed]
    if not args.dry_run and (args.yes or not needed):
        return True
    for change in needed:
        say_exactly(diff(change))
    if args.dry_run:
        if not needed:
            say("Nothing to change.")
        return False
    if not sys.stdin.isatty():
        raise Problem(f"Cannot ask without a terminal. {NOTHING} Use --yes to confirm.")
    if (ask("Make this change? [y/N] ") or "").strip().lower() not in ("y", "yes"):
        raise Problem(NOTHING)
    return True
