"""Define Standing, the state of our handlers in a settings file: the recorder for each event, and the asker. Pure.

`hooks_text` sorts the handlers of a text; `state` puts a Standing into words.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from deskbell.settings.jsonedit import Edit
from deskbell.settings.registration import Handler, Verb, Wanted, hook_of

Slot = tuple[str, Verb]
"""An event, and which of our handlers for it."""
AskerState = Literal["off", "current", "missing", "stale", "stray"]
"""The state of the asker, as in Standing. `off`: it should not be there, and is not."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of our hooks in a text: of the recorder by event, and of the asker."""

    current: tuple[str, ...] = ()
    """Events with the wanted handler."""
    missing: tuple[str, ...] = ()
    """Events that should have a handler and have none."""
    stale: tuple[str, ...] = ()
    """Events with an outdated handler of ours."""
    stray: tuple[str, ...] = ()
    """Events with a handler of ours that should not be there."""
    asker: AskerState = "off"
    handlers: tuple[Handler, ...] = ()
    """All of our handlers, as they are in the text."""

    @property
    def as_wanted(self) -> bool:
        return not (self.missing or self.stale or self.stray) and self.asker in ("off", "current")


class SortedOut(NamedTuple):
    """Our handlers in a text, compared with those that are wanted."""

    current: list[Slot]
    missing: list[Slot]
    stale: list[Slot]
    stray: list[Slot]
    handlers: list[Handler]
    edits: list[Edit]
    """The edits that correct the first handler of each slot and remove the others."""


def standing_of(ours: SortedOut) -> Standing:
    return Standing(
        current=_recorded(ours.current),
        missing=_recorded(ours.missing),
        stale=_recorded(ours.stale),
        stray=_recorded(ours.stray),
        asker=_asker(ours),
        handlers=tuple(ours.handlers),
    )


def _asker(ours: SortedOut) -> AskerState:
    """Return the worst state: besides the wanted asker there may be another one that should not be there."""
    states: tuple[tuple[AskerState, list[Slot]], ...] = (
        ("stray", ours.stray),
        ("stale", ours.stale),
        ("missing", ours.missing),
        ("current", ours.current),
    )
    return next((state for state, slots in states if any(verb == "ask" for _, verb in slots)), "off")


def _recorded(slots: list[Slot]) -> tuple[str, ...]:
    return tuple(event for event, verb in slots if verb == "record")


def slots_of(wanted: Wanted) -> dict[Slot, Handler]:
    """Return the wanted handlers, each by its slot."""
    named = [(event, handler, hook_of(handler)) for event, handlers in wanted.items() for handler in handlers]
    return {(event, hook.verb): handler for event, handler, hook in named if hook}
