"""Compare what a client did with the facts, and print the comparison as a table. Pure."""

import math
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tests.client.contract.seen import Missing, Run, Unseen

HOLDS, FAILS, UNCHECKED = "holds", "no longer holds", "could not be checked"
WIDTHS = (60, 34, 34)
"""Characters of the columns before the last one."""


class Span(NamedTuple):
    """Seconds from LOW to HIGH."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"at most {self.high:g} s" if self.low == -math.inf else f"{self.low:g} to {self.high:g} s"


def at_most(high: float) -> Span:
    return Span(-math.inf, high)


@dataclass(frozen=True)
class Fact:
    says: str
    """The fact, in a sentence."""
    expected: str | Span
    look: Callable[[Run], str | float]
    """Say what the client did, in the words of `expected`, or in seconds for a Span."""
    rests: tuple[str, ...]
    """The modules that rest on it, as paths from the root of the repository."""


@dataclass(frozen=True)
class Judgement:
    fact: Fact
    seen: str
    verdict: str
    parts: frozenset[str]
    """The parts of the scenes that were looked at."""


def judged(facts: Iterable[Fact], run: Run) -> list[Judgement]:
    return [_judged(fact, run) for fact in facts]


def _judged(fact: Fact, run: Run) -> Judgement:
    run.asked.clear()
    try:
        seen = fact.look(run)
    except Unseen as reason:
        return Judgement(fact, str(reason), UNCHECKED, frozenset(run.asked))
    except Missing as missing:
        return Judgement(fact, str(missing), FAILS, frozenset(run.asked))
    except Exception as error:  # noqa: BLE001  # a field that holds something else than it did
        return Judgement(fact, f"unreadable: {error!r}", FAILS, frozenset(run.asked))
    words = seen if isinstance(seen, str) else f"{seen:.2f} s"
    return Judgement(fact, words, HOLDS if _fits(fact.expected, seen) else FAILS, frozenset(run.asked))


def _fits(expected: str | Span, seen: str | float) -> bool:
    if isinstance(expected, Span):
        return isinstance(seen, float) and expected.low <= seen <= expected.high
    return seen == expected


def table(judgements: Iterable[Judgement], version: str) -> Iterator[str]:
    """The lines of the table, and which modules rest on a fact that no longer holds."""
    yield from _row("fact", "expected", f"Claude Code {version}", "")
    judgements = list(judgements)
    for one in judgements:
        yield from _row(one.fact.says, str(one.fact.expected), one.seen, one.verdict)
    counts = {verdict: [one.verdict for one in judgements].count(verdict) for verdict in (HOLDS, FAILS, UNCHECKED)}
    yield ""
    yield ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    for one in judgements:
        if one.verdict == FAILS:
            yield from textwrap.wrap(f"No longer holds: {one.fact.says}", 120)
            yield from (f"    {module} rests on it" for module in one.fact.rests)


def exit_code(judgements: Iterable[Judgement]) -> int:
    """1 if a fact no longer holds, 2 if one could not be checked, else 0."""
    verdicts = {one.verdict for one in judgements}
    return 1 if FAILS in verdicts else 2 if UNCHECKED in verdicts or not verdicts else 0


def _row(*cells: str) -> Iterator[str]:
    """The lines of a row: a cell that is too long goes on below."""
    columns = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, WIDTHS, strict=False)]
    columns.append([cells[-1]])
    for number in range(max(map(len, columns))):
        words = [column[number] if number < len(column) else "" for column in columns]
        yield "  ".join(f"{word:<{width}}" for word, width in zip(words, (*WIDTHS, 0), strict=True)).rstrip()
