"""Test that the statusline names the other sessions that wait, and none that does not or may not."""

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deskbell.text.wording import headline
from deskbell_hooks.others import FRESH, MOST_FILES, VERBS, others, run_of, said
from deskbell_hooks.schema import Event
from deskbell_hooks.segments import MOST, Others, Waiting
from tests.faults.injector import failing
from tests.hooks.environment import set_variable
from tests.hooks.neighbours import BEGAN, GONE, OWN, Neighbours, asks, session
from tests.hooks.said import e, prompt
from tests.tray import making
from tests.waiting import wait

NOW = 1_795_000_100.0
START = e("SessionStart", source="startup")
SHOP, SITE = [session(1), "shop", "wants to run npm publish"], [session(2), "site", "your turn"]


@pytest.fixture
def near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Neighbours:
    found = Neighbours(tmp_path / "state", tmp_path / "account")
    for name, value in found.env.items():
        set_variable(monkeypatch, name, value)
    return found


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is told to end."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.send_signal(signal.SIGCONT)
        process.kill()


def found(near: Neighbours) -> Others:
    return others(str(near.state), OWN, NOW)


def names(near: Neighbours) -> tuple[list[str], list[str]]:
    blocked, turn, _ = found(near)
    return [one.project for one in blocked], [one.project for one in turn]


# Many of them


def test_only_so_many_records_are_read(near: Neighbours) -> None:
    for number in range(MOST_FILES + 5):
        near.write(session(number), b"{}")
    first, last = (os.listdir(near.state / "sessions")[at].removesuffix(".json") for at in (0, MOST_FILES + 1))
    near.record(last, *asks())
    assert found(near) == Others([], [])
    near.record(first, *asks())
    assert [one.session_id for one in found(near).blocked] == [first]


def test_only_so_many_entries_of_the_registry_are_read(near: Neighbours) -> None:
    path = near.entry(session(1), "idle")
    entry, folder = path.read_text(), path.parent
    path.unlink()
    for number in range(MOST_FILES + 5):
        (folder / f"{GONE + number}.json").write_text("{}")
    mine = [f"{'0' * zeros}{os.getpid()}.json" for zeros in range(4)]
    while not (behind := [name for name in mine if name in os.listdir(folder)[MOST_FILES + 4 :]]):
        for name in mine:
            (folder / name).write_text(entry)
        for number in range(100):
            (folder / f"{GONE + len(os.listdir(folder)) + number}.json").write_text("{}")
    for name in set(mine) - {behind[0]}:
        (folder / name).unlink()
    assert found(near) == Others([], [])
    for other in set(os.listdir(folder)) - {behind[0]}:
        (folder / other).unlink()
    assert [one.session_id for one in found(near).your_turn] == [session(1)]


@pytest.fixture
def threads() -> Iterator[list[int]]:
    """The numbers of more threads than sessions are shown. Linux shows each thread as it shows a process."""
    over = threading.Event()
    started = [threading.Thread(target=over.wait) for _ in range(MOST + 3)]
    for thread in started:
        thread.start()
    yield [thread.native_id or 0 for thread in started]
    over.set()
    for thread in started:
        thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows threads so")
@pytest.mark.parametrize(("status", "at"), [("waiting", 0), ("idle", 1)])
def test_only_so_many_sessions_of_the_registry_are_shown(
    near: Neighbours, threads: list[int], status: str, at: int
) -> None:
    for number, pid in enumerate(threads):
        near.entry(session(number), status, pid=pid, waitingFor="permission prompt")
    assert [len(shown) for shown in names(near)][at] == MOST


@pytest.mark.parametrize(("events", "at"), [(asks(), 0), ([prompt(), e("Stop")], 1)])
def test_only_so_many_sessions_of_the_records_are_shown(near: Neighbours, events: list[Any], at: int) -> None:
    for number in range(MOST + 3):
        near.record(session(number), *events)
    assert [len(shown) for shown in names(near)][at] == MOST


# With a tray


def test_while_a_tray_lives_its_board_is_the_answer(near: Neighbours) -> None:
    near.board(NOW, blocked=[SHOP, [OWN, "own", "asks"]], your_turn=[SITE, [OWN, "own", "your turn"]])
    near.record(session(3), *asks(), folder="other")
    assert found(near) == Others([Waiting(*SHOP)], [Waiting(*SITE)])


@pytest.mark.parametrize(
    "more", [{"v": 2}, {"at": "now"}, {"pid": GONE}, {"pid": 0}, {"pid": "1"}, {"start": 1}, {"pid": True}]
)
def test_a_board_of_a_tray_that_is_gone_says_nothing(near: Neighbours, more: dict[str, Any]) -> None:
    near.board(NOW, blocked=[SHOP], **more)
    assert found(near) == Others([], [])


@pytest.mark.parametrize("at", [NOW - FRESH, NOW + FRESH])
def test_a_board_that_is_too_old_says_nothing(near: Neighbours, at: float) -> None:
    near.board(at, blocked=[SHOP])
    assert found(near) == Others([], [])


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc says it")
def test_a_board_of_a_tray_that_is_suspended_says_nothing(near: Neighbours, child: "subprocess.Popen[bytes]") -> None:
    near.board(NOW, blocked=[SHOP], pid=child.pid, start=None)
    assert found(near).blocked == [Waiting(*SHOP)]
    child.send_signal(signal.SIGSTOP)
    wait(lambda: found(near) == Others([], []), "an answer without the board")


@pytest.mark.skipif(sys.platform != "linux", reason="only there the state of a process is read from a file")
def test_a_board_counts_if_the_state_of_its_tray_cannot_be_read(near: Neighbours) -> None:
    near.board(NOW, blocked=[SHOP])
    with failing("posix.open", errno.EMFILE, 2):
        assert found(near).blocked == [Waiting(*SHOP)]


def test_what_is_wrong_in_a_board_is_left_out(near: Neighbours) -> None:
    near.board(NOW, blocked=[SHOP, 5, ["a"], ["a", "b", 5], {}], your_turn="x")
    assert found(near) == Others([Waiting(*SHOP)], [])


def test_a_board_is_counted_to_a_bound(near: Neighbours) -> None:
    near.board(NOW, your_turn=[[session(n), "p", ""] for n in range(MOST + 20)])
    assert len(found(near).your_turn) == MOST


# With Claude Code's registry


def test_without_a_tray_the_registry_says_who_waits_and_the_records_for_what(near: Neighbours) -> None:
    near.entry(session(1), "waiting", waitingFor="permission prompt")
    near.record(session(1), *asks(), folder="shop")
    assert found(near) == Others([Waiting(session(1), "shop", "wants to run npm publish")], [])


DIALOGS = [
    ("permission prompt", "wants your approval"),
    ("worker request", "wants your approval"),
    ("input needed", "has a question"),
    ("sandbox request", "needs input"),
    (None, "needs input"),
    (5, "needs input"),
]


@pytest.mark.parametrize(("dialog", "says"), DIALOGS)
def test_a_dialog_without_a_request_in_a_record_is_known_by_its_kind(
    near: Neighbours, dialog: object, says: str
) -> None:
    near.entry(session(1), "waiting", waitingFor=dialog)
    assert found(near) == Others([Waiting(session(1), "shop", says)], [])


def test_a_dialog_that_the_person_may_have_opened_is_left_out(near: Neighbours) -> None:
    near.entry(session(1), "waiting", waitingFor="dialog open")
    assert found(near) == Others([], [])


def test_a_dialog_with_a_request_in_a_record_counts(near: Neighbours) -> None:
    near.entry(session(1), "waiting", waitingFor="dialog open")
    near.record(session(1), prompt(), e("Elicitation", mcp_server_name="elic", message="Name?"))
    assert [one.says for one in found(near).blocked] == ["needs input: elic: Name?"]


def test_a_request_that_was_denied_or_approved_does_not_count(near: Neighbours) -> None:
    near.record(session(1), *asks())
    near.entry(session(1), "busy")
    assert names(near) == ([], [])
    near.entry(session(1), "idle")
    assert names(near) == ([], ["shop"])


NOT_COUNTED: list[dict[str, Any]] = [
    {"status": "shell"},
    {"status": ["waiting"]},
    {"status": "waiting", "sessionId": OWN},
    {"status": "waiting", "sessionId": 5},
    {"status": "waiting", "sessionId": "../../etc"},
    {"status": "waiting", "procStart": "1"},
    {"status": "waiting", "procStart": 1},
    {"status": "waiting", "entrypoint": "sdk-cli"},
    {"status": "waiting", "kind": "daemon-worker"},
]


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells when a process started")
@pytest.mark.parametrize("more", NOT_COUNTED, ids=str)
def test_a_client_that_needs_nobody_does_not_count(near: Neighbours, more: dict[str, Any]) -> None:
    near.entry(**{"session_id": session(1), "status": "idle", **more})
    assert found(near) == Others([], [])


def test_a_session_in_the_background_may_need_its_person(near: Neighbours) -> None:
    near.entry(session(1), "idle", kind="bg", entrypoint="sdk-cli", procStart="word", statusUpdatedAt="x", cwd=5)
    assert found(near) == Others([], [Waiting(session(1), "", "")])


def test_a_client_that_has_ended_does_not_count(near: Neighbours) -> None:
    near.entry(session(1), "waiting", pid=GONE)
    assert found(near) == Others([], [])


def test_the_most_urgent_and_the_longest_wait_come_first(near: Neighbours, child: "subprocess.Popen[bytes]") -> None:
    near.entry(session(1), "waiting", waitingFor="input needed", statusUpdatedAt=1, cwd="/a/asks")
    near.entry(session(2), "waiting", pid=child.pid, statusUpdatedAt=2, cwd="/a/wants", waitingFor="permission prompt")
    assert names(near) == (["wants", "asks"], [])
    near.entry(session(1), "idle", statusUpdatedAt=3, cwd="/a/late")
    near.entry(session(2), "idle", pid=child.pid, statusUpdatedAt=2, cwd="/a/early")
    assert names(near) == ([], ["early", "late"])


@pytest.mark.parametrize("content", [b"", b"[]", b"nonsense", b"[" * 9000])
def test_an_entry_that_cannot_be_read_is_left_out(near: Neighbours, content: bytes) -> None:
    near.entry(session(1), "waiting").write_bytes(content)
    assert found(near) == Others([], [])


def test_keys_and_other_files_of_the_registry_are_not_read(near: Neighbours) -> None:
    entry = near.entry(session(1), "waiting")
    for name in ("12.key", "x.json", "²3.json"):
        (entry.parent / name).write_text(entry.read_text())
    entry.unlink()
    assert found(near) == Others([], [])


@pytest.mark.parametrize(
    ("events", "started", "counts"),
    [
        ([START], 0, False),
        ([START], 9, False),
        ([START, prompt(), e("Stop")], 0, True),
        ([], 0, False),
        ([], 9, True),
        ([], None, True),
    ],
)
def test_a_session_that_was_never_prompted_does_not_wait(
    near: Neighbours, events: list[Event], started: float | None, counts: bool
) -> None:
    began = {} if started is None else {"startedAt": (BEGAN - started) * 1000}
    near.entry(session(1), "idle", **began)
    if events:
        near.record(session(1), *events)
    assert bool(found(near).your_turn) is counts


# With records alone


def test_where_there_is_no_registry_the_records_of_living_clients_count(near: Neighbours) -> None:
    near.record(session(1), *asks(), folder="shop")
    near.record(session(2), prompt(), e("Stop"), folder="site")
    near.record(session(3), prompt(), e("StopFailure", error="rate_limit"), folder="failed")
    near.record(session(4), prompt(), folder="works")
    near.record(session(5), *asks(), folder="gone", pid=GONE)
    near.record(session(6), START, folder="fresh")
    near.record(OWN, *asks(), folder="own")
    assert names(near) == (["shop"], ["failed", "site"])


NOT_OURS: list[dict[str, Any]] = [
    {"where": 5},
    {"where": {}},
    {"where": {"pid": os.getpid(), "attended": False}},
    {"where": {"pid": os.getpid(), "container": "docker"}},
    {"where": {"pid": -1}},
    {"where": {"pid": "1"}},
    {"status": ["permission"], "others": [{"status": "permission"}]},
    {"status": "crashed", "others": [{"status": "idle"}]},
]


@pytest.mark.parametrize("more", NOT_OURS, ids=range(len(NOT_OURS)))
def test_a_record_that_proves_nothing_does_not_count(near: Neighbours, more: dict[str, Any]) -> None:
    near.record(session(1), *asks(), **more)
    assert found(near) == Others([], [])


def test_a_record_whose_details_are_wrong_counts_without_them(near: Neighbours) -> None:
    near.record(session(1), *asks(), where={"pid": os.getpid(), "start": "x"}, project=5, since="y", detail=["z"])
    assert found(near) == Others([Waiting(session(1), "", "wants your approval")], [])


def test_records_that_cannot_be_read_are_counted(near: Neighbours) -> None:
    near.write(session(1), b'{"status":"permission"')
    near.write(session(2), b"x" * 70_000)
    near.write(session(3), b'["status":"idle"]')
    near.write(session(4), b'["\\"status\\":\\"idle\\""]')
    (near.state / "sessions" / "notes.txt").write_text("x")
    assert found(near) == Others([], [], 3)


def test_without_records_nobody_waits(near: Neighbours) -> None:
    assert found(near) == Others([], [])


def test_the_folder_of_claude_code_is_in_the_home_unless_it_was_moved(
    near: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = near.entry(session(1), "idle")
    set_variable(monkeypatch, "CLAUDE_CONFIG_DIR", "")
    assert names(near) == ([], [])
    (near.account / ".claude" / "sessions").mkdir(parents=True)
    entry.rename(near.account / ".claude" / "sessions" / entry.name)
    assert names(near) == ([], ["shop"])


WORDS = [
    (("permission", "Bash: ls"), "wants to run ls"),
    (("permission", "mcp__x__y: z"), "wants to use mcp__x__y: z"),
    (("permission", "Moon"), "wants to use Moon"),
    (("permission", ""), "wants your approval"),
    (("question", "Which?"), "asks: Which?"),
    (("question", "Question"), "has a question"),
    (("plan", "Plan approval"), "has a plan"),
    (("input", None), "needs input"),
]


@pytest.mark.parametrize(("given", "words"), WORDS)
def test_a_request_is_put_into_words(given: tuple[str, str], words: str) -> None:
    assert said(*given) == words


def test_one_session_in_two_terminals_is_what_each_client_does() -> None:
    other = {"where": {"pid": 2}, "status": "idle"}
    record: dict[str, Any] = {"where": {"pid": 1}, "status": "working", "others": [5, {"where": 7}, other]}
    assert run_of(record, 2) is other
    assert run_of(record, 1) is record
    assert run_of(record, None) is record
    assert run_of({"others": 5}, 1) == {"others": 5}


@pytest.mark.parametrize("tool", VERBS)
def test_a_request_has_the_words_of_the_tray(tool: str) -> None:
    for status, detail in (
        ("permission", f"{tool}: x"),
        ("question", "Which?"),
        ("plan", "Plan approval"),
        ("input", ""),
    ):
        assert said(status, detail) == headline(making.session(status=status, detail=detail))
