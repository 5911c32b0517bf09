"""Remember which requests a command line has shown whole, so that it allows only those. Pure.

A view names one step of one request with all that is shown of it: another text, reason or choice is another view.
"""

from dataclasses import dataclass, field
from hashlib import sha256

from deskbell.asking import Asking
from deskbell_hooks.trim import without_secrets

REMEMBERED = 1000
"""Views. A person reads a few, and what is forgotten is shown again."""


def view(asking: Asking) -> str:
    """Return the name of what is shown of ASKING."""
    choices = [(one.id, without_secrets(one.label)) for one in asking.choices]
    shown = (asking.code, asking.whole, without_secrets(asking.why_not), choices)
    return sha256(repr(shown).encode(errors="backslashreplace")).hexdigest()[:32]


@dataclass
class Views:
    """The views that a command line has shown."""

    _shown: dict[str, None] = field(default_factory=dict)

    def note(self, views: object) -> None:
        """Take VIEWS, a list from a command, as shown."""
        for one in views if isinstance(views, list) else []:
            if isinstance(one, str):
                self._shown[one] = None
        while len(self._shown) > REMEMBERED:
            del self._shown[next(iter(self._shown))]

    def permits(self, asking: Asking | None, choice: str) -> bool:
        """Return whether CHOICE allows nothing, or what it allows was shown. What is not open is refused elsewhere."""
        allows = asking is not None and any(one.id == choice and one.allows for one in asking.choices)
        return not allows or (asking is not None and view(asking) in self._shown)
