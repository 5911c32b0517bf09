"""`deskbell mute` and `deskbell unmute`: silence a session, a project or a status, or let it ring again."""

import argparse
import shlex
import time
from collections.abc import Sequence

from deskbell.commands._world import world
from deskbell.errors import Misuse, NotFound
from deskbell.history.past import past
from deskbell.home import home
from deskbell.nearest import suggestion
from deskbell.notices import quiet
from deskbell.notices.quiet import Kind, Quiet, matches
from deskbell.notices.subject import CAN_BE_MUTED, NOUNS, SessionNames, Subject, all_muted, muted_subjects, subjects
from deskbell.session import STATUSES, Session
from deskbell.terminal.out import complain, one_of, say
from deskbell.text.clean import clean, cut
from deskbell.text.times import clock, end_of
from deskbell.text.wording import short_id

CHOICES = 5
"""Choices that the error about an ambiguous word lists."""

EXAMPLES = """\
examples:
  deskbell mute web            silence a project, or the session with this title
  deskbell mute 'scratch*'     silence projects by a pattern
  deskbell mute idle --for 2h  silence the end of every turn for two hours
  deskbell mute                list what is muted
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    unmute = parser.prog.split()[-1] == "unmute"
    parser.description = f"{parser.description}; without one, list what is muted"
    parser.add_argument(
        "what", nargs="?", metavar="WORD", help="name a session (id or title), a project or glob, or a status"
    )
    parser.add_argument("--session", metavar="ID", help="choose one session, by the start of its id or its title")
    parser.add_argument(
        "--project", metavar="GLOB", help="choose every session of a project, by its name or its folder"
    )
    statuses = f"{{{','.join(CAN_BE_MUTED)}}}"
    parser.add_argument(
        "--status", type=one_of(CAN_BE_MUTED), metavar=statuses, help="choose every session in this status"
    )
    if not unmute:
        parser.epilog = EXAMPLES
        parser.add_argument(
            "--for",
            dest="span",
            metavar="TIME",
            help="end the mute after 30m or 2h, at 17:30 or tomorrow (default: never)",
        )


def run(args: argparse.Namespace) -> int:
    state, now = home().state, time.time()
    if not any((args.what, args.session, args.project, args.status)):
        return _list(quiet.read(state).dated(now), now)
    mute = _mute if args.verb == "mute" else _unmute
    sessions, said = world().read(now), list[str]()

    def by(before: Quiet) -> Quiet:
        """Look up everything before anything is written, so that a wrong word changes nothing."""
        after, said[:] = mute(args, before, sessions, now)
        return after

    quiet.change(state, now, by)
    say(*said)
    return 0


def _mute(args: argparse.Namespace, before: Quiet, sessions: Sequence[Session], now: float) -> tuple[Quiet, list[str]]:
    until = end_of(args.span, now) if args.span else None
    named = list(dict.fromkeys(_to_mute(word, kind, sessions) for word, kind in _words(args)))
    for one in named:
        before = before.with_mute(one.kind, one.what, until)
    end = f" until {clock(until, now)}" if until else ""
    return before, [f"Muted {one.words}{end}{_count(one, sessions)}." for one in named]


def _unmute(
    args: argparse.Namespace, before: Quiet, sessions: Sequence[Session], now: float
) -> tuple[Quiet, list[str]]:
    known = [*_running(sessions), *_past()]
    named = list(dict.fromkeys(_to_unmute(word, kind, before, now, known) for word, kind in _words(args)))
    for one in named:
        before = before.without_mute(one.kind, one.what)
    return before, [f"Unmuted {one.words}{_count(one, sessions)}." for one in named]


def _words(args: argparse.Namespace) -> list[tuple[str, Kind | None]]:
    """Return the words that were typed, each with the kind of its subject if an option names it."""
    given: list[tuple[str | None, Kind | None]] = [
        (args.what, None),
        (args.session, "sessions"),
        (args.project, "projects"),
        (args.status, "statuses"),
    ]
    return [(word, kind) for word, kind in given if word]


def _to_mute(word: str, kind: Kind | None, sessions: Sequence[Session]) -> Subject:
    if kind in ("projects", "statuses"):
        return Subject(kind, word)  # a project may be muted before its first session
    running = _running(sessions)
    if one := _only("mute", word, subjects(word, running, kind)):
        return one
    ended = _past()
    if one := _only("mute", word, subjects(word, ended, kind)):
        return one
    if word.strip().casefold() in STATUSES and not kind:
        others = ", ".join(CAN_BE_MUTED)
        raise Misuse(f"Status {word.strip().casefold()} never rings. Mute one of these instead: {others}.")
    what, step = "session", "Run `deskbell list --all` to see them."
    if kind is None:
        what = "session, project or status"
        step = f"To mute a project before its first session: {_command('mute', Subject('projects', word))}"
    raise NotFound(f'No {what} matches "{_shown(word)}". {suggestion(word, _names([*running, *ended], kind), step)}')


def _to_unmute(word: str, kind: Kind | None, before: Quiet, now: float, known: Sequence[SessionNames]) -> Subject:
    if one := _only("unmute", word, muted_subjects(word, before, now, known, kind)):
        return one
    what = NOUNS[kind] if kind else "session, project or status"
    muted = [one for one in all_muted(before, now, known) if kind in (None, one.kind)]
    names = [name for one in muted for name in (one.what, one.title)]
    hint = suggestion(word, names, "Run `deskbell mute` to list what is muted.")
    raise NotFound(f'No muted {what} matches "{_shown(word)}". {hint}')


def _names(known: Sequence[SessionNames], kind: Kind | None) -> list[str]:
    """Return the names that can be muted: sessions if KIND is given, else names of every kind."""
    sessions = [name for one in known for name in (one.title, short_id(one.session_id))]
    return sessions if kind else [*CAN_BE_MUTED, *(one.project for one in known), *sessions]


def _only(verb: str, word: str, found: Sequence[Subject]) -> Subject | None:
    if len(found) > 1:
        raise Misuse(_ambiguous(verb, word, found))
    return found[0] if found else None


def _ambiguous(verb: str, word: str, found: Sequence[Subject]) -> str:
    lines = [f"  {_command(verb, one)}" + (f"   # {one.title}" if one.title else "") for one in found[:CHOICES]]
    more = [f"  and {len(found) - CHOICES} more"] if len(found) > CHOICES else []
    return "\n".join([f'"{_shown(word)}" is ambiguous. Use one of these:', *lines, *more])


def _command(verb: str, one: Subject) -> str:
    return f"deskbell {verb} --{NOUNS[one.kind]} {shlex.quote(one.what)}"


def _count(one: Subject, sessions: Sequence[Session]) -> str:
    """Return how many of SESSIONS a project has now, in words; empty for a session or a status."""
    if one.kind != "projects":
        return ""
    number = sum(matches(s, one.what) for s in sessions if not s.over and not s.hidden)
    return " (1 session)" if number == 1 else f" ({number} sessions)" if number else " (no session now)"


def _running(sessions: Sequence[Session]) -> list[SessionNames]:
    return [SessionNames(s.session_id, s.project, s.name, s.cwd or "") for s in sessions if not s.over]


def _past() -> list[SessionNames]:
    places = home()
    recorded = past(places.sessions, places.events, complain)
    return [SessionNames(one.session_id, one.project, one.title) for one in recorded]


def _list(before: Quiet, now: float) -> int:
    muted = all_muted(before, now, _past()) if before.names("sessions", now) else all_muted(before, now, ())
    ends = [before.names(one.kind, now)[one.what] for one in muted]
    lines = [one.words + (f" until {clock(end, now)}" if end else "") for one, end in zip(muted, ends, strict=True)]
    say(*([f"muted: {line}" for line in lines] or ["Nothing is muted."]))
    return 0


def _shown(word: str) -> str:
    return cut(clean(word), 60)
