"""Test that the statusline learns which sessions wait, and that nothing is written without need."""

from pathlib import Path

import pytest

from deskbell.board import Board, board
from deskbell.home import Home
from deskbell.program.published import EVERY, Published
from deskbell.session import Session
from deskbell_hooks.others import LARGEST_BOARD, others
from deskbell_hooks.segments import MOST, Waiting
from tests.tray.making import NOON, session

ASKS = session(session_id="b1", status="permission", detail="Bash: npm publish", project="shop")
TURN = session(session_id="b2", status="idle", project="site")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    found = Home(tmp_path / "state", tmp_path / "data", tmp_path / "config")
    found.statusline.mkdir(parents=True)
    return found


def of(*sessions: Session) -> Board:
    return board(sessions, NOON)


def file(home: Home) -> Path:
    return home.statusline / "board.json"


def test_the_statusline_reads_who_waits_in_the_order_of_the_board(home: Home) -> None:
    Published(home).write(of(TURN, session(), ASKS), NOON)
    found = others(str(home.state), "own", NOON + 1)
    assert found.blocked == [Waiting("b1", "shop", "wants to run npm publish")]
    assert found.your_turn == [Waiting("b2", "site", "your turn")]
    assert others(str(home.state), "b1", NOON + 1).blocked == []
    assert file(home).stat().st_mode & 0o777 == 0o600


def test_what_others_wrote_is_made_safe(home: Home) -> None:
    secret = "sk-ant-api03-" + "a1B2" * 12
    Published(home).write(of(session(status="question", detail=f"\x1b[31m{secret}?", project="a\nb")), NOON)
    assert secret.encode() not in file(home).read_bytes()
    assert b"\\u001b" not in file(home).read_bytes()


def test_the_same_is_written_once_a_minute(home: Home) -> None:
    published = Published(home)
    times = []
    for seconds in (0, 1, EVERY - 1, EVERY, EVERY + 1, EVERY - 100):
        published.write(of(ASKS), NOON + seconds)
        times.append(file(home).stat().st_mtime_ns)
    assert [times[n] == times[n + 1] for n in range(5)] == [True, True, False, True, False]


def test_a_session_that_only_works_on_changes_nothing(home: Home) -> None:
    published = Published(home)
    published.write(of(ASKS, session(detail="Bash: make")), NOON)
    before = file(home).stat().st_mtime_ns
    published.write(of(ASKS, session(detail="Bash: make test")), NOON + 1)
    assert file(home).stat().st_mtime_ns == before
    published.write(of(session()), NOON + 2)
    assert others(str(home.state), "own", NOON + 2).blocked == []


def test_where_no_statusline_was_installed_nothing_is_written(home: Home) -> None:
    published = Published(home)
    published.write(of(ASKS), NOON)
    file(home).unlink()
    home.statusline.rmdir()
    published.write(of(TURN), NOON + 1)
    assert not home.statusline.exists()
    home.statusline.mkdir()
    published.write(of(TURN), NOON + 2)
    assert file(home).exists()


def test_the_file_goes_when_deskbell_ends(home: Home) -> None:
    published = Published(home)
    published.write(of(ASKS), NOON)
    published.write(None, NOON)
    published.write(None, NOON)
    assert not file(home).exists()


def test_the_file_is_bounded(home: Home) -> None:
    many = [session(session_id=f"{n:0128}", status="question", detail="界" * 99, project="界" * 99) for n in range(300)]
    turns = [session(session_id=f"t{n:0127}", status="idle", project="界" * 99) for n in range(300)]
    Published(home).write(of(*many, *turns), NOON)
    assert file(home).stat().st_size <= LARGEST_BOARD
    found = others(str(home.state), many[0].session_id, NOON)
    assert (len(found.blocked), len(found.your_turn)) == (MOST, MOST)


def test_a_disk_that_takes_nothing_is_an_error(home: Home) -> None:
    (home.statusline / "board.json").mkdir()
    with pytest.raises(OSError, match=r"board\.json"):
        Published(home).write(of(ASKS), NOON)
