"""Make the first lines of the board (the counts, and what is broken) and its last line (the keys). Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

from deskbell.asking import Choice
from deskbell.board import Board
from deskbell.cards import draft
from deskbell.cards.card import thousands
from deskbell.cards.keys import BINDINGS, CHOICES, Binding
from deskbell.cards.request import CHANGED
from deskbell.cards.spans import apart, fit, wide
from deskbell.cards.state import State
from deskbell.face.facts import Facts
from deskbell.session import Session
from deskbell.text.clean import clean
from deskbell.text.rows import LOOKS, Line, Span
from deskbell.text.table import STYLES
from deskbell.text.times import clock, day
from deskbell.text.usage import in_words
from deskbell.text.width import cut_to, last_of, width
from deskbell.text.wording import counts, short
from deskbell_hooks.schema import Status

NAME = "Deskbell"
LONGEST = 400
"""Characters of the problem."""
MOST = 3
"""The most lines of a message."""
SIGNED: dict[str, Status] = {"blocked": "permission", "your_turn": "idle", "running": "working", "crashed": "crashed"}
"""The status whose sign stands for each part of the board where there is no room for words."""


def head(board: Board, spent: str, facts: Facts, now: float, columns: int, lines: int = 3) -> tuple[Line, ...]:
    """Return the line of the counts and, if there is a problem, lines that say which: at most LINES in all."""
    problem = facts.problem or ""
    mark = Span("!" if problem and lines < 2 else " ", "bold yellow")
    named = (mark, Span(NAME, "bold"), Span("  "))
    counted, signed = tuple(_counts(board)), tuple(_signs(board))
    ends = _ends(facts, spent, now)
    ways: list[tuple[Line, Line]] = [((*named, *left), end) for left in (counted, signed) for end in ends]
    if facts.snoozed_until is None:
        ways.insert(len(ends), ((*named, *counted), ()))  # the words say more than what was spent
    ways += [((*named, *signed), ()), ((mark, *signed), ())]
    left, end = next((way for way in ways if _fits(*way, columns)), ways[-1])
    return apart(left, end, columns), *_broken(problem, columns, lines - 1)


def _fits(left: Line, end: Line, columns: int) -> bool:
    return wide(left) + bool(end) + wide(end) <= columns


def _ends(facts: Facts, spent: str, now: float) -> list[Line]:
    """Return what may stand at the right, from the longest to the shortest: until when all is quiet, what of the
    limits is used, and what was spent."""
    snoozed = facts.snoozed_until
    quiet = (Span(f"snoozed until {clock(snoozed, now)}", "bold yellow"),) if snoozed is not None else ()
    used = in_words(facts.usages, now, long=False)
    between = (Span(" · ", "dim"),) if quiet and (spent or used) else ()
    # Without the word, the price beside the number still shows that it counts tokens.
    said = [spent, spent.replace(" tokens", "")] if spent else []
    said = [*(" · ".join([*used, words]) for words in (said if used else ())), *said] or [" · ".join(used)] * bool(used)
    ends: list[Line] = [(*quiet, *between, Span(words, "dim"), Span(" ")) for words in said]
    return [*ends, *([(*quiet, Span(" "))] if quiet else [])] or [()]


def _broken(problem: str, columns: int, lines: int) -> Iterator[Line]:
    """Yield PROBLEM in at most LINES."""
    rows = wrap(short(problem, LONGEST), max(1, columns - 4))
    for number in range(min(lines, len(rows))):
        row = " ".join(rows[number:]) if number == lines - 1 else rows[number]
        yield fit((Span("   " if number else " ! ", "bold yellow"), Span(row, "yellow")), columns)


def _counts(board: Board) -> Iterator[Span]:
    shown = [(name.replace("_", " "), count) for name, count in board.counts.items() if count]
    if not shown:
        yield Span(counts(board), "dim")
    for number, (name, count) in enumerate(shown):
        yield Span(", " if number else "", "dim")
        yield Span(f"{count} {name}", STYLES[name.capitalize()])


def _signs(board: Board) -> Iterator[Span]:
    """Yield the counts with a sign in place of each word: "●2 ○1 ▶2 ✖1"."""
    shown = [(name, count) for name, count in board.counts.items() if count]
    for number, (name, count) in enumerate(shown):
        style = STYLES[name.replace("_", " ").capitalize()]
        yield Span(f"{' ' if number else ''}{LOOKS[SIGNED[name]][0]}{count}", style)


def spent_today(sessions: Iterable[Session], now: float) -> str:
    """Return what SESSIONS have spent today: "today 48k tokens, $3.20".

    A plus after a number means that it is higher: some price is unknown, or a long transcript is not yet counted. A
    session that two clients run is counted once.
    """
    today, seen = day(now), {one.session_id: one for one in sessions}.values()
    found = [spent for one in seen for spent in one.spent if spent.day == today]
    if not (tokens := sum(spent.tokens for spent in found)):
        return ""
    uncounted = any(one.transcript_path and one.output_tokens is None and day(one.heard) == today for one in seen)
    known = [spent.dollars for spent in found if spent.dollars is not None]
    cost = f", ${sum(known):.2f}{'+' if len(known) < len(found) else ''}" if known else ""
    return f"today {thousands(tokens)}{'+' if uncounted else ''} tokens{cost}"


def message_lines(state: State, columns: int) -> tuple[Line, ...]:
    """Return the lines of the message in STATE, which replace the last lines of the board."""
    rows = wrap(clean(state.message), max(1, columns - 2))
    shown = rows if len(rows) <= MOST else [*rows[: MOST - 1], f"{rows[MOST - 1]}…"]
    return tuple(fit((Span(f" {row}", "bold"),), columns) for row in shown)


class Button(NamedTuple):
    """A part of the last line that can be clicked."""

    first: int
    end: int
    key: str


class Foot(NamedTuple):
    """The last line of the board, and what can be clicked in it."""

    line: Line
    buttons: tuple[Button, ...] = ()


def foot(
    state: State, shown: int, whole: int, columns: int, chosen: Session | None = None, facts: Facts | None = None
) -> Foot:
    """Return the last line. SHOWN of the WHOLE number of sessions pass the filter."""
    if state.mode == "snooze":
        words = next((one for one in CHOICES if width(one) < columns), CHOICES[-1])
        return Foot(fit((Span(f" {words}", "bold"),), columns))
    if state.mode == "reply" and state.draft:
        return Foot(_written(state.draft, columns))
    if state.mode == "filter":
        found = Span(f"{shown} of {whole} · Enter keeps it, Esc clears it ", "dim")
        right = (found,) if columns >= width(found.text) + 20 else ()
        query = last_of(state.view.query, columns - 4 - wide(right))
        return Foot(apart((Span(" /", "bold"), Span(query), Span(" ", "reverse")), right, columns))
    return _hints(state, shown, whole, columns, _useless(chosen, facts or Facts()))


def page_foot(state: State, offers: Mapping[str, Choice], below: int, columns: int) -> Line:
    """Return the last line below a page. OFFERS: the answers on the screen. BELOW: how many of its lines follow."""
    if state.mode == "reply" and state.draft:
        return _written(state.draft, columns)
    asked, about = (state.page.asked, state.page.about) if state.page else (None, None)
    parts = [
        *([f"{' '.join(offers)} answer"] if offers else []),
        *(["a answer"] if asked and asked.over == CHANGED else []),
        f"↑↓ scroll{f', {below} more' if below else ''}",
        "Esc back",
        *(["Enter jump", "m mute"] if about else []),
        *(["d details"] if about and state.page and not state.page.has_details else []),
        *(["y copy id"] if about and "y" not in offers else []),
    ]
    while len(parts) > 1 and width(" · ".join(parts)) >= columns:
        parts.pop()
    return fit((Span(f" {' · '.join(parts)}"),), columns)


def _written(written: draft.Draft, columns: int) -> Line:
    ends = Span("Enter sends it, Esc leaves it ", "dim")
    right = (ends,) if columns >= width(ends.text) + 30 else ()
    line = draft.shown(written, columns - 9 - wide(right))
    return apart((Span(" Answer: " if written.answers else " Reply: ", "bold"), *line), right, columns)


def _useless(chosen: Session | None, facts: Facts) -> frozenset[str]:
    """Return the keys that would do nothing to the chosen session."""
    asks = chosen is not None and chosen.asking is not None and bool(chosen.asking.choices)
    replies = chosen is not None and chosen.your_turn and not chosen.blocked and facts.replies
    is_over = chosen is not None and chosen.over
    return frozenset((*([] if asks or replies else ["a"]), *([] if is_over else ["r"])))


def _hints(state: State, shown: int, whole: int, columns: int, useless: Collection[str]) -> Foot:
    line: list[Span] = [Span(" ")]
    buttons: list[Button] = []
    if state.view.query:
        line += [
            Span(f" /{cut_to(clean(state.view.query), 20)} ", "reverse"),
            Span(f" {shown} of {whole}, Esc clears it  "),
        ]
    at = wide(tuple(line))
    for binding in _fitting(columns - at, useless):
        key = Span(binding.shown, "bold reverse" if _is_on(state, binding.shown) else "bold")
        end = at + wide(named := (key, Span(f" {binding.brief}", "dim")))
        line += [*([Span("  ")] if buttons else []), *named]
        buttons.append(Button(at, end, binding.keys[0]))
        at = end + 2
    return Foot(fit(line, columns), tuple(buttons))


def _fitting(room: int, useless: Collection[str]) -> Sequence[Binding]:
    """Return the keys that fit: first those for help and for ending the board, then the most used ones."""
    named = [binding for binding in BINDINGS if binding.brief and binding.shown not in useless]
    kept = []
    for binding in sorted(named, key=lambda one: one.brief not in ("help", "quit")):
        needed = width(f"{binding.shown} {binding.brief}") + 2
        if needed <= room + 2:
            kept.append(binding)
            room -= needed
    return [binding for binding in named if binding in kept]


def _is_on(state: State, shown: str) -> bool:
    view = state.view
    return {"!": view.only_needs_you, "p": view.by_project, "e": view.unfolded}.get(shown, False)
