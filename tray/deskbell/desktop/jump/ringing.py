"""Ring in the terminal of a session, by a notification of its own or by its bell. Call this in a thread.

It disturbs no client that draws. The system writes what a program gives it at once in one piece, and Claude Code gives
whole sequences, to a terminal that it waits for (tests/client/test_ring.py). Where a client does not wait, the terminal
may take the half of a sequence, so nothing is written.
"""

from deskbell.desktop.focus import processes
from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.jump import client
from deskbell.desktop.jump.sequences import ring
from deskbell.desktop.jump.spot import program
from deskbell.desktop.jump.tty import write_to
from deskbell.notices.channels import Failed
from deskbell.session import Session


def ring_in_terminal(session: Session, title: str, body: str) -> None:
    """Raise Failed if the terminal cannot be rung in. It takes 0.4 s at the most."""
    there = client(session)
    if there is None:
        raise Failed("it has ended, or runs on another machine")
    if there.tty is None:
        raise Failed("it has no terminal")
    if not processes.waits_for_its_output(there.pid):
        raise Failed("its program may have written the half of a sequence")
    name = program(there.holder) if there.holder else ""
    if not write_to(there.tty, ring(name, there.handles, title, body, there.pid), AT_ONCE):
        raise Failed("the terminal takes nothing, or belongs to somebody else")
