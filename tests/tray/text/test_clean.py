"""Test that text from elsewhere is safe to show, whatever it holds."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.text.clean import clean, cut, escaped, html, html_exactly, is_harmless, isolate, visible, visible_lines

FAMILY = "👨‍👩‍👧"
FLAG = "🇫🇷"

CHANGED = {
    "colours": ("\x1b[31mred\x1b[0m", "red"),
    "a title for the terminal": ("a\x1b]0;owned\x07b", "ab"),
    "a title ended by ST": ("a\x1b]2;owned\x1b\\b", "ab"),
    "a link": ("\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"),
    "an escape that never ends": ("a\x1b]0;owned", "a"),
    "the 8 bit form": ("a\x9b31mb", "ab"),
    "a device string": ("a\x1bPq#0\x1b\\b", "ab"),
    "controls and NUL": ("a\x00b\x07c\x7f", "abc"),
    "lines and tabs": ("a\n\tb\r\n\n c", "a b c"),
    "an override of direction": ("a\u202egnp.exe", "agnp.exe"),
    "isolates of its own": ("a\u2066b\u2069", "ab"),
    "invisible characters": ("pass\u200bword\ufeff\u00ad", "password"),
    "hidden tags": ("a\U000e0041\U000e0042", "a"),
    "a stack of marks": ("e" + "\u0301" * 90, "e\u0301\u0301"),
    "a lone surrogate": ("a\ud83d", "a"),
    "noncharacters": ("a\uffffb\ufffe", "ab"),
    "a mark without a letter": ("\u0301a", "a"),
    "a mark on a space": ("a \u0301 b", "a b"),
    "marks before the first letter": (" \u0301 \u0301a", "a"),
    "a control between spaces": ("a\r\x1a b", "a b"),
    "letters that are drawn as nothing": ("a\u3164b\u115f\uffa0c\u2800d\u034f", "abcd"),
    "selectors of variants that change nothing": ("a\ufe0fb1\ufe0e\U000e0101", "ab1"),
    "a text in selectors behind an emoji": ("❤\ufe0f\ufe01\ufe02a", "❤\ufe0fa"),
    "joiners that join nothing": ("is\u200dAdmin\u200c \u200d1", "isAdmin 1"),
    "nothing but spaces and controls": (" \x00 \n", ""),
}
KEPT = {
    "a family": FAMILY,
    "a flag": FLAG,
    "accents": "naïve café",
    "the marks of Thai": "ต้องการ สี่ ป่า",
    "hebrew": "שלום",
    "persian with its joiner": "می\u200cخواهم",
    "a variation": "❤️",
    "markup, which the place that shows it escapes": "<b>&amp;",
}


@pytest.mark.parametrize(("text", "shown"), CHANGED.values(), ids=CHANGED)
def test_harmful_characters_are_removed(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_text_that_people_write_is_kept(text: str) -> None:
    assert clean(text) == text


AWKWARD = st.text("ab1❤\u3164 \n\r\x1a\x1b[]0;m\x07\x9b\u0301\u0302\u0e49\u200c\u200d\u202e\ufe0fש", max_size=30)
"""Text in which every character is one that some rule is about."""


@given(st.text() | AWKWARD)
def test_clean_text_holds_no_control_characters(text: str) -> None:
    shown = clean(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cs", "Co"}
    assert not {c for c in shown if unicodedata.category(c) == "Cf"} - {"\u200c", "\u200d"}
    shown.encode()


@given(st.text() | AWKWARD)
def test_cleaning_clean_text_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(st.text() | AWKWARD)
def test_clean_text_is_one_line_with_single_spaces(text: str) -> None:
    assert clean(text) == " ".join(clean(text).split())


@given(st.text() | AWKWARD)
def test_a_visible_line_says_what_clean_text_says(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable() or not {unicodedata.category(c) for c in shown} & {"Cc", "Cs", "Co", "Zl", "Zp"}
    assert clean(shown) == clean(text)
    assert visible(shown) == shown


EVERY = "".join(map(chr, (*range(0x3000), *range(0xE000, 0x10000), *range(0xE0000, 0xE0100))))


def test_every_character_is_judged_alike_alone_and_beside_others() -> None:
    """`visible` judges the characters one by one only in a line with one that is not ordinary."""
    alone = {char for char in EVERY if visible(char) == char}
    beside = {char for char in EVERY if visible(f"{char}日") == f"{char}日"}
    assert alone == beside


def test_a_visible_line_keeps_its_columns_and_its_length() -> None:
    line = f"  3  a  {'x' * 10_000}"
    assert visible(line) == line


@pytest.mark.parametrize(
    ("text", "shown"),
    {
        "a whole isolate": ("a \u2068שלום\u2069 b", "a \u2068שלום\u2069 b"),
        "an isolate that does not end": ("a \u2068שלום b", "a שלום b"),
        "an end alone": ("a\u2069 b", "a b"),
        "an isolate in one": ("\u2068a\u2068b\u2069", "a\u2068b\u2069"),
        "an override in an isolate": ("\u2068a\u202eb\u2069", "\u2068ab\u2069"),
        "an escape around an isolate": ("\x1b]0;\u2068a\u2069\x07b", "\u2068a\u2069b"),
    }.values(),
)
def test_only_whole_isolates_stay(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_only_a_newline_ends_a_line() -> None:
    assert visible_lines("a\x1b[2J\n\n  b\r\x0bc\x85d\u2028e\n") == "a\n\n  b  c d e\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\r\n", "plain\ttext\r\n"),
        ("日本 👍\u200d\u00a0é", "日本 👍\u200d\u00a0é"),
        ("a\x9b31m\x1b[0m\x07\x7f", r"a\u009b31m\u001b[0m\u0007\u007f"),
        ("a\u202eb\u2028c\U000e0041", r"a\u202eb\u2028c\ue0041"),
        ("over\rwritten\r\nnext\r", "over\\u000dwritten\r\nnext\r"),
    ],
)
def test_escaped_text_shows_what_it_holds(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_on_a_page_markup_is_text_and_controls_are_gone_or_numbers() -> None:
    said = "<b a=\"1\" c='2'>&amp;`\x1b[31m\n\u2068שלום\u2069"
    escaped_markup = "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&#96;"
    assert html(said) == f"{escaped_markup}\n\u2068שלום\u2069"
    assert html_exactly("\t<\x1b\r\n") == "\t&lt;\\u001b\r\n"


@given(st.text() | AWKWARD)
def test_no_character_of_markup_is_left_on_a_page(text: str) -> None:
    for shown in (html(text), html_exactly(text)):
        assert not set(shown) & set("<>\"'`")


@pytest.mark.parametrize("name", ["plain", "it's $HOME", "ü日本👩\u200d🚀", "می\u200cخواهم", "a\u00a0b", "\uf03a"])
def test_a_name_that_people_give_is_harmless(name: str) -> None:
    assert is_harmless(name)


@pytest.mark.parametrize(
    "char", ["\n", "\r", "\x1b", "\x03", "\x9b", "\x7f", "\u202e", "\u2066", "\u2028", "\ud83d", "\u200b"]
)
def test_a_name_with_a_control_is_not_harmless(char: str) -> None:
    assert not is_harmless(f"a{char}b")


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert len(clean("x" * 1_000_000)) == 4000


@given(st.text(), st.integers(1, 60))
def test_cut_text_is_short_enough_and_short_text_is_not_cut(text: str, length: int) -> None:
    assert len(cut(text, length)) <= length
    assert len(text) > length or cut(text, length) == text
    assert len(text) <= length or cut("x" * len(text), length) == "x" * (length - 1) + "…"


@pytest.mark.parametrize("whole", [FAMILY, FLAG, "é", "👍🏽", "❤️"])
def test_a_cut_never_splits_a_character(whole: str) -> None:
    text = whole * 30
    for length in range(1, 30):
        assert set(cut(text, length).removesuffix("…").split(whole)) == {""}


def test_a_cut_falls_between_words_if_a_space_is_near() -> None:
    assert cut("the quick brown fox jumps", 22) == "the quick brown fox…"
    assert cut("in the background: make test", 12) == "in the back…"  # less would be left than was cut


def test_right_to_left_text_is_isolated() -> None:
    assert (isolate("שלום"), isolate("abc")) == ("\u2068שלום\u2069", "abc")
