"""Make the lines that Claude Code would write into the transcript of a played session. Pure.

A session and each of its subagents have a Transcript of their own, which counts the tokens of the conversation.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from deskbell.demo.scenes import Event

Line = dict[str, Any]

MODEL = "claude-opus-5-5"
BEGINS, TURN, CALL = 21_000, 9_000, 6_500
"""Tokens of a conversation at its beginning, and tokens that a prompt and a tool call add."""
WRITTEN = 1_100
"""Tokens of an average answer."""
REFUSED = "The user doesn't want to proceed with this tool use."


class Transcript:
    """The transcript of one session or subagent."""

    def __init__(self, session_id: str, branch: str, agent: str = "") -> None:
        """AGENT: the id of the subagent whose transcript it is."""
        self._common: Line = {"sessionId": session_id, "gitBranch": branch, "isSidechain": bool(agent)}
        if agent:
            self._common["agentId"] = agent
        self._context = BEGINS
        self._answers = 0
        self._calls: list[str] = []
        """The ids of the tool calls without a result."""

    def lines(self, event: Event, now: float) -> Iterator[bytes]:
        """Yield the lines that EVENT adds."""
        match event:
            case {"hook_event_name": "UserPromptSubmit", "prompt": prompt}:
                self._context += TURN
                yield self._user(prompt, now)
            case {"hook_event_name": "PreToolUse", "tool_name": name, "tool_use_id": call}:
                self._calls.append(call)
                block = {"type": "tool_use", "id": call, "name": name, "input": event["tool_input"]}
                yield self._assistant(block, "tool_use", now)
            case {"hook_event_name": "PostToolUse", "tool_use_id": call}:
                yield self._result(call, "Done.", now)
            case {"hook_event_name": "Stop", "last_assistant_message": said}:
                yield self._assistant({"type": "text", "text": said}, "end_turn", now)
            case {"hook_event_name": "StopFailure", "last_assistant_message": said}:
                yield self._failed(said, now)

    def interrupted(self, now: float) -> Iterator[bytes]:
        """Yield the lines that are added when the person ends the turn."""
        for call in self._calls:
            yield self._result(call, REFUSED, now)
        yield self._user([{"type": "text", "text": "[Request interrupted by user for tool use]"}], now)

    def _user(self, content: object, now: float) -> bytes:
        return self._line("user", now, message={"role": "user", "content": content})

    def _result(self, call: str, said: str, now: float) -> bytes:
        self._calls = [one for one in self._calls if one != call]
        self._context += CALL
        return self._user([{"type": "tool_result", "tool_use_id": call, "content": said}], now)

    def _assistant(self, block: Line, stop: str, now: float) -> bytes:
        self._answers += 1
        written = WRITTEN * (2 + self._answers % 3) // 3
        new = min(self._context, CALL)
        usage = {
            "input_tokens": 8,
            "cache_creation_input_tokens": new,
            "cache_read_input_tokens": self._context - new,
            "output_tokens": written,
        }
        self._context += written
        message = {"id": f"msg_{self._answers}", "role": "assistant", "model": MODEL, "stop_reason": stop}
        more = {"content": [block], "usage": usage}
        return self._line("assistant", now, message=message | more, requestId=f"req_{self._answers}")

    def _failed(self, said: str, now: float) -> bytes:
        content = [{"type": "text", "text": said}]
        message = {"id": "none", "role": "assistant", "model": "<synthetic>", "content": content}
        stop = {"stop_reason": "stop_sequence"}
        return self._line("assistant", now, message=message | stop, isApiErrorMessage=True)

    def _line(self, kind: str, now: float, **more: Any) -> bytes:
        at = datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"type": kind, "timestamp": at, **self._common, **more}
        return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def agent_of(event: Mapping[str, Any]) -> str:
    """Return the id of the subagent that EVENT ends; empty if it ends none."""
    return str(event.get("agent_id", "")) if event["hook_event_name"] == "SubagentStop" else ""
