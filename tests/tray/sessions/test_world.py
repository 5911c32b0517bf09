"""Records, registry and processes put together: which sessions are there, and which of them are one?"""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from deskbell.session import Session
from deskbell.sessions.world import World
from deskbell_hooks.client import process_start
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Record

T = 1_000_000.0


class Stage:
    """A machine on which clients start, speak and die."""

    def __init__(self, root: Path) -> None:
        self.sessions = root / "sessions"
        self.claude = root / "claude"
        self.sessions.mkdir()
        (self.claude / "sessions").mkdir(parents=True)
        self.records: dict[str, Record] = {}
        self.living: set[int] = set()
        self.told: list[str] = []
        self.world = self.another_world()

    def another_world(self) -> World:
        return World(self.sessions, lambda: [self.claude], self.told.append, alive=lambda pid, *_: pid in self.living)

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
        return self.world.read(T + at)

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


def test_a_session_that_no_hook_reported_is_there_all_the_same(stage: Stage) -> None:
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

    assert (session.title, session.project, session.pid, session.config_dir) == ("Fix it", "api", 7, str(stage.claude))


def test_one_id_in_two_terminals_is_two_sessions_with_a_status_each(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, pid=7, **prompt("a"))
    stage.hook("SessionStart", 2.0, pid=8, facts={"source": "resume"})
    stage.client("busy", 1.1, pid=7)
    stage.client("idle", 2.1, pid=8)

    assert stage.says(3) == {("s", 7): "working", ("s", 8): "idle"}


def test_a_client_that_was_killed_is_said_to_be_for_a_while_and_then_forgotten(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.client("busy", 1.1)
    stage.look(2)
    stage.living.clear()

    assert stage.says(50) == {("s", 7): "crashed"}
    assert stage.look(50.5)[0].since == T + 50
    assert stage.says(100) == {}


def test_the_long_dead_are_no_news_after_a_restart(stage: Stage) -> None:
    stage.hook("PermissionRequest", 1.0, tool="Bash", subject="x")
    stage.client("waiting", 1.1)
    stage.living.clear()

    assert stage.says(90_000) == {}


def test_one_who_looks_once_is_told_of_a_client_that_died_lately(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.client("busy", 1.1)
    stage.living.clear()

    def once(at: float) -> list[str]:
        world = World(stage.sessions, lambda: [stage.claude], fresh_for=600, alive=lambda *_: False)
        return [session.status for session in world.read(T + at)]

    assert once(300) == ["crashed"]
    assert once(3000) == []


def test_a_pid_that_another_program_got_is_not_the_client(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.look(2)
    stage.client("idle", 60, session="other", pid=7, procStart="9999")
    (one,) = [session for session in stage.look(61) if session.session_id == "other"]

    assert one.status == "idle"
    assert ("s", 7) not in {s.key for s in stage.look(61) if s.group != "ended"}


def test_a_client_that_removed_its_file_gets_time_to_say_goodbye(stage: Stage) -> None:
    stage.hook("Stop", 1.0, tasks=[])
    stage.client("idle", 1.1)
    stage.look(2)
    stage.leaves()
    stage.living.clear()

    assert stage.says(10) == {("s", 7): "idle"}
    assert stage.world.again == T + 12
    assert stage.says(12) == {("s", 7): "ended"}


def test_clear_ends_one_session_and_begins_another_in_the_same_client(stage: Stage) -> None:
    stage.hook("Stop", 1.0, session="old", tasks=[])
    stage.client("idle", 1.1, session="old")
    stage.look(2)
    stage.client("idle", 1.1, session="new")
    stage.hook("SessionStart", 3.0, session="new", facts={"source": "clear"})

    assert stage.says(10) == {("new", 7): "idle"} or stage.says(10)["old", 7] == "ended"  # type: ignore[index]


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


def test_an_account_that_only_a_session_tells_of_is_read_too(stage: Stage, tmp_path: Path) -> None:
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


def test_a_session_of_another_host_is_believed_until_a_day_of_silence(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, where={"host": "elsewhere"}, **prompt("a"))
    stage.living.clear()

    assert stage.says(3600) == {("s", 7): "working"}
    assert stage.look(9 * 3600)[0].stale
    assert stage.says(25 * 3600) == {}


def test_the_clock_may_step_back(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    stage.client("busy", 1.1)
    stage.look(5000)

    assert stage.says(-5000) == {("s", 7): "working"}


def test_what_did_not_change_is_the_same_value(stage: Stage) -> None:
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


def test_garbage_among_the_records_is_told_once_and_disturbs_nothing(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, **prompt("a"))
    noise = random.Random(3)
    kinds = [b"", b"{}", b"[]", b"null", b'{"session_id": 3}', b'{"v":1,"session_id":"x"}', b"\xff\xfe", b'{"v":1']
    for n in range(1000):
        path = stage.sessions / f"g{n}.json"
        path.write_bytes(noise.choice(kinds) + (noise.randbytes(20) if n % 2 else b""))
        os.utime(path, (T, T))

    assert stage.says(2) == stage.says(3) == {("s", 7): "working"}
    assert len(stage.told) == len(set(stage.told)) == 1000


def test_a_real_process_is_known_by_its_start(tmp_path: Path) -> None:
    from deskbell.sessions.processes import is_alive

    mine = os.getpid()

    assert is_alive(mine, process_start(mine), 0.0) or process_start(mine) is None
    assert not is_alive(mine, 1, 0.0) or process_start(mine) is None
    assert not is_alive(2**22 - 3, 1, 0.0)
