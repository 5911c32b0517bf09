"""Make lines of a transcript as Claude Code writes them."""

import json
from typing import Any


def line(kind: str, second: int = 0, **more: Any) -> bytes:
    stamp = f"2026-11-18T10:00:{second:02}.000Z"
    return json.dumps({"type": kind, "timestamp": stamp, "gitBranch": "main", **more}, separators=(",", ":")).encode()


def asked(words: str, second: int = 0, **more: Any) -> bytes:
    """The line of a prompt."""
    return line("user", second, message={"role": "user", "content": words}, **more)


def answered(words: str, second: int = 0, number: int = 0, stop: str | None = "end_turn", **more: Any) -> bytes:
    """The line of an answer."""
    usage = {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 5}
    content = [{"type": "text", "text": words}]
    model = more.pop("model", "claude-opus-5-5")
    message = {"id": f"m{number}", "model": model, "content": content, "stop_reason": stop, "usage": usage}
    return line("assistant", second, message=message, requestId=f"r{number}", **more)
