"""Decide which of the notifications that an earlier run left on the screen still hold. Pure.

`news` calls it once, when the screen has reported what is left.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from deskbell.board import Board
from deskbell.notices.asks import SAME_ASK, Asked, is_same_ask
from deskbell.notices.notice import SUMMARY, Request, slot
from deskbell.notices.orders import Withdrawal
from deskbell.notices.screen import Left
from deskbell.notices.wants import ASKS, Want
from deskbell.session import Session

FRESH_FOR = 60.0
"""Seconds after the end of a turn in which its notification is adopted. An older one expired and must not return."""
UNWATCHED = "while Deskbell was not running"


class Adoption(NamedTuple):
    wants: list[Want]
    """The wants that are on the screen already, in their slots and states. Their notices must be made anew."""
    over: list[tuple[Request, str]]
    """The requests that are not adopted, and why."""
    withdraw: list[Withdrawal]
    """The slots that no want needs any more."""


def adoption(left: Sequence[Left], board: Board, wants: Iterable[Want], now: float) -> Adoption:
    """Return what becomes of LEFT, given the present WANTS. A want that has rung in this run keeps its notification."""
    known = {want.session.key: want for want in wants}
    rung = [want for want in known.values() if want.state != "new"]
    in_use = {SUMMARY if want.state == "summary" else want.slot for want in rung}
    taken = {want.session.key for want in rung}
    result = Adoption([], [], [])
    for one in left:
        if one.slot in in_use:
            continue
        seen = [(request, _session(request, board)) for request in one.about]
        over = [(request, how) for request, session in seen if (how := _over(request, session, now))]
        waiting = [session for request, session in seen if session and not _over(request, session, now)]
        adopted = [session for session in waiting if session.key not in taken]
        taken.update(session.key for session in adopted)
        result.wants.extend(_on_screen(session, known.get(session.key), one.slot, now) for session in adopted)
        result.over.extend(over)
        if not adopted:
            result.withdraw.append(Withdrawal(one.slot, over[0][1] if over else "it is shown elsewhere"))
    return result


def _session(request: Request, board: Board) -> Session | None:
    """Return the session that asked. Its process may have been unknown then, or be unknown now."""
    same = [session for session in board.sessions if session.session_id == request.session_id]
    exact = next((session for session in same if session.pid == request.pid), None)
    alike = [session for session in same if None in (session.pid, request.pid)]
    return exact or (alike[0] if len(alike) == 1 else None)


def _over(request: Request, session: Session | None, now: float) -> str | None:
    """Return what ended REQUEST; None if it still stands."""
    if session is None or (session.over and session.status != request.status):
        return f"its session ended {UNWATCHED}"
    asks = request.status in ASKS
    if asks:
        same = session.status in ASKS and is_same_ask(session, Asked(request.since, request.ask))
    else:
        same = session.status == request.status and abs(session.since - request.since) < SAME_ASK
    if not same:
        return f"it {'was answered' if asks else 'went on'} {UNWATCHED}"
    return None if asks or now - session.since < FRESH_FOR else "its turn ended long ago"


def _on_screen(session: Session, want: Want | None, where: str, now: float) -> Want:
    """Return the want of SESSION, which rang in an earlier run and is on the screen in the slot WHERE."""
    own = slot(session.key) if where == SUMMARY else where
    asked = min(session.since, now)
    new = Want(session, own, asked, asked, ask=session.ask, stamp=session.since)
    found = replace(want, slot=own) if want else new
    return replace(found, state="summary" if where == SUMMARY else "shown", rung=now, called=asked)
