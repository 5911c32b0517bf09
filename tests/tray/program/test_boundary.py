"""What breaks is said once, and nothing goes down with it."""

import asyncio

import pytest

from deskbell.program.boundary import Boundary


def fail() -> None:
    raise OSError("no panel")


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


def test_a_broken_part_is_said_once_and_again_when_it_works(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    boundary = Boundary()
    assert [boundary.call("tray", fail) for _ in range(3)] == [None] * 3
    assert boundary.broken == {"tray": "OSError: no panel"}
    assert boundary.call("tray", lambda: 7) == 7
    assert boundary.broken == {}
    assert logged(caplog) == [("ERROR", "tray: OSError: no panel"), ("INFO", "tray: works again")]


def test_what_takes_its_time_is_guarded_too() -> None:
    async def later() -> None:
        fail()

    boundary = Boundary()
    assert asyncio.run(boundary.wait("bus", later())) is None
    assert list(boundary.broken) == ["bus"]


def test_what_works_is_not_talked_about(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    assert Boundary().call("tray", max, 1, 2) == 2
    assert logged(caplog) == []


def test_the_end_of_the_program_is_not_a_broken_part() -> None:
    def leave() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Boundary().call("tray", leave)
