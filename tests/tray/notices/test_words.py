"""Test what a notification says of a session, and what a summary does."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.asking import UNSEEN, Asking, Choice
from deskbell.notices.policy import Notification
from deskbell.notices.words import LEAST, LINE, LINES, PROJECT, SAYS, TITLE, UNREAD, line, words, words_of_many
from deskbell.session import STATUSES, Session
from deskbell.text.clean import END_ISOLATE, ISOLATE
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, session

CLOCK = f"{datetime.fromtimestamp(NOON):%H:%M}"
WAITING, SINCE, AT = f"Waiting since {CLOCK}", f"Since {CLOCK}", f"At {CLOCK}"
SHOWN = Notification()
TERSE = Notification(details=False)
LONG = "git push --force-with-lease origin release/2.4"
ASKED = "Which database should the staging environment use?"
OVERLOADED = "API Error: 529 Overloaded. This is a server-side issue"

# a session: its title, and the lines of its body
WORDED: dict[str, tuple[Session, str, list[str]]] = {
    "a command": (
        session("api", "permission", detail="Bash: npm publish", prompt="Release 2.4", branch="main"),
        "api wants to run `npm publish`",
        ["You asked: Release 2.4", f"{WAITING} · on main"],
    ),
    "a session that makes no step": (
        session("api", "working", NOON - 900, detail="Bash: make", heard=NOON, stalled=True, branch="main"),
        "api: stalled, running `make`",
        [f"Last step at {CLOCK} · on main"],
    ),
    "a long command": (
        session("api", "permission", detail=f"Bash: {LONG}", prompt="Release 2.4"),
        "api wants to run a command",
        [f"`{LONG}`", "You asked: Release 2.4", WAITING],
    ),
    "a long path": (
        session("api", "permission", detail=f"Edit: {'src/' * 10}a.py"),
        "api wants to edit a file",
        [f"{'src/' * 10}a.py", WAITING],
    ),
    "a tool of a server": (
        session("api", "permission", detail="mcp__github__create_issue: The build of the release is broken"),
        "api wants to use create_issue of github",
        ["The build of the release is broken", WAITING],
    ),
    "a tool with a hostile name": (
        session("api", "permission", detail=f"mcp__a.b__{'c' * 200}"),
        f"api wants to use {'c' * 46}…",
        [WAITING],
    ),
    "a permission of which nothing is known": (session("api", "permission"), "api wants your approval", [WAITING]),
    "a question": (session("api", "question", detail="Which database?"), "api asks: Which database?", [WAITING]),
    "a long question": (session("api", "question", detail=ASKED), "api has a question", [ASKED, WAITING]),
    "input": (session("api", "input", detail="Your name"), "api needs input: Your name", [WAITING]),
    "a plan": (session("docs", "plan", detail="Three steps"), "docs has a plan: Three steps", [WAITING]),
    "a plan of which nothing is known": (session("docs", "plan", detail="Plan approval"), "docs has a plan", [WAITING]),
    "an end of turn": (
        session("web", "idle", last_line="All tests pass.", prompt="make them pass", detail="what was last"),
        "web: your turn",
        ["All tests pass.", "You asked: make them pass", SINCE],
    ),
    "an end of turn of which nothing is known": (session("web", "idle"), "web: your turn", [SINCE]),
    "an interrupt": (session("web", "interrupted", detail="Bash: make"), "web stopped", ["Last step: `make`", AT]),
    "an interrupt of which nothing is known": (session("web", "interrupted"), "web stopped", [AT]),
    "an error": (session("web", "error", detail="rate_limit: Try at 5"), "web failed: Try at 5", [AT]),
    "a long error": (session("web", "error", detail=f"server_error: {OVERLOADED}"), "web failed", [OVERLOADED, AT]),
    "an error of which the kind is known": (session("web", "error", detail="rate_limit"), "web failed: rate limit", [AT]),
    "a crash": (
        session("web", "crashed", detail="Edit: a.py", prompt="fix it"),
        "web crashed",
        ["Last step: edit a.py", "You asked: fix it", AT],
    ),
    "a status that never rings": (session("web", "working", detail="Thinking"), "web: Thinking", [AT]),
    "a session with a name of its own": (
        session("api", "plan", title="Release 2.4", prompt="run the tests", branch="main"),
        "api has a plan",
        ["You asked: run the tests", f"{WAITING} · Release 2.4 · on main"],
    ),
    "a session whose name is its prompt": (
        session("api", "plan", title="run the tests", prompt="run the tests, then publish"),
        "api has a plan",
        ["You asked: run the tests, then publish", WAITING],
    ),
    "hostile words": (
        session("a\x1b[31mpi", "permission", detail="Bash: \x1b]0;x\x07rm\n-rf", prompt="<b>\u202eevil &amp;"),
        "api wants to run `rm -rf`",
        ["You asked: <b>evil &amp;", WAITING],
    ),
    "words from right to left": (
        session("שלום", "question", detail="איזה?", prompt="א"),
        f"{ISOLATE}שלום{END_ISOLATE} asks: {ISOLATE}איזה?{END_ISOLATE}",
        [f"You asked: {ISOLATE}א{END_ISOLATE}", WAITING],
    ),
    "a secret": (
        session("api", "permission", detail="Bash: deploy --password=hunter2hunter2", prompt="API_TOKEN=hunter2secret99"),
        "api wants to run a command",
        ["`deploy --password=[redacted]`", "You asked: API_TOKEN=[redacted]", WAITING],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("of", "title", "lines"), WORDED.values(), ids=WORDED)
def test_it_says_who_and_what_then_the_prompt_and_since_when(of: Session, title: str, lines: list[str]) -> None:
    assert words(of, SHOWN, NOON) == (title, "\n".join(lines))


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("permission", "blocked"),
        ("question", "blocked"),
        ("input", "blocked"),
        ("plan", "blocked"),
        ("idle", "your turn"),
        ("interrupted", "your turn"),
        ("error", "your turn"),
        ("crashed", "crashed"),
        ("background", "running"),
    ],
)
def test_without_details_it_says_the_project_and_how_it_stands_and_nothing_else(status: Status, said: str) -> None:
    private = {"title": "Secret", "prompt": "Secret", "branch": "secret", "last_line": "Secret", "last_error": "Secret"}
    of = session("api", status, detail="Bash: secret", **private)
    assert words(of, TERSE, NOON) == ("api", said.capitalize())
    assert line(of, TERSE) == f"api: {said}"


def test_the_branch_can_be_left_out() -> None:
    said = words(session("api", "plan", branch="main"), Notification(branch=False), NOON)
    assert said.body == WAITING


def test_what_is_asked_is_cut_at_the_length_of_the_settings() -> None:
    of = session("api", "permission", detail=f"Bash: {LONG}")
    assert words(of, Notification(length=40), NOON).body.splitlines()[0] == "`git push --force-with-lease origin…"


def test_a_title_that_just_fits_says_all_and_one_that_does_not_leaves_it_to_the_body() -> None:
    room = TITLE - len("api asks: ")
    fitting, longer = (words(session("api", "question", detail="x" * n), SHOWN, NOON) for n in (room, room + 1))
    assert (len(fitting.title), fitting.body) == (TITLE, WAITING)
    assert (longer.title, longer.body) == ("api has a question", f"{'x' * (room + 1)}\n{WAITING}")


# a session: its line in a summary
LISTED: dict[str, tuple[Session, str]] = {
    "a command": (session("storefront", "permission", detail="Bash: npm publish"), "storefront wants to run `npm publish`"),
    "a long command": (session("api", "permission", detail=f"Bash: {LONG}"), "api wants to run `git push --force-with-leas…"),
    "a question": (session("api", "question", detail=ASKED), "api asks: Which database should the staging…"),
    "an end of turn": (session("web", "idle", last_line="All tests pass."), "web: your turn"),
    "an interrupt": (session("web", "interrupted", detail="Bash: make"), "web stopped"),
    "an error": (session("web", "error", detail="rate_limit: Try at 5"), "web failed: Try at 5"),
    "a crash": (session("web", "crashed", detail="Bash: make"), "web crashed"),
    "a long project": (
        session("a" * 99, "permission", detail="Bash: npm publish"), f"{'a' * (PROJECT - 1)}… wants to run `npm publi…"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("of", "said"), LISTED.values(), ids=LISTED)
def test_a_line_of_a_summary_says_who_and_what(of: Session, said: str) -> None:
    assert line(of, SHOWN) == said


FOUR = [session(name, "plan", NOON - 60 * number) for number, name in enumerate("abcd")]
OTHERS = [session("web", "idle"), session("docs", "idle"), session("api", "crashed")]
HOUR_AGO = f"{datetime.fromtimestamp(NOON - 180):%H:%M}"
# sessions, what they have in common: the title, and the first line of the body
MANY: dict[str, tuple[list[Session], str, float | None, str, str]] = {
    "a burst": ([*FOUR, *OTHERS], "", None, "4 blocked, 2 your turn, 1 crashed", "a has a plan"),
    "held back": ([*FOUR, *OTHERS[:2]], "While snoozed", None, "While snoozed: 4 blocked, 2 your turn", "a has a plan"),
    "held back, and too long": (
        [*FOUR, *OTHERS], "While snoozed", None, "4 blocked, 2 your turn, 1 crashed", "While snoozed"
    ),
    "at the start": (FOUR, "", NOON, f"4 blocked, the longest since {HOUR_AGO}", "a has a plan"),
    "at the start, and too long": (
        [*FOUR, *OTHERS], "", NOON, "4 blocked, 2 your turn, 1 crashed", f"The longest since {HOUR_AGO}"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("sessions", "lead", "at", "title", "first"), MANY.values(), ids=MANY)
def test_a_summary_counts_its_sessions_and_says_what_they_have_in_common(
    sessions: list[Session], lead: str, at: float | None, title: str, first: str
) -> None:
    said = words_of_many(sessions, SHOWN, lead, at)
    assert (said.title, said.body.splitlines()[0]) == (title, first)


@pytest.mark.parametrize(
    ("count", "lead", "last"),
    [(5, "", "p4 has a plan"), (6, "", "p5 has a plan"), (7, "", "and 2 more"), (40, "x" * TITLE, "and 36 more")],
)
def test_a_summary_has_six_lines_at_most_and_counts_the_others(count: int, lead: str, last: str) -> None:
    said = words_of_many([session(f"p{n}", "plan") for n in range(count)], SHOWN, lead)
    lines = said.body.splitlines()
    assert (len(lines), lines[-1]) == (min(count, LINES), last)


TEXTS = st.one_of(st.text(max_size=60), st.sampled_from(["x" * 999, "\u0301" * 99, "😀" * 999, "`", "a b " * 99]))
DETAILS = st.one_of(
    TEXTS, TEXTS.map("Bash: {}".format), TEXTS.map("mcp__{0}__{0}: {0}".format), st.just(f"mcp__{'x' * 500}")
)


@given(st.sampled_from(STATUSES), TEXTS, DETAILS, TEXTS, st.integers(20, 2000))
def test_whatever_is_asked_a_title_and_a_line_are_short_and_a_body_is_bounded(
    status: Status, project: str, detail: str, text: str, length: int
) -> None:
    more = {"detail": detail, "title": text, "prompt": project, "branch": text, "last_line": detail, "last_error": text}
    of = session(project, status, **more)
    said, listed = words(of, Notification(length=length), NOON), line(of, SHOWN)
    assert len(said.title) <= max(TITLE, PROJECT + SAYS + len(": ") + 2 * len(ISOLATE + END_ISOLATE))
    assert said.title
    assert listed
    assert len(said.body) <= length + 300
    assert len(listed) <= max(LINE, PROJECT + SAYS + LEAST) + 10
    assert "\n" not in said.title + listed


def asked(*text: str, detail: str = "Bash: npm test", why: str = "") -> Session:
    """A request that can be answered from its notification."""
    return session("api", "permission", detail=detail, asking=Asking("c0de", detail, text, why_not=why))


# what can be answered: its title, and the lines of its body
ANSWERABLE: dict[str, tuple[Session, str, list[str]]] = {
    "a short command": (asked("npm test"), "api wants to run `npm test`", [WAITING]),
    "a command that the title cannot show to the letter": (
        asked("cd a\nls", detail="Bash: cd a\nls"),
        "api wants to run `cd a ls`",
        ["cd a\nls", WAITING],
    ),
    "a long command": (asked(LONG, detail=f"Bash: {LONG}"), "api wants to run a command", [LONG, WAITING]),
    "a command with more to it": (
        asked("npm test", "run_in_background: true"),
        "api wants to run `npm test`",
        ["npm test", "run_in_background: true", WAITING],
    ),
    "what asks again": (
        asked("rm -rf a", detail="Bash: rm -rf a", why="Allow asks again: it deletes files."),
        "api wants to run `rm -rf a`",
        ["Allow asks again: it deletes files.", WAITING],
    ),
    "what cannot be shown whole": (
        asked(detail=f"Bash: {LONG}", why="Too long to allow from here: its details show all of it."),
        "api wants to run a command",
        [f"`{LONG}`", "Too long to allow from here: its details show all of it.", WAITING],
    ),
}


@pytest.mark.parametrize(("of", "title", "body"), ANSWERABLE.values(), ids=ANSWERABLE)
def test_what_can_be_answered_is_shown_to_the_letter(of: Session, title: str, body: list[str]) -> None:
    said = words(of, SHOWN, NOON)
    assert (said.title, said.body) == (title, "\n".join(body))


def test_the_end_of_a_request_that_does_not_fit_is_cut() -> None:
    asking = Asking("c0de", f"Bash: {LONG}", (LONG,) * 9, (Choice("allow", "Allow", allows=True),)).where(shown=False)
    said = words(session("api", "permission", detail=f"Bash: {'word ' * 60}", asking=asking), SHOWN, NOON)
    first, second, *_ = said.body.split("\n")
    assert (len(first) <= UNREAD, first[-1], second) == (True, "…", UNSEEN)


def test_without_details_nothing_of_a_request_is_shown() -> None:
    assert words(asked("npm test"), TERSE, NOON) == ("api", "Blocked")
