"""Define what a notification, the menu and the board show of a request that can be answered from there. Pure.

`deskbell.answers` makes the values. Whoever shows one shows its text as it is: the answer is about that very text.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    id: str
    """Names the choice among those of its request: "allow", "deny", "option:2"."""
    label: str
    takes_text: bool = False
    """Whether it needs words of the person."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One step of the dialogue about one request."""

    code: str
    """Names the request in every answer. Nobody can guess it, and it is never used again. Empty if nothing can be
    answered, for the reason in `why_not`."""
    detail: str
    """What is asked, as in Session: "Bash: npm publish"."""
    text: tuple[str, ...] = ()
    """The whole of it, in lines; empty if it is too long for a notification or cannot be shown exactly."""
    choices: tuple[Choice, ...] = ()
    full: str = ""
    """The whole of it, however long; for details, which answer nothing."""
    why_not: str = ""
    """Why there is no choice that one would expect, in one sentence."""
    away: "Asking | None" = None
    """The same for somebody who is not at this machine, where less may be chosen."""
