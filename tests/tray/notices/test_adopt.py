"""Test what happens to the notifications that an earlier run has left on the screen."""

from dataclasses import replace

import pytest

from deskbell.board import board
from deskbell.notices.adopt import FRESH_FOR, Adoption, adoption
from deskbell.notices.asks import SAME_ASK
from deskbell.notices.notice import SUMMARY, Request, slot
from deskbell.notices.orders import Withdrawal
from deskbell.notices.screen import Left
from deskbell.notices.wants import ASKS, TURN_ENDS, RingState, Want
from deskbell.session import Session
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, session

API = session("api")
OWN = slot(API.key)
ANSWERED, WENT_ON, ENDED, OLD = (
    "it was answered while Deskbell was not running",
    "it went on while Deskbell was not running",
    "its session ended while Deskbell was not running",
    "its turn ended long ago",
)


def at(status: Status, since: float = 0.0, project: str = "api", **more: object) -> Session:
    return session(project, status, NOON + since, **more)


def asked(of: Session) -> Request:
    return Request(of.session_id, of.pid, of.project, of.status, of.since, of.ask)


def left(*sessions: Session, where: str = "") -> Left:
    return Left(where or slot(sessions[0].key), tuple(map(asked, sessions)))


def want(of: Session, state: RingState = "new") -> Want:
    return Want(of, slot(of.key), of.since, of.since, state=state)


def met(one: Left, *now: Session, wants: tuple[Want, ...] = (), later: float = 10.0) -> Adoption:
    return adoption([one], board(now, NOON + later), wants, NOON + later)


# what was left, and what its session does now: what ended it; None if it is adopted
STANDS: dict[str, tuple[Session, Session | None, str | None]] = {
    **{f"{s}, still open": (at(s), at(s), None) for s in sorted(ASKS)},
    **{f"{s}, of a moment ago": (at(s), at(s), None) for s in sorted(TURN_ENDS)},
    "a request that is better known now": (at("input"), at("permission", 0.9), None),
    "a request whose process is known now": (at("plan", pid=None), at("plan", pid=7), None),
    "a request whose process is unknown now": (at("plan", pid=7), at("plan", pid=None), None),
    **{f"{s}, answered": (at(s), at("working", 5), ANSWERED) for s in sorted(ASKS)},
    "answered, and asked again at once": (
        at("permission", ask=(10, "")),
        at("permission", 0.1, ask=(20, "")),
        ANSWERED,
    ),
    "a request of which only the registry knew": (at("permission"), at("permission", -1.5, ask=(10, "")), None),
    "answered, and asked again": (at("permission"), at("permission", SAME_ASK), ANSWERED),
    "answered, and the turn is over": (at("permission"), at("idle", 5), ANSWERED),
    "a turn is over, and the next has begun": (at("idle"), at("working", 5), WENT_ON),
    "a turn is over, and another one": (at("idle"), at("idle", 5), WENT_ON),
    "a turn is over, and a request": (at("error"), at("permission", 0), WENT_ON),
    "a crash of a moment ago": (at("crashed", 5), at("crashed", 5), None),
    "a session that crashed": (at("permission"), at("crashed", 5), ENDED),
    "a session that is gone": (at("permission"), None, ENDED),
    "the same session in another terminal": (at("permission", pid=1), at("permission", pid=2), ENDED),
    "a session that runs unattended now": (at("permission"), at("permission", hidden=True), ENDED),
}


@pytest.mark.parametrize(("then", "now", "how"), STANDS.values(), ids=STANDS)
def test_what_stands_is_adopted_and_what_is_over_is_withdrawn(
    then: Session, now: Session | None, how: str | None
) -> None:
    found = met(left(then), *([now] if now else []))
    assert [(one.session, one.slot, one.state) for one in found.wants] == (
        [(now, slot(then.key), "shown")] if how is None else []
    )
    assert found.over == ([] if how is None else [(asked(then), how)])
    assert found.withdraw == ([] if how is None else [Withdrawal(slot(then.key), how)])


@pytest.mark.parametrize(("status", "over"), [("permission", False), ("idle", True), ("error", True)])
def test_only_a_request_is_adopted_long_after(status: Status, over: bool) -> None:
    assert met(left(at(status)), at(status), later=FRESH_FOR - 0.1).over == []
    assert met(left(at(status)), at(status), later=FRESH_FOR).over == ([(asked(at(status)), OLD)] if over else [])


def test_an_adopted_want_keeps_what_is_known_of_it_and_waits_anew_for_its_next_step() -> None:
    known = replace(want(at("permission")), found=NOON + 9, turn=3.0)
    (adopted,) = met(left(at("permission")), at("permission"), wants=(known,)).wants
    assert adopted == replace(known, state="shown", rung=NOON + 10, called=NOON)


def test_an_adopted_want_knows_its_request() -> None:
    asks = at("permission", ask=(10, "a"))
    assert [one.ask for one in met(left(asks), asks).wants] == [(10, "a")]


def test_of_two_unknown_processes_neither_is_taken_for_the_one_that_asked() -> None:
    two = at("permission", pid=1), at("permission", pid=2)
    assert met(left(at("permission", pid=None)), *two).wants == []


def three(status: Status = "permission") -> list[Session]:
    return [at(status, project=name) for name in "abc"]


def test_what_still_stands_of_a_summary_is_adopted_as_a_summary() -> None:
    a, b, c = three()
    found = met(left(a, b, c, where=SUMMARY), a, at("working", 5, "b"), c)
    assert [(one.session, one.slot, one.state) for one in found.wants] == [(s, slot(s.key), "summary") for s in (a, c)]
    assert (found.over, found.withdraw) == ([(asked(b), ANSWERED)], [])


def test_a_summary_of_which_nothing_stands_is_withdrawn_once() -> None:
    found = met(left(*three(), where=SUMMARY))
    assert (found.wants, len(found.over), found.withdraw) == ([], 3, [Withdrawal(SUMMARY, ENDED)])


def test_a_want_that_has_rung_meanwhile_keeps_its_notification() -> None:
    shown, alone = want(at("permission"), "shown"), left(at("permission"))
    assert met(alone, at("permission"), wants=(shown,)) == Adoption([], [], [])
    together = [want(one, "summary") for one in three()]
    assert met(left(*three(), where=SUMMARY), *three(), wants=tuple(together)) == Adoption([], [], [])


def test_a_notification_is_withdrawn_where_its_want_is_shown_in_another_slot() -> None:
    shown = want(at("permission"), "shown")
    found = met(left(at("permission"), where=SUMMARY), at("permission"), wants=(shown,))
    assert found == Adoption([], [], [Withdrawal(SUMMARY, "it is shown elsewhere")])


def test_two_notifications_for_one_session_become_one() -> None:
    one, other = left(at("permission")), left(at("permission"), where=SUMMARY)
    found = adoption([one, other], board([at("permission")], NOON), (), NOON)
    assert [adopted.slot for adopted in found.wants] == [OWN]
    assert found.withdraw == [Withdrawal(SUMMARY, "it is shown elsewhere")]
