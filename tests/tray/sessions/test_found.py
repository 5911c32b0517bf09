"""Test what one client says of the others. The looks at whole machines in test_world test the rest."""

from deskbell.sessions.candidates import Candidate
from deskbell.sessions.found import Found
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Record


def record(session: str, at: float) -> Record:
    return {"session_id": session, "last_at": at, "where": {"pid": 7, "start": 70}}  # type: ignore[return-value]


def entry(pid: int, session: str) -> Entry:
    return Entry(pid, session, "/claude", 70)


def test_a_process_has_moved_on_if_the_registry_or_while_it_exits_its_hooks_say_so() -> None:
    one = Candidate("a", record("a", 1.0), record("a", 1.0), None, 7, 70)
    newer = [record("a", 1.0), record("b", 2.0)]
    assert Found([], {7: entry(7, "b")}, {}, {}).has_moved_on(one, False)
    assert not Found(newer, {7: entry(7, "a")}, {}, {}).has_moved_on(one, True)
    assert Found(newer, {}, {}, {}).has_moved_on(one, True)
    assert not Found(newer, {}, {}, {}).has_moved_on(one, False)


def test_a_session_is_shared_if_two_living_processes_run_it() -> None:
    assert Found([], {7: entry(7, "a"), 8: entry(8, "a"), 9: entry(9, "b")}, {}, {}).shared == {"a"}


def test_a_client_comes_from_another_session_until_its_hooks_report_this_one() -> None:
    here = Candidate("b", None, None, entry(7, "b"), 7, 70)
    assert Found([record("a", 1.0)], {}, {}, {}).arrives(here)
    assert not Found([], {}, {}, {}).arrives(here)
    assert not Found([record("a", 1.0)], {}, {}, {}).arrives(here._replace(run=record("b", 0.5)))
