"""`deskbell show`: everything that is known of one session, what it does and what it did."""

import argparse
import json
import sys
import time
from dataclasses import asdict, replace

from rich.console import Console

from deskbell.archive import past
from deskbell.chronicle import Chronicle
from deskbell.chronicler import chronicle
from deskbell.contract import VERSION, as_json
from deskbell.dossier import dossier
from deskbell.find import Found, find
from deskbell.here import world
from deskbell.home import home
from deskbell.journal import SUFFIX, Reader
from deskbell.session import Session
from deskbell.transcript import Transcripts


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the beginning of an id, a title or a project")
    parser.add_argument("--json", action="store_true", help="for programs: a documented, versioned object")


def run(args: argparse.Namespace) -> int:
    places, now = home(), time.time()
    found = find(args.id, world().read(now), lambda: past(places.sessions, places.events, _tell))
    told = chronicle(Reader(places.events / f"{found.session_id}{SUFFIX}").batches())
    told = replace(told, active=any(session.group != "ended" for session in found.sessions))
    found = found._replace(sessions=tuple(_with_sums(session) for session in found.sessions))
    if args.json:
        print(json.dumps(document(found, told), indent=2))
    else:
        Console(highlight=False).print(dossier(found.session_id, found.sessions, told, now))
    return 0


def document(found: Found, told: Chronicle) -> dict[str, object]:
    sessions = [as_json(session) for session in found.sessions]
    return {"version": VERSION, "session_id": found.session_id, "sessions": sessions, "history": asdict(told)}


def _with_sums(session: Session) -> Session:
    """What was spent is summed up from the whole transcript, however long it is."""
    if not session.transcript_path:
        return session
    tail = Transcripts().read_whole(session.transcript_path)
    return replace(session, output_tokens=tail.output_tokens, cost_usd=tail.cost_usd)


def _tell(sentence: str) -> None:
    print(f"deskbell: {sentence}", file=sys.stderr)
