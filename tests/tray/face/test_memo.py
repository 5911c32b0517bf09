"""Test that something is made of a session once, and again when it or what is given with it has changed."""

from dataclasses import replace

from deskbell.face.memo import MOST, Memo
from deskbell.session import Session
from tests.tray.making import session


def counting() -> tuple[list[tuple[str, str]], Memo[str]]:
    made: list[tuple[str, str]] = []

    def make(one: Session, given: str) -> str:
        made.append((one.title, given))
        return f"{one.title} {given}"

    return made, Memo(make)


def test_it_is_made_once_for_a_session_that_stays() -> None:
    made, memo = counting()
    one, other = session(session_id="a", title="A"), session(session_id="b", title="B")

    assert [memo.of(each, "x") for each in (one, other, one, other)] == ["A x", "B x", "A x", "B x"]
    assert made == [("A", "x"), ("B", "x")]


def test_it_is_made_again_for_a_session_that_has_changed() -> None:
    made, memo = counting()
    before = session(title="old")

    assert [memo.of(one, "x") for one in (before, replace(before, title="new"))] == ["old x", "new x"]
    assert len(made) == 2


def test_only_the_latest_of_what_is_given_with_it_is_remembered() -> None:
    made, memo = counting()
    one = session(title="A")

    assert [memo.of(one, given) for given in "xyyx"] == ["A x", "A y", "A y", "A x"]
    assert made == [("A", "x"), ("A", "y"), ("A", "x")]


def test_sessions_that_are_gone_are_forgotten() -> None:
    made, memo = counting()
    many = [session(session_id=f"s{n}") for n in range(MOST + 1)]
    for one in many:
        memo.of(one, "x")

    memo.of(many[-1], "x")
    assert len(made) == MOST + 1
    memo.of(many[0], "x")
    assert len(made) == MOST + 2
