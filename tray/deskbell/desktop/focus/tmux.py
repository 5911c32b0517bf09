"""Which clients of a tmux server have this pane as their active one?"""

from collections.abc import Sequence

from deskbell.desktop.focus import asked


def clients(socket: str, pane: str) -> Sequence[int] | None:
    """None where the server does not answer; empty where nobody is attached, or looks at another pane."""
    said = asked.text("tmux", "-S", socket, "list-clients", "-F", "#{client_pid} #{pane_id}")
    return None if said is None else active_in(said, pane)


def active_in(said: str, pane: str) -> list[int]:
    pairs = [line.split() for line in said.splitlines()]
    return [int(pid) for pid, active in (p for p in pairs if len(p) == 2) if active == pane and pid.isdigit()]
