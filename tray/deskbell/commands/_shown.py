"""Say how far a jump came, and what to do instead where it did not come all the way."""

import shlex
from typing import TYPE_CHECKING

from deskbell.session import Session
from deskbell.terminal.out import complain, say
from deskbell.text.wording import short_id

if TYPE_CHECKING:  # it imports every way to a window
    from deskbell.desktop.jump.arrival import Arrival


def shown(session: Session, came: "Arrival", before: str = "") -> int:
    """Print BEFORE and how far it came. Return 1 if something is known to be missing."""
    sentence = f"{before} {came.sentence}".lstrip()
    if came.complete is not False:
        say(sentence)
        return 0
    complain("\n".join([sentence, *_next_best(session, came)]))
    return 1


def _next_best(session: Session, came: "Arrival") -> list[str]:
    """Return what to do instead. A session that runs is never given its resume command: that would start it twice."""
    if came.offer:
        return [f"Run this in a terminal: {shlex.join(came.offer)}"]
    return [f"Run `deskbell resume {short_id(session.session_id)}` to go on with it."] if came.over else []
