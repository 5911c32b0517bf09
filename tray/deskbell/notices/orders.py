"""The orders that `news` gives: what to show, replace, withdraw and send, and why. Only values."""

from dataclasses import dataclass
from typing import NamedTuple

from deskbell.notices.decisions import Decision
from deskbell.notices.notice import Notice
from deskbell.notices.wants import Memory


class Send(NamedTuple):
    channel: str
    notice: Notice


class Withdrawal(NamedTuple):
    slot: str
    reason: str


@dataclass(frozen=True, slots=True)
class News:
    memory: Memory
    """For the next call."""
    show: tuple[Notice, ...]
    replace: tuple[Notice, ...]
    withdraw: tuple[Withdrawal, ...]
    sends: tuple[Send, ...]
    """What goes to the other channels."""
    decisions: tuple[Decision, ...]
    wake_at: float | None
    """When to call `news` again even if nothing changes."""
