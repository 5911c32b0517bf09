"""Write the page that explains the keys and the signs of the board. Pure."""

from deskbell.cards.keys import BINDINGS
from deskbell.cards.state import Page
from deskbell.session import of_every_status
from deskbell.text.rows import LOOKS, Line, Span
from deskbell.text.width import fitted
from deskbell.text.wording import CALLED
from deskbell_hooks.schema import Status

MOUSE = (
    ("click", "choose a session; a double click jumps to it"),
    ("wheel", "scroll the column under the pointer"),
)
ABOUT: dict[Status, str] = of_every_status(
    {
        "permission": "a tool waits for your approval",
        "question": "a question waits for your answer",
        "input": "a dialog waits for your answer",
        "plan": "a plan waits for your approval",
        "interrupted": "you cut the turn short",
        "error": "the turn ended in an API error",
        "idle": "the turn is over",
        "limit": "it waits for a limit or the API, and goes on by itself",
        "working": "it works",
        "background": "only its background tasks and subagents work",
        "crashed": "its process exited unexpectedly",
        "ended": "it was closed",
        "new": "it was never prompted",
    }
)
WARM = """\
A session that stopped less than five minutes ago is marked “cache warm”: the
prompt cache still holds its conversation, so an answer now costs and takes
less. Needs You shows those first, because that chance passes: a session that
the cache has dropped, blocked or not, costs the same whenever you answer.
Then come the most urgent, then the newest. Running shows the newest prompt
first."""
SHOWN = 12
"""Columns of a key."""


def page() -> Page:
    """Return the page that `?` shows."""
    keys = [_row(binding.shown, binding.help) for binding in BINDINGS]
    mouse = [_row(*one) for one in MOUSE]
    signs = [_sign(status, words) for status, words in ABOUT.items()]
    order: list[Line] = [(Span(f"  {line}"),) for line in WARM.split("\n")]
    parts = (("Keys", keys), ("Mouse", mouse), ("Signs", signs), ("Order", order))
    lines: list[Line] = []
    for title, rows in parts:
        lines += [*([()] if lines else []), (Span(title, "bold"),), *rows]
    return Page("Help", tuple(lines))


def _row(shown: str, words: str) -> Line:
    return Span("  "), Span(fitted(shown, SHOWN), "bold"), Span(words)


def _sign(status: Status, words: str) -> Line:
    sign, style = LOOKS[status]
    called = CALLED.get(status, status)
    return Span("  "), Span(sign, style), Span(fitted(f" {called}", 20)), Span(words, "dim")
