"""Test what a notification says."""

from datetime import datetime

import pytest

from deskbell.face.actions import Action, CopyResume, Details, Hooks, Jump, Mute, Open, Snooze
from deskbell.notices.notice import LABELS, SUMMARY, Button, Notice, body, notice, summary, title
from deskbell.notices.policy import Policy
from deskbell.session import Session
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, session

CLOCK = f"{datetime.fromtimestamp(NOON):%H:%M}"
POLICY = Policy()
TERSE = Policy.model_validate({"notification": {"details": False}})

SAYS: dict[str, tuple[Session, str, str]] = {
    "a permission": (
        session("api", "permission", detail="Bash: npm publish --access public", title="Release", branch="main"),
        "api: Release (main)",
        f"Bash: npm publish --access public\nPermission · since {CLOCK}",
    ),
    "a session without a title": (
        session("api", "question", detail="Which colour?", prompt="paint it"),
        "api: paint it",
        f"Which colour?\nQuestion · since {CLOCK}",
    ),
    "an error": (
        session("api", "error", last_error="429 rate limited", detail="rate_limit"),
        "api",
        f"429 rate limited\nError · since {CLOCK}",
    ),
    "an end of turn": (
        session("api", "idle", last_line="All tests pass."),
        "api",
        f"All tests pass.\nYour turn · since {CLOCK}",
    ),
    "a plan of which nothing is known": (
        session("api", "plan"),
        "api",
        f"A plan waits for your approval\nPlan · since {CLOCK}",
    ),
    "hostile words": (
        session("a\x1b[31mpi", "permission", detail="Bash: \x1b]0;x\x07rm\n-rf", title="<b>\u202eevil"),
        "api: <b>evil",
        f"Bash: rm -rf\nPermission · since {CLOCK}",
    ),
}


@pytest.mark.parametrize(("of", "head", "text"), SAYS.values(), ids=SAYS)
def test_it_says_who_what_and_since_when(of: Session, head: str, text: str) -> None:
    assert (title(of, POLICY), body(of, POLICY, NOON)) == (head, text)


def test_without_details_it_says_the_project_and_the_status_and_nothing_else() -> None:
    of = session("api", "permission", detail="Bash: x", title="Secret", prompt="Secret", branch="secret")
    made = notice(of, TERSE, "at once", NOON)
    assert (made.title, made.body) == ("api", "Permission")
    assert summary([of], TERSE, "many").body == "api: permission"


def test_the_branch_can_be_left_out() -> None:
    policy = Policy.model_validate({"notification": {"branch": False}})
    assert title(session("api", "permission", title="Ship it", branch="main"), policy) == "api: Ship it"


@pytest.mark.parametrize("text", ["x" * 1_000_000, "\u0301" * 1_000_000, "😀" * 1_000_000])
def test_a_megabyte_of_anything_stays_short(text: str) -> None:
    made = notice(session("api", "permission", detail=text, title=text, branch=text), POLICY, "at once", NOON)
    assert len(made.title) < 160
    assert len(made.body) < 300


@pytest.mark.parametrize(("status", "urgency"), [("permission", "critical"), ("plan", "critical"), ("idle", "normal")])
def test_what_waits_for_an_answer_stays_on_the_screen(status: Status, urgency: str) -> None:
    assert notice(session("api", status), POLICY, "at once", NOON).urgency == urgency


KEY = session("api", "idle").key
RUNNING = (Jump(KEY), "Show where it runs"), (Jump(KEY), "Show where it runs")
OVER = (Details(KEY), "Show details"), (CopyResume(KEY), "Copy resume command")
Click = tuple[Action, str]
# status: what a click does, and what the first button does, each with its label
CLICKS: dict[Status, tuple[Click, Click]] = {
    **{status: RUNNING for status in LABELS if status != "crashed"},
    "crashed": OVER,
    "ended": OVER,
}


@pytest.mark.parametrize(("status", "clicks"), CLICKS.items(), ids=CLICKS)
def test_click_and_buttons_say_what_they_do_and_only_a_button_copies(
    status: Status, clicks: tuple[Click, Click]
) -> None:
    of = session("api", status)
    click, (action, label) = clicks
    made = notice(of, POLICY, "at once", NOON)
    assert (made.click, made.click_label) == click
    assert {b.label: b.action for b in made.buttons} == {
        label: action,
        "Snooze all for 30 min": Snooze("30m"),
        "Mute session": Mute(of.key, True),
    }


def test_without_buttons_the_click_still_says_what_it_does() -> None:
    policy = Policy.model_validate({"notification": {"buttons": False}})
    made = notice(session("api", "crashed"), policy, "at once", NOON)
    assert (made.buttons, made.click_label) == ((), "Show details")
    assert summary([session("api", "idle")], policy, "many").buttons == ()


def test_a_summary_opens_the_board_and_snoozes_all() -> None:
    made = summary([session("api", "idle"), session("web", "idle")], POLICY, "many")
    assert (made.slot, made.click, made.click_label) == (SUMMARY, Open("board"), "Show")
    assert [(b.label, b.action) for b in made.buttons] == [("Snooze all for 30 min", Snooze("30m"))]


def test_the_sound_is_that_of_the_status_unless_another_is_given() -> None:
    loud = Policy.model_validate({"rings": {"error": {"sound": "bell"}, "idle": {"sound": "chime"}}})
    assert notice(session("a", "error"), loud, "", NOON).sound == "bell"
    assert notice(session("a", "error"), loud, "", NOON, "").sound == ""
    assert summary([session("a", "permission"), session("b", "idle")], loud, "").sound == "chime"


def test_a_status_without_settings_is_shown_with_those_of_any() -> None:
    made = notice(session("api", "working"), POLICY, "a test", NOON)
    assert (made.urgency, made.body.splitlines()[0]) == ("normal", "working")


def test_a_summary_names_the_longest_waiting_first_and_counts_the_rest() -> None:
    many = [session(f"p{n}", "permission", NOON - n, detail=f"Bash: {n}") for n in range(9)]
    made = summary(many, POLICY, "many")
    assert (made.title, summary(many, POLICY, "many", "Meanwhile").title) == (
        "9 sessions need you",
        "Meanwhile: 9 sessions need you",
    )
    assert made.body.splitlines()[0] == "p8: permission, Bash: 8"
    assert made.body.splitlines()[-1] == "and 4 more"
    assert (made.click, made.urgency) == (Open("board"), "critical")


def test_a_summary_is_as_urgent_as_its_most_urgent() -> None:
    assert summary([session("a", "idle"), session("b", "idle")], POLICY, "many").urgency == "normal"


@pytest.mark.parametrize(
    ("click", "buttons", "label"),
    [
        (Jump(("a", 1)), (), "Show where it runs"),
        (CopyResume(("a", 1)), (), "Copy resume command"),
        (Open("board"), (), "Show"),
        (
            Hooks("install"),
            (Button("later", "Later", Open("about")), Button("now", "Install", Hooks("install"))),
            "Install",
        ),
    ],
)
def test_a_click_that_needs_a_button_of_its_own_says_what_it_does(
    click: Action, buttons: tuple[Button, ...], label: str
) -> None:
    assert Notice("slot", (), "idle", "", "", "normal", click, buttons).click_label == label


def test_a_summary_of_what_waited_says_no_time_without_details() -> None:
    both = [session("web", status="permission", detail="rm x"), session("api", status="idle")]
    made = summary(both, TERSE, "", waited_at=NOON)
    assert made.title == "2 sessions have been waiting"
    assert sorted(made.body.split("\n")) == ["api: your turn", "web: permission"]
