"""Test what is read from the hooks, the registry and the transcript of a part."""

import pytest

from tests.client.contract.seen import Missing, Part, Run, Unseen, parsed, stamp, written


def hook(at: float, name: str, **fields: object) -> dict[str, object]:
    return {"at": at, "hook": {"hook_event_name": name, **fields}, "env": {}, "process": {}}


def change(at: float, status: str | None, since: int = 0, pid: int = 7) -> dict[str, object]:
    return {"at": at, "registry": f"{pid}.json", "content": {"status": status, "statusUpdatedAt": since}}


def line(at: float, kind: str, *content: dict[str, object] | str, **fields: object) -> dict[str, object]:
    given = content[0] if content and isinstance(content[0], str) else [*content]
    return {"at": at, "session": "s", "line": {"type": kind, "message": {"content": given}, **fields}}


PART = Part(
    "a turn",
    "turns",
    7,
    1.0,
    hooks=(hook(1.0, "PreToolUse", tool_name="Bash"), hook(2.0, "PreToolUse", tool_name="Read"), hook(3.0, "Stop")),
    changes=(
        change(1.1, "busy", 1000),
        change(1.2, "busy", 1000),
        change(1.3, "waiting", 1300, pid=8),
        change(2.0, "idle", 1900),
        change(2.5, "busy", 2400),
        {"at": 3.0, "registry": "7.json", "content": None},
    ),
    lines=(
        line(1.0, "user", "go", timestamp="2026-11-18T21:35:25.500Z"),
        line(
            2.0, "user", {"type": "tool_result", "tool_use_id": "t1", "content": "done"}, {"type": "text", "text": "so"}
        ),
    ),
)


def test_events_and_statuses_are_told_in_their_order() -> None:
    assert PART.fired == "PreToolUse, PreToolUse, Stop"
    assert PART.statuses == "busy, idle, busy, gone"
    assert (Part("", "", 7, 0.0).fired, Part("", "", 7, 0.0).statuses) == ("nothing", "nothing")


def test_an_event_is_found_by_name_number_and_fields() -> None:
    assert PART.hook("PreToolUse")["at"] == 1.0
    assert PART.hook("PreToolUse", 1)["at"] == 2.0
    assert PART.hook("PreToolUse", tool_name="Read")["at"] == 2.0
    assert PART.event("Stop")["hook_event_name"] == "Stop"


def test_a_status_is_counted_anew_when_its_time_changes() -> None:
    assert (PART.since("busy"), PART.since("busy", 1), PART.since("idle")) == (1.0, 2.4, 1.9)


def test_lines_are_found_by_kind_fields_and_text() -> None:
    assert PART.line("user")["arrived"] == 1.0
    assert [text for text, _ in PART.texts("user")] == ["go", "so"]
    assert PART.said("user", "so")["type"] == "user"
    assert [block["tool_use_id"] for block in PART.results()] == ["t1"]
    assert stamp(PART.line("user")) == pytest.approx(1795037725.5)


@pytest.mark.parametrize(
    ("look", "words"),
    [
        (lambda: PART.hook("SessionEnd"), "no SessionEnd"),
        (lambda: PART.hook("Stop", 1), "only 1 times Stop"),
        (lambda: PART.change("waiting"), "no registry status waiting"),
        (lambda: PART.line("system", subtype="turn_duration"), "no line system turn_duration"),
        (lambda: PART.said("user", "[Request"), "no line user with"),
        (lambda: stamp({"timestamp": "soon"}), "no timestamp"),
        (lambda: stamp({}), "no timestamp"),
    ],
)
def test_what_the_client_did_not_do_is_missing(look: object, words: str) -> None:
    with pytest.raises(Missing, match=words):
        look()  # type: ignore[operator]


def test_a_part_that_broke_off_cannot_be_looked_at() -> None:
    run = Run((PART, Part("a rest", "turns", 7, 9.0, trouble="no prompt came")))
    assert run["a turn"] is PART
    with pytest.raises(Unseen, match="no prompt came"):
        run["a rest"]
    with pytest.raises(Unseen, match="was not played"):
        run["a dance"]
    assert (run.whole, run.asked) == ([PART], {"a turn", "a rest", "a dance"})


def test_a_run_can_be_written_and_read() -> None:
    assert written(parsed(written(Run((PART,))))) == written(Run((PART,)))
    assert parsed(written(Run((PART,))))["a turn"].statuses == PART.statuses
