"""Test that no title, prompt, command or name of a file can run a script on a page or load anything from elsewhere."""

import re
from dataclasses import fields, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from deskbell.board import board
from deskbell.doctor import Check
from deskbell.history.summarise import summarise
from deskbell.pages import about, changes, details, doctor
from deskbell.pages import board as boards
from deskbell.pages.markup import Page, document
from deskbell.session import STATUSES, Agent, Place, Session
from deskbell.text.clean import clean, escaped
from tests.tray.journals import line, tool
from tests.tray.making import NOON, session
from tests.tray.pages.test_markup import Read

ATTACKS = (
    "<script>alert(1)</script>",
    "</title></style></main><script src=//evil.example/x.js></script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<svg/onload=alert(1)>",
    "javascript:alert(1)",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<!--<b>--!><script>alert(1)//",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "`<b>`",
    "&lt;script&gt;&#60;b&#62;",
    "\x1b]0;owned\x07\x9b31m\u202e\u2066\ufeff\x00<\x00script>",
)
OURS = frozenset(
    (
        *(
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "header",
            "main",
            "footer",
            "svg",
            "path",
            "b",
            "span",
            "p",
        ),
        *(
            "h1",
            "h2",
            "h3",
            "article",
            "div",
            "dl",
            "dt",
            "dd",
            "code",
            "pre",
            "table",
            "tbody",
            "tr",
            "td",
            "progress",
        ),
    )
)
ATTRIBUTES = frozenset(
    (
        *(
            "lang",
            "charset",
            "http-equiv",
            "content",
            "name",
            "class",
            "viewbox",
            "width",
            "height",
            "aria-hidden",
            "d",
        ),
        *("value", "max"),
    )
)


def hostile(text: str, **about: object) -> Session:
    """A session that has TEXT in every field that can hold a text."""
    made = session(cwd="", branch="", model="", permission_mode="", host="", last_line="", last_error="", prompt="")
    texts = {one.name: text for one in fields(Session) if isinstance(getattr(made, one.name), str)}
    handles = (("TMUX", text), ("TMUX_PANE", text))
    more = {"agents": (Agent(text, text, text, text, NOON, NOON + 1),), "tasks": (text,), "place": Place(text, handles)}
    return replace(made, **(texts | more | {"status": "permission"} | about))  # type: ignore[arg-type]  # its fields


def pages(text: str) -> list[Page]:
    one = hostile(text)
    journal = [
        line("UserPromptSubmit", 1, prompt=text),
        tool("Bash", 2, event="PostToolUseFailure", error=text, given={"command": text}),
        tool(text, 3, file=text),
        line("SubagentStart", 4, agent_id=text, agent_type=text),
        line("Notification", 5, message=text),
        line("Stop", 6, last_assistant_message=text),
    ]
    past = details.Past(summarise([journal]), [(NOON, text)], text)
    every = [hostile(text, status=status, pid=number) for number, status in enumerate(STATUSES)]
    return [
        details.page(one, past, NOON, "details-1"),
        boards.page(board(every, NOON), {session.key: text for session in every}, NOON),
        doctor.page([Check(text, "bad", text, text)]),
        changes.page([(text, f"--- {text}\n+++ {text}\n@@ -1 +1 @@\n-{text}\n+{text}\n")]),
        about.page(text, [(text, text)]),
    ]


class Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_text_makes_no_element_and_no_attribute_on_any_page(attack: str) -> None:
    for page in pages(attack):
        html = document(page, attack, attack)
        found = Elements(html)
        assert (found.tags - OURS, found.attributes - ATTRIBUTES) == (set(), set()), page.name
        assert html.count("<style>") == html.count("</style>") == html.count("</title>") == 1
        assert html.count("<meta") == 6


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_text_is_there_to_be_read(attack: str) -> None:
    """If the pages left the text out, the other tests would prove nothing."""
    for page in pages(attack):
        said = escaped(attack) if page.name == "changes" else clean(attack)
        assert said in Read(page.body).text, page.name


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_control_character_is_on_a_page(attack: str) -> None:
    for page in pages(attack):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2066\ufeff]", document(page, "now", "1"))


def test_no_secret_is_on_a_page_but_in_the_persons_own_settings() -> None:
    secret = "password=hunter2-Zq9"
    for page in pages(secret):
        assert ("hunter2" in page.body) == (page.name == "changes")


def test_every_page_is_among_these() -> None:
    folder = Path(details.__file__).parent
    makers = {path.stem for path in folder.glob("*.py") if "-> Page:" in path.read_text(encoding="utf-8")}
    assert {page.name.partition("-")[0] for page in pages("x")} == makers
