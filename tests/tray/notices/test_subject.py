"""Test what a word names that can be muted: the whole word before its beginning, and nothing by guessing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.notices.quiet import Kind, Quiet
from deskbell.notices.subject import CAN_BE_MUTED, SessionNames, Subject, all_muted, muted_subjects, subjects
from tests.tray.story import NOON

KNOWN = (
    SessionNames("3f2a9c10-aaaa", "web", "Fix the login", "/home/me/web"),
    SessionNames("3f2b0000-bbbb", "web", "Ship it", "/home/me/web"),
    SessionNames("77ab0000-cccc", "website", "web", "/home/me/website"),
    SessionNames("90000000-dddd", "api", "", ""),
    SessionNames("plan0000-eeee", "Scratch-1", "Idle hands", "/tmp/s"),
)

# word: what it names
NAMED: dict[str, list[tuple[Kind, str]]] = {
    "permission": [("statuses", "permission")],
    " IDLE ": [("statuses", "idle")],
    "api": [("projects", "api")],
    "WEBSITE": [("projects", "website")],
    "/home/me/web": [("projects", "/home/me/web")],
    "scratch*": [("projects", "scratch*")],
    "nowhere-?": [("projects", "nowhere-?")],
    "Ship it": [("sessions", "3f2b0000-bbbb")],
    "fix the login": [("sessions", "3f2a9c10-aaaa")],
    "3f2a9c10-aaaa": [("sessions", "3f2a9c10-aaaa")],
    "3f2a": [("sessions", "3f2a9c10-aaaa")],
    "fix": [("sessions", "3f2a9c10-aaaa")],
    "scr": [("projects", "Scratch-1")],
    # ambiguous
    "web": [("projects", "web"), ("sessions", "77ab0000-cccc")],
    "3f2": [("sessions", "3f2a9c10-aaaa"), ("sessions", "3f2b0000-bbbb")],
    "w": [("projects", "web"), ("projects", "website"), ("sessions", "77ab0000-cccc")],
    # the whole name of a status goes before the beginning of an id
    "plan": [("statuses", "plan")],
    "plan0": [("sessions", "plan0000-eeee")],
}
NOTHING = ["", "  ", "nowhere", "working", "ended", "background", "perm", "/home/me"]


@pytest.mark.parametrize(("word", "named"), NAMED.items(), ids=NAMED)
def test_what_a_word_names(word: str, named: list[tuple[Kind, str]]) -> None:
    assert [(one.kind, one.what) for one in subjects(word, KNOWN)] == named


@pytest.mark.parametrize("word", NOTHING)
def test_a_word_names_nothing(word: str) -> None:
    assert subjects(word, KNOWN) == []


# word and kind: what it names
OF_A_KIND: dict[tuple[str, Kind], list[str]] = {
    ("web", "sessions"): ["77ab0000-cccc"],
    ("web", "projects"): ["web"],
    ("web", "statuses"): [],
    ("scr", "sessions"): [],
    ("idle", "sessions"): ["plan0000-eeee"],
    ("idle", "statuses"): ["idle"],
}


@pytest.mark.parametrize(("given", "named"), OF_A_KIND.items(), ids=map(str, OF_A_KIND))
def test_what_a_word_of_a_known_kind_names(given: tuple[str, Kind], named: list[str]) -> None:
    word, kind = given
    assert [one.what for one in subjects(word, KNOWN, kind)] == named


def test_a_status_that_never_rings_cannot_be_muted() -> None:
    assert set(CAN_BE_MUTED).isdisjoint({"working", "background", "ended"})


QUIET = (
    Quiet()
    .with_mute("sessions", "3f2a9c10-aaaa")
    .with_mute("sessions", "3f2b0000-bbbb", NOON - 1)
    .with_mute("projects", "web*", NOON + 1)
    .with_mute("projects", "web")
    .with_mute("statuses", "idle")
)
# word: what it names of all that is muted
MUTED = {
    "web": ["web"],
    "web*": ["web*"],
    "we": ["web*", "web"],
    "idle": ["idle"],
    "i": ["idle"],
    "3f2": ["3f2a9c10-aaaa"],
    "FIX THE LOGIN": ["3f2a9c10-aaaa"],
    "Fix": ["3f2a9c10-aaaa"],
    "Ship it": [],
    "api": [],
    "": [],
}


@pytest.mark.parametrize(("word", "named"), MUTED.items(), ids=map(repr, MUTED))
def test_what_a_word_names_among_the_muted(word: str, named: list[str]) -> None:
    assert [one.what for one in muted_subjects(word, QUIET, NOON, KNOWN)] == named


def test_the_kind_decides_between_mutes_of_the_same_name() -> None:
    quiet = Quiet().with_mute("projects", "idle").with_mute("statuses", "idle")
    assert len(muted_subjects("idle", quiet, NOON, ())) == 2
    assert [one.kind for one in muted_subjects("idle", quiet, NOON, (), "statuses")] == ["statuses"]


def test_the_list_names_sessions_then_projects_then_statuses_with_their_titles() -> None:
    assert [one.words for one in all_muted(QUIET, NOON, KNOWN)] == [
        "session 3f2a9c10 (web: Fix the login)",
        "project web*",
        "project web",
        "status idle",
    ]


def test_a_session_of_which_only_the_id_is_known_is_named_by_it() -> None:
    assert Subject("sessions", "3f2a9c10-aaaa").words == "session 3f2a9c10"


def test_hostile_names_are_made_harmless() -> None:
    known = SessionNames("abc", "a\x1b[31mpi", "\x1b]0;x\x07evil")
    assert [one.words for one in subjects("abc", [known])] == ["session abc (api: evil)"]
    assert "\x1b" not in Subject("projects", "\x1b[31mred").words
    assert "\x1b" not in Subject("sessions", "\x1b[2Jabc").words


@given(st.text(max_size=20), st.lists(st.builds(SessionNames, *[st.text(max_size=6)] * 4), max_size=6))
def test_whatever_a_word_names_is_named_by_itself(word: str, known: list[SessionNames]) -> None:
    """What is found is found again by its own name, among what it then muted."""
    for one in subjects(word, known):
        quiet = Quiet().with_mute(one.kind, one.what)
        if one.what == one.what.strip() != "":
            assert one.what in [found.what for found in muted_subjects(one.what, quiet, NOON, known)]
