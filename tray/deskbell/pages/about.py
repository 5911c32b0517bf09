"""Write the page about Deskbell itself: its version, where its files are, and its main commands. Pure."""

from collections.abc import Sequence

from deskbell.history.present import Fact
from deskbell.pages.facts import listed
from deskbell.pages.markup import Page, element, together

WHAT = (
    "Deskbell is the bell on the desk for Claude Code: a tray icon that knows what every session on the machine is "
    "doing, and rings once when one needs you. MIT licence."
)
COMMANDS: Sequence[Fact] = (
    ("deskbell list", "print every session and what it asks or does; with --watch, again at every change"),
    ("deskbell show ID", "print everything about one session"),
    ("deskbell why ID", "explain why a session rang, or why it did not"),
    ("deskbell resume ID", "go on with a session that is over, in its own folder"),
    ("deskbell doctor", "check every link from Claude Code to your screen"),
    ("deskbell config edit", "edit every setting, each with its default and its meaning"),
    ("deskbell --help", "print the other commands"),
)


def page(version: str, facts: Sequence[Fact]) -> Page:
    """Return the page. FACTS: the version of Python, and the folders."""
    title = f"Deskbell {version}"
    rows = (together(element("dt", element("code", name)), element("dd", does)) for name, does in COMMANDS)
    body = together(
        element("h1", title),
        element("p", WHAT),
        element("h2", "Here"),
        element("div", listed(facts), kind="card plain"),
        element("h2", "In a terminal"),
        element("div", element("dl", *rows), kind="card plain"),
    )
    return Page("about", title, body)
