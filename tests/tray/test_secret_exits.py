"""Test that every place that shows a session, its past or its request hides a secret that the recorder never saw.

Titles, prompts, last words and errors also come from the transcript, the registry and other programs, so each exit
redacts them itself, all by `deskbell_hooks.trim.without_secrets`.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from deskbell.board import Board, board
from deskbell.cards.lanes import View
from deskbell.cards.picture import content, printed
from deskbell.face.facts import Facts
from deskbell.face.look import look
from deskbell.face.menu import menu
from deskbell.history.page import page
from deskbell.history.summary import AgentRun, Failure, Notification, Phrase, Prompt, Summary
from deskbell.home import home
from deskbell.notices.decisions import Decision, sentence
from deskbell.notices.elsewhere import notice_for
from deskbell.notices.notice import Notice, notice, summary
from deskbell.notices.policy import Channel, Policy
from deskbell.program.published import Published
from deskbell.session import STATUSES, Agent, Session
from deskbell.sessions.contract import as_json
from deskbell.text.rows import cells
from deskbell_hooks.schema import Status
from tests.tray.face.test_menu import below
from tests.tray.making import NOON, session

SECRET = "gr33n!Tea-9"
SAID = {
    "prose": f"das Kennwort für den Server lautet {SECRET}",
    "header": f"curl -H 'Authorization: SSWS {SECRET}' x",
    "assignment": f"DB_PASSWORD={SECRET} ./x",
}


def of(status: Status, said: str) -> Session:
    """A session with SAID in every text."""
    texts = dict.fromkeys(("detail", "reason", "project", "title", "prompt", "branch", "last_line", "last_error"), said)
    if status == "permission":
        texts["detail"] = f"Bash: {said}"
    agent = Agent("g1", said, "running", said, NOON, None)
    return session(status=status, agents=(agent,), tasks=(said,), kept_until=NOON + 900, **texts)


def drawn(thing: object) -> str:
    out = StringIO()
    Console(file=out, width=300).print(thing)
    return out.getvalue()


def past(said: str) -> Summary:
    return Summary(
        title=said,
        prompts=(Prompt(NOON, said),),
        agents=(AgentRun("g1", said, NOON, NOON + 5),),
        errors=(Failure(NOON, said, said, {"tool": said}),),
        notifications=(Notification(NOON, said, said),),
        counts=dict.fromkeys(("prompts", "agents", "errors", "notifications", "timeline"), 1),
        timeline=(Phrase(NOON, said, said, said),),
    )


PHONE = Channel(name="phone", kind="ntfy", url="https://ntfy.example.org/x", details=True)


def words_of(one: Notice) -> str:
    return " ".join((one.title, one.body, one.lead, one.tag, *(button.label for button in one.buttons)))


def shown_board(one: Session) -> Board:
    return board([one], NOON)


EXITS: dict[str, Callable[[Session], str]] = {
    "notification": lambda one: words_of(notice(one, Policy(), one.reason, NOON)),
    "notification of many": lambda one: words_of(summary([one, replace(one, pid=2)], Policy(), one.reason)),
    "phone": lambda one: words_of(notice_for(one, PHONE, Policy(), NOON)),
    "menu": lambda one: " ".join(item.text for item in below(menu(shown_board(one), Facts(autostart=True), NOON))),
    "icon": lambda one: str(look(shown_board(one), Facts(), NOON)),
    "board": lambda one: str(printed(content([one], NOON), View(), Facts(), NOON, 200)),
    "list": lambda one: str(cells(one, NOON)),
    "show": lambda one: drawn(page("a1", [one], past(one.title), NOON, decisions=[(NOON, sentence(decision(one)))])),
    "JSON": lambda one: json.dumps(as_json(one)),
    "why": lambda one: sentence(decision(one)),
}


def decision(one: Session) -> Decision:
    return Decision(NOON, one.session_id, one.pid, one.project, one.status, "rang", one.reason)


@pytest.mark.parametrize("exit_to", EXITS.values(), ids=EXITS)
@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_an_exit_hides_a_secret_in_any_text_of_a_session(exit_to: Callable[[Session], str], said: str) -> None:
    assert [status for status in STATUSES if SECRET in exit_to(of(status, said))] == []


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_what_is_written_for_the_statusline_and_tmux_has_no_secret(tmp_path: Path, said: str) -> None:
    place = home()
    place.statusline.mkdir(parents=True)
    Published(place).write(shown_board(of("permission", said)), NOON)
    written = (place.statusline / "board.json").read_text()
    assert "[redacted]" in written
    assert SECRET not in written
