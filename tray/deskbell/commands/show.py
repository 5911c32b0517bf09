"""`deskbell show`: everything that is known of one session, what it does and what it did."""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, replace

from rich.console import Console

from deskbell.commands._session import named_session
from deskbell.history.dossier import dossier
from deskbell.history.journal import SUFFIX, Reader
from deskbell.history.summarise import chronicle
from deskbell.history.summary import Chronicle
from deskbell.home import home
from deskbell.session import Session
from deskbell.sessions.contract import VERSION, as_json
from deskbell.sessions.find import Found
from deskbell.sessions.transcript import Transcripts
from deskbell_hooks.record import is_safe_id


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the beginning of an id, a title or a project")
    parser.add_argument("--json", action="store_true", help="for programs: a documented, versioned object")


def run(args: argparse.Namespace) -> int:
    found = named_session(args.id)
    told = chronicle(_journal(found.session_id))
    told = replace(told, active=any(session.group != "ended" for session in found.sessions))
    found = found._replace(sessions=tuple(_with_sums(session) for session in found.sessions))
    if args.json:
        print(json.dumps(document(found, told), indent=2))
    else:
        Console(highlight=False).print(dossier(found.session_id, found.sessions, told, time.time()))
    return 0


def _journal(session_id: str) -> Iterator[list[bytes]]:
    """An id that only the registry told of may be anything."""
    return Reader(home().events / f"{session_id}{SUFFIX}").batches() if is_safe_id(session_id) else iter(())


def document(found: Found, told: Chronicle) -> dict[str, object]:
    sessions = [as_json(session) for session in found.sessions]
    return {"version": VERSION, "session_id": found.session_id, "sessions": sessions, "history": asdict(told)}


def _with_sums(session: Session) -> Session:
    """What was spent is summed up from the whole transcript, however long it is."""
    if not session.transcript_path:
        return session
    tail = Transcripts().read_whole(session.transcript_path)
    return replace(session, output_tokens=tail.output_tokens, cost_usd=tail.cost_usd)
