"""Test that the recorded runs of the real client, folded again, give the expected status after every hook.

The expected statuses are in `replays.txt`, one line for each hook.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Line, Record
from tests import captures
from tests.captures import Hook
from tests.hooks import recorder
from tests.hooks.pythons import by_every_python
from tests.hooks.said import line

RecordAfter = Callable[[Hook], Record]


def expected() -> dict[str, list[str]]:
    blocks = Path(__file__).with_name("replays.txt").read_text(encoding="utf-8").split("\n\n")[1:]
    return {block.split("\n")[0]: [" ".join(row.split()) for row in block.strip().split("\n")[1:]] for block in blocks}


REPLAYS = expected()


def hooks(name: str) -> list[Hook]:
    return [step for step in captures.steps(name) if isinstance(step, Hook)]


def replayed(name: str, record_after: RecordAfter) -> Iterator[tuple[Hook, str, Record]]:
    """Yield each hook, the letter of its session, and the record after it."""
    letters: dict[str, str] = {}
    for hook in hooks(name):
        letter = letters.setdefault(hook.event["session_id"], "ABCDEFG"[len(letters)])
        yield hook, letter, record_after(hook)


def rows(name: str, record_after: RecordAfter) -> list[str]:
    found: list[str] = []
    before: dict[str, str] = {}
    for hook, letter, record in replayed(name, record_after):
        says = " ".join(f"{record['status']} {record['detail']}".split())
        if hook.name == "MessageDisplay":
            assert says == before[letter]
        else:
            found.append(f"{letter} {hook.name} {says}")
        before[letter] = says
    return found


def in_process() -> RecordAfter:
    records: dict[str, Record] = {}

    def record_after(hook: Hook) -> Record:
        session = hook.event["session_id"]
        one = line_of(hook)
        known = [run["where"]["pid"] for run in (records.get(session, {}), *records.get(session, {}).get("others", []))
                 if "where" in run]  # fmt: skip
        if one["client"]["pid"] not in known:
            attended = hook.env.get("CLAUDE_CODE_SESSION_ATTENDED") != "0"
            one["where"] = {**one["client"], "attended": attended}  # type: ignore[typeddict-item]  # some of Where
        records[session] = fold(records.get(session), one, session)
        return records[session]

    return record_after


def line_of(hook: Hook) -> Line:
    one = line(dict(hook.event), round(hook.at * 1000) % 10**9, at=hook.at)
    return {**one, "client": {"pid": int(hook.env["CLAUDE_PID"]), "start": 1}}


def through_the_real_process(state: Path) -> RecordAfter:
    def record_after(hook: Hook) -> Record:
        recorder.run(state, dict(hook.event), {**hook.env, "CLAUDE_PID": str(os.getpid())})
        return recorder.read(state, hook.event["session_id"])

    return record_after


def test_every_recorded_run_has_its_expected_statuses() -> None:
    assert sorted(REPLAYS) == captures.names()


@pytest.mark.parametrize("name", captures.names())
def test_the_fold_gives_the_expected_status_after_every_hook(name: str) -> None:
    assert rows(name, in_process()) == REPLAYS[name]


REAL = ["clear", "compact", "elicitation", "perm_approve", "plan_mode", "print_tools", "slash_misc", "subagent"]


@pytest.mark.long
@by_every_python
@pytest.mark.parametrize("name", REAL)
def test_the_recorder_as_a_process_gives_the_same(name: str, tmp_path: Path) -> None:
    assert rows(name, through_the_real_process(tmp_path)) == REPLAYS[name]


def after(name: str, count: int, letter: str = "A") -> Record:
    """Return the record after so many hooks of a session, not counting MessageDisplay."""
    found = [r for hook, of, r in replayed(name, in_process()) if of == letter and hook.name != "MessageDisplay"]
    return found[count - 1]


def test_a_background_command_is_a_task_until_it_reports() -> None:
    tasks = after("bg_bash", 6)["tasks"]
    assert [(task["type"], task["description"]) for task in tasks] == [("shell", "Background run")]
    assert after("bg_bash", 7)["tasks"] == []


def test_a_subagent_runs_until_it_stops_and_its_calls_are_counted() -> None:
    running = after("subagent", 8)
    assert [(agent["type"], agent["status"]) for agent in running["agents"]] == [("general-purpose", "running")]
    assert [task["type"] for task in running["tasks"]] == ["subagent"]
    ended = after("subagent", 11)
    assert [agent["status"] for agent in ended["agents"]] == ["done"]
    assert (ended["tasks"], ended["counters"]["tools"]) == ([], {"Agent": 1, "Bash": 1})


def test_a_permission_names_its_tool_its_subject_and_its_call() -> None:
    (asked,) = after("perm_wait", 4)["pending"]
    assert (asked["kind"], asked["tool"], asked["subject"]) == ("permission", "Bash", "touch made-by-claude.txt")
    assert asked["use"].startswith("toolu_")
    assert after("perm_wait", 5)["pending"] == [asked]
    assert after("perm_approve", 6)["pending"] == []


def test_the_report_of_a_task_is_not_counted_as_a_prompt() -> None:
    record = after("subagent", 13)
    assert (record["turns"], record["counters"]["prompts"], record["prompt"]) == (1, 1, "SCENARIO:task go")


def test_every_error_is_counted_and_the_last_is_kept() -> None:
    record = after("api_errors", 19)
    assert (record["counters"]["errors"], record["last_error"]["kind"]) == (6, "max_output_tokens")


def test_a_failing_tool_is_an_error_of_the_session() -> None:
    record = after("tool_fail", 6)
    assert record["last_error"]["message"].startswith("Exit code 3")
    assert record["counters"]["tools"] == {"Bash": 1}


def test_the_project_is_where_the_session_started_and_cwd_follows_cd() -> None:
    record = after("slash_misc", 20)
    assert (record["start_cwd"], record["project"]) == ("/home/user/proj", "proj")
    assert record["cwd"] == "/home/user/proj/sub"


def test_a_resumed_session_continues_in_its_new_process() -> None:
    session = hooks("resume")[0].event["session_id"]
    pids = [int(hook.env["CLAUDE_PID"]) for hook in hooks("resume") if hook.event["session_id"] == session]
    record = after("resume", 12)
    assert (record["turns"], record["where"]["pid"], record["others"]) == (3, pids[-1], [])
    assert len(set(pids)) == 3


def test_in_print_mode_nothing_is_asked() -> None:
    assert all(not record["pending"] for _, _, record in replayed("print_tools", in_process()))
