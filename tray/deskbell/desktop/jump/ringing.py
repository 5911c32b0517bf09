"""Ring in the terminal of a session, with the terminal's own notification or its bell. Call this in a thread.

This does not disturb a client that draws: the system writes the data of one write in one piece, and Claude Code writes
whole sequences and waits until the terminal takes them (tests/client/test_ring.py). A client that does not wait may
have written half a sequence, so nothing is written to its terminal.
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
    """Ring with TITLE and BODY. Raise Failed if that is not possible. Block for at most 0.4 s."""
    there = client(session)
    if there is None:
        raise Failed("it has ended, or runs on another machine")
    if there.tty is None:
        raise Failed("it has no terminal")
    if not processes.waits_for_its_output(there.pid):
        raise Failed("a ring could break what its program is writing there")
    name = program(there.holder) if there.holder else ""
    if not write_to(there.tty, ring(name, there.handles, title, body, there.pid), AT_ONCE):
        raise Failed("its terminal takes no text now, or belongs to somebody else")
