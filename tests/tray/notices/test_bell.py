"""Test that the bell carries out what `news` decides, and that it takes in what the person does on the screen."""

import asyncio
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from deskbell.board import Board, board
from deskbell.face.actions import Action, Attach, CopyResume, Details, Hooks, Jump, Mute, Open, Reply, Resume, Snooze
from deskbell.home import Home
from deskbell.notices import decisions
from deskbell.notices.bell import SETTINGS, NewsBell
from deskbell.notices.decisions import sentence
from deskbell.notices.notice import SUMMARY, Notice, Request
from deskbell.notices.orders import Send
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import Reading
from deskbell.notices.quiet import Quiet
from deskbell.notices.screen import Left, Listener, ScreenEvent
from deskbell.notices.wants import Memory
from deskbell.session import Session
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, named, session


@dataclass
class Desk:
    """What is behind the notifier, the desktop and the outbox, all in one that records."""

    done: list[str] = field(default_factory=list)
    screen: dict[str, Notice] = field(default_factory=dict)
    sent: list[Send] = field(default_factory=list)
    clicks: list[Action] = field(default_factory=list)
    listener: Listener = lambda _: None
    asks_about: str = ""
    looks_at: str = ""
    known: bool = True
    wakes: int = 0

    def wake(self) -> None:
        self.wakes += 1

    paused: str | None = None

    def listen(self, listener: Listener) -> "Screen":
        self.listener = listener
        return Screen(self)

    def start(self, policy: Policy | None = None) -> None:
        self.done.append("start")

    def stop(self) -> None:
        self.done.append("stop")

    broken: frozenset[str] = frozenset()
    """What raises: the name of a method, or a project."""

    def fail(self, *names: str) -> None:
        if not self.broken.isdisjoint(names):
            raise LookupError("lost")

    def show(self, notice: Notice) -> None:
        self.fail("show", *(request.project for request in notice.about))
        self.screen[notice.slot] = notice

    def withdraw(self, slot: str) -> None:
        self.screen.pop(slot, None)

    def put(self, sends: Iterable[Send], policy: Policy) -> None:
        for send in sends:
            self.fail("put", send.channel)
            self.sent.append(send)

    def check(self) -> None:
        self.fail("check")

    def focused(self, session: Session) -> bool | None:
        self.fail("focused")
        return session.project == self.looks_at

    def awaits_focus(self, session: Session) -> bool:
        self.fail("awaits_focus")
        return session.project == self.asks_about

    def dnd(self) -> str | None:
        self.fail("dnd")
        return self.paused


@dataclass
class Screen:
    """The notifier, whose end is awaited."""

    desk: Desk
    daemon: str | None = None
    takes_text: bool = False

    def start(self) -> None:
        self.desk.start()

    def show(self, notice: Notice) -> None:
        self.desk.show(notice)

    def withdraw(self, slot: str) -> None:
        self.desk.withdraw(slot)

    async def stop(self) -> None:
        self.desk.stop()


@dataclass
class Scene:
    bell: NewsBell
    desk: Desk
    now: float = NOON
    there: Board = board([session("api", "working")], NOON)  # noqa: RUF009  # frozen

    def does(self, status: Status) -> float | None:
        self.now += 60
        before, (one,) = self.there, self.there.sessions
        self.there = board([replace(one, status=status, since=self.now)], self.now)
        return self.bell.ring(before, self.there, self.now)

    @property
    def said(self) -> list[str]:
        return [sentence(d) for d in decisions.read(self.bell.home.state, 99)]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    desk = Desk()
    clicked: list[Action] = desk.clicks
    bell = NewsBell(
        home=Home(tmp_path / "state", tmp_path / "data", tmp_path / "config"),
        notifier=desk.listen,
        desktop=desk,
        outbox=desk,
        quiet=Quiet,
        clicked=clicked.append,
        clock=lambda: NOON,
        wake=desk.wake,
    )
    bell.home.config.mkdir()
    bell.start()
    scene = Scene(bell, desk)
    bell.ring(scene.there, scene.there, NOON)
    return scene


def test_a_request_is_shown_written_down_and_withdrawn_when_answered(scene: Scene) -> None:
    scene.does("permission")
    assert [named(n) for n in scene.desk.screen.values()] == ["api"]
    scene.does("working")
    assert scene.desk.screen == {}
    assert scene.said == ["api: shown at once", "api: withdrawn, it was answered"]


def test_it_returns_when_to_call_it_again(scene: Scene) -> None:
    assert scene.does("idle") == scene.now + 1.0


def test_a_session_whose_focus_is_still_asked_for_rings_when_that_is_known(scene: Scene) -> None:
    scene.desk.asks_about = "api"
    scene.does("permission")
    assert (scene.desk.screen, scene.said) == ({}, [])
    scene.desk.asks_about = ""
    scene.bell.ring(scene.there, scene.there, scene.now)
    assert scene.said == ["api: shown at once"]


def test_a_step_whose_focus_is_still_asked_for_is_taken_when_that_is_known(scene: Scene) -> None:
    (scene.bell.home.config / "config.toml").write_text("[escalation]\nminutes = 5\n")
    scene.does("permission")
    scene.desk.asks_about = "api"
    scene.bell.ring(scene.there, scene.there, scene.now + 301)
    assert scene.said == ["api: shown at once"]
    scene.desk.asks_about = ""
    scene.bell.ring(scene.there, scene.there, scene.now + 302)
    assert scene.said == ["api: shown at once", "api: replaced, unanswered for 5 min 2 s"]


def test_a_session_that_is_looked_at_is_not_shown_and_the_log_says_so(scene: Scene) -> None:
    scene.desk.looks_at = "api"
    scene.does("permission")
    assert (scene.desk.screen, scene.said) == ({}, ["api: not shown, its pane was focused"])


def test_do_not_disturb_holds_a_ring_back(scene: Scene) -> None:
    scene.desk.paused = "dunst is paused"
    scene.does("permission")
    assert (scene.desk.screen, scene.said) == ({}, ["api: held, dunst is paused"])


def test_a_click_is_passed_on_with_its_token_and_the_notification_stays_away(scene: Scene) -> None:
    scene.does("permission")
    ((slot, notice),) = scene.desk.screen.items()
    scene.desk.screen.clear()
    scene.desk.listener(ScreenEvent("clicked", slot, "Fake", notice.click, "token"))
    assert scene.desk.clicks == [Jump(notice.sessions[0], "token")]
    scene.bell.ring(scene.there, scene.there, scene.now + 60)
    assert scene.desk.screen == {}
    assert scene.said[-1] == "api: you clicked its notification to jump to it"


@pytest.mark.parametrize(
    ("action", "purpose"),
    [
        (Attach(("s", 1)), " to open it in a terminal"),
        (Resume(("s", 1)), " to resume it in a terminal"),
        (CopyResume(("s", 1)), " to copy its resume command"),
        (Reply(("s", 1), "a private text"), " to reply to it"),
        (Mute(("s", 1), True), " to mute it"),
        (Snooze("30m"), " to snooze all sessions"),
        (Hooks("install"), " to install the hooks"),
        (Open("settings"), " to open the settings"),
        (Open("doctor"), " to open the doctor's report"),
        (None, ""),
    ],
)
def test_a_click_is_written_down_with_its_purpose(scene: Scene, action: Action | None, purpose: str) -> None:
    scene.desk.listener(ScreenEvent("clicked", "a message", "Fake", action))
    assert scene.said == [f"Deskbell: you clicked one of its messages{purpose}"]


def test_a_dismissed_notification_is_not_withdrawn_again(scene: Scene) -> None:
    scene.does("permission")
    scene.desk.listener(ScreenEvent("closed", scene.desk.screen.popitem()[0], "Fake"))
    scene.does("working")
    assert scene.said == ["api: shown at once", "api: closed, it was dismissed"]


@pytest.mark.parametrize(("by_person", "said"), [(True, "it was dismissed"), (False, "it expired")])
def test_only_a_dismissal_is_passed_on_as_one(scene: Scene, by_person: bool, said: str) -> None:
    dismissed: list[str] = []
    scene.bell.dismissed = dismissed.append
    scene.does("permission")
    slot, _ = scene.desk.screen.popitem()
    scene.desk.listener(ScreenEvent("closed", slot, "Fake", by_person=by_person))
    assert (dismissed, scene.said[-1]) == ([slot] if by_person else [], f"api: closed, {said}")


def test_a_notification_that_stays_after_a_click_is_withdrawn_with_its_request(scene: Scene) -> None:
    scene.does("permission")
    (slot,) = scene.desk.screen
    scene.desk.listener(ScreenEvent("clicked", slot, "Fake", Details(("api-id", 414)), stays=True))
    scene.does("working")
    assert (scene.desk.screen, scene.said[-1]) == ({}, "api: withdrawn, it was answered")


def test_settings_are_read_when_they_change_and_a_mistake_is_shown_once(scene: Scene) -> None:
    file = scene.bell.home.config / "config.toml"
    file.write_text("[rings.permission]\nring = false\n")
    scene.does("permission")
    assert scene.desk.screen == {}
    file.write_text("[rings.permission]\nring = perhaps\n")
    scene.does("working")
    assert scene.bell.problem
    assert "line 2" in scene.bell.problem
    assert scene.desk.screen.pop(SETTINGS).click == Open("settings")
    scene.does("permission")
    assert scene.desk.screen == {}, "shown once, and the previous settings stay in force"
    scene.desk.screen[SETTINGS] = scene.desk.screen.get(SETTINGS) or _any_notice()
    file.write_text("[rings.permission]\nring = true\n\n")
    scene.does("question")
    assert (SETTINGS in scene.desk.screen, scene.bell.problem) == (False, None)


def test_settings_that_no_parser_survives_leave_the_last_good_ones_in_force(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    file = scene.bell.home.config / "config.toml"
    file.write_text("[rings.permission]\nring = false\n")
    scene.does("working")
    file.write_text("a = " + "[" * 50_000)
    for _ in range(3):
        scene.does("permission")
        scene.does("working")
    scene.does("question")
    assert [n.status for n in scene.desk.screen.values()] == ["error", "question"], "a question rings, a permission not"
    assert scene.bell.problem == f"{file} is not TOML that can be read: it is nested too deep"
    assert [record.message for record in caplog.records] == [scene.bell.problem]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_with_a_pipe_in_place_of_the_settings_it_still_rings_and_says_so_once(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    os.mkfifo(scene.bell.home.config / "config.toml")
    for _ in range(3):
        scene.does("permission")
        scene.does("working")
    scene.does("question")
    assert "question" in [notice.status for notice in scene.desk.screen.values()]
    (record,) = caplog.records
    assert record.message == scene.bell.problem
    assert "config.toml cannot be read: it is a named pipe. Move it away" in record.message


def _any_notice() -> Notice:
    return Notice(SETTINGS, (), "error", "", "", "normal", Open("settings"))


@pytest.mark.parametrize(
    ("lost", "says"),
    [
        (ScreenEvent("lost"), "No notification daemon is running. Only the tray icon will alert you."),
        (
            ScreenEvent("lost", why="macOS does not allow it"),
            "Notifications are not displayed: macOS does not allow it.",
        ),
        (ScreenEvent("lost", "api", why="Refused: no room"), "A notification cannot be displayed: Refused: no room"),
    ],
)
def test_there_is_a_problem_until_notifications_are_displayed(scene: Scene, lost: ScreenEvent, says: str) -> None:
    scene.desk.listener(lost)
    assert scene.bell.problem == says
    scene.desk.listener(ScreenEvent("back", by="dunst 1.9.0"))
    assert scene.bell.problem is None


NOBODY = "api: not displayed, no notification daemon is running"


def test_a_ring_that_nothing_displays_is_not_said_to_be_shown(scene: Scene) -> None:
    scene.does("permission")
    (slot,) = scene.desk.screen
    scene.desk.listener(ScreenEvent("lost"))
    scene.desk.listener(ScreenEvent("lost"))
    assert scene.said == [NOBODY]
    scene.does("question")
    assert scene.said == [NOBODY] * 2
    for _ in range(2):
        scene.desk.listener(ScreenEvent("displayed", slot, "dunst 1.9.0"))
    assert scene.said == [*[NOBODY] * 2, "api: displayed by dunst 1.9.0"]


def test_of_what_was_displayed_or_withdrawn_nothing_else_is_said(scene: Scene) -> None:
    scene.does("permission")
    (slot,) = scene.desk.screen
    scene.desk.listener(ScreenEvent("displayed", slot, "dunst 1.9.0"))
    scene.desk.listener(ScreenEvent("lost"))
    assert scene.said == ["api: shown at once"]
    scene.does("question")
    scene.does("working")
    scene.desk.listener(ScreenEvent("displayed", slot))
    assert scene.said == [
        "api: shown at once",
        NOBODY,
        "api: withdrawn, it was answered",
    ]


def test_each_session_of_a_summary_that_is_not_displayed_is_named(scene: Scene) -> None:
    names = [f"p{number}" for number in range(5)]
    working, asking = (board([session(name, status) for name in names], NOON) for status in WORK_THEN_ASK)
    scene.bell.ring(scene.there, working, NOON)
    scene.bell.ring(working, asking, NOON)
    scene.desk.listener(ScreenEvent("lost", why="macOS does not allow it"))
    assert sorted(scene.said) == [f"{name}: not displayed, macOS does not allow it" for name in names]


@pytest.mark.parametrize("displayed", [False, True])
def test_the_last_of_a_summary_that_was_never_displayed_rings_by_itself(scene: Scene, displayed: bool) -> None:
    names = [f"p{number}" for number in range(5)]
    working, asking = (board([session(name, status) for name in names], NOON) for status in WORK_THEN_ASK)
    last = board([session(name, "permission" if name == "p0" else "working") for name in names], NOON)
    scene.bell.ring(scene.there, working, NOON)
    scene.bell.ring(working, asking, NOON)
    if displayed:
        scene.desk.listener(ScreenEvent("displayed", SUMMARY))
    scene.bell.ring(asking, last, NOON + 1)
    (shown,) = scene.desk.screen.values()
    assert (named(shown), shown.quiet) == ("p0", displayed)


def test_a_refusal_of_one_notice_is_said_of_that_alone(scene: Scene) -> None:
    scene.does("permission")
    scene.desk.listener(ScreenEvent("lost", "another", why="Refused: no room"))
    assert scene.said == ["api: shown at once"]
    scene.desk.listener(ScreenEvent("lost", *scene.desk.screen, why="Refused: no room"))
    assert scene.said == ["api: not displayed, Refused: no room"]


def test_a_full_disk_silences_the_log_and_not_the_bell(scene: Scene) -> None:
    scene.bell.home.state.write_text("a file where the folder should be")
    scene.does("permission")
    ((slot, notice),) = scene.desk.screen.items()
    scene.desk.listener(ScreenEvent("clicked", slot, "Fake", notice.click))
    assert scene.desk.clicks == [notice.click]


def test_the_outbox_gets_what_a_channel_is_to_send(scene: Scene) -> None:
    (scene.bell.home.config / "config.toml").write_text(
        '[[channels]]\nname = "p"\nkind = "command"\ncommand = ["x"]\nwhen = "ring"\n'
    )
    scene.does("permission")
    assert [send.channel for send in scene.desk.sent] == ["p"]
    assert scene.said == ["api: shown at once", "api: sent to p"]


def test_with_a_mistake_in_the_settings_from_the_start_nothing_that_waits_is_given_up(scene: Scene) -> None:
    file = scene.bell.home.config / "config.toml"
    file.write_text("[rings.permision]\nring = false\n")
    puts: list[Policy] = []
    scene.desk.put = lambda sends, policy: puts.append(policy)  # type: ignore[method-assign]
    bell = replace(scene.bell, settings=Reading(), memory=Memory())
    bell.start()
    bell.ring(scene.there, scene.there, NOON)
    assert puts == []
    file.write_text("")
    bell.ring(scene.there, scene.there, NOON)
    file.write_text("[rings.permision]\nring = false\n\n")
    bell.ring(scene.there, scene.there, NOON)
    assert len(puts) == 2


def test_a_message_that_was_given_up_is_written_down(scene: Scene) -> None:
    scene.does("permission")
    (slot,) = scene.desk.screen
    scene.bell.not_sent(slot, "phone", "the server answered 404 (Not Found)")
    assert scene.said[-1] == "api: not sent to phone: the server answered 404 (Not Found)"
    scene.bell.not_sent("a slot of an earlier run", "phone", "it was more than an hour old")
    assert scene.said[-1] == "Deskbell: not sent to phone: it was more than an hour old"


def at_the_start(scene: Scene, *slots: str) -> list[str]:
    """Begin anew with a request that waits. Return what is on the screen once SLOTS are known to be left there."""
    scene.bell.memory, waiting = Memory(), board([session("api", "permission", NOON - 60)], NOON)
    scene.bell.ring(Board(), waiting, NOON)
    assert scene.desk.screen == {}, "it waits for the screen"
    about = (Request("api-id", 414, "api", "permission", NOON - 60),)
    scene.desk.listener(ScreenEvent("left", left=tuple(Left(slot, about) for slot in slots)))
    scene.bell.ring(waiting, waiting, NOON)
    return [f"{notice.slot} {'silent' if notice.quiet else 'rings'}" for notice in scene.desk.screen.values()]


def test_what_waits_at_the_start_rings_once_the_screen_has_said_that_nothing_is_left(scene: Scene) -> None:
    assert at_the_start(scene) == ["api-id:414 rings"]
    assert scene.desk.wakes == 1


def test_what_an_earlier_run_left_is_shown_anew_in_its_place(scene: Scene) -> None:
    assert at_the_start(scene, "api-id:414") == ["api-id:414 silent"]
    assert scene.said == ["api: adopted from an earlier run"]


def test_what_waits_at_the_start_does_not_ring_before_do_not_disturb_is_known(scene: Scene) -> None:
    scene.desk.known = False
    assert at_the_start(scene) == []
    scene.desk.known, scene.desk.paused = True, "dunst is paused"
    waiting = board([session("api", "permission", NOON - 60)], NOON)
    scene.bell.ring(waiting, waiting, NOON)
    assert (scene.desk.screen, scene.said) == ({}, ["api: held, dunst is paused"])


def test_it_stops_what_it_started(scene: Scene) -> None:
    asyncio.run(scene.bell.stop())
    assert scene.desk.done == ["start"] * 3 + ["stop"] * 3


def test_a_request_waits_for_its_hooks_before_it_is_shown(scene: Scene) -> None:
    asked: list[Board] = []

    def patience(of: Board) -> float:
        asked.append(of)
        return 0.25

    scene.bell.patience = patience
    assert scene.does("permission") == scene.now + 0.25
    assert (scene.desk.screen, asked) == ({}, [scene.there])
    scene.bell.ring(scene.there, scene.there, scene.now + 0.25)
    assert len(scene.desk.screen) == 1


def test_a_secret_that_is_not_encrypted_is_logged_once(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    hook = '[[channels]]\nname = "team"\nkind = "webhook"\nurl = "http://hooks.example/services/T0B0"\n'
    for text in (hook, hook + "attempts = 3\n", hook):
        (scene.bell.home.config / "config.toml").write_text(text)
        scene.bell.ring(scene.there, scene.there, scene.now)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 1
    assert said[0].startswith("The channel team sends the path of its url")
    assert said[0].endswith("http://. Use an https:// url.")
    assert "T0B0" not in caplog.text


WORK_THEN_ASK: tuple[Status, Status] = ("working", "permission")


def test_a_notice_that_cannot_be_shown_keeps_no_other_from_ringing_and_rings_later(scene: Scene) -> None:
    working, both = (board([session(name, status) for name in ("api", "web")], NOON) for status in WORK_THEN_ASK)
    scene.bell.ring(scene.there, working, NOON)
    scene.desk.broken = frozenset({"web"})
    assert scene.bell.ring(working, both, NOON) == NOON + 1
    assert [named(notice) for notice in scene.desk.screen.values()] == ["api"]
    assert (scene.bell.problem or "").startswith("The notification of web (")

    scene.desk.broken = frozenset()
    scene.bell.ring(both, both, NOON + 1)
    assert sorted(named(notice) for notice in scene.desk.screen.values()) == ["api", "web"]
    assert scene.bell.problem is None


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ("focused", "The focused window cannot be found out: LookupError: lost"),
        ("awaits_focus", "The desktop cannot be asked for the focus: LookupError: lost"),
        ("dnd", "Do-not-disturb cannot be read: LookupError: lost"),
    ],
)
def test_a_desktop_that_cannot_be_asked_does_not_keep_the_bell_from_ringing(
    scene: Scene, broken: str, says: str
) -> None:
    scene.desk.broken = frozenset({broken})
    scene.does("permission")
    assert (scene.said, scene.bell.problem) == (["api: shown at once"], says)
    scene.desk.broken = frozenset()
    scene.does("working")
    scene.does("permission")
    assert scene.bell.problem is None


def test_what_was_silenced_stays_so_while_that_cannot_be_read(scene: Scene) -> None:
    scene.bell.quiet = lambda: Quiet().snoozed(NOON + 3600)
    scene.does("working")

    def lost() -> Quiet:
        raise LookupError("lost")

    scene.bell.quiet = lost
    scene.does("permission")
    assert scene.desk.screen == {}
    assert scene.bell.problem == "The snooze and the mutes cannot be read: LookupError: lost"


def test_a_patience_that_cannot_be_found_out_is_none(scene: Scene) -> None:
    def lost(of: Board) -> float:
        raise LookupError("lost")

    scene.bell.patience = lost
    scene.does("permission")
    assert scene.said == ["api: shown at once"]


def test_a_channel_that_hangs_is_said_until_it_does_not(scene: Scene) -> None:
    scene.desk.broken = frozenset({"check"})
    scene.does("permission")
    assert (scene.said, scene.bell.problem) == (["api: shown at once"], "A channel hangs: LookupError: lost")
    scene.desk.broken = frozenset()
    scene.does("working")
    assert scene.bell.problem is None


def test_a_message_that_cannot_be_sent_keeps_no_other_from_being_sent(scene: Scene) -> None:
    channel = '[[channels]]\nname = "{}"\nkind = "command"\ncommand = ["true"]\nwhen = "ring"\n'
    (scene.bell.home.config / "config.toml").write_text("".join(map(channel.format, ("bad", "phone"))))
    scene.desk.broken = frozenset({"bad"})
    scene.does("permission")
    assert [send.channel for send in scene.desk.sent] == ["phone"]
    assert scene.bell.problem == "A message to bad cannot be sent: LookupError: lost"
    assert "api: not sent to bad: LookupError: lost" in scene.said
