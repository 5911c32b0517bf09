"""Test the sessions of a machine, merged from records, registry and processes."""

import json
import os
import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.notices.notice import notice
from deskbell.notices.policy import Policy
from deskbell.session import Session
from deskbell.sessions.contract import as_json
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.examined import REREAD_AFTER
from deskbell.sessions.folder import FIRST_PAUSE
from deskbell.sessions.here import Here
from deskbell.sessions.liveness import INITIAL_PIDS, LOST_AFTER
from deskbell.sessions.turns import GRACE
from deskbell.sessions.world import FORGOTTEN_AFTER, World
from deskbell_hooks.client import process_start
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Record
from tests.limits import no_descriptors
from tests.tray.sessions.transcript_lines import asked, line

T = 1_000_000.0
NAMES = [*get_type_hints(Record), "pid", "start", "at", "kind", "tool", "id", "type", "description", "message"]
ENTRY_NAMES = [
    *("status", "statusUpdatedAt", "updatedAt", "startedAt", "procStart", "cwd", "kind", "entrypoint", "name"),
    *("nameSource", "version", "waitingFor"),
]


class Stage:
    """A machine on which clients start, send events and die."""

    def __init__(self, root: Path) -> None:
        self.sessions = root / "sessions"
        self.claude = root / "claude"
        self.sessions.mkdir()
        (self.claude / "sessions").mkdir(parents=True)
        self.records: dict[str, Record] = {}
        self.living: set[int] = set()
        self.stopped: set[int] = set()
        self.booted = T - 1000
        self.crashes = CrashFile(root / "state")
        self.reported: list[str] = []
        self.world = self.another_world()

    def another_world(self) -> World:
        return self.world_of()

    def world_of(
        self,
        heard: Callable[[int], bool] = lambda pid: False,
        alive: Callable[..., bool] | None = None,
        **more: Any,
    ) -> World:
        """HEARD says of which processes the end is reported."""
        return World(
            self.sessions,
            lambda: [self.claude],
            self.reported.append,
            alive=alive or (lambda pid, *_: pid in self.living),
            suspended=lambda pid: pid in self.stopped,
            crashes=self.crashes.known,
            booted=lambda: self.booted,
            heard=heard,
            **more,
        )

    def hook(self, name: str, at: float, session: str = "s", pid: int = 7, **fields: Any) -> None:
        self.living.add(pid)
        where = {"pid": pid, "start": pid, "attended": True, **fields.pop("where", {})}
        client = {"pid": pid, "start": pid}
        line: Any = {"v": 1, "event": name, "at": T + at, "order": int((T + at) * 1000), "client": client, **fields}
        if self.records.get(session, {}).get("where", {}).get("pid") != pid:
            line["where"] = where
        self.records[session] = fold(self.records.get(session), line, session)
        self._put(self.sessions / f"{session}.json", encode(self.records[session]))

    def client(self, status: str, at: float, session: str = "s", pid: int = 7, **fields: Any) -> None:
        self.living.add(pid)
        entry = {"pid": pid, "sessionId": session, "procStart": str(pid), "cwd": "/home/x/web", "kind": "interactive"}
        entry |= {"status": status, "statusUpdatedAt": int((T + at) * 1000), **fields}
        self._put(self.claude / "sessions" / f"{pid}.json", json.dumps(entry).encode())

    def leaves(self, pid: int = 7) -> None:
        (self.claude / "sessions" / f"{pid}.json").unlink(missing_ok=True)

    def look(self, at: float) -> list[Session]:
        """Look as the program does, and note what crashed."""
        sessions = self.world.read(T + at)
        self.crashes.follow(sessions, T + at)
        return sessions

    def fresh(self, at: float) -> list[Session]:
        """Look as `deskbell list` does, and as the program does after a restart."""
        return self.another_world().read(T + at)

    def killed(self, pid: int = 7) -> None:
        """It leaves its file in the registry behind."""
        self.living.discard(pid)

    def transcript(self, *lines: bytes) -> Path:
        """Write a transcript of the session."""
        path = self.claude / "projects" / "-home-x-web" / "s.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(one + b"\n" for one in lines))
        return path

    def says(self, at: float) -> dict[tuple[str, int | None], str]:
        return {session.key: session.status for session in self.look(at)}

    def _put(self, path: Path, data: bytes) -> None:
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(data)
        os.utime(temporary, (T, T))
        temporary.replace(path)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def prompt(text: str) -> dict[str, Any]:
    return {"facts": {"prompt": text}, "cwd": "/home/x/api"}


def test_a_session_without_hooks_is_listed_from_the_registry(stage: Stage) -> None:
    stage.client("busy", 1.0)
    (session,) = stage.look(2)

    assert (session.status, session.project, session.cwd, session.kind) == (
        "working",
        "web",
        "/home/x/web",
        "interactive",
    )


def test_hooks_and_registry_of_one_client_are_one_session(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("Fix it"))
    stage.client("busy", 1.1)
    (session,) = stage.look(2)

    assert (session.name, session.project, session.pid, session.config_dir) == ("Fix it", "api", 7, str(stage.claude))


def test_a_session_without_a_title_is_called_by_its_newest_prompt(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("Fix it"))
    stage.hook("Stop", 2.0)
    stage.hook("UserPromptSubmit", 3.0, **prompt("Now ship it"))
    (session,) = stage.look(4)

    assert (session.title, session.name) == ("", "Now ship it")


def test_one_id_in_two_terminals_is_two_sessions(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, pid=7, **prompt("a"))
    stage.hook("SessionStart", 2.0, pid=8, facts={"source": "resume"})
    stage.client("busy", 1.1, pid=7)
    stage.client("idle", 2.1, pid=8)

    assert stage.says(3) == {("s", 7): "working", ("s", 8): "idle"}


def test_an_interrupt_in_one_terminal_is_not_one_in_the_other(stage: Stage) -> None:
    lines = [asked("a"), line("user", 30, message={"role": "user", "content": "[Request interrupted by user]"})]
    transcript = stage.sessions / "conversation.jsonl"
    transcript.write_bytes(b"\n".join(lines) + b"\n")
    interrupted = datetime(2026, 11, 18, 10, 0, 30, tzinfo=UTC).timestamp() - T
    stage.hook("UserPromptSubmit", interrupted - 20, pid=7, transcript=str(transcript), **prompt("a"))
    stage.client("busy", interrupted - 20, pid=7)
    stage.hook("UserPromptSubmit", interrupted - 10, pid=8, transcript=str(transcript), **prompt("b"))
    stage.client("idle", interrupted + 0.05, pid=8)

    assert stage.says(interrupted + 1) == {("s", 7): "working", ("s", 8): "interrupted"}
    stage.client("idle", interrupted + 9, pid=7)
    assert stage.says(interrupted + 10)["s", 8] == "interrupted"


def test_another_program_with_the_pid_is_not_the_client(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.look(2)
    stage.client("idle", 60, session="other", pid=7, procStart="9999")
    (one,) = [session for session in stage.look(61) if session.session_id == "other"]

    assert one.status == "new"
    assert ("s", 7) not in {s.key for s in stage.look(61) if s.group != "ended"}


def test_a_client_that_removed_its_file_and_is_gone_has_ended_before_its_session_end_comes(stage: Stage) -> None:
    stage.hook("Stop", 1.0, tasks=[])
    stage.client("idle", 1.1)
    stage.look(2)
    stage.leaves()
    stage.living.clear()

    assert stage.says(10) == {("s", 7): "ended"}
    stage.hook("SessionEnd", 9.9)
    assert stage.says(10.5) == {("s", 7): "ended"}


def test_clear_ends_one_session_and_starts_another_in_the_same_client(stage: Stage) -> None:
    stage.hook("Stop", 1.0, session="old", tasks=[])
    stage.client("idle", 1.1, session="old")
    stage.look(2)
    stage.client("idle", 1.1, session="new")
    stage.hook("SessionStart", 3.0, session="new", facts={"source": "clear"})

    assert stage.says(10) == {("new", 7): "idle"} or stage.says(10)["old", 7] == "ended"  # type: ignore[index]


def test_a_session_that_was_left_unheard_has_not_crashed_when_its_client_exits_later(stage: Stage) -> None:
    stage.hook("SessionStart", 0.0, session="old")
    stage.client("idle", 0.1, session="old")
    stage.look(1)
    stage.client("idle", 2.0, session="new")
    stage.look(3)
    stage.leaves()
    stage.killed()
    stage.look(10)
    assert {one.status for one in stage.look(20)} == {"ended"}


def test_a_session_that_was_left_unheard_in_a_turn_has_ended_as_soon_as_its_client_has(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 0.0, session="old", **prompt("a"))
    stage.client("busy", 0.1, session="old")
    stage.look(1)
    stage.client("idle", 2.0, session="new")
    stage.look(3)
    stage.leaves()
    stage.killed()
    assert [one.status for one in stage.look(3.5) if one.session_id == "old"] == ["ended"]


def test_a_client_whose_file_was_gone_long_before_its_end_has_crashed(stage: Stage) -> None:
    stage.hook("Stop", 1.0, tasks=[])
    stage.client("idle", 1.1)
    stage.look(2)
    stage.leaves()
    stage.look(3)
    stage.killed()
    stage.look(10)
    assert [one.status for one in stage.look(20)] == ["crashed"]


def test_a_client_that_exits_does_not_come_back_to_a_session_that_it_left(stage: Stage) -> None:
    stage.hook("Stop", 1.0, session="old", tasks=[])
    stage.hook("SessionStart", 3.0, session="new", facts={"source": "clear"})
    stage.client("idle", 3.0, session="new")
    assert stage.says(10)["old", 7] == "ended"
    stage.leaves()
    for look in (stage.look, stage.fresh):
        assert {one.session_id: one.status for one in look(10.1)}["old"] == "ended"


def test_a_session_that_goes_on_in_another_client_has_not_ended(stage: Stage) -> None:
    stage.hook("Stop", 1.0, tasks=[])
    stage.client("idle", 1.1)
    stage.look(2)
    stage.hook("SessionEnd", 3.0)
    stage.leaves()
    stage.living.discard(7)
    stage.hook("SessionStart", 4.0, pid=8, facts={"source": "resume"})
    stage.client("idle", 4.1, pid=8)

    assert stage.says(5) == {("s", 8): "idle"}


def test_an_account_that_only_a_record_names_is_read_too(stage: Stage, tmp_path: Path) -> None:
    other = tmp_path / "work account"
    (other / "sessions").mkdir(parents=True)
    stage.hook("UserPromptSubmit", 1.0, transcript=f"{other}/projects/-home-x-api/s.jsonl", **prompt("a"))
    stage.client("idle", 1.0)
    (stage.claude / "sessions" / "7.json").rename(other / "sessions" / "7.json")
    (session,) = stage.look(2)

    assert session.config_dir == str(other)
    assert other in stage.world.config_dirs


def test_print_runs_are_hidden_and_sessions_in_the_background_are_not(stage: Stage) -> None:
    stage.hook("SessionStart", 1.0, session="p", pid=7, where={"attended": False})
    stage.client("busy", 1.0, session="p", pid=7, entrypoint="sdk-cli")
    stage.client("busy", 1.0, session="b", pid=8, kind="bg", entrypoint="sdk-cli")
    hidden = {session.session_id: (session.hidden, session.kind) for session in stage.look(2)}

    assert hidden == {"p": (True, "print"), "b": (False, "background")}


HERE = Here("laptop", "machine-1", "boot-1", INITIAL_PIDS)
AT_HOME = {"host": "laptop", "machine": "machine-1", "boot": "boot-1", "pids": INITIAL_PIDS}
BOXED = {**AT_HOME, "pids": "pid:[77]"}
PLACES: dict[str, tuple[dict[str, Any], bool, str | None]] = {
    "this machine": (AT_HOME, True, "working"),
    "this machine, dead": (AT_HOME, False, "crashed"),
    "this machine, under another name": ({**AT_HOME, "host": "laptop.dhcp"}, True, "working"),
    "this machine, under another name, dead": ({**AT_HOME, "host": "laptop.dhcp"}, False, "crashed"),
    "an earlier start of this machine": ({**AT_HOME, "boot": "boot-0"}, False, "crashed"),
    "a container with a machine id of its own": ({**AT_HOME, "machine": "m2"}, True, "working"),
    "another machine": ({**AT_HOME, "machine": "m2", "boot": "b2"}, True, "lost"),
    "another machine of the same name, dead": ({**AT_HOME, "machine": "m2", "boot": "b2"}, False, "lost"),
    "an older record": ({"host": "laptop"}, False, "crashed"),
    "an older record, under another name": ({"host": "laptop.dhcp"}, True, "working"),
    "an older record, of another machine": ({"host": "elsewhere"}, False, "lost"),
    "an older record of another machine without a start": ({"host": "elsewhere", "start": None}, True, "lost"),
    "no name": ({}, False, "crashed"),
    "another pid namespace, where it is seen": (BOXED, True, "working"),
    "another pid namespace, where it is not seen": (BOXED, False, "crashed"),
    "another pid namespace of another machine": ({**BOXED, "machine": "m2", "boot": "b2"}, False, "lost"),
}


@pytest.mark.parametrize(("where", "alive", "said"), PLACES.values(), ids=PLACES)
def test_whose_number_a_pid_is(stage: Stage, where: dict[str, Any], alive: bool, said: str | None) -> None:
    """A process of the same number here says nothing of a client in another namespace or on another machine."""
    stage.hook("UserPromptSubmit", 1.0, where=where, **prompt("a"))
    boxed = where.get("pids") == BOXED["pids"]
    stage.living = {7} if alive is not boxed else set()
    world = stage.world_of(
        this=lambda: HERE, find=lambda pid, start, pids: 4007 if alive and pids == "pid:[77]" else None
    )
    found = world.read(T + 60)

    assert ["lost" if one.lost else one.status for one in found] == [said]


def test_a_client_of_another_machine_is_listed_for_an_hour_and_can_be_dismissed_until_it_is_heard_again(
    stage: Stage,
) -> None:
    def says(at: float) -> list[str]:
        return [one.status for one in stage.world_of(this=lambda: HERE).read(T + at)]

    stage.hook("PermissionRequest", 1.0, where={**AT_HOME, "machine": "m2", "boot": "b2"}, tool="Bash", subject="make")
    assert (says(60), says(LOST_AFTER), says(LOST_AFTER + 2)) == (["permission"], ["permission"], [])
    (lost,) = stage.world_of(this=lambda: HERE).read(T + 60)
    stage.crashes.dismiss([lost], T + 61)
    assert says(62) == []
    stage.hook("PreToolUse", 70.0, tool="Bash", subject="make", use="u")
    assert says(71) == ["permission"]


ENTRIES: dict[str, tuple[str, bool, float, list[str]]] = {
    "this namespace": (f"linux:machine-1:{INITIAL_PIDS}", True, 60, ["working"]),
    "another one": ("linux:machine-1:pid:[77]", True, 60, ["working"]),
    "another one, dead": ("linux:machine-1:pid:[77]", False, 60, ["crashed"]),
    "another machine": ("linux:m2:pid:[77]", False, 60, ["working"]),
    "another machine, in its initial namespace": (f"linux:m2:{INITIAL_PIDS}", False, 60, ["working"]),
    "another machine, old": ("linux:m2:pid:[77]", False, LOST_AFTER + 2, []),
    "a container on this machine, old": ("linux:m2:pid:[77]", True, LOST_AFTER + 2, ["working"]),
}


@pytest.mark.parametrize(("domain", "alive", "at", "said"), ENTRIES.values(), ids=ENTRIES)
def test_whose_number_the_registry_names(stage: Stage, domain: str, alive: bool, at: float, said: list[str]) -> None:
    stage.client("busy", 1.0, pidDomain=domain)
    boxed = "77" in domain
    stage.living = {7} if alive is not boxed else set()
    stage.stopped = {7} if boxed else set()
    world = stage.world_of(this=lambda: HERE, find=lambda pid, start, pids: 4007 if alive else None)
    found = world.read(T + at)

    assert [(one.status, one.suspended) for one in found] == [(status, False) for status in said]


def test_a_session_says_the_present_name_of_this_machine(stage: Stage) -> None:
    stage.hook("SessionStart", 1.0, where={**AT_HOME, "host": "laptop.dhcp"})
    assert [one.host for one in stage.world_of(this=lambda: HERE).read(T + 2)] == ["laptop"]
    stage.hook("SessionStart", 1.0, session="t", pid=8, where={"host": "elsewhere", "machine": "m2"})
    assert sorted(str(one.host) for one in stage.world_of(this=lambda: HERE).read(T + 3)) == ["elsewhere", "laptop"]


def test_a_process_that_could_not_be_asked_about_is_solved_once_it_can(stage: Stage) -> None:
    answers: list[Exception | None] = [PermissionError(13, "Permission denied"), None]

    def alive(*_: object) -> bool:
        if error := answers[0]:
            raise error
        return True

    stage.client("busy", 1.0)
    world = stage.world_of(alive=alive)
    world.read(T + 2)
    world.read(T + 3)
    assert len(stage.reported) == 1
    answers.reverse()
    world.read(T + 4)
    answers.reverse()
    world.read(T + 5)
    assert len(stage.reported) == 2


def test_the_clock_may_step_back(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.client("busy", 1.1)
    stage.look(5000)

    assert stage.says(-5000) == {("s", 7): "working"}


def test_a_session_that_did_not_change_is_the_same_object(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.client("busy", 1.1)

    assert stage.look(2)[0] is stage.look(3)[0]


def test_two_worlds_agree(stage: Stage) -> None:
    for n in range(20):
        stage.hook("UserPromptSubmit", n, session=f"s{n}", pid=100 + n, **prompt("a"))
        stage.client(random.Random(n).choice(["busy", "idle"]), n + 0.5, session=f"s{n}", pid=100 + n)
        stage.look(n + 1)

    fresh = stage.another_world().read(T + 60)
    assert sorted(stage.look(60), key=str) == sorted(fresh, key=str)


@pytest.mark.long
def test_a_thousand_bad_records_are_reported_once_and_do_not_affect_a_good_one(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    noise = random.Random(3)
    kinds = [b"", b"{}", b"[]", b"null", b'{"session_id": 3}', b'{"v":1,"session_id":"x"}', b"\xff\xfe", b'{"v":1']
    for n in range(1000):
        path = stage.sessions / f"g{n}.json"
        path.write_bytes(noise.choice(kinds) + (noise.randbytes(20) if n % 2 else b""))
        os.utime(path, (T, T))

    assert stage.says(2) == stage.says(3) == {("s", 7): "working"}
    assert len(stage.reported) == len(set(stage.reported)) == 1000


BAD_ENTRIES = {
    "nested too deep": b"[" * 100_000,
    "a time of 400 digits": b'{"pid":8,"sessionId":"x","status":"idle","statusUpdatedAt":1' + b"0" * 400 + b"}",
    "a start of 5000 digits": b'{"pid":8,"sessionId":"x","procStart":' + b"9" * 5000 + b"}",
    "infinite": b'{"pid":8,"sessionId":"x","status":"idle","statusUpdatedAt":Infinity,"startedAt":NaN}',
    "a NUL in its folder": b'{"pid":8,"sessionId":"x","status":"busy","cwd":"/a\\u0000b"}',
    "a lone surrogate": b'{"pid":8,"sessionId":"x","status":"busy","cwd":"/\\ud800","name":"\\ud800","nameSource":"user"}',
}


@pytest.mark.parametrize("data", BAD_ENTRIES.values(), ids=BAD_ENTRIES)
def test_a_bad_registry_file_does_not_affect_the_others(stage: Stage, data: bytes) -> None:
    stage.client("busy", 1.0)
    stage.living.add(8)
    path = stage.claude / "sessions" / "8.json"
    path.write_bytes(data)
    os.utime(path, (T, T))

    assert stage.says(2)["s", 7] == "working"
    assert json.dumps([as_json(session) for session in stage.look(3)], allow_nan=False)
    assert len(stage.reported) <= 1


BAD_RECORDS: dict[str, dict[str, Any]] = {
    "a negative process id": {"where": {"pid": -1, "start": None, "attended": True}},
    "a huge process id": {"where": {"pid": 10**12, "start": None, "attended": True}},
    "no process id": {"where": {"host": "x"}},
    "no requests": {"pending": None},
    "an infinite time": {"turn_started": float("inf")},
    "a NUL in its account": {"config_dir": "/a\0b"},
    "a NUL in its transcript": {"transcript": "/a\0/projects/x/b.jsonl"},
    "another client of which nothing is known": {"others": [{}]},
    "another client with a negative process id": {"others": [{"where": {"pid": -1}}]},
    "an agent without an id": {"agents": [{"status": "running"}], "turn": "idle", "status": "background"},
    "a task without a type": {"tasks": [{}], "turn": "idle", "status": "background"},
    "an error that is not a text": {"last_error": {"message": [1]}},
    "a list of tasks of one number": {"todo": [1]},
}


@pytest.mark.parametrize("fields", BAD_RECORDS.values(), ids=BAD_RECORDS)
def test_a_bad_record_does_not_affect_the_others(stage: Stage, fields: dict[str, Any]) -> None:
    world = World(stage.sessions, lambda: [stage.claude], stage.reported.append)  # it asks the system itself
    pid, start = os.getpid(), process_start(os.getpid())
    stage.hook("UserPromptSubmit", 1.0, session="bad", pid=8, **prompt("a"))
    stage.hook("UserPromptSubmit", 1.0, session="good", pid=pid, where={"start": start}, **prompt("b"))
    record = {**stage.records["bad"], **fields}
    data = json.dumps({name: value for name, value in record.items() if value is not None}).encode()
    path = stage.sessions / "bad.json"
    path.write_bytes(data)
    os.utime(path, (T, T))

    for now in (2, 3):
        sessions = {session.session_id: session for session in world.read(T + now)}
        assert sessions["good"].status == "working"
        assert json.dumps([as_json(session) for session in sessions.values()], allow_nan=False)
    assert len(stage.reported) <= 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.uncounted
@given(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=5), st.dictionaries(st.sampled_from(ENTRY_NAMES), JSON))
def test_whatever_a_record_and_an_entry_hold_the_others_are_listed(
    fields: dict[str, Any], entry: dict[str, Any]
) -> None:
    with TemporaryDirectory() as root:
        stage = Stage(Path(root))
        stage.hook("UserPromptSubmit", 1.0, session="good", **prompt("a"))
        stage.hook("UserPromptSubmit", 1.0, session="bad", pid=8, **prompt("a"))
        (stage.sessions / "bad.json").write_text(json.dumps({**stage.records["bad"], **fields}))
        (stage.claude / "sessions" / "9.json").write_text(json.dumps({"sessionId": "e", "pid": 9, **entry}))
        stage.living.add(9)

        for now in (2, 3):
            sessions = stage.look(now)
            assert [session.status for session in sessions if session.session_id == "good"] == ["working"]
            assert json.dumps([as_json(session) for session in sessions], allow_nan=False)


class Broken:
    """A system that raises when it is asked for one process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def __call__(self, pid: int, start: int | None, heard_at: float) -> bool:
        if pid == self.pid:
            raise RuntimeError("out of order\nand more")
        return True


def test_a_session_that_cannot_be_examined_is_reported_once_and_does_not_affect_the_others(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, session="bad", pid=8, **prompt("a"))
    stage.hook("UserPromptSubmit", 1.0, session="good", pid=7, **prompt("a"))
    world = World(stage.sessions, lambda: [stage.claude], stage.reported.append, alive=Broken(8))

    world.read(T + 2)
    bad, good = sorted(world.read(T + 3), key=lambda one: str(one.session_id))
    why = "cannot be examined (RuntimeError: out of order)"
    assert (bad.session_id, bad.project, bad.status, bad.detail) == ("bad", "api", "working", why)
    assert (good.session_id, good.detail) == ("good", "Thinking")
    assert stage.reported == [f"session bad {why}. Deskbell goes on without it."]


def test_an_old_session_that_cannot_be_examined_is_not_listed(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, session="bad", pid=8, **prompt("a"))
    world = World(stage.sessions, lambda: [stage.claude], stage.reported.append, alive=Broken(8))
    assert world.read(T + FORGOTTEN_AFTER + 2) == []


def test_a_session_that_could_not_be_examined_is_shown_as_soon_as_it_can_be(stage: Stage) -> None:
    system = Broken(8)
    stage.hook("UserPromptSubmit", 1.0, pid=8, **prompt("a"))
    world = World(stage.sessions, lambda: [stage.claude], stage.reported.append, alive=system)
    world.read(T + 2)
    system.pid = 0
    assert [session.detail for session in world.read(T + 3)] == ["Thinking"]


def test_a_session_that_cannot_be_shown_keeps_its_status_and_is_reported_once(stage: Stage) -> None:
    tried: list[str] = []

    def probe(session: Session, now: float) -> None:
        tried.append(session.detail)
        if session.title == "boom":
            raise LookupError("no words")

    ask = {"tool": "Bash", "subject": "npm publish"}
    stage.hook("PermissionRequest", 1.0, session="bad", pid=8, **prompt("a"), **ask)
    stage.client("waiting", 1.0, session="bad", pid=8, waitingFor="approve Bash", name="boom", nameSource="user")
    stage.hook("UserPromptSubmit", 1.0, session="good", pid=7, **prompt("a"))
    world = World(stage.sessions, lambda: [stage.claude], stage.reported.append, alive=lambda *_: True, probe=probe)
    for now in (2, 3, 4):
        shown = {session.session_id: session for session in world.read(T + now)}
    why = "cannot be shown (LookupError: no words)"
    assert (shown["bad"].status, shown["bad"].detail, shown["bad"].title) == ("permission", why, "")
    assert shown["good"].detail == "Thinking"
    assert stage.reported == [f"session bad {why}. Deskbell goes on without it."]
    assert len(tried) == 3, "a session that has not changed is not tried again"

    stage.client("waiting", 1.0, session="bad", pid=8, waitingFor="approve Bash", name="web 2", nameSource="user")
    assert {session.title for session in world.read(T + 5)} >= {"web 2"}


def test_a_session_that_cannot_be_examined_any_more_stays_as_it_was(stage: Stage) -> None:
    system = Broken(0)
    stage.hook("UserPromptSubmit", 1.0, pid=8, **prompt("a"))
    world = World(stage.sessions, lambda: [stage.claude], stage.reported.append, alive=system)
    before = world.read(T + 2)
    system.pid = 8

    assert world.read(T + 4) == before
    assert len(stage.reported) == 1


def test_a_registry_entry_whose_process_cannot_be_asked_for_does_not_affect_the_others(stage: Stage) -> None:
    stage.client("busy", 1.0, session="bad", pid=8)
    stage.client("busy", 1.0, session="good", pid=7)
    world = World(stage.sessions, lambda: [stage.claude], stage.reported.append, alive=Broken(8))

    assert "good" in [session.session_id for session in world.read(T + 2)]
    assert stage.reported == [
        "process 8 cannot be read (RuntimeError: out of order). Deskbell goes on without it.",
    ]


def test_a_world_of_clients_at_rest_is_read_again_only_when_something_changes(stage: Stage) -> None:
    assert stage.world.again is None
    stage.client("idle", 1.0)
    stage.look(9)
    assert stage.world.again is None


def test_a_verdict_that_time_may_change_is_asked_for_again(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0)
    stage.client("idle", 5.0)
    stage.look(5.2)
    assert stage.world.again == T + 5.0 + GRACE


def test_a_transcript_that_alone_can_show_an_interrupt_is_read_every_half_second(stage: Stage) -> None:
    stage.hook("PreToolUse", 1.0, tool="Bash", subject="make", use="u")
    stage.client("busy", 1.1)
    stage.look(3)
    assert stage.world.again is None

    stage.hook("SubagentStart", 4.0, agent="a1", agent_type="Explore")
    stage.look(5)
    assert stage.world.again == T + 5 + REREAD_AFTER
    stage.look(6)
    assert stage.world.again == T + 6 + REREAD_AFTER


def test_the_earliest_moment_decides_when_to_read_again(stage: Stage) -> None:
    stage.client("busy", 1.0, "unheard", 8)
    stage.hook("UserPromptSubmit", 1.0)
    stage.client("idle", 4.7)
    stage.look(5)
    assert stage.world.again == pytest.approx(T + 4.7 + GRACE)
    stage.look(5.25)
    assert stage.world.again == pytest.approx(T + 4.7 + GRACE)
    stage.look(5.5)
    assert stage.world.again == T + 5.5 + REREAD_AFTER


def test_a_turn_whose_prompt_is_not_recorded_yet_does_not_begin_with_the_turn_before(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.hook("Stop", 3.0, tasks=[])
    stage.client("idle", 3.1)
    stage.look(4)
    stage.client("busy", 14.1)

    (session,) = stage.look(14.15)
    assert (session.status, session.turn_started) == ("working", T + 14.1)

    stage.hook("UserPromptSubmit", 14.12, **prompt("b"))
    stage.hook("Stop", 14.2, tasks=[])
    stage.client("idle", 14.25)
    (session,) = stage.look(16)
    assert (session.status, session.turn_started) == ("idle", T + 14.12)
    assert session.last_turn_seconds == pytest.approx(0.08)


def test_a_turn_that_no_hook_reports_takes_its_times_from_the_transcript(stage: Stage) -> None:
    lines = stage.claude / "projects" / "-home-x-web" / "s.jsonl"
    lines.parent.mkdir(parents=True)
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"), transcript=str(lines))
    stage.hook("Stop", 3.0, tasks=[])
    stage.client("idle", 3.1)
    assert stage.look(4)[0].last_turn_seconds == 2.0
    stamps = [datetime.fromtimestamp(T + at, UTC).isoformat() for at in (20.0, 60.0)]
    words = [{"type": "text", "text": "done"}]
    lines.write_text(
        json.dumps({"type": "user", "timestamp": stamps[0], "message": {"content": "b"}})
        + "\n"
        + json.dumps(
            {"type": "assistant", "timestamp": stamps[1], "message": {"content": words, "stop_reason": "end_turn"}}
        )
        + "\n"
    )
    stage.client("idle", 60.1)

    (session,) = stage.look(70)
    assert (session.status, session.turn_started) == ("idle", T + 20)
    assert session.last_turn_seconds == pytest.approx(40.0)
    assert stage.world.silent == {("s", 7)}


def test_a_client_is_silent_whose_prompt_no_hook_reported_from_the_first_one_on(stage: Stage) -> None:
    lines = stage.claude / "projects" / "-home-x-web" / "s.jsonl"
    lines.parent.mkdir(parents=True)
    stage.client("idle", 1.0)
    stage.look(2)
    assert stage.world.silent == frozenset()
    prompted = datetime.fromtimestamp(T + 3, UTC).isoformat()
    lines.write_text(json.dumps({"type": "user", "timestamp": prompted, "message": {"content": "b"}}) + "\n")
    stage.client("busy", 3.1)
    stage.look(4)
    assert stage.world.silent == {("s", 7)}


@pytest.mark.parametrize("seconds", [0.5, 1.5, 60.0])
def test_a_notification_of_a_turn_that_no_hook_reported_says_nothing_of_the_turn_before(
    stage: Stage, seconds: float
) -> None:
    """From the first moment on, not only once the hooks count as silent."""
    lines = stage.claude / "projects" / "-home-x-web" / "s.jsonl"
    lines.parent.mkdir(parents=True)
    stage.hook("UserPromptSubmit", 1.0, **prompt("OLD prompt"), transcript=str(lines))
    stage.hook("PostToolUseFailure", 2.0, tool="Bash", subject="OLD command", use="u", error="OLD error")
    stage.hook("Stop", 3.0, tasks=[], facts={"last_assistant_message": "OLD answer"})
    stage.client("idle", 3.1)
    stamp = datetime.fromtimestamp(T + 20, UTC).isoformat()
    failed = {"role": "assistant", "content": [{"type": "text", "text": "API Error: 529 Overloaded"}]}
    rows: list[dict[str, Any]] = [
        {"type": "user", "timestamp": stamp, "message": {"content": "new prompt"}},
        {"type": "assistant", "timestamp": stamp, "message": failed, "isApiErrorMessage": True},
    ]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for status, waiting_for in (("waiting", "permission prompt"), ("idle", None)):
        stage.client(status, 20.1, waitingFor=waiting_for)
        (session,) = stage.look(20.1 + seconds)
        shown = notice(session, Policy(), "at once", T + 30)
        assert "OLD" not in shown.title + shown.body
        assert "You asked: new prompt\n" in shown.body
    if seconds == 60.0:
        assert shown.title == "api failed: API Error: 529 Overloaded"


def test_every_look_knows_when_the_person_answered_in_the_turn_that_runs(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1, **prompt("Fix it"))
    stage.hook("PreToolUse", 2, tool="Bash", subject="make", use="u1")
    stage.hook("PermissionRequest", 2.1, tool="Bash", subject="make")
    stage.client("waiting", 2.15, waitingFor="permission prompt")
    stage.look(3)
    stage.client("busy", 30)
    assert [one.person_at for one in (*stage.look(31), *stage.fresh(31))] == [T + 30] * 2


def test_a_look_that_saw_a_dialog_of_the_persons_own_knows_when_they_left_it(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1, **prompt("Fix it"))
    stage.hook("Stop", 9, tasks=[{"id": "b", "type": "shell", "status": "running", "description": "serve"}])
    for status, at in (("shell", 9.1), ("waiting", 28), ("shell", 29)):
        stage.client(status, at, **({"waitingFor": "dialog open"} if status == "waiting" else {}))
        (one,) = stage.look(at + 0.1)
    assert (one.status, one.person_at) == ("background", T + 29)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_what_cannot_be_read_for_the_moment_is_read_again_soon_though_nothing_changes(stage: Stage) -> None:
    stage.client("idle", 1.0)
    before = stage.look(2)
    with no_descriptors():
        assert stage.look(3) == before
    assert stage.world.again == pytest.approx(T + 3 + FIRST_PAUSE, abs=0.1)
    assert stage.look(4) == before
    assert stage.world.again is None


def test_sessions_that_name_one_process_are_all_shown_where_no_registry_says_which_of_them_it_runs(
    stage: Stage,
) -> None:
    (stage.claude / "sessions").rmdir()
    for number, session in enumerate(("a", "b", "c")):
        stage.hook("UserPromptSubmit", 1.0 + number, session=session, **prompt("go"))
    for look in (stage.look, stage.fresh):
        assert {one.session_id: one.status for one in look(5)} == dict.fromkeys("abc", "working")


def test_after_the_first_of_two_requests_is_approved_only_the_open_one_is_named_and_no_file_wakes_the_reader(
    stage: Stage,
) -> None:
    running: list[tuple[int, str]] = []
    for at, agent, command in ((2.0, "a1", "touch made.txt"), (2.1, "a2", "touch right.txt")):
        stage.hook("PermissionRequest", at, tool="Bash", subject=command, agent=agent, agent_type="x")
    stage.client("waiting", 2.2, waitingFor="permission prompt")
    world = stage.world_of(commands=lambda pid: running)
    assert [one.detail for one in world.read(T + 9)] == ["Bash: touch made.txt, or touch right.txt"]
    assert world.again == T + 9 + REREAD_AFTER
    running.append((10**9, "/bin/bash -c eval 'touch made.txt' < /dev/null"))
    assert [one.detail for one in world.read(T + 9 + REREAD_AFTER)] == ["Bash: touch right.txt"]
    boxed = stage.world_of(commands=lambda pid: running, this=lambda: Here(pids="pid:[5]"), find=lambda *_: 8)
    stage.client("waiting", 2.2, waitingFor="permission prompt", pidDomain="linux:m:pid:[77]")
    assert [one.detail for one in boxed.read(T + 9)] == ["Bash: touch made.txt, or touch right.txt"]


def test_when_somebody_sets_the_clock_back_nothing_waits_until_it_has_caught_up(stage: Stage) -> None:
    elapsed = [100.0]
    world = stage.world_of(elapsed=lambda: elapsed[0])

    def says(at: float, after: float) -> tuple[list[str], bool]:
        elapsed[0] += after
        found = world.read(T + at)
        return [one.reason for one in found], world.again is not None and world.again < T + at + 3

    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.client("busy", 1.1)
    assert says(2, 0)[0] == ["the hooks and the registry agree"]
    stage.leaves()
    assert says(3, 1) == (["its client is exiting"], True)
    assert says(-596, 1) == (["its client is exiting"], True)
    assert says(-590, 6)[0] == ["the hooks say so"]


def test_an_interrupt_after_the_clock_was_set_back_is_seen(stage: Stage) -> None:
    elapsed = [500.0]
    where = {"boot": "boot-1"}
    world = stage.world_of(elapsed=lambda: elapsed[0], this=lambda: Here(boot="boot-1"))
    stage.hook("UserPromptSubmit", 500.0, where=where, zero=T, **prompt("a"))
    stage.client("busy", 500.1)
    elapsed[0] = 501.0
    assert [one.status for one in world.read(T + 501)] == ["working"]
    elapsed[0] = 510.0
    stage.client("idle", 10.0 - GRACE)
    for look in (world, stage.world_of(elapsed=lambda: elapsed[0], this=lambda: Here(boot="boot-1"))):
        (one,) = look.read(T + 10)
        assert (one.status, one.since) == ("interrupted", T + 10 - GRACE)


def test_the_record_of_a_session_that_goes_on_elsewhere_is_put_onto_the_clock_too(stage: Stage) -> None:
    stage.hook("SessionEnd", 900.0, where={"boot": "boot-1"}, zero=T, facts={"reason": "other"})
    stage.client("idle", 12.0, pid=8)
    stage.killed(7)
    world = stage.world_of(elapsed=lambda: 915.0, this=lambda: Here(boot="boot-1"))
    assert [(one.pid, one.status) for one in world.read(T + 15)] == [(8, "new")]


def test_a_session_under_remote_control_asks_its_person_although_no_terminal_shows_it(stage: Stage) -> None:
    nobody = {"attended": False, "entrypoint": "sdk-cli"}
    stage.hook("UserPromptSubmit", 1.0, where=nobody, **prompt("a"))
    stage.hook("PreToolUse", 2.0, tool="Bash", subject="make", use="u")
    stage.hook("PermissionRequest", 2.1, tool="Bash", subject="make")
    stage.client("waiting", 2.2, entrypoint="sdk-cli", bridgeSessionId="b1", waitingFor="permission prompt")
    (one,) = stage.look(3)
    assert (one.status, one.detail, one.hidden, one.kind) == ("permission", "Bash: make", False, "interactive")


def test_a_spare_client_is_nobodys_until_it_is_claimed(stage: Stage) -> None:
    stage.hook("SessionStart", 1.0, where={"attended": False, "entrypoint": "cli"})
    stage.client("idle", 1.1, kind="bg", entrypoint="cli", spare=True)
    assert [one.hidden for one in stage.look(2)] == [True]
    stage.client("busy", 3.0, kind="bg", entrypoint="cli")
    assert [(one.hidden, one.kind) for one in stage.look(4)] == [(False, "background")]
