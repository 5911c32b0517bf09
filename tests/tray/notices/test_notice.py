"""Test what a notification says."""

from dataclasses import replace
from datetime import datetime

import pytest

from deskbell.asking import UNSEEN, Asking, Choice
from deskbell.face.actions import (
    Action,
    Answer,
    CopyResume,
    Details,
    Dismiss,
    Hooks,
    Jump,
    Later,
    Mute,
    Open,
    Reply,
    Resume,
    Snooze,
)
from deskbell.notices.notice import (
    LABEL,
    SUMMARY,
    Button,
    Inline,
    Notice,
    answer_buttons,
    are_buttons,
    as_drawn,
    notice,
    summary,
)
from deskbell.notices.policy import Policy
from deskbell.notices.wants import TURN_ENDS
from deskbell.notices.words import ASKED
from deskbell.session import STATUSES, URGENCY
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, session

POLICY = Policy()
TERSE = Policy.model_validate({"notification": {"details": False}})


def test_it_says_who_what_and_since_when() -> None:
    made = notice(session("api", "permission", detail="Bash: npm publish", prompt="Release 2.4"), POLICY, "", NOON)
    clock = f"{datetime.fromtimestamp(NOON):%H:%M}"
    assert (made.title, made.body) == (
        "api wants to run `npm publish`",
        f"You asked: Release 2.4\nWaiting since {clock}",
    )


def test_without_details_it_says_the_project_and_how_it_stands_and_nothing_else() -> None:
    of = session("api", "permission", detail="Bash: x", title="Secret", prompt="Secret", branch="secret")
    made = notice(of, TERSE, "at once", NOON)
    assert (made.title, made.body) == ("api", "Blocked")
    assert summary([of], TERSE, "many").body == "api: blocked"


@pytest.mark.parametrize("text", ["x" * 1_000_000, "\u0301" * 1_000_000, "😀" * 1_000_000])
def test_a_megabyte_of_anything_stays_short(text: str) -> None:
    made = notice(session("api", "permission", detail=text, title=text, branch=text), POLICY, "at once", NOON)
    assert 10 < len(made.title) < 100
    assert 10 < len(made.body) < 360


@pytest.mark.parametrize(("status", "urgency"), [("permission", "critical"), ("plan", "critical"), ("idle", "normal")])
def test_what_waits_for_an_answer_stays_on_the_screen(status: Status, urgency: str) -> None:
    assert notice(session("api", status), POLICY, "at once", NOON).urgency == urgency


@pytest.mark.parametrize("status", [status for status in STATUSES if URGENCY[status] < URGENCY["crashed"]])
def test_a_session_that_runs_can_be_jumped_to_put_off_and_muted_in_this_order(status: Status) -> None:
    of = session("api", status)
    made = notice(of, POLICY, "at once", NOON)
    assert [(b.label, b.action) for b in made.buttons] == [
        ("Jump to it", Jump(of.key)),
        ("Later", Later(of.key, True)),
        ("Mute session", Mute(of.key, True)),
    ]
    assert (made.click, made.click_label) == (Jump(of.key), "Jump to it")


REPLIES = Policy.model_validate({"answers": {"reply": True}})


@pytest.mark.parametrize("status", STATUSES)
def test_only_a_session_whose_turn_is_over_takes_a_reply_and_only_if_the_person_wants_that(status: Status) -> None:
    of = session("api", status)
    asked = notice(of, REPLIES, "at once", NOON).inline
    assert asked == (Inline("Reply to Claude", Reply(of.key)) if of.your_turn else None)
    assert notice(of, POLICY, "at once", NOON).inline is None


def test_without_buttons_there_is_no_field_for_a_reply() -> None:
    bare = Policy.model_validate({"answers": {"reply": True}, "notification": {"buttons": False}})
    assert notice(session("api", "idle"), bare, "at once", NOON).inline is None
    assert summary([session("api", "idle")], REPLIES, "many").inline is None


@pytest.mark.parametrize("status", ["crashed", "ended"])
def test_a_session_that_is_over_can_be_resumed_and_dismissed_and_a_click_beside_a_button_copies_nothing(
    status: Status,
) -> None:
    of = session("api", status)
    made = notice(of, POLICY, "at once", NOON)
    assert [(b.label, b.action) for b in made.buttons] == [
        ("Resume it", Resume(of.key)),
        ("Copy resume command", CopyResume(of.key)),
        ("Dismiss", Dismiss((of.key,))),
    ]
    assert (made.click, made.click_label) == (Details(of.key), "Show details")


def test_a_crash_is_as_urgent_as_any_end_of_turn() -> None:
    urgencies = {notice(session("api", status), POLICY, "", NOON).urgency for status in ("crashed", *TURN_ENDS)}
    assert urgencies == {"normal"}


def test_without_buttons_the_click_still_says_what_it_does() -> None:
    policy = Policy.model_validate({"notification": {"buttons": False}})
    made = notice(session("api", "permission"), policy, "at once", NOON)
    assert (made.buttons, made.click_label) == ((), "Jump to it")
    assert summary([session("api", "idle")], policy, "many").buttons == ()


def test_a_summary_shows_all_sessions_and_snoozes_all() -> None:
    made = summary([session("api", "idle"), session("web", "idle")], POLICY, "many")
    assert (made.slot, made.click, made.click_label) == (SUMMARY, Open("board"), "Show all sessions")
    assert [(b.label, b.action) for b in made.buttons] == [
        ("Show all sessions", Open("board")),
        ("Snooze all for 30 min", Snooze("30m")),
    ]


def test_the_sound_is_that_of_the_status_unless_another_is_given() -> None:
    loud = Policy.model_validate({"rings": {"error": {"sound": "bell"}, "idle": {"sound": "chime"}}})
    assert notice(session("a", "error"), loud, "", NOON).sound == "bell"
    assert notice(session("a", "error"), loud, "", NOON, "").sound == ""
    assert summary([session("a", "permission"), session("b", "idle")], loud, "").sound == "chime"


def test_a_status_without_settings_is_shown_with_those_of_any() -> None:
    made = notice(session("api", "working"), POLICY, "a test", NOON)
    assert (made.urgency, made.title) == ("normal", "api: working")


def test_a_summary_counts_its_sessions_and_names_the_blocked_first_the_longest_waiting_before_others() -> None:
    many = [session(f"p{n}", "permission", NOON - n, detail=f"Bash: {n}") for n in range(8)]
    made = summary([session("docs", "crashed", NOON - 99), session("web", "idle", NOON - 88), *many], POLICY, "many")
    assert (made.title, made.lead) == ("8 blocked, 1 your turn, 1 crashed", "")
    assert made.body.splitlines() == [*(f"p{n} wants to run `{n}`" for n in (7, 6, 5, 4, 3)), "and 5 more"]
    assert made.sessions[-2:] == (session("web").key, session("docs").key)
    assert (made.click, made.urgency) == (Open("board"), "critical")


def test_a_summary_of_what_was_held_back_says_what_held_it_back() -> None:
    made = summary([session("web", "idle"), session("api", "plan")], POLICY, "many", "While snoozed")
    assert (made.title, made.lead) == ("While snoozed: 1 blocked, 1 your turn", "While snoozed")


def test_a_summary_is_as_urgent_as_its_most_urgent() -> None:
    assert summary([session("a", "idle"), session("b", "idle")], POLICY, "many").urgency == "normal"


@pytest.mark.parametrize(
    ("click", "buttons", "label"),
    [
        (Jump(("a", 1)), (), "Jump to it"),
        (CopyResume(("a", 1)), (), "Copy resume command"),
        (Open("board"), (), "Show all sessions"),
        (Open("settings"), (), "Show"),
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


@pytest.mark.parametrize(
    ("policy", "title", "lines"),
    [
        (POLICY, "2 blocked, the longest since {}", ["web wants to run `rm x`", "api has a plan"]),
        (TERSE, "2 blocked", ["web: blocked", "api: blocked"]),
    ],
)
def test_a_summary_of_what_waited_says_since_when_unless_details_are_off(
    policy: Policy, title: str, lines: list[str]
) -> None:
    both = [session("web", "permission", NOON - 60, detail="Bash: rm x"), session("api", "plan")]
    made = summary(both, policy, "", waited_at=NOON)
    assert made.title == title.format(f"{datetime.fromtimestamp(NOON - 60):%H:%M}")
    assert made.body.splitlines() == lines


def choices(*ids: str) -> tuple[Choice, ...]:
    denials = ("deny", "stop", "keep", "say")
    return tuple(Choice(one, one.capitalize(), one == "say", one not in denials) for one in ids)


LONG = ("x",) * (ASKED + 1)

# what can be chosen, all that is asked: the buttons of the notification
BUTTONS: dict[str, tuple[tuple[str, ...], tuple[str, ...], list[str]]] = {
    "what reads": (("allow", "deny", "say", "stop"), ("ls",), ["Allow", "Deny", "Jump to it"]),
    "what may not be allowed": (("deny", "say", "stop"), (), ["Deny", "Jump to it", "Show details"]),
    "a lasting rule has no button": (("allow", "rule:0", "deny", "stop"), ("ls",), ["Allow", "Deny", "Jump to it"]),
    "two options": (("option:0", "option:1", "say"), ("ls",), ["Option:0", "Option:1", "Jump to it"]),
    "three options": (("option:0", "option:1", "option:2"), ("ls",), ["Option:0", "Option:1", "Option:2"]),
    "more options than buttons": (
        ("option:0", "option:1", "option:2", "option:3"),
        ("ls",),
        ["Jump to it", "Later", "Mute session"],
    ),
    "a plan": (("approve", "approve-edits", "keep", "say"), ("ls",), ["Approve", "Approve-edits", "Keep"]),
    "what is too long": (("allow", "deny", "say", "stop"), LONG, ["Read it", "Deny", "Jump to it"]),
    "a question that is too long": (("option:0", "option:1", "say"), LONG, ["Read it", "Jump to it"]),
    "a plan that is too long": (
        ("approve", "approve-edits", "keep", "say"),
        LONG,
        ["Read it", "Keep", "Jump to it"],
    ),
    "nothing": ((), (), ["Jump to it", "Later", "Mute session"]),
}


@pytest.mark.parametrize(("ids", "text", "labels"), BUTTONS.values(), ids=BUTTONS)
def test_a_request_can_be_answered_with_its_buttons(
    ids: tuple[str, ...], text: tuple[str, ...], labels: list[str]
) -> None:
    of = session("api", "permission", asking=Asking("c0de" * 8, "Bash: ls", text, choices(*ids)))
    made = notice(of, POLICY, "at once", NOON)
    assert [button.label for button in made.buttons] == labels
    assert made.click == Jump(of.key)
    answers = [button.action for button in made.buttons if isinstance(button.action, Answer)]
    assert all((one.session, one.code) == (of.key, "c0de" * 8) for one in answers)


def test_a_button_of_one_request_has_another_name_than_that_of_the_next() -> None:
    """A daemon reports a click by the name of the button."""
    ids = [
        answer_buttons(("a", 1), "permission", Asking(code, "", ("ls",), choices("allow")))[0].id
        for code in ("a" * 32, "b" * 32)
    ]
    assert ids[0] != ids[1]


def test_a_screen_that_does_not_draw_the_request_gets_no_button_that_allows_it() -> None:
    of = session(
        "api",
        "permission",
        detail="Bash: ls",
        asking=Asking("c0de", "Bash: ls", ("ls", "-l"), choices("allow", "deny")),
    )
    made = notice(of, POLICY, "at once", NOON)
    assert as_drawn(made, made.title, made.body) is made
    bare = as_drawn(made, made.title, "")
    assert [one.label for one in bare.buttons] == ["Read it", "Deny", "Jump to it"]
    assert bare.buttons[0].action == Details(of.key)
    assert bare.body == made.body
    sure = replace(of, asking=replace(of.asking, choices=choices("allow-sure", "deny"), why_not="Sure? It deletes."))
    asked = notice(sure, POLICY, "at once", NOON)
    both = "ls\n-l\nSure? It deletes."
    labels = [[one.label for one in as_drawn(asked, "api", body).buttons] for body in (both, "ls\n-l", "ls\n-l\nSure?")]
    assert labels == [["Allow-sure", "Deny", "Jump to it"], *[["Read it", "Deny", "Jump to it"]] * 2]
    plan = replace(made, status="idle", sign="plan", sessions=())
    assert as_drawn(plan, "", "").buttons[0].label == "Read the plan"


@pytest.mark.parametrize(
    ("labels", "fit"),
    [
        (("Yes", "No"), True),
        (("Approve", "Approve, edits accepted", "Keep planning"), True),
        (("x" * LABEL, "y"), True),
        (("x" * (LABEL + 1), "y"), False),
        (("\u5b57" * LABEL, "y"), False),
        (("Use Postgres with A", "Use Postgres with B"), False),
        (("a", "b", "c", "d"), False),
    ],
)
def test_labels_that_a_daemon_would_cut_to_the_same_are_no_buttons(labels: tuple[str, ...], fit: bool) -> None:
    assert are_buttons(labels) == fit


def test_a_plan_that_is_not_shown_whole_can_be_read() -> None:
    plan = Asking("c0de", "Plan approval", ("1. Look",) * 9, choices("approve", "approve-edits", "keep", "say"))
    made = notice(session("api", "plan", asking=plan), POLICY, "at once", NOON)
    assert [one.label for one in made.buttons] == ["Read the plan", "Keep", "Jump to it"]
    assert made.buttons[0].action == Details(session("api").key)
    assert UNSEEN in made.body


@pytest.mark.parametrize("off", [{"details": False}, {"buttons": False}])
def test_nothing_is_allowed_that_the_notification_does_not_show(off: dict[str, bool]) -> None:
    of = session("api", "permission", asking=Asking("c0de", "Bash: ls", ("ls",), choices("allow", "deny")))
    made = notice(of, Policy.model_validate({"notification": off}), "at once", NOON)
    assert not any(isinstance(button.action, Answer) for button in made.buttons)


def test_the_difference_to_the_notice_before_is_named() -> None:
    one = notice(session("api", "permission", detail="Bash: ls"), POLICY, "", NOON)
    assert one.differs_from(one) == ""
    assert replace(one, title="Another").differs_from(one) == "text has"
    assert replace(one, buttons=()).differs_from(one) == "buttons have"
