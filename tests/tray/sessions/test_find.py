"""Test that the session that a person names is found, and never another one."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.errors import Misuse, NotFound, Problem
from deskbell.session import Session
from deskbell.sessions.find import Past, apart, find
from tests.tray.making import session

API = session(session_id="aa11", project="api", title="Ship it")
WEB = session(session_id="ab22", project="web", title="Ship the web")
AGAIN = session(session_id="ab22", pid=200, project="web", title="Ship the web")
OLD = Past("cc33", "api", "Old news", 1.0)
OLDER = Past("cd44", "tools", "Old hat", 0.0)


def nothing() -> Iterator[Past]:
    return iter(())


def found(said: str, *sessions: Session) -> str:
    return find(said, sessions or (API, WEB), lambda: iter((OLD, OLDER))).session_id


@pytest.mark.parametrize(
    ("said", "session_id"),
    [
        ("aa11", "aa11"),
        ("aa", "aa11"),
        ("AB", "ab22"),
        ("api", "aa11"),  # a running session before a past one
        ("Ship it", "aa11"),
        ("ship the", "ab22"),
        ("we", "ab22"),
        ("cc", "cc33"),
        ("old n", "cc33"),
        ("tools", "cd44"),
        (" web ", "ab22"),
    ],
)
def test_a_start_that_only_one_session_has_finds_it(said: str, session_id: str) -> None:
    assert found(said) == session_id


def test_a_running_session_goes_before_a_crashed_one_and_that_before_a_past_one() -> None:
    crashed = session(session_id="dd55", project="api", title="Old crash", status="crashed")
    assert found("api", API, crashed) == "aa11"
    assert found("api", WEB, crashed) == "dd55"
    assert found("old c", API, crashed) == "dd55"
    assert find("dd", [API, crashed], nothing).sessions == (crashed,)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("a", '"a" is ambiguous: aa11 (api: Ship it), ab22 (web: Ship the web). Use the start of a session id.'),
        ("old", '"old" is ambiguous: cc33 (api: Old news), cd44 (tools: Old hat). Use the start of a session id.'),
        ("x", 'No session matches "x". Run `deskbell list --all` to see them.'),
        ("", 'No session matches "". Run `deskbell list --all` to see them.'),
        ("opi", 'No session matches "opi". Did you mean "api"?'),
        ("Sihp it", 'No session matches "Sihp it". Did you mean "Ship it"?'),
        ("OldNews", 'No session matches "OldNews". Did you mean "Old news"?'),
        ("\x1b[31mred", 'No session matches "red". Run `deskbell list --all` to see them.'),
    ],
)
def test_no_match_or_several_are_a_problem_that_says_what_to_do(said: str, sentence: str) -> None:
    with pytest.raises(Problem) as problem:
        found(said)
    assert str(problem.value) == sentence


def test_an_ambiguous_name_lists_the_newest_candidates() -> None:
    many = [Past(f"a{n}", "api", str(n), float(n)) for n in range(9)]
    with pytest.raises(Problem) as problem:
        find("api", (), lambda: many)
    assert str(problem.value).startswith('"api" is ambiguous: a8 (api: 8), ')
    assert "4 more. Use the start" in str(problem.value)


def test_ids_that_begin_alike_are_printed_with_enough_of_them_to_choose() -> None:
    ids = ["aaaa1111-2222", "aaaa1111-2233", "aaaa1111", "bbbb1111-2222"]
    with pytest.raises(Problem) as problem:
        find("api", (), lambda: [Past(one, "api", "", 0.0) for one in ids])
    for one in ("aaaa1111-222 (", "aaaa1111-223 (", "aaaa1111 (", "bbbb1111 ("):
        assert one in str(problem.value)
    assert apart(ids)[ids[0]] == "aaaa1111-222"


@given(st.lists(st.text(st.sampled_from("ab-"), min_size=1, max_size=20), unique=True, min_size=1))
def test_what_is_printed_of_an_id_is_the_start_of_no_other_unless_it_is_all_of_it(ids: list[str]) -> None:
    for one, start in apart(ids).items():
        assert one.startswith(start)
        assert start == one or [other for other in ids if other.startswith(start)] == [one]


def test_an_id_of_the_registry_reaches_the_terminal_without_escape_sequences() -> None:
    with pytest.raises(Problem) as problem:
        find("api", (), lambda: [Past(f"\x1b[2J{n}", "api", "", 0.0) for n in range(2)])
    assert "\x1b" not in str(problem.value)


def test_a_session_in_two_terminals_is_not_ambiguous() -> None:
    assert find("ab", (API, WEB, AGAIN), nothing).sessions == (WEB, AGAIN)


def test_a_whole_title_is_preferred_to_the_start_of_another() -> None:
    assert found("ship", session(session_id="1", title="ship"), session(session_id="2", title="ship it")) == "1"


@given(st.lists(st.text(st.sampled_from("ab"), min_size=1, max_size=4), unique=True, min_size=1), st.data())
def test_a_whole_id_is_always_found_and_a_start_never_finds_another(ids: list[str], data: st.DataObject) -> None:
    sessions = tuple(session(session_id=one, title="", project="-") for one in ids)
    one = data.draw(st.sampled_from(ids))
    assert find(one, sessions, nothing).session_id == one
    said = one[: data.draw(st.integers(1, len(one)))]
    try:
        assert find(said, sessions, nothing).session_id.startswith(said)
    except Problem:
        assert sum(other.startswith(said) for other in ids) > 1


def test_the_program_learns_whether_nothing_was_found_or_too_much() -> None:
    with pytest.raises(NotFound):
        found("nobody")
    with pytest.raises(Misuse):
        found("a")


def test_a_suggestion_has_no_escape_sequence_and_no_secret() -> None:
    with pytest.raises(NotFound) as problem:
        find("release", (), lambda: [Past("1", "\x1b[2Jreleases", "", 0.0)])
    assert str(problem.value).endswith('Did you mean "releases"?')
    with pytest.raises(NotFound) as problem:
        find("passwort=hunter2secret99", (), lambda: [Past("1", "password=hunter2secret99", "", 0.0)])
    assert "hunter2secret99" not in str(problem.value).partition("Did you mean")[2]
