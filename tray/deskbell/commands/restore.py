"""`deskbell restore`: list the copies that were saved before each change of a settings file, or put one back."""

import argparse

from deskbell.commands._settings import add_arguments, add_consent, agreed, selected
from deskbell.errors import Misuse, NotFound
from deskbell.home import home
from deskbell.settings.backups import History, Saved
from deskbell.settings.install import restore
from deskbell.settings.settings_file import planned
from deskbell.settings.targets import Target
from deskbell.terminal.out import say
from deskbell.text.times import dated


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "number", nargs="?", type=int, metavar="NUMBER", help="put this copy back (default: list the copies)"
    )
    parser.add_argument("--diff", action="store_true", help="show how the copy differs from the present file")
    add_arguments(parser)
    add_consent(parser)


def run(args: argparse.Namespace) -> int:
    here = home()
    targets = selected(args, here.config, None)
    if args.number is None:
        for target in targets:
            _list(target, History(here.config, target.path).all())
        return 0
    if len(targets) > 1:
        raise Misuse("Several settings files are known. Name one with --config-dir, --scope or --project.")
    target = targets[0]
    content = _copy(History(here.config, target.path).all(), args.number, target).content()
    change = planned(target.path, lambda before: content)
    args.dry_run = args.dry_run or args.diff
    if not change.needed:
        say(f"{target.path} already matches that copy.")
        return 0
    if not agreed([change], args):
        return 0
    done = restore(target, content, here)
    saved = " The replaced version was saved as copy 1." if done.before is not None else ""
    say(f"Restored {target.path}.{saved}")
    return 0


def _list(target: Target, copies: list[Saved]) -> None:
    say(f"{target.path}: " + ("the latest copy first" if copies else "no copies; Deskbell has not changed it"))
    for number, copy in enumerate(reversed(copies), start=1):
        size = copy.path.stat().st_size
        oldest = ", the original" if number == len(copies) else ""
        say(f"{number:>4}  {dated(copy.when.timestamp())}  {size:>7} bytes  before {copy.reason}{oldest}")


def _copy(copies: list[Saved], number: int, target: Target) -> Saved:
    if not 1 <= number <= len(copies):
        raise NotFound(f"{target.path} has no copy {number}. Run `deskbell restore` to list the copies.")
    return copies[-number]
