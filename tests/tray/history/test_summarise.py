"""What does a journal tell of its session, and is what is told in haste the same as what is told with care?"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.history.summarise import KEPT, TIMELINE, chronicle
from deskbell.history.summary import AgentRun, Chronicle, Failure, Files, Prompt, Told, ToolUse
from tests.tray.journals import line, tool
from tests.tray.making import NOON

TASK = "<task-notification>\n<task-id>b1</task-id>"


def told(*lines: bytes) -> Chronicle:
    return chronicle([list(lines)])


def test_an_empty_journal_tells_nothing() -> None:
    assert told() == Chronicle(counts=dict.fromkeys(("prompts", "errors", "notifications", "agents"), 0))


def test_a_session_from_its_start_to_its_end() -> None:
    found = told(
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
    assert found.notifications == (Told(NOON + 9, "permission_prompt", "Claude needs you"),)
    assert found.counts == {"prompts": 1, "errors": 1, "notifications": 1, "agents": 1}
    assert [moment.event for moment in found.timeline if "Tool" in moment.event] == [
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
def test_whether_somebody_still_runs_it(lines: list[bytes], active: bool) -> None:
    assert told(*lines).active is active


def test_a_client_that_is_known_to_have_died_does_not_keep_a_session_active() -> None:
    second = json.loads(line("SessionStart", 5, pid=2)) | {"gone": [{"pid": 1, "start": 1}]}
    lines = [line("SessionStart", pid=1), json.dumps(second).encode(), line("SessionEnd", 6, pid=2)]
    assert not told(*lines).active


def test_compaction_ends_no_subagent_that_never_started() -> None:
    assert told(line("SubagentStop", agent_id="x", agent_type="")).agents == ()


def test_an_interrupted_tool_is_no_error() -> None:
    found = told(tool("Bash", event="PostToolUseFailure", error="stopped", is_interrupt=True))
    assert (found.errors, found.tools["Bash"].failed) == ((), 1)


def test_only_the_newest_is_kept_and_all_is_counted() -> None:
    found = told(*(line("UserPromptSubmit", n, prompt=str(n)) for n in range(KEPT + 5)))
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
def test_what_makes_no_sense_disturbs_nothing_else(garbage: bytes) -> None:
    before, after = line("UserPromptSubmit", 1, prompt="a"), tool("Read", 2)
    found = told(before, garbage, after)
    assert found.prompts == told(before, after).prompts
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
def test_haste_tells_the_same_as_care(lines: list[bytes]) -> None:
    slow = [json.dumps(json.loads(one), ensure_ascii=False).encode() for one in lines]
    assert told(*lines) == told(*slow)


@given(st.lists(LINES | st.sampled_from(GARBAGE), max_size=20), st.integers(1, 7))
def test_it_does_not_matter_how_many_lines_come_at_once(lines: list[bytes], size: int) -> None:
    assert chronicle(lines[n : n + size] for n in range(0, len(lines), size)) == told(*lines)
