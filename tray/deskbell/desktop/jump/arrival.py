"""Define how a jump goes: the steps to take, how far it came, and the sentence that says so. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Precision = Literal["window", "tab", "pane"]
ORDER: tuple[Precision, ...] = ("window", "tab", "pane")
"""From the outside in."""

BY_HAND = "Go there yourself."
"""The next step where a part of the way cannot be gone."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to bring to the front."""

    precision: Precision
    what: str
    """Its name in a sentence: "the xterm window", "tmux pane %3"."""
    bring: Callable[[], None]
    """Ask for it. Raise Problem if it cannot be asked for."""
    there: Callable[[], bool | None]
    """Whether it is in front now; None where nobody tells."""


class Taken(NamedTuple):
    """A step that was taken, and what it came to."""

    precision: Precision
    what: str
    there: bool | None
    why: str = ""
    """Why it did not succeed, in one sentence."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """How far a jump came."""

    reached: Precision | None
    """The innermost part that is in front; None if nothing is."""
    complete: bool | None
    """Whether all of it is in front; None if all was asked for, and nothing here tells."""
    sentence: str
    """What happened, and where the session is if the person has to go on by themselves."""
    offer: tuple[str, ...] = ()
    """A command that shows the session in a new terminal, and starts nothing twice; empty if there is none."""
    over: bool = False
    """Whether the session has ended: only then may it be resumed."""


def arrival(taken: Sequence[Taken], where: str, obstacle: str = "", offer: tuple[str, ...] = ()) -> Arrival:
    """Return what TAKEN came to. WHERE the session runs; OBSTACLE: why there were no more steps."""
    failed = next((one for one in taken if one.there is False), None)
    in_front = [one for one in taken if one.there is not False]
    unseen = [one for one in taken if one.there is None]
    reached = _reached(taken)
    parts = [f"In front: {_joined(in_front)}."] if in_front and not unseen else []
    if unseen:
        parts = [f"Asked for {_joined(in_front)}, but nothing here tells whether it is in front."]
    if taken and not failed and not obstacle:
        return Arrival(reached, None if unseen else True, parts[0])
    if failed:
        parts.append(failed.why or f"{_capital(failed.what)} did not come to the front.")
    if obstacle:
        parts.append(obstacle)
    if where and (failed or obstacle or not taken):
        parts.append(f"The session runs in {where}.")
    return Arrival(reached, False, " ".join(parts), offer)


def _reached(taken: Sequence[Taken]) -> Precision | None:
    """The innermost step of those that succeeded, up to the first that did not: a pane in a hidden window is hidden."""
    reached: Precision | None = None
    for one in taken:
        if one.there is False:
            break
        if reached is None or ORDER.index(one.precision) > ORDER.index(reached):
            reached = one.precision
    return reached


def _joined(taken: Sequence[Taken]) -> str:
    return ", ".join(one.what for one in taken)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
