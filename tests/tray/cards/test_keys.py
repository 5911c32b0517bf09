"""Test what each key does on the board."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.asking import Asking, Choice
from deskbell.cards.draft import Draft
from deskbell.cards.keys import BINDINGS, LONGEST, CopyId, ResumeHere, Scene, Step, pressed
from deskbell.cards.lanes import View
from deskbell.cards.request import CHANGED, TOO_SOON, UNREAD, UNSURE, Asked
from deskbell.cards.state import Page, State
from deskbell.face.actions import Answer, Details, Jump, Mute, Quit, Reply, Resume, Snooze
from deskbell.face.facts import Facts
from deskbell.text.rows import Span
from tests.tray.cards.boards import OFFICE, screen

API = ("api", 1)
SEEN = screen(OFFICE)
SCENE = Scene(SEEN.panes, Facts(), 20)


def press(*keys: str, state: State | None = None, scene: Scene = SCENE) -> Step:
    """Press KEYS. One with a name of one character types that character."""
    step = Step(state or SEEN.state)
    for key in keys:
        step = pressed(step.state, key, key if len(key) == 1 else None, scene)
    return step


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("enter", Jump(API)),
        ("a", Reply(API)),
        ("r", Resume(API)),
        ("R", ResumeHere(API)),
        ("m", Mute(API, True)),
        ("y", CopyId(API)),
        ("d", Details(API)),
        ("q", Quit()),
        ("ctrl+q", Quit()),
        ("x", None),
    ],
)
def test_a_key_gives_an_order_about_the_chosen_session(key: str, order: Any) -> None:
    assert press(key).order == order


def test_a_muted_session_is_unmuted() -> None:
    assert press("m", scene=SCENE._replace(facts=Facts(muted=frozenset(("api",))))).order == Mute(API, False)


@pytest.mark.parametrize("key", ["enter", "a", "r", "R", "m", "y", "d"])
def test_without_a_session_a_key_says_so(key: str) -> None:
    step = press(key, state=State())
    assert (step.order, step.state.message) == (None, "No session is chosen.")


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("1", Snooze("30m")),
        ("2", Snooze("1h")),
        ("3", Snooze("tomorrow")),
        ("0", Snooze(None)),
        ("escape", None),
        ("q", None),
    ],
)
def test_a_snooze_asks_for_how_long(key: str, order: Any) -> None:
    asked = press("s")
    assert (asked.state.mode, asked.order) == ("snooze", None)
    step = press(key, state=asked.state)
    assert (step.state.mode, step.order) == ("board", order)


@pytest.mark.parametrize(
    ("keys", "view"),
    [
        (("!",), View(only_needs_you=True)),
        (("!", "!"), View()),
        (("p",), View(by_project=True)),
        (("e",), View(unfolded=True)),
        (("/", "a", "p"), View(query="ap")),
        (("/", "a", "enter"), View(query="a")),
        (("/", "a", "escape"), View()),
        (("/", "a", "b", "backspace"), View(query="a")),
        (("/", "a", " ", "b", "ctrl+w"), View(query="a")),
        (("/", "a", "ctrl+u", "b"), View(query="b")),
        (("/", "a", "down"), View(query="a")),
        (("/", "a", "f5", "\x1b"), View(query="a")),
        (("/", "q", "enter", "!", "p", "escape"), View(by_project=True)),
        (("/", *"x" * 300), View(query="x" * LONGEST)),
    ],
)
def test_keys_change_what_is_shown(keys: tuple[str, ...], view: View) -> None:
    assert press(*keys).state.view == view


def writing(**more: Any) -> State:
    return replace(SEEN.state, mode="reply", draft=Draft(API), **more)


@pytest.mark.parametrize(
    ("keys", "text", "order"),
    [
        (("g", "o", "enter"), None, Reply(API, "go")),
        (("q", "a", "/", "?"), "qa/?", None),
        (("a", "b", "left", "x"), "axb", None),
        (("a", "escape"), None, None),
        ((" ", "enter"), None, None),
        (("enter",), None, None),
    ],
)
def test_a_reply_is_written_until_it_is_sent_or_left(keys: tuple[str, ...], text: str | None, order: Any) -> None:
    step = press(*keys, state=writing())
    assert step.order == order
    assert (step.state.draft.text if step.state.draft else None) == text
    assert step.state.mode == ("board" if text is None else "reply")


def test_a_reply_to_the_session_of_a_page_leads_back_to_the_page() -> None:
    page = Page("Details", (), ("other", 2))
    assert press("a", state=replace(SEEN.state, mode="page", page=page)).order == Reply(("other", 2))
    assert press("escape", state=writing(page=page)).state.mode == "page"


def test_a_filter_is_typed_until_it_is_kept() -> None:
    assert press("/").state.mode == "filter"
    assert press("/", "q").order is None
    assert press("/", "q", "enter").state.mode == "board"


@pytest.mark.parametrize(
    ("key", "chosen"),
    [
        *[("down", "infra"), ("j", "infra"), ("up", "api"), ("k", "api"), ("right", "data"), ("l", "data")],
        *[("left", "api"), ("h", "api"), ("tab", "data"), ("shift+tab", "mobile"), ("end", "web"), ("G", "web")],
        *[("home", "api"), ("g", "api"), ("pagedown", "web"), ("pageup", "api"), ("space", "web")],
    ],
)
def test_keys_choose_another_card(key: str, chosen: str) -> None:
    found = press(key).state.chosen
    assert found
    assert found[0] == chosen


def test_the_details_are_a_page_about_the_session() -> None:
    state = press("d").state
    assert (state.mode, state.page and state.page.about) == ("page", API)


@pytest.mark.parametrize("key", ["escape", "q", "d", "left", "h", "?", "backspace"])
def test_a_page_is_left(key: str) -> None:
    step = press("d", key)
    assert (step.state.mode, step.state.page, step.order) == ("board", None, None)


@pytest.mark.parametrize(
    ("key", "order"),
    [("enter", Jump(API)), ("m", Mute(API, True)), ("y", CopyId(API)), ("r", Resume(API)), ("s", None)],
)
def test_on_the_page_of_a_session_keys_act_on_it(key: str, order: Any) -> None:
    step = press("d", key)
    assert (step.state.mode, step.order) == ("page", order)


def test_the_details_are_reached_from_the_page_of_a_request() -> None:
    page = Page("api", (), ("web", 1), has_details=False)
    step = press("d", state=replace(SEEN.state, mode="page", page=page))
    assert (step.order, step.state.page) == (Details(("web", 1)), Page("Details", (), ("web", 1)))


def test_on_the_page_of_help_no_key_acts_on_a_session() -> None:
    assert press("?", "enter").order is None
    assert press("?", "enter").state.mode == "page"


@pytest.mark.parametrize(
    ("keys", "top"),
    [
        (("down",), 1),
        (("j", "j", "k"), 1),
        (("up",), 0),
        (("pagedown",), 18),
        (("pagedown", "pageup"), 0),
        (("end",), 80),
        (("G", "down"), 80),
        (("end", "home"), 0),
        (("x",), 0),
    ],
)
def test_a_page_is_scrolled_up_to_its_ends(keys: tuple[str, ...], top: int) -> None:
    lines = tuple((Span(str(number)),) for number in range(100))
    state = replace(SEEN.state, mode="page", page=Page("Details", lines, API))
    assert press(*keys, state=state, scene=SCENE._replace(page_rows=100)).state.page_top == top


def test_a_page_that_is_not_there_yet_is_not_scrolled() -> None:
    assert press("end", state=replace(SEEN.state, mode="page")).state.page_top == 0


DENY, SAY = Choice("deny", "Deny"), Choice("say", "Say it", takes_text=True)
ALLOW, SURE = Choice("allow", "Allow…", allows=True), Choice("allow-sure", "Yes", allows=True)
ASKS = Asked(Asking("c0de", "Bash: ls", ("ls",), (ALLOW, DENY, SAY)), "wants to run a command:")
ASKED = replace(SEEN.state, mode="page", page=Page("api", (), API, ASKS, has_details=False))
FIRST = SCENE._replace(offers={"1": ALLOW, "2": DENY, "3": SAY}, age=UNREAD)
SECOND = SCENE._replace(offers={"y": SURE, "n": DENY}, age=UNSURE)


def test_a_key_answers_once_it_was_on_the_screen_for_a_moment() -> None:
    step = press("2", state=ASKED, scene=FIRST)
    assert step.order == Answer(API, "c0de", "deny")
    assert step.state.page
    assert step.state.page.asked == ASKS._replace(is_sent=True)
    assert press("y", state=ASKED, scene=SECOND).order == Answer(API, "c0de", "allow-sure")


EARLY = {
    "the first step": ("1", FIRST._replace(age=UNREAD - 0.01)),
    "the step that confirms": ("y", SECOND._replace(age=UNSURE - 0.01)),
}


@pytest.mark.parametrize(("key", "scene"), EARLY.values(), ids=EARLY)
def test_a_key_that_was_meant_for_what_was_there_before_does_not_count(key: str, scene: Scene) -> None:
    step = press(key, state=ASKED, scene=scene)
    assert (step.order, step.state.message, step.state.mode) == (None, TOO_SOON, "page")


@pytest.mark.parametrize("keys", ["1", "a1a1", "4", "0"])
def test_the_keys_of_another_step_answer_nothing(keys: str) -> None:
    for key in keys:
        assert not isinstance(press(key, state=ASKED, scene=SECOND).order, Answer)
    assert press("2", state=replace(ASKED, page=Page("Help", ())), scene=FIRST).order is None


def test_words_are_written_in_a_line_of_their_own() -> None:
    assert press("3", "N", "o", "enter", state=ASKED, scene=FIRST).order == Answer(API, "c0de", "say", "No")
    assert press("3", "enter", state=ASKED, scene=FIRST).order is None
    left = press("3", "N", "escape", state=ASKED, scene=FIRST)
    assert (left.order, left.state.mode) == (None, "page")


def test_words_that_were_meant_for_another_request_are_not_sent() -> None:
    written = press("3", "N", "o", state=ASKED, scene=FIRST).state
    assert written.page
    other = ASKS._replace(asking=replace(ASKS.asking, detail="Bash: rm"))
    step = press("enter", state=replace(written, page=written.page._replace(asked=other)))
    assert (step.order, step.state.message) == (None, CHANGED)


def test_the_next_key_takes_a_message_away() -> None:
    assert press("x", state=replace(SEEN.state, message="Copied.")).state.message == ""


def test_no_key_has_two_meanings() -> None:
    keys = [key for binding in BINDINGS for key in binding.keys]
    assert sorted(keys) == sorted(set(keys))
