"""Test the page of all sessions."""

import re

from deskbell.board import board
from deskbell.pages.board import MOST, page
from deskbell.session import Place
from tests.tray.making import NOON, session
from tests.tray.pages.test_markup import Read

LOST = session(session_id="d", project="scratch", status="crashed", detail="Bash: make", kept_until=NOON + 99)
SESSIONS = (
    session(
        session_id="a", project="api", status="permission", detail="Bash: npm publish", branch="main", cwd="/srv/api"
    ),
    session(session_id="b", project="web", status="idle", last_line="Shipped.", place=Place("/dev/pts/3")),
    session(session_id="c", project="docs", status="working", detail="Thinking", suspended=True),
    LOST,
)


def shown(*sessions: object) -> str:
    html = page(board(sessions, NOON), {LOST.key: "claude --resume d"}, NOON + 300).body  # type: ignore[arg-type]
    return re.sub(r"\s+", " ", " ".join(Read(html).texts))


def test_every_session_is_under_its_heading_with_what_it_asks_and_where_it_runs() -> None:
    words = shown(*SESSIONS)
    places = [words.index(one) for one in ("Blocked 1 api", "Your turn 1 web", "Running 1 docs", "Crashed 1 scratch")]
    assert places == sorted(places)
    assert words.startswith("1 blocked, 1 your turn, 1 running, 1 crashed")
    for part in (
        "wants to run npm publish Folder /srv/api Branch main",
        "your turn Shipped. Terminal /dev/pts/3",
        "Thinking (suspended)",
        "(5 min ago)",
        "claude --resume d",
    ):
        assert part in words


def test_a_heading_without_sessions_is_left_out() -> None:
    assert "Crashed" not in shown(SESSIONS[0])


def test_a_thousand_sessions_are_counted_and_the_most_urgent_are_shown() -> None:
    many = [session(session_id=f"s{number}", project=f"p{number}-") for number in range(1000)]
    words = shown(*many)
    assert words.count("Thinking") == MOST
    assert words.endswith("and 700 more: run `deskbell list`.")
