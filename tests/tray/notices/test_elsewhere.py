"""Test what rings in the terminals of sessions, and what can be answered from a channel.

tests/tray/notices/test_news.py tests what channels are sent.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from deskbell.asking import Asking, Choice
from deskbell.notices.elsewhere import notice_for
from deskbell.notices.notice import Notice
from deskbell.notices.policy import Channel, Policy
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, Story, session, several

API = session("api", "working", turn_started=NOON)
ON = Policy.model_validate({"ring_in_terminal": True})
AGAIN = Policy.model_validate({"ring_in_terminal": True, "escalation": {"minutes": 5, "steps": ["again", "phone"]}})
SILENT = Policy.model_validate({"ring_in_terminal": True, "rings": {"permission": {"ring": False}}})


def looked_at(story: Story) -> Story:
    story.focused = {"api"}
    return story


# a story: the projects whose terminals ring, in order
RINGS: dict[str, tuple[Callable[[], Story], list[str]]] = {
    "a request": (lambda: Story(API, policy=ON).does("api", "permission"), ["api"]),
    "the end of a turn": (lambda: Story(API, policy=ON).passes(30).does("api", "idle").passes(1), ["api"]),
    "two requests, one after the other": (
        lambda: Story(API, policy=ON).does("api", "permission").passes(5).does("api", "question"),
        ["api", "api"],
    ),
    "a summary: each in its own": (
        lambda: Story(*several("abcd"), policy=ON).at_once("permission", *"abcd"),
        [*"abcd"],
    ),
    "nobody answers": (lambda: Story(API, policy=AGAIN).does("api", "permission").passes(700), ["api", "api"]),
}
RINGS_NOT: dict[str, Callable[[], Story]] = {
    "it is off": lambda: Story(API).does("api", "permission"),
    "its pane has the focus": lambda: looked_at(Story(API, policy=ON)).does("api", "permission"),
    "its status does not ring": lambda: Story(API, policy=SILENT).does("api", "permission"),
    "it crashed: its terminal is somebody else's now": lambda: Story(API, policy=ON).does("api", "crashed"),
}


@pytest.mark.parametrize(("story", "rung"), RINGS.values(), ids=RINGS)
def test_what_rings_rings_in_its_terminal(story: Callable[[], Story], rung: list[str]) -> None:
    played = story()
    assert [project for project, _ in played.in_terminals] == rung
    assert played.said.count(f"{rung[0]}: sent to its terminal") == rung.count(rung[0])


@pytest.mark.parametrize("story", RINGS_NOT.values(), ids=RINGS_NOT)
def test_nothing_else_does(story: Callable[[], Story]) -> None:
    played = story()
    assert played.in_terminals == []
    assert not [sentence for sentence in played.said if "terminal" in sentence]


def test_a_terminal_gets_what_its_session_asks_even_in_a_summary() -> None:
    played = Story(*several("abcd"), policy=ON).at_once("permission", *"abcd")
    assert [project for project, _ in played.in_terminals] == list("abcd")
    assert all(title.startswith(f"{project} wants") for project, title in played.in_terminals)


def ntfy(**more: object) -> Channel:
    given = {"name": "phone", "kind": "ntfy", "url": "https://ntfy.example/desk", "answers": True, "details": True}
    return Channel.model_validate(given | more)


CODE = "c0de"
ALLOW, DENY, STOP, KEEP = (
    Choice("allow", "Allow", allows=True),
    Choice("deny", "Deny"),
    Choice("stop", "Deny and stop"),
    Choice("keep", "Keep planning"),
)
SAY = Choice("say", "Tell Claude what to do instead", takes_text=True)
RED, BLUE = Choice("option:0", "Red", allows=True), Choice("option:1", "Blue", allows=True)
SHORT = Asking(CODE, "Bash: npm test", ("npm test",), (ALLOW, DENY, SAY, STOP))
TWO_LINES = Asking(CODE, "Bash: npm ci", ("npm ci &&", "npm test"), (ALLOW, DENY, SAY, STOP))
TOO_LONG = Asking(CODE, "Bash: x", ("x",) * 9, (ALLOW, DENY, SAY, STOP))
COLOUR = Asking(CODE, "Which colour?", ("Which colour?", "• Red", "• Blue: like the sky"), (RED, BLUE, SAY))
PLAN = Asking(CODE, "Plan approval", (), (KEEP, SAY))
LONG_QUESTION = Asking(CODE, "Which? " * 40, ("Which? " * 40, "• Red", "• Blue"), (RED, BLUE, SAY))
LONG_OPTION = Asking(CODE, "Which?", ("Which?", "• Red", "• Blue: " + "x" * 300), (RED, BLUE, SAY))

# what is asked, of which status, at which channel: what can be answered from there
OFFERED: dict[str, tuple[Asking, Status, Channel, list[str]]] = {
    "what is shown whole": (SHORT, "permission", ntfy(), ["allow", "deny"]),
    "two lines": (TWO_LINES, "permission", ntfy(), ["allow", "deny"]),
    "what is not shown": (SHORT, "permission", ntfy(details=False), ["deny"]),
    "what is too long": (TOO_LONG, "permission", ntfy(), ["deny"]),
    "a question": (COLOUR, "question", ntfy(), ["option:0", "option:1"]),
    "a plan": (PLAN, "plan", ntfy(), ["keep"]),
    "a plan that is not shown": (PLAN, "plan", ntfy(details=False), ["keep"]),
}
OFFERED_NOT: dict[str, tuple[Asking, Status, Channel]] = {
    "a channel that may not": (SHORT, "permission", ntfy(answers=False)),
    "a question that is not shown": (COLOUR, "question", ntfy(details=False)),
    "a question that is cut": (LONG_QUESTION, "question", ntfy()),
    "an option whose description is cut": (LONG_OPTION, "question", ntfy()),
    "more options than buttons": (replace(COLOUR, choices=(RED, BLUE) * 2), "question", ntfy()),
    "nothing but words": (replace(COLOUR, choices=(SAY,)), "question", ntfy()),
}


def asks(asking: Asking, status: Status, channel: Channel) -> Notice:
    """What CHANNEL is sent of a session that asks; at the machine, everything can be answered."""
    here = replace(asking, choices=(*asking.choices, Choice("approve", "Approve")), away=asking)
    return notice_for(session("api", status, detail=asking.detail, asking=here), channel, Policy.usual(), NOON)


@pytest.mark.parametrize(("asking", "status", "channel", "ids"), OFFERED.values(), ids=OFFERED)
def test_what_is_shown_can_be_answered_from_a_channel(
    asking: Asking, status: Status, channel: Channel, ids: list[str]
) -> None:
    made = asks(asking, status, channel)
    assert made.away is not None
    assert (made.away.code, [choice.id for choice in made.away.choices]) == (CODE, ids)


@pytest.mark.parametrize(("asking", "status", "channel"), OFFERED_NOT.values(), ids=OFFERED_NOT)
def test_what_is_not_shown_cannot(asking: Asking, status: Status, channel: Channel) -> None:
    assert asks(asking, status, channel).away is None


def test_a_session_that_cannot_be_answered_here_cannot_be_answered_from_away() -> None:
    waits = session("api", "permission", detail="Bash: x", asking=Asking("", "Bash: x", why_not="A subagent asks."))
    assert notice_for(waits, ntfy(), Policy.usual(), NOON).away is None
    assert notice_for(session("api", "permission", detail="Bash: x"), ntfy(), Policy.usual(), NOON).away is None


def test_a_channel_that_may_not_answer_gets_the_same_as_without_an_answer() -> None:
    plain = notice_for(session("api", "permission", detail=SHORT.detail), ntfy(answers=False), Policy.usual(), NOON)
    asked = asks(replace(SHORT, why_not="Allow asks again: it deletes."), "permission", ntfy(answers=False))
    assert (asked.title, asked.body, asked.buttons) == (plain.title, plain.body, plain.buttons)


def test_a_channel_that_may_answer_is_shown_all_of_it() -> None:
    assert "npm ci &&\nnpm test\n" in asks(TWO_LINES, "permission", ntfy()).body


def test_a_summary_answers_nothing() -> None:
    waits = {"detail": SHORT.detail, "asking": replace(SHORT, away=SHORT)}
    wire = Policy.model_validate({"channels": [ntfy(when="ring").model_dump()], "burst": {"more_than": 1}})
    story = Story(*several("ab"), policy=wire)
    story.sessions |= {name: replace(story.sessions[name], status="permission", **waits) for name in "ab"}  # type: ignore[arg-type]  # the fields of Session
    ((_, sent),) = story.look().sent
    assert sent.away is None
