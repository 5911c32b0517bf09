"""Is the session that the person means found, and never another?"""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.errors import Problem
from deskbell.session import Session
from deskbell.sessions.find import Past, find
from tests.tray.making import session

API = session(session_id="aa11", project="api", title="Ship it")
WEB = session(session_id="ab22", project="web", title="Ship the web")
AGAIN = session(session_id="ab22", pid=200, project="web", title="Ship the web")
OLD = Past("cc33", "api", "Old news", 1.0)
OLDER = Past("cd44", "tools", "Old hat", 0.0)


def nothing() -> Iterator[Past]:
    return iter(())


def meant(said: str, *sessions: Session) -> str:
    return find(said, sessions or (API, WEB), lambda: iter((OLD, OLDER))).session_id


@pytest.mark.parametrize(
    ("said", "session_id"),
    [
        ("aa11", "aa11"),
        ("aa", "aa11"),
        ("AB", "ab22"),
        ("api", "aa11"),  # what runs goes before what is over
        ("Ship it", "aa11"),
        ("ship the", "ab22"),
        ("we", "ab22"),
        ("cc", "cc33"),
        ("old n", "cc33"),
        ("tools", "cd44"),
        (" web ", "ab22"),
    ],
)
def test_any_beginning_that_only_one_has_will_do(said: str, session_id: str) -> None:
    assert meant(said) == session_id


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("a", '"a" could be aa11 (api: Ship it), ab22 (web: Ship the web); say a few letters of the id'),
        ("old", '"old" could be cc33 (api: Old news), cd44 (tools: Old hat); say a few letters of the id'),
        ("x", 'no session is called "x"; deskbell list --all shows what there is'),
        ("", 'no session is called ""; deskbell list --all shows what there is'),
        ("\x1b[31mred", 'no session is called "red"; deskbell list --all shows what there is'),
    ],
)
def test_what_is_not_one_session_is_a_problem_that_says_what_to_do(said: str, sentence: str) -> None:
    with pytest.raises(Problem) as problem:
        meant(said)
    assert str(problem.value) == sentence


def test_of_many_candidates_the_newest_are_named() -> None:
    many = [Past(f"a{n}", "api", str(n), float(n)) for n in range(9)]
    with pytest.raises(Problem) as problem:
        find("api", (), lambda: many)
    assert str(problem.value).startswith('"api" could be a8 (api: 8), ')
    assert "4 more; say" in str(problem.value)


def test_two_terminals_with_one_session_are_no_doubt() -> None:
    assert find("ab", (API, WEB, AGAIN), nothing).sessions == (WEB, AGAIN)


def test_the_whole_word_goes_before_the_beginning_of_another() -> None:
    assert meant("ship", session(session_id="1", title="ship"), session(session_id="2", title="ship it")) == "1"


@given(st.lists(st.text(st.sampled_from("ab"), min_size=1, max_size=4), unique=True, min_size=1), st.data())
def test_a_whole_id_is_always_found_and_a_beginning_never_means_another(ids: list[str], data: st.DataObject) -> None:
    sessions = tuple(session(session_id=one, title="", project="-") for one in ids)
    one = data.draw(st.sampled_from(ids))
    assert find(one, sessions, nothing).session_id == one
    said = one[: data.draw(st.integers(1, len(one)))]
    try:
        assert find(said, sessions, nothing).session_id.startswith(said)
    except Problem:
        assert sum(other.startswith(said) for other in ids) > 1
