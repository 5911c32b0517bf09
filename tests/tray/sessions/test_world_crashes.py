"""Test how a running look and a fresh one show crashed and suspended sessions."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from deskbell.board import board
from deskbell.session import Session
from deskbell.sessions.crashes import DAY, SEEN_FOR
from tests.tray.sessions.test_world import Stage, T, prompt
from tests.tray.sessions.transcript_lines import answered, asked


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def shown(sessions: list[Session], at: float) -> list[tuple[str, int | None, str, float]]:
    """What the board shows: the id, the pid, the status and since when, from the start of the story."""
    return [(s.session_id, s.pid, s.status, s.since - T) for s in board(sessions, T + at).sessions]


def both(stage: Stage, at: float) -> list[tuple[str, int | None, str, float]]:
    """What a running look and a fresh one show, which is the same."""
    running, fresh = stage.look(at), stage.fresh(at)
    assert shown(running, at) == shown(fresh, at)
    assert [(s.kept_until, s.name, s.reason) for s in running] == [(s.kept_until, s.name, s.reason) for s in fresh]
    return shown(running, at)


def written_at(at: float) -> str:
    return datetime.fromtimestamp(T + at, UTC).isoformat().replace("+00:00", "Z")


def works(stage: Stage, at: float = 1.0, pid: int = 7) -> None:
    stage.hook("UserPromptSubmit", at, pid=pid, **prompt("Fix it"))
    stage.client("busy", at + 0.1, pid=pid)


CRASHED_AT_50 = [("s", 7, "crashed", 50.0)]


def test_a_crash_that_was_seen_to_happen_stays_for_a_day_with_its_time(stage: Stage) -> None:
    works(stage)
    stage.look(2)
    stage.killed()

    for at in (50, 80, 3600, 50 + DAY - 1):
        assert both(stage, at) == CRASHED_AT_50
    assert both(stage, 50 + DAY) == []
    assert both(stage, 50 + DAY + 3600) == []


def test_a_crash_is_on_the_board_after_a_restart_and_after_another_client_cleared_the_registry(stage: Stage) -> None:
    works(stage)
    stage.look(2)
    stage.killed()
    stage.look(50)
    stage.leaves()

    assert both(stage, 60) == CRASHED_AT_50
    stage.world = stage.another_world()
    assert both(stage, 70) == CRASHED_AT_50


@pytest.mark.parametrize(
    ("event", "registry", "line", "since"),
    [
        (30.0, 1.1, None, 30.0),
        (1.0, 30.0, None, 30.0),
        (1.0, 1.1, 30.0, 30.0),
        (30.0, 20.0, 10.0, 30.0),
        (30.0, 20.0, 40.0, 40.0),
    ],
)
def test_a_crash_that_nobody_saw_is_dated_by_what_its_client_last_did(
    stage: Stage, event: float, registry: float, line: float | None, since: float
) -> None:
    path = stage.transcript(*([] if line is None else [answered("a", timestamp=written_at(line))]))
    stage.hook("UserPromptSubmit", event, transcript=str(path), **prompt("Fix it"))
    stage.client("busy", registry)
    stage.killed()

    for at in (60, 300, 3000):
        assert shown(stage.fresh(at), at) == [("s", 7, "crashed", since)]
    assert both(stage, 4000) == [("s", 7, "crashed", since)]


def test_a_client_is_taken_to_have_died_with_the_machine_at_the_latest(stage: Stage) -> None:
    """Another client wrote into the transcript after the restart."""
    path = stage.transcript(answered("a", timestamp=written_at(500)))
    stage.hook("UserPromptSubmit", 1.0, transcript=str(path), **prompt("Fix it"))
    stage.client("busy", 1.1)
    stage.killed()
    stage.booted = T + 400

    assert both(stage, 600) == [("s", 7, "crashed", 400.0)]


def test_a_session_that_ran_when_the_machine_went_down_is_shown_for_a_day_after_the_start(stage: Stage) -> None:
    works(stage)
    stage.killed()
    monday = 2.5 * DAY
    stage.booted = T + monday

    assert both(stage, monday + 60) == [("s", 7, "crashed", pytest.approx(1.1))]
    assert both(stage, monday + DAY + 1) == []


def test_a_crash_of_long_ago_is_not_shown(stage: Stage) -> None:
    works(stage)
    stage.killed()
    assert both(stage, DAY + 10) == []


def test_the_crash_of_a_session_without_hooks_is_shown(stage: Stage) -> None:
    stage.client("busy", 1.0)
    stage.killed()
    (session,) = stage.fresh(60)

    assert both(stage, 60) == [("s", 7, "crashed", 1.0)]
    assert (session.project, session.kind, session.cwd) == ("web", "interactive", "/home/x/web")


def test_a_crash_keeps_the_words_of_the_transcript(stage: Stage) -> None:
    path = stage.transcript(answered("Almost there", timestamp=written_at(2)))
    stage.hook("UserPromptSubmit", 1.0, transcript=str(path), **prompt("Fix it"))
    stage.client("busy", 1.1)
    (before,) = stage.look(3)
    stage.killed()
    (after,) = stage.look(50)

    assert (after.last_line, after.branch, after.model) == (before.last_line, before.branch, before.model)
    assert (after.last_line, after.branch) == ("Almost there", "main")
    assert both(stage, 60) == CRASHED_AT_50


@pytest.mark.parametrize("deed", ["dismissed", "seen"])
def test_a_crash_that_was_seen_leaves_every_look_and_does_not_come_back(stage: Stage, deed: str) -> None:
    works(stage)
    stage.look(2)
    stage.killed()
    sessions = stage.look(50)
    if deed == "dismissed":
        stage.crashes.dismiss(sessions, T + 60)
    else:
        stage.crashes.see(sessions, T + 60)
        assert both(stage, 60 + SEEN_FOR - 1) == CRASHED_AT_50

    later = 60 + SEEN_FOR
    assert both(stage, later) == []
    stage.world = stage.another_world()
    assert both(stage, later + 1) == []
    stage.leaves()
    assert both(stage, later + 2) == []


@pytest.mark.parametrize("is_swept", [True, False])
def test_a_crash_that_was_dismissed_does_not_come_back_when_its_record_is_deleted(stage: Stage, is_swept: bool) -> None:
    works(stage)
    stage.look(2)
    stage.killed()
    stage.crashes.dismiss(stage.look(50), T + 60)
    (stage.sessions / "s.json").unlink()
    if is_swept:
        stage.leaves()
    assert both(stage, 70) == []
    stage.world = stage.another_world()
    assert both(stage, 80) == []


def test_a_session_that_is_resumed_leaves_at_once_and_does_not_come_back(stage: Stage) -> None:
    works(stage)
    stage.look(2)
    stage.killed()
    stage.look(50)
    stage.hook("SessionStart", 60.0, pid=8, facts={"source": "resume"}, gone=[{"pid": 7, "start": 7}])
    stage.client("idle", 60.1, pid=8)

    assert both(stage, 61) == [("s", 8, "idle", 60.0)]
    stage.hook("SessionEnd", 70.0, pid=8)
    stage.leaves(8)
    stage.living.discard(8)
    assert both(stage, 71) == [("s", 8, "ended", 70.0)]
    assert both(stage, 90) == []


@pytest.mark.parametrize("hooks", [True, False])
def test_a_session_that_was_resumed_and_ended_while_nobody_looked_has_not_crashed(stage: Stage, hooks: bool) -> None:
    if hooks:
        works(stage)
    else:
        stage.client("busy", 1.1)
    stage.killed()
    stage.hook("SessionStart", 60.0, pid=8, facts={"source": "resume"}, gone=[{"pid": 7, "start": 7}])
    stage.hook("SessionEnd", 70.0, pid=8)
    stage.living.discard(8)

    assert both(stage, 90) == []


def test_a_session_that_crashed_again_after_it_was_resumed_is_shown_once(stage: Stage) -> None:
    works(stage)
    stage.look(2)
    stage.killed()
    stage.look(50)
    works(stage, 60.0, pid=8)
    stage.look(61)
    stage.killed(8)

    assert both(stage, 70) == [("s", 8, "crashed", 70.0)]
    assert both(stage, 90) == [("s", 8, "crashed", 70.0)]


@pytest.mark.parametrize("kind", [{"entrypoint": "sdk-cli"}, {"kind": "bg"}])
def test_the_crash_of_a_client_without_a_terminal_does_not_stay(stage: Stage, kind: dict[str, str]) -> None:
    stage.client("busy", 1.0, **kind)
    stage.look(2)
    stage.killed()

    assert [session.status for session in stage.look(50)] == ["crashed"]
    assert stage.look(70) == []
    assert stage.fresh(70) == []
    assert stage.crashes.known() == {}


def test_a_client_at_its_prompt_that_removed_its_file_has_exited_though_its_session_end_was_lost(stage: Stage) -> None:
    works(stage)
    stage.hook("Stop", 2.0, tasks=[])
    stage.look(2)
    stage.leaves()
    stage.killed()

    assert shown(stage.look(3), 3) == [("s", 7, "ended", 3.0)]
    assert [session.status for session in stage.fresh(3)] == ["ended"]
    assert both(stage, 60) == []


def test_a_client_that_died_in_its_turn_has_crashed_though_another_client_cleared_the_registry(stage: Stage) -> None:
    works(stage)
    stage.look(2)
    stage.leaves()
    stage.killed()

    assert shown(stage.look(3), 3) == [("s", 7, "working", 1.0)]  # a SessionEnd may still arrive
    assert shown(stage.look(7.4), 7.4) == [("s", 7, "working", 1.0)]  # even late
    assert shown(stage.look(7.5), 7.5) == [("s", 7, "crashed", 3.0)]
    assert both(stage, 60) == [("s", 7, "crashed", 3.0)]


def test_a_client_that_died_in_its_turn_while_nobody_looked_has_crashed(stage: Stage) -> None:
    works(stage)
    stage.leaves()
    stage.killed()
    assert both(stage, 60) == [("s", 7, "crashed", 1.0)]


def test_a_client_whose_turn_was_over_has_exited_though_its_last_hooks_were_lost(stage: Stage) -> None:
    path = stage.transcript(asked("Fix it", timestamp=written_at(1)), answered("Done", timestamp=written_at(9)))
    stage.hook("UserPromptSubmit", 1.0, transcript=str(path), **prompt("Fix it"))
    stage.client("idle", 9.1)
    stage.leaves()
    stage.killed()
    assert both(stage, 60) == []


def test_the_crash_of_a_session_without_hooks_stays_though_another_client_cleared_the_registry(stage: Stage) -> None:
    path = stage.transcript(asked("Fix it", timestamp=written_at(1)), answered("Almost there", timestamp=written_at(2)))
    stage.client("busy", 1.0, startedAt=int(T * 1000), name="My own", nameSource="user")
    stage.look(2)
    stage.killed()
    (before,) = stage.look(50)
    stage.leaves()

    for world in (stage.world, stage.another_world()):
        stage.world = world
        assert both(stage, 60) == CRASHED_AT_50
        (after,) = stage.look(60)
        assert (after.title, after.cwd, after.started, after.config_dir) == (
            "My own",
            "/home/x/web",
            T,
            str(stage.claude),
        )
        assert (after.transcript_path, after.last_line) == (str(path), "Almost there")
        assert (after.project, after.kind, after.prompt) == (before.project, before.kind, before.prompt)
    stage.crashes.dismiss(stage.look(70), T + 70)
    assert both(stage, 80) == []


def test_a_session_without_hooks_that_was_resumed_does_not_come_back_from_what_was_noted(stage: Stage) -> None:
    stage.client("busy", 1.0)
    stage.look(2)
    stage.killed()
    stage.look(50)
    stage.leaves()
    stage.client("busy", 60, pid=8)
    assert both(stage, 61) == [("s", 8, "working", 60.0)]
    stage.leaves(8)
    stage.living.discard(8)
    stage.look(62)
    assert both(stage, 90) == []


def in_two_terminals(stage: Stage) -> None:
    """Client 8 asks; client 7, which began before it, is at its prompt."""
    stage.hook("SessionStart", 0.0, facts={"source": "resume"})
    stage.client("idle", 0.1)
    stage.hook("SessionStart", 2.0, pid=8, facts={"source": "resume"})
    works(stage, 20.0, pid=8)
    stage.hook("PermissionRequest", 20.5, pid=8, tool="Bash", subject="touch b")
    stage.client("waiting", 20.5, pid=8, waitingFor="permission prompt")
    stage.look(21)


def test_the_crash_of_one_of_two_clients_of_a_session_is_shown_beside_the_other(stage: Stage) -> None:
    in_two_terminals(stage)
    stage.killed(8)
    expected = [("s", 7, "idle", 0.0), ("s", 8, "crashed", 25.0)]
    assert both(stage, 25) == expected
    works(stage, 30.0, pid=7)
    assert [one[:3] for one in both(stage, 31)] == [("s", 7, "working"), ("s", 8, "crashed")]
    stage.hook("SessionEnd", 40.0, pid=7)
    stage.leaves()
    stage.living.discard(7)
    assert ("s", 8, "crashed", 25.0) in shown(stage.look(41), 41)
    assert both(stage, 60) == [("s", 8, "crashed", 25.0)]


def test_the_crash_of_one_of_two_clients_leaves_when_a_third_resumes_the_session(stage: Stage) -> None:
    in_two_terminals(stage)
    stage.killed(8)
    stage.look(25)
    stage.hook("SessionStart", 30.0, pid=9, facts={"source": "resume"})
    stage.client("idle", 30.1, pid=9)
    assert [one[:2] for one in both(stage, 31)] == [("s", 7), ("s", 9)]


@pytest.mark.parametrize(("at", "detail"), [(None, "Bash: old"), (20.0, "")])
def test_the_detail_of_a_crash_is_of_the_turn_in_which_it_happened(stage: Stage, at: float | None, detail: str) -> None:
    lines = [asked("Fix it", timestamp=written_at(1)), answered("Done", timestamp=written_at(9))]
    path = stage.transcript(*lines, *([asked("New", timestamp=written_at(at))] if at else []))
    stage.hook("UserPromptSubmit", 1.0, transcript=str(path), **prompt("Fix it"))
    stage.hook("PreToolUse", 2.0, tool="Bash", subject="old", use="u1")
    stage.client("busy", 20)
    stage.look(24)
    stage.killed()
    assert [one.detail for one in (*stage.look(26), *stage.fresh(26))] == [detail] * 2


def test_a_client_of_an_account_without_a_registry_has_crashed(stage: Stage) -> None:
    works(stage)
    stage.leaves()
    stage.killed()
    (stage.claude / "sessions").rmdir()

    assert both(stage, 60) == [("s", 7, "crashed", 1.0)]


def test_a_process_that_had_gone_on_with_another_session_crashes_with_that_one_alone(stage: Stage) -> None:
    """/clear, and its SessionEnd was lost."""
    stage.hook("UserPromptSubmit", 1.0, session="old", **prompt("a"))
    stage.hook("SessionStart", 9.0, session="new", facts={"source": "clear"})
    stage.client("idle", 9.1, session="new")
    stage.killed()

    assert both(stage, 60) == [("new", 7, "crashed", pytest.approx(9.1))]
    stage.leaves()
    assert both(stage, 70) == [("new", 7, "crashed", pytest.approx(9.1))]


def test_a_process_whose_newest_session_no_hook_reported_crashes_with_that_one_alone(stage: Stage) -> None:
    """/clear, and the hooks are silent from then on."""
    stage.hook("UserPromptSubmit", 1.0, session="old", **prompt("a"))
    stage.client("idle", 9.1, session="new")
    stage.look(12)
    stage.killed()

    for look in (stage.fresh, stage.look):
        assert [one.session_id for one in look(50) if one.status == "crashed"] == ["new"]


def test_a_session_that_its_process_left_long_ago_does_not_crash_when_that_exits(stage: Stage) -> None:
    """Another terminal ran it meanwhile, and no hook told of the exit."""
    stage.hook("Stop", 1.0, session="old", tasks=[])
    stage.client("idle", 9.1, session="new")
    stage.client("idle", 9.2, session="old", pid=8)
    for at in (12, 40):
        assert ("old", 7, "crashed") not in [one[:3] for one in both(stage, at)]
    stage.leaves(8)
    stage.killed(8)
    stage.look(41)
    stage.leaves()
    stage.look(50)
    stage.killed()

    for at in (51, 60):
        looks = [*stage.look(at), *stage.fresh(at)]
        assert {session.status for session in looks} <= {"ended"}


def test_a_client_that_exits_as_the_program_starts_has_not_crashed(stage: Stage) -> None:
    """Its file in the registry is gone before its process is, and its SessionEnd is lost."""
    stage.hook("Stop", 1.0, tasks=[])
    path = stage.transcript()
    stage.hook("Stop", 2.0, tasks=[], transcript=str(path))
    stage.leaves()
    stage.look(50)
    stage.killed()

    for at in (50.6, 60):
        assert {session.status for session in stage.look(at)} == {"ended"}
    assert stage.fresh(60) == []


def test_another_client_with_the_pid_of_a_crashed_one_is_another_client(stage: Stage) -> None:
    works(stage)
    stage.look(2)
    stage.killed()
    stage.look(50)
    stage.leaves()
    stage.world = stage.another_world()
    record = stage.records["s"]
    stage.hook("UserPromptSubmit", 100.0, session="other", where={"start": 99}, **prompt("b"))
    stage.client("busy", 100.1, session="other", procStart="99")
    stage.world = stage.another_world()

    assert record["where"]["start"] == 7
    assert {one[0] for one in shown(stage.look(101), 101)} >= {"other"}


def test_a_session_that_said_goodbye_and_left_its_registry_file_behind_has_not_crashed(stage: Stage) -> None:
    works(stage)
    stage.hook("SessionEnd", 9.0)
    stage.killed()
    for at in (20, 60):
        assert shown(stage.fresh(at), at) == []
    assert both(stage, 90) == []


def test_two_crashes_at_once_are_two_rows(stage: Stage) -> None:
    for n in (1, 2):
        stage.hook("UserPromptSubmit", n, session=f"s{n}", pid=n, **prompt("a"))
        stage.client("busy", n, session=f"s{n}", pid=n)
    stage.look(5)
    stage.living.clear()

    assert sorted(both(stage, 50)) == [("s1", 1, "crashed", 50.0), ("s2", 2, "crashed", 50.0)]


def test_a_session_of_another_host_never_crashes(stage: Stage) -> None:
    stage.hook("UserPromptSubmit", 1.0, where={"host": "elsewhere"}, **prompt("a"))
    stage.living.clear()
    assert [one[2] for one in both(stage, 60)] == ["working"]


def test_what_a_crash_did_last_is_its_detail(stage: Stage) -> None:
    works(stage)
    stage.hook("PreToolUse", 2.0, tool="Bash", subject="make test", use="u1")
    stage.look(3)
    stage.killed()
    assert [session.detail for session in (*stage.look(50), *stage.fresh(50))] == ["Bash: make test"] * 2


def test_a_crash_is_not_looked_at_again_when_its_day_is_over(stage: Stage) -> None:
    asked: list[int] = []
    works(stage)
    stage.look(2)
    stage.killed()
    stage.look(50)
    stage.leaves()
    world = stage.another_world()
    world._processes._ask = lambda pid, *_: bool(asked.append(pid))  # type: ignore[func-returns-value]
    for at in (60 + DAY, 70 + DAY, 80 + DAY):
        world.read(T + at)
    assert asked == [7, 7, 7]


# Suspended


def test_a_suspended_client_is_what_it_was_and_says_that_it_is_suspended(stage: Stage) -> None:
    works(stage)
    stage.hook("PermissionRequest", 2.0, tool="Bash", subject="npm publish")
    stage.client("waiting", 2.0)
    (before,) = stage.look(3)
    stage.stopped.add(7)
    (suspended,) = stage.look(10)
    stage.stopped.clear()
    (woken,) = stage.look(20)

    assert (before.status, suspended.status, suspended.suspended) == ("permission", "permission", True)
    assert suspended.reason == f"{before.reason}; its client is suspended: type fg in its terminal"
    assert (suspended.since, suspended.detail, suspended.group) == (before.since, before.detail, before.group)
    assert woken == before


def test_a_suspended_client_without_hooks_says_so_too(stage: Stage) -> None:
    stage.client("busy", 1.0)
    stage.stopped.add(7)
    assert [session.suspended for session in (*stage.look(2), *stage.fresh(2))] == [True, True]


def test_nothing_is_read_again_because_a_client_is_suspended(stage: Stage) -> None:
    """No wake reports a stopped process: the next reading finds it."""
    stage.client("idle", 1.0)
    stage.stopped.add(7)
    stage.look(9)
    assert stage.world.again is None


def test_a_suspended_client_that_is_killed_has_crashed_and_is_not_suspended(stage: Stage) -> None:
    works(stage)
    stage.stopped.add(7)
    stage.look(2)
    stage.killed()
    assert [(session.status, session.suspended) for session in stage.look(50)] == [("crashed", False)]
