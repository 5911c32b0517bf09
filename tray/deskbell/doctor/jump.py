"""Jump to every running session, report how far each jump came, and return to where the person was."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from deskbell.desktop.jump import jump, way_back
from deskbell.desktop.jump.arrival import ORDER, Arrival
from deskbell.doctor import Check
from deskbell.session import Session
from deskbell.text.wording import short

Jump = Callable[[Session], Arrival]
NEEDS = "docs/jump.md lists what each terminal needs."
NOTHING = "Start claude in each terminal that you use, then run this again."


def examined(
    sessions: Sequence[Session],
    jump: Jump = jump,
    way_back: Callable[[], Callable[[], None]] = way_back,
) -> Iterator[Check]:
    """Yield one check for each running session that is not hidden, and one that counts the precisions."""
    running = [session for session in sessions if not session.over and not session.hidden]
    if not running:
        yield Check("jump", "warn", "No session runs, so nothing can be tried.", NOTHING)
        return
    back = way_back()
    came: list[Arrival] = []
    try:
        for session in running:
            came.append(jump(session))
            yield _check(session, came[-1])
    finally:
        back()
    yield _sum(came)


def _check(session: Session, came: Arrival) -> Check:
    name = f"jump to {short(f'{session.project}: {session.name}', 50)}"
    if came.complete is not False:
        return Check(name, "ok", came.sentence)
    return Check(name, "warn", came.sentence, f"Run `{shlex.join(came.offer)}` in a terminal." if came.offer else NEEDS)


def _sum(came: Sequence[Arrival]) -> Check:
    reached = Counter(one.reached for one in came if one.complete is not False)
    parts = [f"{reached[one]} to the {one}" for one in reversed(ORDER) if reached[one]]
    short_of = len(came) - sum(reached.values())
    parts += [f"{short_of} not all the way"] if short_of else []
    mend = "The lines above say what is missing." if short_of else ""
    return Check("jumps", "warn" if short_of else "ok", f"Of {len(came)}: {', '.join(parts)}.", mend)
