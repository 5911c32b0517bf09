"""Make the parts that several pages share: facts with labels, code, and how to resume a session. Pure."""

import re
from collections.abc import Iterable

from deskbell.history.present import Fact
from deskbell.pages.markup import Markup, element, together
from deskbell.session import Session
from deskbell.text.rows import heading

CODE = re.compile("`([^`]*)`")


def listed(facts: Iterable[Fact], inline: bool = False) -> Markup:
    """Return the known facts with their labels; empty if there are none. INLINE: side by side."""
    rows = [together(element("dt", name(label)), element("dd", value)) for label, value in facts if value]
    if not rows:
        return together()
    return element("dl", *(element("div", row) for row in rows), kind="inline") if inline else element("dl", *rows)


def name(label: str) -> str:
    return label[:1].upper() + label[1:]


def kind(session: Session) -> str:
    """Return the CSS class of the heading under which a list shows SESSION."""
    return heading(session).lower().replace(" ", "-")


def prose(text: str) -> Markup:
    """Return TEXT with its parts between backquotes as code."""
    parts = enumerate(CODE.split(text))
    return together(*(element("code", part) if at % 2 else part for at, part in parts))


def command(words: str) -> Markup:
    """Return a command that one click selects as a whole."""
    return element("code", words, kind="command")


def resumption(words: str | None) -> Markup:
    """Return how to resume a session: the command, or why there is none."""
    return together(element("p", "To resume it:", kind="dim"), command(words)) if words else together()
