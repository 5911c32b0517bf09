"""Test the summary of a journal, and that reading lines without parsing them gives the same summary."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.history.summarise import KEPT, MOST_FILES, TIMELINE, summarise
from deskbell.history.summary import AgentRun, Failure, Files, Notification, Prompt, Summary, ToolUse
from tests.tray.journals import line, tool
from tests.tray.making import NOON

TASK = "<task-notification>\n<task-id>b1</task-id>"


def summary(*lines: bytes) -> Summary:
    return summarise([list(lines)])


def test_an_empty_journal_has_an_empty_summary() -> None:
    assert summary() == Summary(counts=dict.fromkeys(("prompts", "errors", "notifications", "agents"), 0))


def test_a_session_is_summarised_from_its_start_to_its_end() -> None:
    found = summary(
        line("SessionStart", 0, source="startup", model="claude-opus-5-5"),
        line("UserPromptSubmit", 1, prompt="Ship it\nplease"),
        tool("Read", 2, event="PreToolUse"),
        tool("Read", 3),
        tool("Edit", 4, file="/b.py"),
        tool("Read", 5),
        line("SubagentStart", 6, agent_id="g1", agent_type="Explore"),
        line("SubagentStop", 8, agent_id="g1", agent_type="Explore"),
        line("Notification", 9, notification_type="permission_prompt", message="Claude needs you"),
        tool("Bash", 10, event="PostToolUseFailure", error="Exit code 2"),
        line("Stop", 11, last_assistant_message="Done."),
        line("UserPromptSubmit", 12, prompt=TASK),
        line("SessionEnd", 13, reason="prompt_input_exit"),
    )
    assert (found.created, found.updated, found.active) == (NOON, NOON + 13, False)
    assert (found.title, found.cwd, found.model) == ("Ship it", "/home/person/api", "claude-opus-5-5")
    assert found.prompts == (Prompt(NOON + 1, "Ship it\nplease"),)
    assert found.tools == {"Read": ToolUse(2, 0, 4.0), "Bash": ToolUse(1, 1, 2.0), "Edit": ToolUse(1, 0, 2.0)}
    assert found.files == Files(edited=("/b.py",), read=("/a.py",))
    assert found.agents == (AgentRun("g1", "Explore", NOON + 6, NOON + 8),)
    context = {"subject": "make", "cwd": "/home/person/api"}
    assert found.errors == (Failure(NOON + 10, "Bash", "Exit code 2", context),)
    assert found.notifications == (Notification(NOON + 9, "permission_prompt", "Claude needs you"),)
    assert found.counts == {"prompts": 1, "errors": 1, "notifications": 1, "agents": 1}
    assert [phrase.event for phrase in found.timeline if "Tool" in phrase.event] == [
        *["PostToolUse"] * 3,
        "PostToolUseFailure",
    ]
    assert found.events["PreToolUse"] == 1


@pytest.mark.parametrize(
    ("lines", "active"),
    [
        ([line("Stop")], True),
        ([line("SessionStart"), line("SessionEnd", 1)], False),
        ([line("SessionStart"), line("SessionEnd", 1), line("SessionStart", 2)], True),
        ([line("SessionStart"), line("SessionEnd", 2), line("UserPromptSubmit", 1, prompt="overtaken")], False),
        ([line("SessionStart", pid=1), line("SessionStart", 1, pid=2), line("SessionEnd", 2, pid=2)], True),
        ([line("SessionStart", 9000), line("SessionEnd", 9001), line("SessionStart", 1)], True),  # after a reboot
    ],
)
def test_a_session_is_active_while_a_client_has_not_ended(lines: list[bytes], active: bool) -> None:
    assert summary(*lines).active is active


def test_a_client_that_is_known_to_have_died_does_not_keep_a_session_active() -> None:
    second = json.loads(line("SessionStart", 5, pid=2)) | {"gone": [{"pid": 1, "start": 1}]}
    lines = [line("SessionStart", pid=1), json.dumps(second).encode(), line("SessionEnd", 6, pid=2)]
    assert not summary(*lines).active


def test_a_compaction_adds_no_subagent() -> None:
    assert summary(line("SubagentStop", agent_id="x", agent_type="")).agents == ()


def test_an_interrupted_tool_is_not_an_error() -> None:
    found = summary(tool("Bash", event="PostToolUseFailure", error="stopped", is_interrupt=True))
    assert (found.errors, found.tools["Bash"].failed) == ((), 1)


def test_the_newest_are_kept_and_all_are_counted() -> None:
    found = summary(*(line("UserPromptSubmit", n, prompt=str(n)) for n in range(KEPT + 5)))
    assert (len(found.prompts), found.prompts[0].text, found.counts["prompts"]) == (KEPT, "5", KEPT + 5)
    assert len(found.timeline) == TIMELINE


GARBAGE = (b"", b"null", b"[" * 99_999, b"\xff\xfe", b"{}", b'{"v":1,"event":"PostToolUse","tool":"Ba', b'{"event":7}')
STRANGE = (
    b'{"v":1,"event":"PostToolUse","tool":"Bash","ms":' + b"9" * 400 + b',"at":1}',
    b'{"v":1,"event":"SessionStart","facts":[],"client":7,"gone":[1],"at":1}',
    b'{"v":1,"event":"Notification","facts":{"message":[]},"at":1}',
    b'{"v":2,"event":"FromTheFuture","new":{"a":1},"at":1}',
    b'{"v":1,"event":"PostToolUse","tool":"Read","file":"\\q","file_kind":"read","at":1}',
)


@pytest.mark.parametrize("garbage", [*GARBAGE, *STRANGE])
def test_a_line_that_cannot_be_read_spoils_no_other(garbage: bytes) -> None:
    before, after = line("UserPromptSubmit", 1, prompt="a"), tool("Read", 2)
    found = summary(before, garbage, after)
    assert found.prompts == summary(before, after).prompts
    assert found.tools["Read"].count >= 1
    assert found.unreadable + sum(found.events.values()) == 2 + bool(garbage)


TOOLS = st.sampled_from(["Bash", "Read", "Edit", "Write", "mcp__x__y", 'odd"tool', "back\\slash"])
TEXTS = st.sampled_from(["/a.py", "/ü.py", 'q"uote', "back\\", ',"tool":"X"', ',"error":"no"', "a\nb", "\ud800", ""])
LINES = st.one_of(
    st.builds(
        lambda name, given, second, error: tool(
            name, second, given={"file_path": given, "command": given}, **({"error": error} if error else {})
        ),
        TOOLS,
        TEXTS,
        st.integers(0, 9),
        st.sampled_from(["", "", "boom"]),
    ),
    st.sampled_from(
        [
            line("SessionStart", 1, source="startup"),
            line("UserPromptSubmit", 2, prompt='say "tool"'),
            line("SubagentStart", 3, agent_id="a", agent_type="t"),
            line("Stop", 4, last_assistant_message="x"),
            line("SessionEnd", 5, reason="other"),
            line("PostToolBatch", 6),
            tool("Bash", 7, event="PreToolUse"),
        ]
    ),
)


@given(st.lists(LINES, max_size=20))
def test_reading_without_parsing_gives_the_same_summary(lines: list[bytes]) -> None:
    slow = [json.dumps(json.loads(one), ensure_ascii=False).encode() for one in lines]
    assert summary(*lines) == summary(*slow)


@given(st.lists(LINES | st.sampled_from(GARBAGE), max_size=20), st.integers(1, 7))
def test_the_summary_does_not_depend_on_how_many_lines_come_at_once(lines: list[bytes], size: int) -> None:
    assert summarise(lines[n : n + size] for n in range(0, len(lines), size)) == summary(*lines)


def test_the_newest_agents_are_kept_and_all_are_counted() -> None:
    lines = (line("SubagentStart", n, agent_id=f"a{n}", agent_type="Explore") for n in range(KEPT + 2))
    found = summary(*lines)
    assert (len(found.agents), found.agents[0].id, found.counts["agents"]) == (KEPT, "a2", KEPT + 2)


@pytest.mark.long
def test_only_so_many_files_are_kept() -> None:
    first = [tool("Edit", number, file=f"/a/{number}.py") for number in range(MOST_FILES)]
    later = [tool("Edit", MOST_FILES, file=f"/b/{number}.py") for number in range(5)]
    found = summary(*first, *later)
    assert len(found.files.edited) == MOST_FILES
    assert found.tools["Edit"].count == MOST_FILES + 5


def test_a_subagent_without_an_id_is_not_counted() -> None:
    assert summary(line("SubagentStart"), line("SubagentStop")).counts["agents"] == 0


def test_a_subagent_that_stops_without_a_start_is_an_agent_without_a_start() -> None:
    found = summary(line("SubagentStop", 1, agent_id="g1", agent_type="Explore"))
    assert found.agents == (AgentRun("g1", "Explore", None, NOON + 1),)


def test_the_model_is_the_one_that_was_switched_to_last() -> None:
    found = summary(
        line("SessionStart", model="claude-opus-5-5"), line("PostModelSwitch", 1, to_model="claude-haiku-5-5")
    )
    assert found.model == "claude-haiku-5-5"


def test_an_api_error_is_counted_with_its_details() -> None:
    found = summary(line("StopFailure", 1, error="rate_limit", error_details="wait an hour"))
    assert found.errors == (
        Failure(NOON + 1, "rate_limit", "wait an hour", {"details": "wait an hour", "cwd": "/home/person/api"}),
    )
