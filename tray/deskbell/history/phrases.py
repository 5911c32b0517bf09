"""Put one event of a journal into words for a person. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from deskbell.history.journal import fact
from deskbell.text.times import duration
from deskbell_hooks.notes import is_machine
from deskbell_hooks.schema import Line

SILENT = frozenset(("PreToolUse", "PostToolBatch", "MessageDisplay", "InstructionsLoaded", "FileChanged"))
"""Events that say nothing that another event does not say."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One event in words."""

    at: float
    event: str
    words: str
    agent: str = ""
    """The id of the subagent in which it happened."""


def phrase(line: Line) -> Phrase:
    return Phrase(line["at"], line["event"], words(line), line.get("agent", ""))


def words(line: Line) -> str:
    return WORDS.get(line["event"], _facts)(line)


def _tool(line: Line) -> str:
    tool, subject = line.get("tool", "?"), line.get("file") or line.get("subject", "")
    took = f" ({duration(line['ms'] / 1000)})" if line.get("ms", 0) >= 1000 else ""
    return f"{tool}: {subject}{took}" if subject else f"{tool}{took}"


def _failure(line: Line) -> str:
    return f"{_tool(line)}: {line.get('error', 'failed')}"


def _prompt(line: Line) -> str:
    said = fact(line, "prompt")
    return "a background task reports" if is_machine(said) else said


def _first(*names: str) -> Callable[[Line], str]:
    return lambda line: next((fact(line, name) for name in names if fact(line, name)), "")


def _agent(line: Line) -> str:
    return line.get("agent_type", "") or line.get("agent", "")


def _facts(line: Line) -> str:
    return _tool(line) if "tool" in line else " ".join(str(value) for value in line.get("facts", {}).values())


WORDS: dict[str, Callable[[Line], str]] = {
    "UserPromptSubmit": _prompt,
    "PostToolUseFailure": _failure,
    "Notification": _first("message", "notification_type"),
    "Stop": _first("last_assistant_message"),
    "StopFailure": _first("last_assistant_message", "error_details", "error"),
    "SubagentStart": _agent,
    "SubagentStop": _agent,
    "SessionStart": _first("source"),
    "SessionEnd": _first("reason"),
    "CwdChanged": _first("new_cwd"),
    "PostModelSwitch": _first("to_model"),
    "TaskCreated": _first("task_subject"),
    "TaskCompleted": _first("task_subject"),
}
