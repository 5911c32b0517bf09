"""Define the steps of a jump, how far they came, and the sentence that says so. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Precision = Literal["window", "tab", "pane"]
ORDER: tuple[Precision, ...] = ("window", "tab", "pane")
"""From the outermost to the innermost."""

BY_HAND = "Go there yourself."
"""What the person can do if a step fails."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to bring to the front."""

    precision: Precision
    what: str
    """Its name in a sentence: "the xterm window", "tmux pane %3"."""
    bring: Callable[[], None]
    """Asks for it. Raises Problem if that fails."""
    there: Callable[[], bool | None]
    """Returns whether it is in front now; None if nothing tells."""
    instead: Callable[[], str] = str
    """Names what is in front in its place; empty if nothing tells."""
    rest: Callable[[float], None] | None = None
    """Waits for at most some seconds until nothing moves any more; None if nothing tells when that is."""


class Taken(NamedTuple):
    """A step that was taken, and its result."""

    precision: Precision
    what: str
    there: bool | None
    why: str = ""
    """Why it did not succeed, in one sentence."""
    instead: str = ""
    """What is in front in its place; empty if nothing tells."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """How far a jump came."""

    reached: Precision | None
    """The innermost part that is in front; None if nothing is."""
    complete: bool | None
    """Whether every part is in front; None if every part was asked for, but nothing tells."""
    sentence: str
    """What happened, and where the session is if the person has to find it."""
    offer: tuple[str, ...] = ()
    """A command that shows the session in a new terminal without starting a client; empty if there is none."""
    over: bool = False
    """Whether the session has ended: only then may it be resumed."""


def arrival(taken: Sequence[Taken], where: str, obstacle: str = "", offer: tuple[str, ...] = ()) -> Arrival:
    """Return the result of the steps TAKEN. WHERE: where the session runs. OBSTACLE: why there were no more steps."""
    failed = next((one for one in taken if one.there is False), None)
    in_front = [one for one in taken if one.there is not False]
    unseen = [one for one in taken if one.there is None]
    reached = _reached(taken)
    # A pane in a window that is not in front is only chosen: it shows once the person gets there.
    is_hidden = taken and (taken[0].there is False or (obstacle and taken[0].precision == "pane"))
    parts = [f"{'Chosen' if is_hidden else 'In front'}: {_joined(in_front)}."] if in_front and not unseen else []
    if unseen:
        parts = [f"Asked for {_joined(in_front)}, but nothing here tells whether it is in front."]
    if taken and not failed and not obstacle:
        return Arrival(reached, None if unseen else True, parts[0])
    if failed:
        parts.append(failed.why or _missed(failed))
    if obstacle:
        parts.append(obstacle)
    if where and (failed or obstacle or not taken):
        parts.append(f"The session runs in {where}.")
    return Arrival(reached, False, " ".join(parts), offer)


def _reached(taken: Sequence[Taken]) -> Precision | None:
    """Return the innermost precision before the first step that failed: a pane in a hidden window is hidden, too."""
    reached: Precision | None = None
    for one in taken:
        if one.there is False:
            break
        if reached is None or ORDER.index(one.precision) > ORDER.index(reached):
            reached = one.precision
    return reached


def _missed(one: Taken) -> str:
    if one.instead:
        return f"{_capital(one.what)} is not in front: {one.instead} is."
    return f"{_capital(one.what)} did not come to the front."


def _joined(taken: Sequence[Taken]) -> str:
    return ", ".join(one.what for one in taken)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
