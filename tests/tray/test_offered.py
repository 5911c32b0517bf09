"""Test the law of all surfaces: what is offered for approval was shown there, to the last character.

Each surface is read back from what it really draws: the arguments of Notify, the rows of the menu, the lines of the
command line, the message to a phone.
"""

import io
import json
import os
import random
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from html import unescape
from typing import Any, NamedTuple

import pytest

from deskbell.answers.request import Request
from deskbell.answers.risk.kind import PLAIN, careful, jump
from deskbell.answers.shown import TAB
from deskbell.answers.steps import NOTHING_YET, Progress, asking, pressed
from deskbell.asking import Asking, Choice
from deskbell.commands import answer as command
from deskbell.desktop.notify.daemons import JOINER, UNSEEN, Daemon, arguments, drawn
from deskbell.desktop.notify.notification import Answers, extra, notification
from deskbell.desktop.notify.stock import LINES, Stock
from deskbell.face.actions import Answer
from deskbell.face.facts import Facts
from deskbell.face.item import LEFT_TO_RIGHT, Item
from deskbell.face.rows import rows
from deskbell.notices.elsewhere import notice_for
from deskbell.notices.notice import Notice, as_drawn, notice
from deskbell.notices.policy import Channel, Policy
from deskbell.notices.words import ASKED, LINE, TITLE
from deskbell.program.answering import listed
from deskbell.program.dialogue import answer as click
from deskbell.session import Session
from deskbell.terminal.out import say
from deskbell.text.clean import END_ISOLATE, ISOLATE, visible
from deskbell.text.width import width
from deskbell.text.wording import safe
from tests.tray.answers.making import request, rules
from tests.tray.making import NOON, session

MANY = 100_000 if os.environ.get("DESKBELL_THOROUGH") else 3_000
"""Requests."""
BODY = ("actions", "body", "body-markup")
DAEMONS = [
    Daemon("Xfce Notify Daemon", "0.7.3", frozenset(BODY)),
    Daemon("lxqt-notificationd", "2.1.0", frozenset((*BODY, "body-hyperlinks"))),
    Daemon("dunst", "1.9.0", frozenset(("actions", "body", "body-hyperlinks"))),
    Daemon("dunst", "1.12.0", frozenset((*BODY, "body-hyperlinks"))),
    Daemon("Plasma", "5.27", frozenset((*BODY, "body-hyperlinks", "inline-reply"))),
    Daemon("gnome-shell", "43", frozenset(BODY)),
    Daemon("gnome-shell", "48.7", frozenset(BODY)),
    Daemon("Plain", "1", frozenset(("actions", "body"))),
    Daemon("Bare", "1", frozenset(("actions",))),
]
POLICY = Policy()
PHONE = Channel.model_validate(
    {"name": "phone", "kind": "ntfy", "url": "https://ntfy.example/desk", "answers": True, "details": True}
)
WORDS = (
    *("npm", "test", "&&", "rm", "-rf", "build", "git", "push", "origin", "main", "ls", "-la", "echo", "x" * 50),
    *("<b>", "&amp;", "`id`", "a < b", "·", " · ", "•", "• Blue", "- old", "+ new", "You asked: x", "…", "_x_", "✓ "),
    *("字" * 9, "é", "e\u0301", "שלום", "مرحبا", "👩‍👩‍👧", "\U0001f44d\U0001f3fd", "\t", "  ", " " * 12, "\n", "\n\n"),
    *("\u200b", "\u202e", "\x1b[8m", "\r", "\u3164", "token=" + "Zx9" * 9, "Authorization: Bearer " + "q7W" * 9),
)
LABELS = ("Keep it", "Drop it", "Drop it ", "Dr\u043ep it", "Yes", "No", "Yes, always", "A, B", "A", "字字", "x" * 60)


class Shown(NamedTuple):
    """What one surface shows of a request, and what can be chosen there."""

    text: str
    chosen: Sequence[str]


def text(chance: random.Random, most: int) -> str:
    return chance.choice(("", " ")).join(chance.choice(WORDS) for _ in range(chance.randint(1, most)))


def option(chance: random.Random) -> dict[str, Any]:
    about = {"description": text(chance, 4)} if chance.random() < 0.6 else {}
    more = {"preview": text(chance, 4)} if chance.random() < 0.1 else {}
    return {"label": chance.choice((*LABELS, text(chance, 2)))} | about | more


def question(chance: random.Random) -> dict[str, Any]:
    options = [option(chance) for _ in range(chance.randint(2, 4))]
    return {"question": text(chance, 6), "options": options, "multiSelect": chance.random() < 0.3}


def given(chance: random.Random) -> tuple[str, dict[str, Any]]:
    short, long = partial(text, chance, 4), partial(text, chance, chance.choice((2, 8, 40, 120)))
    tools: dict[str, dict[str, Any]] = {
        "Bash": {"command": long(), **({"run_in_background": True} if chance.random() < 0.1 else {})},
        "Edit": {"file_path": short(), "old_string": short(), "new_string": long()},
        "Write": {"file_path": short(), "content": long()},
        "WebFetch": {"url": short(), "prompt": short()},
        "mcp__db__query": {"sql": long(), "limit": 3},
        "ExitPlanMode": chance.choice(({"plan": long()}, {"plan": long()}, {})),
        "AskUserQuestion": {"questions": [question(chance) for _ in range(chance.choice((1, 1, 2)))]},
    }
    return chance.choice(list(tools.items()))


def asked(chance: random.Random) -> Request | None:
    tool, tool_input = given(chance)
    try:
        return request(tool, tool_input)
    except AssertionError:  # two options of the same text, or one of blanks: no request that can be answered
        return None


def steps(chance: random.Random, one: Request) -> Iterator[Asking]:
    """The first step, and those that random choices lead to."""
    risk = chance.choice((PLAIN, careful("deletes files"), jump("writes into .git")))
    held, progress = rules(one, risk), NOTHING_YET
    for _ in range(3):
        now = asking(one, progress, held)
        yield now
        allowing = [choice.id for choice in now.choices if choice.allows]
        step = pressed(one, progress, chance.choice(allowing), None, held) if allowing else None
        if not isinstance(step, Progress):
            return
        progress = step


def waits(one: Request, now: Asking) -> Session:
    return session(session_id="a1", project="api", status=one.kind, detail=now.detail, asking=now, prompt="Ship it")


def in_notifications(made: Notice) -> Iterator[Shown]:
    answers = Answers(print, print, print)
    for daemon in DAEMONS:
        fit = as_drawn(made, safe(made.title), drawn(safe(made.body), daemon))
        given = arguments(notification(fit, answers), extra(fit), daemon, 0)
        _, _, _, title, body, actions, *_ = given
        assert isinstance(body, str)
        assert isinstance(actions, list)
        seen = body if "body" in daemon.capabilities else ""
        seen = unescape(seen) if "body-markup" in daemon.capabilities else seen.replace(UNSEEN, "")
        lines = seen.split(JOINER) if daemon.name == "gnome-shell" and daemon.version > "46" else seen.split("\n")
        keys = {button.id: button.action for button in fit.buttons}
        found = [keys[key] for key in actions[::2] if key in keys]
        yield Shown("\n".join((str(title), *lines)), [one.choice for one in found if isinstance(one, Answer)])
    fit = as_drawn(made, safe(made.title), Stock("Windows", print).drawn(safe(made.body)))  # type: ignore[arg-type]  # no backend is made
    answers_of = [one.action.choice for one in fit.buttons if isinstance(one.action, Answer)]
    yield Shown("\n".join((fit.title, *fit.body.split("\n")[:LINES])), answers_of)


def in_the_menu(one: Session) -> Iterator[Shown]:
    (row,) = rows([one], Facts(), NOON, {})
    shown: list[str] = []
    for item in row.children:
        if isinstance(item.action, Answer):
            yield Shown("".join(shown), [item.action.choice])
        elif item.key.startswith("asked"):
            shown.append(read(item))


def read(item: Item) -> str:
    """What is read of a row: the marks of its direction are not drawn."""
    text = visible(item.text.removeprefix(LEFT_TO_RIGHT))
    return text.removeprefix(ISOLATE).removesuffix(END_ISOLATE)


def in_the_dialogue(one: Session, now: Asking) -> Iterator[Shown]:
    made: list[Notice] = []

    def say(slot: str, title: str, text: str, *buttons: Any, sign: Any = "plain") -> None:
        made.append(Notice(slot, (), "idle", title, text, "normal", None, buttons, sign=sign))

    click(one, Answer(one.key, now.code, "allow"), lambda *_: now, say)
    yield from in_notifications(made[0])


def on_the_phone(one: Session) -> Shown:
    made = notice_for(one, PHONE, POLICY, NOON)
    choices = made.away.choices if made.away else ()
    return Shown(f"{safe(made.title)}\n{safe(made.body)}", [choice.id for choice in choices])


def on_the_command_line(one: Request, now: Asking) -> Iterator[Shown]:
    (said,) = listed([(one, now)])
    head, *lines = printed(command.in_short(said, "a1"))
    cut = lines[-1].startswith("  It has")
    allows = [] if cut else [choice["id"] for choice in said["choices"] if choice["allows"]]
    named = lines[-2 if cut else -1]
    assert not cut or not any(choice["allows"] and choice["id"] in named.split(", ") for choice in said["choices"])
    yield Shown("\n".join((head, *(line.removeprefix("    ") for line in lines))), allows)
    yield Shown("\n".join(("", *printed(command.described(said)))), [choice["id"] for choice in said["choices"]])


def printed(lines: Iterator[str]) -> list[str]:
    out = io.StringIO()
    with redirect_stdout(out):
        say(*lines)
    return out.getvalue().split("\n")[:-1]


def is_whole(found: Shown, whole: Sequence[str], where: str) -> bool:
    """Whether all of WHOLE is read in FOUND: its lines one after the other, the first perhaps at the end of the title."""
    if where == "menu":
        return found.text.endswith("".join(line or " " for line in whole))
    title, *lines = found.text.split("\n")
    in_title = title.endswith((whole[0], f"{whole[0]}`")) and (where == "command" or width(title) <= TITLE)
    starts = [*whole] if not in_title else [*whole[1:]]
    return any(lines[at : at + len(want)] == want for want in (starts, [*whole]) for at in range(len(lines) + 1))


def takes(whole: Sequence[str]) -> int:
    """The fewest rows that a notification needs for WHOLE."""
    return sum(max(1, -(-width(line) // LINE)) for line in whole)


def allowing(now: Asking) -> dict[str, Choice]:
    return {choice.id: choice for choice in now.choices if choice.allows}


def check(one: Request, now: Asking) -> int:
    """Hold every surface to the law, and return how many offered something that allows."""
    here, ids = waits(one, now), allowing(now)
    assert now.whole or not ids
    away = allowing(now.away) if now.away else {}
    screens = [*in_notifications(notice(here, POLICY, "", NOON)), *in_the_dialogue(here, now)]
    surfaces = [(screen, ids, "screen") for screen in screens]
    surfaces += [(shown, ids, "menu") for shown in in_the_menu(here)]
    surfaces += [(shown, ids, "command") for shown in on_the_command_line(one, now)]
    surfaces += [(on_the_phone(here), away, "phone")]
    offers = [(shown, where) for shown, known, where in surfaces if any(choice in known for choice in shown.chosen)]
    for shown, where in offers:
        assert is_whole(shown, now.whole, where), (where, shown, now.whole)
        assert where not in ("screen", "phone") or takes(now.whole) <= ASKED
    return len(offers)


@pytest.mark.long
@pytest.mark.uncounted
@pytest.mark.timeout(3600)
def test_what_is_offered_for_approval_was_shown_to_the_last_character() -> None:
    chance = random.Random(os.environ.get("DESKBELL_SEED", "offered"))
    offered = hidden = 0
    for _ in range(MANY):
        if one := asked(chance):
            for now in steps(chance, one):
                count = check(one, now)
                offered, hidden = offered + (count > 0), hidden + (count == 0)
    assert offered > MANY / 20, "the law says something only where something is offered"
    assert hidden > MANY / 20


def everything(one: Request) -> Iterator[str]:
    """Every text that a person has to see before they allow ONE."""
    for name, value in one.tool_input.items():
        if name not in ("description", "planFilePath", "questions") and isinstance(value, str):
            yield from (
                value.split("\n") if name in ("command", "plan", "content", "old_string", "new_string") else [value]
            )
    for each in one.questions[:1]:
        yield from each.text.split("\n")
        yield from (line for texts in (each.options, each.abouts) for one in texts for line in one.split("\n"))


def test_what_is_shown_is_all_that_is_asked() -> None:
    chance, told = random.Random("whole"), 0
    for _ in range(2_000):
        one = asked(chance)
        whole = asking(one, NOTHING_YET, rules(one)).whole if one else ()
        if not one or not whole:
            continue
        told += 1
        shown = "\n".join(whole)
        for said in everything(one):
            words = said.replace("\t", " ").split()
            assert all(word in shown or json.dumps(word, ensure_ascii=False)[1:-1] in shown for word in words), (
                said,
                whole,
            )
    assert told > 500


@pytest.mark.parametrize("daemon", DAEMONS, ids=str)
def test_a_short_command_can_be_allowed_wherever_it_is_drawn(daemon: Daemon) -> None:
    one = request(tool_input={"command": "npm test"})
    made = notice(waits(one, asking(one, NOTHING_YET, rules(one))), POLICY, "", NOON)
    fit = as_drawn(made, made.title, drawn(made.body, daemon))
    assert fit.buttons[0].label == "Allow"
    long = replace(one, tool_input={"command": "npm run build -- --mode production --watch"})
    made = notice(waits(long, asking(long, NOTHING_YET, rules(long))), POLICY, "", NOON)
    fit = as_drawn(made, made.title, drawn(made.body, daemon))
    assert fit.buttons[0].label == ("Allow" if "body" in daemon.capabilities else "Read it")


def test_tabs_are_shown_as_spaces_on_every_surface() -> None:
    one = request(tool_input={"command": "a\tb"})
    assert asking(one, NOTHING_YET, rules(one)).whole == ("a\tb".expandtabs(TAB),)
