"""Read what only the page of one session shows: what it spent in all, what happened in it, and all that it asks."""

from collections.abc import Iterator
from dataclasses import replace

from deskbell.history.journal import SUFFIX, Reader
from deskbell.history.summarise import summarise
from deskbell.history.summary import Summary
from deskbell.home import Home
from deskbell.session import Session
from deskbell.sessions.asked import asked
from deskbell.sessions.transcript import Transcripts
from deskbell.text.deeds import deed
from deskbell_hooks.record import is_safe_id

SAME = 80
"""If so many characters agree, without spaces, two texts belong to the same call."""


def summary_of(home: Home, session_id: str) -> Summary:
    """Return the summary of a journal; an empty one if there is none."""
    return summarise(_journal(home, session_id))


def with_sums(session: Session) -> Session:
    """Add what was spent since the session began, which takes reading the whole transcript."""
    if not session.transcript_path:
        return session
    tail = Transcripts().read_whole(session.transcript_path)
    return replace(session, output_tokens=tail.output_tokens, cost_usd=tail.cost_usd)


def with_asked(session: Session) -> Session:
    """Return SESSION with the whole of what it asks, if its transcript has more than the record."""
    if not session.blocked or not session.transcript_path:
        return session
    whole, call = asked(session.transcript_path), deed(session.detail)
    known = call.subject if call else session.detail
    if whole is None or len(whole) <= len(known) or not _goes_on(known, whole):
        return session
    return replace(session, detail=whole if call is None else session.detail.replace(known, whole))


def _goes_on(beginning: str, whole: str) -> bool:
    """Return whether WHOLE begins like the text in the record, whose lines were joined and whose end was cut."""
    one, other = "".join(beginning.rstrip("…").split()), "".join(whole.split())
    return bool(one) and other.startswith(one[:SAME])


def _journal(home: Home, session_id: str) -> Iterator[list[bytes]]:
    """Return the lines of the journal; nothing for an id that is not safe in a path: the registry may hold any id."""
    return Reader(home.events / f"{session_id}{SUFFIX}").batches() if is_safe_id(session_id) else iter(())
