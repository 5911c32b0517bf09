"""Test that the transcripts of the demo are read as those of the real client are."""

from pathlib import Path

from deskbell.demo.afternoon import AFTERNOON
from deskbell.demo.scenes import Event
from deskbell.demo.transcript import Transcript, agent_of
from deskbell.sessions.transcript import Tail, Transcripts
from tests.tray.making import NOON


def read(tmp_path: Path, *events: Event, interrupted: bool = False) -> Tail:
    transcript, path = Transcript("s-1", "main"), tmp_path / "t.jsonl"
    lines = [line for at, event in enumerate(events) for line in transcript.lines(event, NOON + at)]
    path.write_bytes(b"".join([*lines, *(transcript.interrupted(NOON + 99) if interrupted else [])]))
    return Transcripts().read(str(path))


PROMPT = {"hook_event_name": "UserPromptSubmit", "prompt": "Ship it"}
ASKS = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "ls"}}
RAN = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "t1"}
STOP = {"hook_event_name": "Stop", "last_assistant_message": "Shipped."}


def test_a_turn_has_a_prompt_a_branch_tokens_and_a_last_line(tmp_path: Path) -> None:
    tail = read(tmp_path, PROMPT, ASKS, RAN, STOP)
    assert (tail.prompt, tail.branch, tail.last_line) == ("Ship it", "main", "Shipped.")
    assert tail.finished_at == NOON + 3
    assert tail.output_tokens
    assert tail.cost_usd
    assert tail.context_percent


def test_a_tool_that_waits_has_no_result(tmp_path: Path) -> None:
    assert read(tmp_path, PROMPT, ASKS).calls == {"t1"}
    assert read(tmp_path, PROMPT, ASKS, RAN).calls == frozenset()


def test_an_interrupt_is_noted(tmp_path: Path) -> None:
    tail = read(tmp_path, PROMPT, ASKS, interrupted=True)
    assert tail.interrupted_at == NOON + 99
    assert "t1" in tail.results


def test_an_error_is_noted(tmp_path: Path) -> None:
    failed = {"hook_event_name": "StopFailure", "last_assistant_message": "Wait a while."}
    assert read(tmp_path, PROMPT, failed).error == "Wait a while."


def test_a_list_of_tasks_is_counted(tmp_path: Path) -> None:
    todos = [{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"}]
    assert read(tmp_path, PROMPT, ASKS | {"tool_name": "TodoWrite", "tool_input": {"todos": todos}}).todo == (1, 2)


def test_what_the_client_does_not_write_adds_nothing(tmp_path: Path) -> None:
    transcript = Transcript("s-1", "main")
    for name in ("SessionStart", "PermissionRequest", "SubagentStart", "SessionEnd", "Elicitation"):
        assert list(transcript.lines({"hook_event_name": name}, NOON)) == []


def test_the_answer_of_a_subagent_counts_for_its_session(tmp_path: Path) -> None:
    folder = tmp_path / "t" / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_bytes(b"".join(Transcript("s-1", "main", "a1").lines(STOP, NOON)))
    alone, both = read(tmp_path, PROMPT), Transcripts().read(str(tmp_path / "t.jsonl"))
    assert (alone.output_tokens or 0) == (both.output_tokens or 0) > 0


def test_every_subagent_of_the_afternoon_ends_with_its_id() -> None:
    events = [event for moment in AFTERNOON for event in moment.events]
    assert len({agent_of(event) for event in events} - {""}) == 3
