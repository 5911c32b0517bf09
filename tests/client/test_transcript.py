"""Test that the transcript of the real client, while it is written, says what a person sees in the terminal."""

import json
from collections.abc import Callable
from pathlib import Path

from deskbell.sessions.transcript import Tail, Transcripts
from tests.client.claude import Claude, Tui
from tests.waiting import wait


def transcript(tui: Tui) -> Path:
    return wait(
        lambda: next(tui.claude.config.glob(f"projects/*/{tui.session_id}.jsonl"), None),
        "a transcript",
    )


def until(tui: Tui, transcripts: Transcripts, condition: Callable[[Tail], bool], what: str) -> Tail:
    path = str(transcript(tui))

    def found() -> Tail | None:
        tail = transcripts.read(path)
        return tail if condition(tail) else None

    return wait(found, what, seen=lambda: transcripts.read(path))


def test_an_interrupt_and_the_turn_after_it(claude: Claude) -> None:
    tui, transcripts = claude.start(), Transcripts()
    tui.scenario("longbash", 60)
    tui.wait_status("busy")
    until(tui, transcripts, lambda tail: tail.model is not None, "the call of the tool")
    tui.pane.keys("Escape")
    until(tui, transcripts, lambda tail: tail.interrupted_at is not None, "the interrupt")
    tui.scenario("plain")
    found = until(tui, transcripts, lambda tail: tail.finished_at is not None, "the end of the answer")
    assert (found.interrupted_at, found.last_line, found.context_tokens) == (None, "Third line.", 2000)


def test_tasks_a_title_and_the_cost_that_the_client_computes(claude: Claude) -> None:
    tui, transcripts = claude.start(), Transcripts()
    tui.scenario("tasks")
    found = until(tui, transcripts, lambda tail: tail.finished_at is not None, "the end of the answer")
    assert found.todo == (1, 2)
    tui.prompt("/rename Of my own")
    until(tui, transcripts, lambda tail: tail.title == "Of my own", "the title")
    tui.prompt("/exit")
    tui.wait_gone()
    known = json.loads((claude.home / ".claude.json").read_text(encoding="utf-8"))
    projects = [project for project in known["projects"].values() if "lastCost" in project]
    assert [round(project["lastCost"], 6) for project in projects] == [found.cost_usd]
