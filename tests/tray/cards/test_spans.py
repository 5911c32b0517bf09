"""Test how styled text is fitted into columns."""

from hypothesis import given
from hypothesis import strategies as st

from deskbell.cards.spans import apart, fit, restyled, shortened, wide
from deskbell.text.rows import Line, Span

TEXTS = st.lists(st.text(st.sampled_from("ab 日é👍🏽"), max_size=12), max_size=5)


def line(texts: list[str]) -> Line:
    return tuple(Span(text, "bold" if number % 2 else "") for number, text in enumerate(texts))


def text(of: Line) -> str:
    return "".join(span.text for span in of)


@given(TEXTS, st.integers(0, 40))
def test_a_fitted_line_has_exactly_the_columns_that_there_are(texts: list[str], columns: int) -> None:
    assert wide(fit(line(texts), columns)) == columns


@given(TEXTS, TEXTS, st.integers(0, 40))
def test_two_ends_take_exactly_the_columns_that_there_are(left: list[str], right: list[str], columns: int) -> None:
    assert wide(apart(line(left), line(right), columns)) == columns


def test_what_is_missing_is_marked_where_it_is_missing() -> None:
    assert text(shortened((Span("abc"), Span("def")), 5)) == "abcd…"
    assert text(shortened((Span("abc"), Span("def")), 3)) == "ab…"
    assert text(shortened((Span("abc"), Span("")), 3)) == "abc"
    assert text(shortened((Span("abc"),), 0)) == ""
    assert text(shortened((Span("sleep"), Span(" · a title")), 8)) == "sleep …"


def test_the_right_end_stays_where_there_is_little_room() -> None:
    assert text(apart((Span("a long name"),), (Span("5 min"),), 12)) == "a lon… 5 min"
    assert text(apart((Span("name"),), (), 6)) == "name  "


def test_a_style_is_added_to_those_that_are_there() -> None:
    assert restyled((Span("a", "bold"), Span("b")), "reverse") == (Span("a", "bold reverse"), Span("b", "reverse"))
