"""Define the orders that `news` gives: what to show, replace, withdraw and send, and why. Values only."""

from dataclasses import dataclass
from typing import NamedTuple

from deskbell.notices.decisions import Decision
from deskbell.notices.notice import Notice
from deskbell.notices.wants import Memory
from deskbell.session import Session


class Send(NamedTuple):
    channel: str
    notice: Notice


class InTerminal(NamedTuple):
    """A ring in the terminal of a session itself."""

    session: Session
    notice: Notice


class Withdrawal(NamedTuple):
    slot: str
    reason: str


@dataclass(frozen=True, slots=True)
class News:
    memory: Memory
    """The memory for the next call."""
    show: tuple[Notice, ...]
    replace: tuple[Notice, ...]
    withdraw: tuple[Withdrawal, ...]
    sends: tuple[Send, ...]
    """What goes to the other channels."""
    in_terminals: tuple[InTerminal, ...]
    decisions: tuple[Decision, ...]
    wake_at: float | None
    """When to call `news` again even if nothing changes."""
