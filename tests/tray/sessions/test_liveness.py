"""Test which clients run, by their entries alone. The looks at whole machines in test_world test the rest."""

from dataclasses import replace

import pytest

from deskbell.sessions.candidates import Candidate
from deskbell.sessions.folder import Problems
from deskbell.sessions.here import Here
from deskbell.sessions.liveness import INITIAL_PIDS, LOST_AFTER, Liveness
from deskbell.sessions.processes import Processes
from deskbell.sessions.registry import Entry

T = 1_000_000.0
ENTRY = Entry(7, "s", "/claude", 70, status_since=T)
HOME = Here("laptop", "m1", "b1", INITIAL_PIDS)


def liveness(alive: bool, seen: int | None = None, this: Here = HOME) -> Liveness:
    processes = Processes(lambda *_: alive, lambda pid: True, find=lambda *_: seen)
    return Liveness(processes, Problems(), lambda: this)


@pytest.mark.parametrize(
    ("entry", "alive", "seen", "lives"),
    [
        (ENTRY, True, None, True),
        (ENTRY, False, None, False),
        (replace(ENTRY, machine="m1", pids=INITIAL_PIDS), True, None, True),
        (replace(ENTRY, machine="m2", pids=INITIAL_PIDS), True, None, None),
        (replace(ENTRY, machine="m1", pids="pid:[77]"), True, None, False),
        (replace(ENTRY, machine="m1", pids="pid:[77]"), False, 4007, True),
        (replace(ENTRY, machine="m2", pids="pid:[77]"), True, None, None),
    ],
)
def test_whether_the_process_of_an_entry_runs(entry: Entry, alive: bool, seen: int | None, lives: bool | None) -> None:
    assert liveness(alive, seen).of_entry(entry, T) is lives


def test_inside_of_a_container_nobody_sees_the_processes_outside() -> None:
    inside = HOME._replace(pids="pid:[77]")
    assert liveness(True, None, inside).of_entry(replace(ENTRY, machine="m1", pids=INITIAL_PIDS), T) is None


def test_a_client_that_cannot_be_asked_about_counts_as_running_until_its_entry_is_old() -> None:
    far = replace(ENTRY, machine="m2", pids=INITIAL_PIDS)
    assert liveness(False).of_all([far], T + LOST_AFTER - 1) == ({7: far}, [])
    assert liveness(False).of_all([far], T + LOST_AFTER) == ({}, [])
    assert liveness(False).of_all([ENTRY], T) == ({}, [ENTRY])


def test_a_client_in_another_namespace_is_never_called_suspended() -> None:
    one = Candidate("s", None, None, ENTRY, 7, 70)
    assert liveness(True).is_suspended(one, T)
    assert not liveness(True).is_suspended(one._replace(entry=replace(ENTRY, pids="pid:[77]")), T)
    assert liveness(True).is_suspended(one._replace(entry=None), T)


def test_the_name_of_this_machine_is_the_present_one() -> None:
    names = iter(["laptop", "laptop", "laptop.dhcp"])
    found = Liveness(Processes(), Problems(), lambda: HOME._replace(name=next(names)))
    run = {"where": {"pid": 7, "start": 70, "host": "laptop", "machine": "m1"}}
    one = Candidate("s", None, run, None, 7, 70)  # type: ignore[arg-type]  # as a hook writes it
    said = []
    for _ in range(2):
        found.begin()
        said.append(found.host_of(one))
    assert said == ["laptop", "laptop.dhcp"]
    assert found.host_of(one._replace(run=None)) is None
