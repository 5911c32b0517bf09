"""Define what a notification, the menu and the board show of a request that can be answered there. Pure.

`deskbell.answers` makes the values. What is offered for approval was shown, to the last character, on the surface that
offers it: a surface asks for the choices with `where`, and says whether it drew all of `whole`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

READ: Mapping[str, str] = {"permission": "Read it", "question": "Read it", "plan": "Read the plan"}
"""What leads to all that is asked, for a session of this status, where there is no room for it."""
CHOSEN: Mapping[str, str] = {
    "allow": "allow it",
    "allow-sure": "allow it, as it asked again",
    "deny": "deny it",
    "stop": "deny it and stop",
    "approve": "approve the plan",
    "approve-edits": "approve the plan, edits accepted",
    "keep": "keep planning",
    "next": "send what was chosen",
    "say": "answer in your own words",
}
UNSEEN = "It does not fit here as it is. Read it whole first."


@dataclass(frozen=True, slots=True)
class Choice:
    id: str
    """The name of the choice, unique in its request: "allow", "deny", "option:2"."""
    label: str
    """What it does, whole: of an option its own words, which a surface shows uncut or does not offer."""
    takes_text: bool = False
    """Whether the person has to type a text with it."""
    allows: bool = False
    """Whether the client goes on with what was asked: it is allowed, approved or answered with an option."""
    about: str = ""
    """What the client shows beside an option of a question: its description and its preview."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One step of the dialogue about one request."""

    code: str
    """The name of the request in every answer. Nobody can guess it, and it is never used again. Empty if nothing can be
    answered, for the reason in `why_not`."""
    detail: str
    """What is asked, as in Session: "Bash: npm publish"."""
    whole: tuple[str, ...] = ()
    """All that is asked, in lines, as any screen shows it; empty if no screen would. Then nothing allows it."""
    choices: tuple[Choice, ...] = ()
    why_not: str = ""
    """Why a choice that the person may expect is missing, in one sentence."""
    unread: bool = False
    """Whether choices are left out only because the surface did not draw all of `whole`: it offers to read it."""
    step: int = 0
    """How many steps came before this one, as the desk counts. A choice of another step answers something else."""
    away: "Asking | None" = None
    """The same request for a person who is not at this machine, who may have fewer choices."""

    def where(self, shown: bool, why: str = UNSEEN) -> "Asking":
        """Return the request for a surface. SHOWN: whether it drew all of `whole`; if not, WHY says what to do."""
        choices = tuple(one for one in self.choices if not one.allows)
        if choices == self.choices or (shown and self.whole):
            return self
        return replace(self, choices=choices, why_not=why, unread=True)


def purpose(choice: str) -> str:
    """Return what a click on the choice of this id is for: "allow it", "choose option 2"."""
    kind, _, number = choice.partition(":")
    if kind == "option" and number.isdecimal():
        return f"choose option {int(number) + 1}"
    return "allow it, with a lasting rule" if kind == "rule" else CHOSEN.get(choice, "answer it")
