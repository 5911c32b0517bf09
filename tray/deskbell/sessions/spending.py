"""Count the output tokens of a transcript and their cost at list price, in all and for the newest days. Pure."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from deskbell.session import Spent
from deskbell.sessions.lines import parsed, part, text, time_of
from deskbell.sessions.models import Usage, cost
from deskbell.sessions.numbers import count
from deskbell.text.times import day

RECENT = 16
"""How many of the newest answers may still change. An answer is written in several lines, each with the count so far,
and lines of other answers may come between them."""
DAYS = 2
"""How many of the newest days are counted separately: today, and the day before around midnight."""


class Spending:
    def __init__(self, of_a_subagent: bool = False) -> None:
        """OF_A_SUBAGENT: count the lines that are marked as not part of the main conversation."""
        self._is_aside = of_a_subagent
        self._whole = Spent(0, 0, 0.0)
        self._days: dict[int, Spent] = {}
        self._recent: dict[tuple[str, str], Spent] = {}

    @property
    def whole(self) -> Spent:
        """What was spent on all days. The dollars are None if the price of any answer is not known."""
        return _rounded(reduce(_plus, self._recent.values(), self._whole))

    @property
    def by_day(self) -> tuple[Spent, ...]:
        """What was spent on each of the newest days with an answer, the oldest first."""
        return by_day((*self._days.values(), *self._recent.values()))

    def take(self, line: bytes) -> None:
        if b'"type":"assistant"' not in line:
            return
        read = parsed(line)
        if read is None or read.get("type") != "assistant" or (read.get("isSidechain") is True and not self._is_aside):
            return
        message = part(read, "message")
        name = text(message.get("model")) or ""
        if name == "<synthetic>":
            return
        self._recent[_answer(read, message)] = _spent(read, part(message, "usage"), name)
        if len(self._recent) > RECENT:
            self._settle(next(iter(self._recent)))

    def _settle(self, answer: tuple[str, str]) -> None:
        settled = self._recent.pop(answer)
        self._whole = _plus(self._whole, settled)
        _add(self._days, settled)
        self._days = {number: self._days[number] for number in _newest(self._days)}


def total(many: Iterable[Spent]) -> Spent:
    return _rounded(reduce(_plus, many, Spent(0, 0, 0.0)))


def by_day(many: Iterable[Spent]) -> tuple[Spent, ...]:
    """Add up MANY for each of the newest days, the oldest first."""
    days: dict[int, Spent] = {}
    for one in many:
        _add(days, one)
    return tuple(_rounded(days[number]) for number in _newest(days))


def _plus(one: Spent, other: Spent) -> Spent:
    dollars = None if one.dollars is None or other.dollars is None else one.dollars + other.dollars
    return one._replace(tokens=one.tokens + other.tokens, dollars=dollars)


def _add(days: dict[int, Spent], one: Spent) -> None:
    days[one.day] = _plus(days.get(one.day, Spent(one.day, 0, 0.0)), one)


def _newest(days: dict[int, Spent]) -> list[int]:
    return sorted(days)[-DAYS:]


def _rounded(one: Spent) -> Spent:
    return one if one.dollars is None else one._replace(dollars=round(one.dollars, 6))


def _answer(line: dict[str, Any], message: dict[str, Any]) -> tuple[str, str]:
    request = text(line.get("requestId")) or text(line.get("requestRef"))
    return text(message.get("id")) or str(line.get("uuid")), request or ""


def _spent(line: dict[str, Any], usage: dict[str, Any], name: str) -> Spent:
    used = Usage(
        input=count(usage.get("input_tokens")),
        output=count(usage.get("output_tokens")),
        cache_read=count(usage.get("cache_read_input_tokens")),
        cache_write=count(usage.get("cache_creation_input_tokens")),
        cache_write_hour=count(part(usage, "cache_creation").get("ephemeral_1h_input_tokens")),
    )
    on = day(time_of(line) or 0.0)
    price = line.get("costUSD")  # older clients state the price themselves
    if isinstance(price, (int, float)) and not isinstance(price, bool) and 0 <= price < 1e6:
        return Spent(on, used.output, float(price))
    return Spent(on, used.output, cost(used, name) if any(used) else 0.0)
