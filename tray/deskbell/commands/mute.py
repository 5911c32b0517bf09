"""`deskbell mute|unmute [ID] [--project GLOB] [--status STATUS]`: what does not ring, for a while or for good."""

import argparse
import time

from deskbell.commands._session import named_session
from deskbell.home import home
from deskbell.notices import quiet
from deskbell.notices.quiet import Kind, Quiet
from deskbell.session import STATUSES
from deskbell.text.times import clock, end_of


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", metavar="ID", help="the beginning of an id, a title or a project")
    parser.add_argument("--project", metavar="GLOB", help="every session of a project, by its name or folder")
    parser.add_argument("--status", choices=STATUSES, help="one status, whoever has it")
    if parser.prog.split()[-1] == "mute":
        parser.add_argument("--for", dest="span", metavar="TIME", help="30m, 2h, tomorrow; without it, until unmuted")


def run(args: argparse.Namespace) -> int:
    state, now = home().state, time.time()
    before = quiet.read(state)
    wishes = _wishes(args, before)
    if not wishes:
        return _list(before, now)
    after = before
    for kind, what in wishes:
        if args.verb == "mute":
            after = after.with_mute(kind, what, end_of(args.span, now) if args.span else None)
        else:
            after = after.without_mute(kind, what)
    quiet.write(state, after)
    return _list(after, now)


def _wishes(args: argparse.Namespace, before: Quiet) -> list[tuple[Kind, str]]:
    named: list[tuple[Kind, str | None]] = [
        ("sessions", args.session and _session(args.session, before)),
        ("projects", args.project),
        ("statuses", args.status),
    ]
    return [(kind, what) for kind, what in named if what]


def _session(said: str, before: Quiet) -> str:
    """A session that is muted may be long forgotten otherwise."""
    muted = [name for name in before.sessions if name.startswith(said)]
    return muted[0] if len(muted) == 1 else named_session(said).session_id


def _list(now_quiet: Quiet, now: float) -> int:
    kinds: dict[str, Kind] = {"session": "sessions", "project": "projects", "status": "statuses"}
    lines = [
        f"muted: {word} {what}" + (f" until {clock(end, now)}" if end else "")
        for word, kind in kinds.items()
        for what, end in getattr(now_quiet, kind).items()
        if end is None or end > now
    ]
    print("\n".join(lines) or "Nothing is muted.")
    return 0
