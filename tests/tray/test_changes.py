"""Test that changes are hinted at only in folders of which every change was reported."""

from pathlib import Path

from deskbell.changes import MOST, Reports

ONE, TWO = Path("/link/one"), Path("/two")
SURE = {ONE: "/srv/one", TWO: "/two"}


def listening() -> Reports:
    reports = Reports()
    assert reports.take(SURE) == {}
    return reports


def test_of_what_was_before_the_listening_nothing_is_known() -> None:
    reports = Reports()
    reports.add("/two/a.json")
    assert reports.take(SURE) == {}


def test_each_change_is_named_once_in_the_folder_as_it_is_called() -> None:
    reports = listening()
    for path in ("/srv/one/a.json", "/srv/one/b.json", "/srv/one/a.json"):
        reports.add(path)
    assert reports.take(SURE) == {ONE: {"a.json", "b.json"}, TWO: frozenset()}
    assert reports.take(SURE) == {ONE: frozenset(), TWO: frozenset()}


def test_a_report_from_anywhere_else_counts_as_a_loss() -> None:
    """A system may report a folder under another path than the one that is watched."""
    reports = listening()
    reports.add("/link/one/a.json")
    assert reports.take(SURE) == {}


def test_after_a_loss_nothing_is_known_until_the_next_call() -> None:
    reports = listening()
    reports.add("/two/a.json")
    reports.lose()
    reports.add("/two/b.json")
    assert reports.take(SURE) == {}
    assert reports.take(SURE) == {ONE: frozenset(), TWO: frozenset()}


def test_a_folder_counts_once_it_was_listened_to_from_one_call_to_the_next() -> None:
    reports = listening()
    assert reports.take({TWO: "/two"}) == {TWO: frozenset()}
    assert reports.take(SURE) == {TWO: frozenset()}
    assert reports.take({**SURE, TWO: "/moved"}) == {ONE: frozenset()}


def test_too_many_changes_count_as_a_loss_so_that_they_take_no_memory() -> None:
    reports = listening()
    for number in range(MOST):
        reports.add(f"/two/{number}.json")
    assert len(reports.take(SURE)[TWO]) == MOST
    for number in range(10 * MOST + 1):
        reports.add(f"/two/{number}.json")
    assert reports.take(SURE) == {}
