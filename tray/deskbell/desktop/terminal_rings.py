"""Ring in the terminals of sessions, in a thread, so that the loop does not wait."""

from collections.abc import Callable, Sequence
from functools import partial

from deskbell.notices.channels import Failed
from deskbell.notices.orders import InTerminal
from deskbell.session import Session
from deskbell.supervision import Supervisor

PART = "rings in terminals"
CHANNEL = "its terminal"


def _ring(session: Session, title: str, body: str) -> None:
    from deskbell.desktop.jump.ringing import ring_in_terminal  # imported for a ring only: it loads every way to jump

    ring_in_terminal(session, title, body)


class TerminalRings:
    def __init__(
        self,
        supervisor: Supervisor,
        failed: Callable[[str, str, str], None],
        ring: Callable[[Session, str, str], None] = _ring,
    ) -> None:
        """FAILED is called in any thread with the slot, the channel and the reason."""
        self._supervisor = supervisor
        self._failed = failed
        self._ring = ring

    def __call__(self, orders: Sequence[InTerminal]) -> None:
        if not self._supervisor.thread(PART, partial(self._ring_each, orders)):
            for order in orders:
                self._failed(order.notice.slot, CHANNEL, "the system starts no more threads")

    def _ring_each(self, orders: Sequence[InTerminal]) -> None:
        """Ring for each of ORDERS. If one raises something unforeseen, ring for the others, then raise it."""
        for at, (session, notice) in enumerate(orders):
            try:
                self._ring(session, notice.title, notice.body)
            except Failed as failure:
                self._failed(notice.slot, CHANNEL, str(failure))
            except Exception as error:
                self._failed(notice.slot, CHANNEL, f"an error in Deskbell: {type(error).__name__}")
                self._ring_each(orders[at + 1 :])
                raise
