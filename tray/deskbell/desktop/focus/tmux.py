"""Ask a tmux server which of its clients show a pane as the active one."""

from collections.abc import Sequence

from deskbell.desktop.focus import asked


def clients(socket: str, pane: str) -> Sequence[int] | None:
    """Return the processes of those clients; empty if there are none, None if the server does not answer."""
    said = asked.text("tmux", "-S", socket, "list-clients", "-F", "#{client_pid} #{pane_id}", socket=socket)
    return None if said is None else active_in(said, pane)


def active_in(said: str, pane: str) -> list[int]:
    """Return the processes of the clients in SAID that show PANE."""
    pairs = [line.split() for line in said.split("\n")]
    return [int(pid) for pid, active in (p for p in pairs if len(p) == 2) if active == pane and pid.isdigit()]
