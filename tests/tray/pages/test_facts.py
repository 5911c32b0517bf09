"""Test how facts are laid out on a page."""

import pytest

from deskbell.pages.facts import command, kind, listed, prose, resumption
from deskbell.session import STATUSES
from deskbell.text.rows import heading
from deskbell_hooks.schema import Status
from tests.tray.making import session

HEADINGS: dict[Status, str] = {
    **dict.fromkeys(("permission", "question", "input", "plan"), "Blocked"),
    **dict.fromkeys(("interrupted", "error", "idle"), "Your turn"),
    **dict.fromkeys(("limit", "working", "background"), "Running"),
    "crashed": "Crashed",
    "ended": "Ended",
    "new": "New",
}


def test_every_status_has_its_heading() -> None:
    assert {status: heading(session(status=status)) for status in STATUSES} == HEADINGS
    assert kind(session(status="idle")) == "your-turn"


def test_only_what_is_known_is_listed_with_its_label() -> None:
    assert listed([("folder", "/a"), ("branch", None), ("mode", "")]) == "<dl><dt>Folder</dt><dd>/a</dd></dl>"
    assert listed([("branch", None)]) == ""
    assert listed([("a", "b")], inline=True) == '<dl class="inline"><div><dt>A</dt><dd>b</dd></div></dl>'


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Run `a <b>`, or `c`.", "Run <code>a &lt;b&gt;</code>, or <code>c</code>."),
        ("No code.", "No code."),
        ("Half ` of it", "Half &#96; of it"),
    ],
)
def test_what_stands_between_backquotes_is_code(said: str, shown: str) -> None:
    assert prose(said) == shown


def test_a_command_is_one_piece() -> None:
    assert command("claude --resume a1") == '<code class="command">claude --resume a1</code>'
    assert resumption("claude").endswith(command("claude"))
    assert resumption(None) == ""
