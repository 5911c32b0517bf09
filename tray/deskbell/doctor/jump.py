"""Jump to every running session, report how far each jump came, and return to where the person was."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from deskbell.desktop.jump import jump, way_back
from deskbell.desktop.jump.arrival import ORDER, Arrival
from deskbell.doctor import Check
from deskbell.doctor.each import each
from deskbell.session import Session
from deskbell.text.wording import short

Jump = Callable[[Session], Arrival]
NEEDS = "docs/jump.md lists what each terminal needs."
AGAIN = "Run `deskbell doctor --jump` again. If it says the same, this is a mistake in Deskbell."
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
            name = f"jump to {short(f'{session.project}: {session.name}', 50)}"
            yield from each({name: partial(_tried, session, name, jump, came)}, AGAIN)
    finally:
        back()
    yield _sum(came, len(running))


def _tried(session: Session, name: str, jump: Jump, came: list[Arrival]) -> Iterator[Check]:
    """Jump to SESSION, and add how far that came to CAME."""
    came.append(jump(session))
    yield _check(name, came[-1])


def _check(name: str, came: Arrival) -> Check:
    if came.complete is not False:
        return Check(name, "ok", came.sentence)
    return Check(name, "warn", came.sentence, f"Run `{shlex.join(came.offer)}` in a terminal." if came.offer else NEEDS)


def _sum(came: Sequence[Arrival], tried: int) -> Check:
    """Return the check that counts how far the TRIED jumps came. A jump that failed is not in CAME."""
    reached = Counter(one.reached for one in came if one.complete is not False)
    parts = [f"{reached[one]} to the {one}" for one in reversed(ORDER) if reached[one]]
    short_of = tried - sum(reached.values())
    parts += [f"{short_of} not all the way"] if short_of else []
    mend = "The lines above say what is missing." if short_of else ""
    return Check("jumps", "warn" if short_of else "ok", f"Of {tried}: {', '.join(parts)}.", mend)
