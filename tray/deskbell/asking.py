"""Define what a notification, the menu and the board show of a request that can be answered there. Pure.

`deskbell.answers` makes the values. They show its text unchanged, because the person answers exactly that text.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    id: str
    """The name of the choice, unique in its request: "allow", "deny", "option:2"."""
    label: str
    takes_text: bool = False
    """Whether the person has to type a text with it."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One step of the dialogue about one request."""

    code: str
    """The name of the request in every answer. Nobody can guess it, and it is never used again. Empty if nothing can be
    answered, for the reason in `why_not`."""
    detail: str
    """What is asked, as in Session: "Bash: npm publish"."""
    text: tuple[str, ...] = ()
    """The whole request, in lines; empty if it is too long for a notification or cannot be shown exactly."""
    choices: tuple[Choice, ...] = ()
    full: str = ""
    """The whole request, however long; for pages of details, where nothing can be answered."""
    why_not: str = ""
    """Why a choice that the person may expect is missing, in one sentence."""
    away: "Asking | None" = None
    """The same request for a person who is not at this machine, who may have fewer choices."""
