"""Count the output tokens of a transcript and their cost at list price. Pure."""

from typing import Any

from deskbell.sessions.lines import parsed, part, text
from deskbell.sessions.models import Usage, cost
from deskbell.sessions.numbers import count

RECENT = 16
"""How many answers may still change. An answer is written in several lines, each with the count so far, and lines of
other answers come between them."""


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
        """Dollars; None if the price of any answer is not known."""
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
        input=count(usage.get("input_tokens")),
        output=count(usage.get("output_tokens")),
        cache_read=count(usage.get("cache_read_input_tokens")),
        cache_write=count(usage.get("cache_creation_input_tokens")),
        cache_write_hour=count(part(usage, "cache_creation").get("ephemeral_1h_input_tokens")),
    )
    price = line.get("costUSD")  # older clients state the price themselves
    if isinstance(price, (int, float)) and not isinstance(price, bool) and 0 <= price < 1e6:
        return used.output, float(price)
    return used.output, cost(used, name) if any(used) else 0.0
