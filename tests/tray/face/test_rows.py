"""Test the row of a session and its submenu."""

import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.asking import UNSEEN, Asking, Choice
from deskbell.face.actions import Answer, CopyResume, Details, Dismiss, Jump, Later, Mute, Resume
from deskbell.face.facts import Facts
from deskbell.face.item import Item
from deskbell.face.rows import LATER, LINES, ROOM, WIDTH, plain_rows, rows, told_apart, wrapped
from deskbell.session import STATUSES, Session
from deskbell.text.clean import ISOLATE
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session

BLOCKED = session(status="permission", detail="Bash: npm publish --access public")
CRASHED = session(status="crashed", detail="Bash: make test", kept_until=NOON + 3600)


def shown(one: Session, facts: Facts = Facts()) -> Item:  # noqa: B008
    (item,) = rows([one], facts, NOON, told_apart([one]))
    return item


def below(one: Session, facts: Facts = Facts()) -> list[tuple[str, object]]:  # noqa: B008
    return [(item.text, item.action) for item in shown(one, facts).children]


def fastest(work: Callable[[list[Session]], object], given: list[Session]) -> float:
    """Return the fewest seconds of the processor that WORK took: other work of the machine can only make it slower."""

    def taken() -> float:
        began = time.process_time()
        work(given)
        return time.process_time() - began

    return min(taken() for _ in range(5))


def test_a_row_has_the_sign_the_project_the_title_and_the_time_of_its_age() -> None:
    row = shown(replace(BLOCKED, since=NOON - 240))
    assert (row.text, row.sign, row.since) == ("api · Ship it", "permission", NOON - 240)


def test_what_is_asked_stands_in_full_above_what_can_be_done() -> None:
    assert below(BLOCKED) == [
        ("wants to run npm publish --access public", None),
        ("", None),
        ("Jump to it", Jump(BLOCKED.key)),
        (LATER, Later(BLOCKED.key, on=True)),
        ("Muted", Mute(BLOCKED.key, muted=True)),
        ("Details", Details(BLOCKED.key)),
    ]


@pytest.mark.parametrize(
    ("one", "says"),
    [
        (session(status="idle", last_line="All tests pass."), ["All tests pass."]),
        (session(status="idle", detail="", last_line=None), []),
        (session(status="interrupted", last_line="I changed the test."), ["I changed the test."]),
        (session(status="interrupted", detail="", last_line=None), ["stopped"]),
        (session(status="error", detail="rate_limit: Try later", last_line="Done"), ["failed: Try later"]),
        (session(status="question", detail="Which one?"), ["asks: Which one?"]),
        (session(status="working", detail="Bash: make test"), ["running make test"]),
        (CRASHED, ["crashed: make test"]),
    ],
)
def test_a_submenu_says_what_the_session_asks_does_did_or_said_last(one: Session, says: list[str]) -> None:
    texts = [text for text, action in below(one) if action is None]
    assert texts == [*says, *([""] if says else [])]


@pytest.mark.parametrize("status", STATUSES)
def test_only_a_session_that_is_over_can_be_resumed(status: Status) -> None:
    one = session(status=status)
    resume = [("Resume in a terminal", Resume(one.key)), ("Copy resume command", CopyResume(one.key))]
    ways = resume if one.over else [("Jump to it", Jump(one.key))]
    assert [deed for deed in below(one) if isinstance(deed[1], Jump | Resume | CopyResume)] == ways
    assert shown(one).action == ways[0][1], "and no click on a row changes the clipboard"


@pytest.mark.parametrize("kept_until", [None, NOON + 60])
def test_only_a_crash_that_is_still_to_be_seen_can_be_dismissed(kept_until: float | None) -> None:
    one = replace(CRASHED, kept_until=kept_until)
    assert ("Dismiss", Dismiss((one.key,))) in below(one) or kept_until is None
    assert not any(isinstance(action, Mute | Later) for _, action in below(one))


@pytest.mark.parametrize("lost", [False, True])
def test_only_a_running_session_that_cannot_be_asked_about_can_be_dismissed(lost: bool) -> None:
    one = replace(BLOCKED, lost=lost)
    assert (("Dismiss", Dismiss((one.key,))) in below(one)) is lost


def test_a_row_says_what_silences_its_session() -> None:
    facts = Facts(muted=frozenset({"a1"}), later={"a1": NOON + 600})
    one = replace(BLOCKED, suspended=True)
    until = shown(one, facts).text.rpartition(" ")[2]
    assert shown(one, facts).text == f"api · Ship it · suspended · muted · quiet until {until}"
    assert shown(session(stalled=True)).text == "api · Ship it · stalled"
    ticks = {item.key: (item.text, item.checked, item.action) for item in shown(one, facts).children}
    assert ticks["mute"] == ("Muted", True, Mute(one.key, muted=False))
    assert ticks["later"] == (f"Later: quiet until {until}", True, Later(one.key, on=False))


def test_a_plain_row_does_at_once_what_comes_first_in_the_submenu() -> None:
    (row,) = plain_rows([BLOCKED], Facts(), NOON, {})
    assert (row.text, row.action, row.children) == ("api · Ship it", Jump(BLOCKED.key), ())


ALIKE = {
    "another branch": ({"branch": "main"}, {"branch": "fix"}, "api (main) · Ship it", "api (fix) · Ship it"),
    "one branch": ({"branch": None}, {"branch": "fix"}, "api · Ship it", "api (fix) · Ship it"),
    "another worktree": ({"cwd": "/w/api"}, {"cwd": "/w/api-2/"}, "api (api) · Ship it", "api (api-2) · Ship it"),
    "another folder of Windows": (
        {"cwd": "C:\\w\\api"},
        {"cwd": "C:\\w\\b"},
        "api (api) · Ship it",
        "api (b) · Ship it",
    ),
    "another client": ({}, {"session_id": "a1", "pid": 7}, "api (100) · Ship it", "api (7) · Ship it"),
    "nothing else": ({}, {}, "api (a1) · Ship it", "api (b2) · Ship it"),
}


@pytest.mark.parametrize(("one", "other", "first", "second"), ALIKE.values(), ids=ALIKE)
def test_two_rows_that_would_be_alike_are_told_apart(
    one: dict[str, str], other: dict[str, str], first: str, second: str
) -> None:
    sessions = [session(**one), session(**{"session_id": "b2", **other})]
    assert [row.text for row in rows(sessions, Facts(), NOON, told_apart(sessions))] == [first, second]


def test_three_rows_are_told_apart_by_no_more_than_they_need() -> None:
    sessions = [
        session(branch="main", cwd="/w/api"),
        session(session_id="b2", branch="fix", cwd="/w/api"),
        session(session_id="c3", branch="fix", cwd="/w/two"),
    ]
    assert list(told_apart(sessions).values()) == ["main", "fix, api", "fix, two"]


def test_rows_are_told_apart_by_what_is_shown_of_them() -> None:
    long = "feature/the-same-beginning-of-a-long-branch"
    sessions = [
        session(session_id="a1", branch=f"{long}-1", cwd="/w/api\x07"),
        session(session_id="b2", branch=f"{long}-2", cwd="/w/api\x08"),
        session(session_id="c3", branch=f"{long}-3", cwd="/w/api"),
        session(session_id="12345678-1", branch="main"),
        session(session_id="12345678-2", branch="main"),
    ]
    said = list(told_apart(sessions).values())
    assert [one.rpartition(", ")[2] for one in said] == ["api\\u0007", "api\\u0008", "api", "12345678-1", "12345678-2"]


def alike(many: int) -> list[Session]:
    return [session(session_id=f"{at:08}", pid=at, cwd=f"/w/{at % 7}", branch="main") for at in range(many)]


@pytest.mark.uncounted
def test_many_rows_with_equal_names_are_told_apart_in_linear_time() -> None:
    """The ratio would be 64 if each were compared with each."""
    assert fastest(lambda many: told_apart(many), alike(4000)) / fastest(lambda many: told_apart(many), alike(500)) < 24


def test_rows_that_differ_say_nothing_of_their_branch() -> None:
    sessions = [session(branch="main"), session(session_id="b2", title="Other", branch="fix")]
    assert told_apart(sessions) == {}


def test_a_title_is_cut_only_where_the_row_has_no_more_room() -> None:
    title = "Investigate the leak in the image cache of the product list"
    assert shown(session(title=title)).text == f"api · {title}"
    text = shown(session(title=title * 3)).text
    assert ROOM - 12 <= len(text) <= ROOM
    assert text.endswith("…")


def test_a_long_project_and_branch_leave_room_for_a_title() -> None:
    sessions = [session(session_id=name, project="p" * 99, branch=name * 99) for name in ("a", "b")]
    assert all(" · Ship it" in row.text for row in rows(sessions, Facts(), NOON, told_apart(sessions)))


def test_a_right_to_left_project_does_not_reverse_its_row() -> None:
    text = shown(session(project="مشروع")).text
    assert unicodedata.bidirectional(text[0]) == "L"
    assert text[1] == ISOLATE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("one", ("one",)),
        ("first\nsecond", ("first", "second")),
        ("git push --force-with-lease origin release/4.2 && make the-whole-thing", None),
        ("x" * 130, ("x" * 60, "x" * 60, "x" * 10)),
    ],
)
def test_a_long_text_is_wrapped(text: str, expected: tuple[str, ...] | None) -> None:
    found = wrapped(text)
    assert found == expected or (expected is None and " ".join(found) == text)


def test_a_text_that_is_too_long_ends_in_an_ellipsis() -> None:
    found = wrapped("word " * 500)
    assert len(found) == LINES
    assert found[-1].endswith("…")


def test_a_secret_is_not_shown_though_the_wrap_would_cut_it() -> None:
    secret = "ghp_" + "a1B2" * 9
    assert "a1B2" not in "".join(wrapped("x " * 28 + secret))


@given(st.text())
def test_every_row_of_a_text_is_one_line_that_fits(text: str) -> None:
    for row in wrapped(text):
        assert row
        assert not any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in row)
        assert len(row) <= WIDTH + 3
    assert len(wrapped(text)) <= LINES


CHANGES = {
    "another status": {"status": "permission"},
    "another request": {"status": "permission", "detail": "Bash: make"},
    "another title": {"title": "Ship that"},
    "suspended": {"suspended": True},
    "another detail": {"detail": "Bash: make"},
}
NOOPS = {
    "heard of again": {"heard": NOON + 5},
    "more tokens": {"output_tokens": 900},
    "another reason": {"reason": "the registry says so"},
    "another last line while it works": {"last_line": "Done"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_visible_change_changes_the_row(change: dict[str, object]) -> None:
    assert shown(session(**change)) != shown(session())


@pytest.mark.parametrize("change", NOOPS.values(), ids=NOOPS)
def test_an_invisible_change_does_not_change_the_row(change: dict[str, object]) -> None:
    assert shown(session(**change)) == shown(session())


def test_a_row_that_crashed_is_not_clicked_by_a_person_who_saw_it_run() -> None:
    assert shown(session()).key == shown(BLOCKED).key != shown(CRASHED).key


ASKING = Asking(
    "c0de",
    "Edit: /a.py",
    ("/a.py", "- x = 1", "+ x = 2"),
    (Choice("allow", "Allow", allows=True), Choice("say", "In words", takes_text=True), Choice("deny", "Deny")),
    why_not="Allow asks again: it is new.",
)


def test_what_can_be_answered_stands_in_full_above_its_answers() -> None:
    one = replace(BLOCKED, detail=ASKING.detail, asking=ASKING)
    assert below(one)[:9] == [
        ("wants to edit a file:", None),
        ("/a.py", None),
        ("- x = 1", None),
        ("+ x = 2", None),
        ("", None),
        ("Allow asks again: it is new.", None),
        ("Allow", Answer(one.key, "c0de", "allow")),
        ("Deny", Answer(one.key, "c0de", "deny")),
        ("", None),
    ]


LONG = Asking(
    "c0de",
    "Plan approval",
    ("1. Look",) * (LINES + 1),
    (Choice("approve", "Approve", allows=True), Choice("keep", "Keep planning")),
)


def test_what_the_menu_has_no_room_for_can_be_read_and_not_allowed() -> None:
    one = replace(BLOCKED, status="plan", detail=LONG.detail, asking=LONG)
    assert below(one)[:6] == [
        ("has a plan", None),
        ("", None),
        (UNSEEN, None),
        ("Read the plan", Details(one.key)),
        ("Keep planning", Answer(one.key, "c0de", "keep")),
        ("", None),
    ]


def test_a_command_that_its_own_row_shows_whole_is_not_shown_twice() -> None:
    asking = Asking("c0de", "Bash: ls -l", ("ls -l",), (Choice("allow", "Allow", allows=True),))
    one = replace(BLOCKED, detail=asking.detail, asking=asking)
    assert below(one)[:3] == [("wants to run ls -l", None), ("", None), ("Allow", Answer(one.key, "c0de", "allow"))]


@pytest.mark.parametrize("line", ["ls  -l", "x" * 60, "\u05d0 \u05d1", f"echo {'word ' * 20}"])
def test_the_rows_of_a_request_keep_every_character(line: str) -> None:
    asking = Asking("c0de", "Bash: x", (line, ""), (Choice("allow", "Allow", allows=True),))
    shown = [text for text, _ in below(replace(BLOCKED, detail=asking.detail, asking=asking))]
    rows = shown[1 : shown.index("")]
    assert "".join(row.strip("\u200e\u2068\u2069") for row in rows) == f"{line} "
    assert all(len(row) <= WIDTH + 3 for row in rows)


def test_a_request_whose_rows_would_break_an_emoji_or_be_cut_is_not_shown_whole() -> None:
    for broken in ("x" * (WIDTH - 1) + "\U0001f469\u200d\U0001f467", "\u5b57" * WIDTH, "x" * (WIDTH * LINES + 1)):
        asking = Asking("c0de", "Bash: x", (broken,), (Choice("allow", "Allow", allows=True),))
        assert "Allow" not in [text for text, _ in below(replace(BLOCKED, detail=asking.detail, asking=asking))]


def test_an_option_or_a_rule_that_a_row_would_cut_is_not_offered() -> None:
    wide = Choice("option:1", "x" * (ROOM + 1), allows=True)
    asking = Asking("c0de", "Which?", ("Which?",), (Choice("option:0", "A", allows=True), wide))
    assert [text for text, _ in below(replace(BLOCKED, status="question", detail="Which?", asking=asking))][2:4] == [
        UNSEEN,
        "Read it",
    ]
    asking = replace(asking, choices=(Choice("allow", "Allow", allows=True), replace(wide, id="rule:0")))
    texts = [text for text, _ in below(replace(BLOCKED, detail="Which?", asking=asking))]
    assert ("Allow" in texts, wide.label in texts) == (True, False)


def test_what_cannot_be_answered_says_why() -> None:
    one = replace(BLOCKED, asking=Asking("", BLOCKED.detail, why_not="A subagent asks."))
    assert below(one)[:4] == [
        ("wants to run npm publish --access public", None),
        ("", None),
        ("A subagent asks.", None),
        ("", None),
    ]
