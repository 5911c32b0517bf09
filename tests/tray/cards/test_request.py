"""Test that a request is shown whole on the board, and that nothing is offered for approval before it was."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskbell.answers import desk, steps
from deskbell.answers.shown import exactly
from deskbell.asking import Asking, Choice
from deskbell.cards.answering import answering, attached, with_session
from deskbell.cards.keys import Scene, pressed
from deskbell.cards.picture import Picture
from deskbell.cards.request import (
    CHANGED,
    COLUMNS,
    DIGITS,
    GONE,
    INEXACT,
    LETTERS,
    LINES,
    SCROLL,
    SMALL,
    SURE,
    UNREAD,
    UNSURE,
    asked_of,
    followed,
    pieces,
)
from deskbell.cards.state import State
from deskbell.face.facts import Facts
from deskbell.session import Session
from deskbell.terminal.strips import strip
from deskbell.text.width import width
from tests.tray.cards.boards import one, plain, screen

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))
KEY = ("api", 1)
DENIALS = (Choice("deny", "Deny"), Choice("say", "Say it", takes_text=True), Choice("stop", "Deny and stop"))
FIRST = (Choice("allow", "Allow…", allows=True), *DENIALS)
SECOND = (Choice("allow-sure", "Yes, allow it", allows=True), *DENIALS)
CAREFUL = "Allow asks again: it deletes files."
ASKING = Asking("c0de", "Bash: rm -rf a", ("rm -rf a",), FIRST, CAREFUL)


def waits(asking: Asking = ASKING) -> Session:
    return attached([one("api", "permission", detail="Bash: rm")], {KEY: asking})[0]


def opened(asking: Asking = ASKING, columns: int = 80, lines: int = 24, mode: str = "a") -> Picture:
    """Show the page of a request."""
    there = waits(asking)
    return drawn(answering(State(chosen=KEY), there, Facts()), there, columns, lines)


def drawn(state: State, there: Session, columns: int = 80, lines: int = 24) -> Picture:
    return screen([there], with_session(state, there), columns, lines)


def pressing(shown: Picture, key: str) -> State:
    scene = Scene(shown.panes, Facts(), shown.page_lines, shown.page_rows, shown.offers, age=9.0)
    return pressed(shown.state, key, key if len(key) == 1 else None, scene).state


def said(shown: Picture) -> str:
    return "\n".join(line.rstrip() for line in plain(shown.lines))


def allowing(shown: Picture) -> list[str]:
    return [choice.id for choice in shown.offers.values() if choice.allows]


def test_what_is_asked_stands_whole_above_what_is_said_about_it_and_the_answers() -> None:
    assert said(opened(replace(ASKING, whole=("rm -rf a &&", "  ls " + "b" * 90)))).split("\n")[2:12] == [
        " wants to run a command:",
        "▎  rm -rf a &&",
        f"▎    ls {'b' * 71}",
        f"▎↳ {'b' * 19}",
        "",
        f"▎  {CAREFUL}",
        "",
        "  1  Allow…",
        "  2  Deny",
        "  3  Say it",
    ]


def test_the_keys_of_the_step_that_confirms_are_not_those_of_the_step_before() -> None:
    first, second = opened(), opened(replace(ASKING, choices=SECOND, why_not="Sure? It deletes files."))
    assert (list(first.offers), list(second.offers)) == ([*"1234"], [*"ynts"])
    assert not {*DIGITS} & {*LETTERS.values()}
    assert (steps.SURE, desk.UNREAD, desk.UNSURE) == (SURE, UNREAD, UNSURE)


def test_a_long_request_is_allowed_only_once_the_person_has_scrolled_through_all_of_it() -> None:
    long = replace(ASKING, whole=tuple(f"line {n}" for n in range(60)))
    shown, there = opened(long), waits(long)
    for key in ("end", "home", "end"):
        shown = drawn(pressing(shown, key), there)
        assert allowing(shown) == []
    assert SCROLL in said(shown)
    shown = drawn(pressing(shown, "home"), there)
    while shown.state.page_top + shown.page_lines < shown.page_rows:
        shown = drawn(pressing(shown, "pagedown"), there)
    assert allowing(shown) == ["allow"]
    assert SCROLL not in said(shown)


def test_an_answer_off_the_screen_has_no_key() -> None:
    long = replace(ASKING, whole=tuple(f"line {n}" for n in range(60)))
    assert opened(long).offers == {}
    assert opened(replace(ASKING, choices=(Choice("deny", "Deny " * 40),)), lines=10).offers == {}


@pytest.mark.parametrize(("columns", "lines"), [(20, 5), (COLUMNS - 1, 24), (80, LINES - 1)])
def test_on_a_screen_on_which_nobody_reads_it_can_only_be_denied(columns: int, lines: int) -> None:
    shown, there = opened(columns=columns, lines=lines), waits()
    for _ in range(30):
        assert allowing(shown) == []
        shown = drawn(pressing(shown, "down"), there, columns, lines)
    words = "".join(span.text for row in all_rows(shown, columns, lines) for span in row).replace("\n", " ")
    assert "".join(SMALL.split()) in "".join(words.split())


def all_rows(shown: Picture, columns: int, lines: int) -> Iterator[tuple[object, ...]]:
    from deskbell.cards.request import rows

    assert shown.state.page
    assert shown.state.page.asked
    yield from (row.line for row in rows(shown.state.page.asked, columns, lines))


@pytest.mark.parametrize("text", ["👍🏽", "a👩‍🚀b", "e\u0301\u0301\u0301", "a\u200bb"])
def test_what_the_terminal_draws_otherwise_is_not_allowed_there(text: str) -> None:
    shown = opened(replace(ASKING, whole=(text,)))
    assert allowing(shown) == []
    assert INEXACT in " ".join(said(shown).split())


def test_a_request_about_which_nothing_is_said_has_its_answers_below_it() -> None:
    shown = opened(replace(ASKING, why_not=""))
    assert said(shown).split("\n")[3:6] == ["▎  rm -rf a", "", "  1  Allow…"]
    assert allowing(shown) == ["allow"]


@pytest.mark.parametrize("text", ["⚠️ careful", "日本語", "naïve e\u0301", "שלום", "🇩🇪 ✅ 🚀"])
def test_what_it_draws_is_allowed(text: str) -> None:
    assert allowing(opened(replace(ASKING, whole=(text,)))) == ["allow"]


def test_what_no_screen_shows_is_named_without_its_secrets_and_can_only_be_denied() -> None:
    hidden = replace(
        ASKING, whole=(), detail="Bash: export password=hunter2-Zq9", choices=DENIALS, why_not="Terminal only."
    )
    shown = opened(hidden)
    assert [*shown.offers] == ["1", "2", "3"]
    assert "hunter2" not in said(shown)
    assert "Terminal only." in said(shown)


def test_the_page_of_a_request_that_is_over_says_so_and_has_no_keys() -> None:
    shown = opened()
    shown = drawn(shown.state, one("api", "working"))
    assert GONE in said(shown)
    assert shown.offers == {}


def test_the_next_request_of_a_session_has_no_keys_until_it_is_opened() -> None:
    following = replace(ASKING, code="another", whole=("ls",))
    shown = drawn(opened().state, waits(following))
    assert CHANGED in said(shown)
    assert "rm -rf a" in said(shown)
    assert "a answer" in said(shown)
    assert shown.offers == {}
    assert allowing(opened(following)) == ["allow"]


def test_a_request_comes_to_a_page_that_shows_none() -> None:
    assert asked_of(one("api", "working")) is None
    assert followed(None, asked_of(waits())) == asked_of(waits())
    assert asked_of(one("api", "permission", detail="Bash: rm")) is None
    never = asked_of(waits(Asking("", "Bash: rm", why_not="A subagent asks.")))
    assert followed(never, asked_of(waits())) == asked_of(waits())
    assert followed(never, None) == never
    assert followed(None, None) is None


def test_the_next_step_of_a_long_request_is_shown_with_its_reason_and_its_answers() -> None:
    long = replace(ASKING, whole=tuple(f"line {n}" for n in range(60)))
    shown, there = opened(long), waits(long)
    while not allowing(shown):
        shown = drawn(pressing(shown, "pagedown"), there)
    sure = replace(long, choices=SECOND, why_not=f"Sure? {'It deletes files. ' * 12}".strip())
    shown = drawn(shown.state, waits(sure))
    assert allowing(shown) == ["allow-sure"]
    assert said(shown).count("deletes") == 12
    other = drawn(shown.state, waits(replace(sure, whole=("other",) * 60)))
    assert allowing(other) == []


def test_a_message_hides_no_part_of_a_request() -> None:
    long = replace(ASKING, whole=tuple(f"line {n}" for n in range(7)))
    before = answering(State(chosen=KEY), waits(long), Facts())
    assert allowing(drawn(before, waits(long), lines=15)) == ["allow"]
    low = drawn(replace(before, message="Something failed. " * 12), waits(long), lines=15)
    assert "Something failed." in said(low)
    assert allowing(low) == []


SIGNS = "abc xyz   .,;|&<>$()'\"-/\\~`#=*" + "äöüßéñ日本語中文한글אבגدжя€→✅⚠️🚀👍🏽👩‍🚀e\u0301ก็क्ष\u200d\u200c\t"
WORDS = st.text(st.sampled_from(SIGNS), min_size=1, max_size=30) | st.text(max_size=30) | st.just("x" * 300)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=30)
SIZES = st.tuples(st.integers(20, 200), st.integers(5, 60))
KEYS = st.lists(
    st.sampled_from(["down", "pagedown", "space", "end", "home", "up", "pageup", "resize", "step"]), max_size=25
)


def canvas(shown: Picture) -> list[str]:
    """What the painter puts on the terminal, line by line."""
    return ["".join(segment.text for segment in strip(line)) for line in shown.lines]


class Reader:
    """A person who remembers which rows of the page were on the screen, by their numbers, at each width."""

    def __init__(self) -> None:
        self.rows: dict[tuple[int, int], str] = {}

    def look(self, shown: Picture, columns: int) -> None:
        lines = canvas(shown)
        first = next((at for at, line in enumerate(lines) if line.startswith(" api · ")), len(lines))
        for at in range(shown.page_lines):
            if first + 1 + at < len(lines):
                self.rows[columns, shown.state.page_top + at] = lines[first + 1 + at]

    def text(self, columns: int) -> str:
        """Return all that was seen of the request and what is said about it, without spaces."""
        rows = [self.rows.get((columns, at), "") for at in range(2000)]
        return "".join("".join(row[3:].split()) for row in rows if row.startswith("▎"))

    def has_read(self, text: tuple[str, ...], columns: int) -> bool:
        """Return whether TEXT can be put together from what was seen, at one width."""
        rows = [self.rows.get((columns, at)) for at in range(2000)]
        start = next((at for at, row in enumerate(rows) if row and row.startswith("▎")), None)
        if start is None:
            return False
        lines: list[str] = []
        for row in rows[start:]:
            if row is None or row[:3] not in ("▎  ", "▎↳ "):
                break
            if row.startswith("▎  "):
                lines.append("")
            lines[-1] += row[3:].replace(" ", "")
        return lines[: len(text)] == [re.sub("[ \ufe0e\ufe0f]", "", one) for one in text]


@pytest.mark.parametrize("key", ["end", "pagedown"])
@pytest.mark.parametrize("about", [1, 60])
def test_no_jump_to_the_end_counts_as_read(key: str, about: int) -> None:
    """The request ends on every line of the screen, and just below it."""
    for many in range(8, 44):
        asking = replace(ASKING, whole=tuple(f"line {n}" for n in range(many)), why_not="It deletes files. " * about)
        shown, there, reader = opened(asking, 60, 20), waits(asking), Reader()
        for _ in range(3):
            reader.look(shown, 60)
            if allowing(shown):
                assert reader.has_read(asking.whole, 60)
                assert reader.text(60).count("Itdeletesfiles.") == about
            shown = drawn(pressing(shown, key), there, 60, 20)


@pytest.mark.long
@pytest.mark.uncounted
@pytest.mark.timeout(3_600)
@settings(max_examples=100_000 if THOROUGH else 1500, deadline=None)
@given(TEXTS, SIZES, SIZES, KEYS)
def test_what_is_offered_for_approval_was_drawn_to_the_last_character(
    text: list[str], size: tuple[int, int], other: tuple[int, int], keys: list[str]
) -> None:
    whole = exactly(text).lines
    asking = replace(ASKING, whole=whole, choices=FIRST if whole else DENIALS)
    there, reader, widths = waits(asking), Reader(), {size[0]}
    shown = opened(asking, *size)
    for key in ["", *keys]:
        if key == "resize":
            size, other = other, size
            shown = drawn(shown.state, there, *size)
        elif key == "step":
            there = waits(replace(asking, choices=SECOND, why_not="Sure? It deletes files, and more than one."))
            shown = drawn(shown.state, there, *size)
        elif key:
            shown = drawn(pressing(shown, key), there, *size)
        reader.look(shown, size[0])
        widths.add(size[0])
        assert all(sum(map(width, [line])) == size[0] for line in canvas(shown))
        if allowing(shown):
            assert size[0] >= COLUMNS
            assert len(widths) > 1 or reader.has_read(whole, size[0])
            reason = there.asking.why_not if there.asking else ""
            assert len(widths) > 1 or "".join(reason.split()) in reader.text(size[0])


@given(st.text(max_size=200), st.integers(1, 40))
def test_pieces_leave_nothing_out(text: str, columns: int) -> None:
    found = pieces(text, columns)
    assert "".join(found) == text
    assert all(width(piece) <= columns or len(piece) == 1 for piece in found)
