"""How many tokens did the requests of a transcript bring forth, and what do they cost at list price? Pure."""

from typing import Any

from deskbell.sessions.conversation import number, parsed, part, text
from deskbell.sessions.models import Usage, cost

RECENT = 16
"""An answer is written in several lines, each with the count so far; those of parallel tools come between them."""


class Spending:
    def __init__(self) -> None:
        self._output = 0
        self._cost: float | None = 0.0
        self._recent: dict[tuple[str, str], tuple[int, float | None]] = {}

    @property
    def output_tokens(self) -> int:
        return self._output + sum(output for output, _ in self._recent.values())

    @property
    def cost_usd(self) -> float | None:
        """None where the price of a single answer is not known."""
        total = self._cost
        for _, dollars in self._recent.values():
            total = None if total is None or dollars is None else total + dollars
        return None if total is None else round(total, 6)

    def take(self, line: bytes) -> None:
        if b'"type":"assistant"' not in line:
            return
        read = parsed(line)
        if read is None or read.get("type") != "assistant" or read.get("isSidechain") is True:
            return
        message = part(read, "message")
        name = text(message.get("model")) or ""
        if name == "<synthetic>":
            return
        self._recent[_answer(read, message)] = _spent(read, part(message, "usage"), name)
        if len(self._recent) > RECENT:
            self._settle(next(iter(self._recent)))

    def _settle(self, answer: tuple[str, str]) -> None:
        output, dollars = self._recent.pop(answer)
        self._output += output
        self._cost = None if self._cost is None or dollars is None else self._cost + dollars


def _answer(line: dict[str, Any], message: dict[str, Any]) -> tuple[str, str]:
    request = text(line.get("requestId")) or text(line.get("requestRef"))
    return text(message.get("id")) or str(line.get("uuid")), request or ""


def _spent(line: dict[str, Any], usage: dict[str, Any], name: str) -> tuple[int, float | None]:
    used = Usage(
        input=number(usage.get("input_tokens")),
        output=number(usage.get("output_tokens")),
        cache_read=number(usage.get("cache_read_input_tokens")),
        cache_write=number(usage.get("cache_creation_input_tokens")),
        cache_write_hour=number(part(usage, "cache_creation").get("ephemeral_1h_input_tokens")),
    )
    said = line.get("costUSD")  # older clients did the sum themselves
    if isinstance(said, (int, float)) and not isinstance(said, bool) and 0 <= said < 1e6:
        return used.output, float(said)
    return used.output, cost(used, name) if any(used) else 0.0
