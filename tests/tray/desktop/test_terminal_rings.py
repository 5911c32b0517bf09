"""Test that rings in terminals keep nobody waiting, and that each one that failed is told of."""

from collections.abc import Callable

import pytest

from deskbell.desktop.terminal_rings import TerminalRings
from deskbell.notices.channels import Failed
from deskbell.notices.notice import notice
from deskbell.notices.orders import InTerminal
from deskbell.notices.policy import Policy
from deskbell.session import Session
from deskbell.supervision import Supervisor
from tests.tray.making import NOON, session


class Threads:
    """Keeps the work of each thread, to be done when a test says so."""

    def __init__(self, gives: bool = True) -> None:
        self.gives = gives
        self.waiting: list[Callable[[], None]] = []

    def thread(self, part: str, work: Callable[[], None]) -> bool:
        self.waiting += [work] if self.gives else []
        return self.gives


def order(project: str) -> InTerminal:
    one = session(session_id=project, project=project, status="permission", detail="Bash: ls")
    return InTerminal(one, notice(one, Policy(), "", NOON))


def test_each_is_rung_in_a_thread_and_a_failure_keeps_none_of_the_others_away() -> None:
    threads = Threads()
    supervisor: Supervisor = threads  # type: ignore[assignment]  # it starts threads only
    rung: list[tuple[str, str, str]] = []
    failed: list[tuple[str, str, str]] = []

    def ring(one: Session, title: str, body: str) -> None:
        if one.project == "web":
            raise Failed("it has no terminal")
        rung.append((one.project, title, body))

    rings = TerminalRings(supervisor, lambda *said: failed.append(said), ring)
    rings([order("web"), order("api")])
    assert (rung, failed) == ([], [])
    (work,) = threads.waiting
    work()
    made = order("api").notice
    assert rung == [("api", made.title, made.body)]
    assert failed == [("web:100", "its terminal", "it has no terminal")]


def test_an_unforeseen_error_is_raised_once_the_others_have_been_rung_and_each_is_told_of() -> None:
    threads = Threads()
    supervisor: Supervisor = threads  # type: ignore[assignment]  # it starts threads only
    rung: list[str] = []
    failed: list[tuple[str, str, str]] = []

    def ring(one: Session, title: str, body: str) -> None:
        rung.append(one.project)
        if one.project in ("web", "db"):
            raise LookupError(one.project)

    rings = TerminalRings(supervisor, lambda *said: failed.append(said), ring)
    rings([order("web"), order("api"), order("db"), order("docs")])
    (work,) = threads.waiting
    with pytest.raises(LookupError):
        work()
    assert rung == ["web", "api", "db", "docs"]
    why = "an error in Deskbell: LookupError"
    assert failed == [(f"{name}:100", "its terminal", why) for name in ("web", "db")]


def test_where_no_thread_starts_every_ring_that_is_lost_is_told_of() -> None:
    threads = Threads(gives=False)
    supervisor: Supervisor = threads  # type: ignore[assignment]  # it starts threads only
    failed: list[str] = []
    TerminalRings(supervisor, lambda slot, *_: failed.append(slot), print)([order("web"), order("api")])
    assert failed == ["web:100", "api:100"]
