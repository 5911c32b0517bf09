"""Test what the bytes of a terminal mean, and that any bytes are accepted and none make the board deaf."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.terminal.input import END, MOST, PASTE, PATIENCE, DrawsAtOnce, Event, Input, Key, Mouse, Paste

CTRL_C = Key("ctrl+c")
QUIET = None


def events(*parts: bytes | None) -> list[Event]:
    """What PARTS mean, each read by itself. QUIET: nothing comes for a moment."""
    found = Input()
    return [one for part in parts for one in (found.quiet() if part is None else found.take(part))]


def typed(text: str) -> list[Event]:
    return [Key(one, one) for one in text]


MEANT: list[tuple[Sequence[bytes | None], list[Event]]] = [
    ([b"aB\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x80"], typed("aBä€🚀")),
    ([b" "], [Key("space", " ")]),
    (
        [b"\r\t\x7f\x08\n\x00\x1f"],
        [Key(n) for n in ["enter", "tab", "backspace", "ctrl+h", "ctrl+j", "ctrl+@", "ctrl+_"]],
    ),
    ([b"\x03"], [CTRL_C]),
    ([b"\x1b[A\x1b[B\x1bOC\x1bOD"], [Key(n) for n in ["up", "down", "right", "left"]]),
    (
        [b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[5~\x1b[6~"],
        [Key(n) for n in ["home", "end", "home", "end", "pageup", "pagedown"]],
    ),
    ([b"\x1b[3~\x1b[Z\x1bOP\x1b[11~\x1b[[A"], [Key(n) for n in ["delete", "shift+tab", "f1", "f1"]]),
    ([b"\x1b[1;5D\x1b[5;2~\x1b[1;65A"], [Key(n) for n in ["ctrl+left", "shift+pageup", "up"]]),
    ([b"\x1b[97;;97u\x1b[97:65;2;65u\x1b[228;;228u"], typed("aAä")),
    ([b"\x1b[99;5u\x1b[27u\x1b[13u\x1b[32;;32u"], [CTRL_C, Key("escape"), Key("enter"), Key("space", " ")]),
    ([b"\x1b[113u\x1b[0;;104:105u\x1b[57419u"], [*typed("qhi"), Key("up")]),
    ([b"\x1b[97;3;97u"], [Key("alt+a")]),
    ([b"\x1b[<0;5;7M\x1b[<0;5;7m"], [Mouse("down", 4, 6, 1), Mouse("up", 4, 6, 1)]),
    (
        [b"\x1b[<2;1;1M\x1b[<35;9;9M\x1b[<32;9;9M"],
        [Mouse("down", 0, 0, 3), Mouse("move", 8, 8, 0), Mouse("move", 8, 8, 1)],
    ),
    ([b"\x1b[<64;5;7M\x1b[<65;5;7M\x1b[<81;5;7M"], [Mouse("wheel up", 4, 6, 0), *[Mouse("wheel down", 4, 6, 0)] * 2]),
    ([b"\x1b[200~a\r\nb \x00\x1b[A\x1b[201~q"], [Paste("a\r\nb \x1b[A"), *typed("q")]),
    ([b"\x1b[?2026;2$y"], [DrawsAtOnce()]),
    # what comes in parts
    ([b"\xc3", b"\xa4"], typed("ä")),
    ([b"\x1b", b"[A"], [Key("up")]),
    ([b"\x1b[<0;", QUIET, b"5;7M"], [Mouse("down", 4, 6, 1)]),
    ([b"\x1b", QUIET, QUIET], [Key("escape")]),
    ([b"\x1b", QUIET, b"[A"], [Key("escape"), Key("up")]),
    ([b"\x1b", QUIET, b"q"], [Key("escape"), *typed("q")]),
    ([b"\x1b[200~a", QUIET, b"b\x1b[2", QUIET, b"01~q"], [Paste("ab"), *typed("q")]),
    # what a person does about a paste without an end
    ([b"\x1b[200~ab", QUIET, b"\x03"], [Paste("ab"), CTRL_C]),
    ([b"\x1b[200~ab", QUIET, b"\x1b[99;5u"], [Paste("ab"), CTRL_C]),
    ([b"\x1b[200~ab", QUIET, b"\x1b", QUIET, b"q"], [Paste("ab"), Key("escape"), *typed("q")]),
    ([b"\x1b[200~ab", QUIET, b"\x1b[27u"], [Paste("ab"), Key("escape")]),
]
NOTHING: list[Sequence[bytes | None]] = [
    [b"\xe4"],
    [b"\xff\xfe\x80"],
    [b"\xe2\x82"],
    [b"\xc0\xaf\xed\xa0\x80\xe0\x80\x80"],
    [b"\x1bx"],
    [b"\x1b\xc3\xa4"],
    [b"\x1b[12;40R"],
    [b"\x1b[I\x1b[O"],
    [b"\x1b[48;24;80;0;0t"],
    [b"\x1b[1:2u", b"\x1b[;;u", b"\x1b[999999;;999999u", b"\x1b[97;1:3u", b"\x1b[57441;2u", b"\x1b[1;1:3A"],
    [b"\x1b[99999999999999999999999999999999u"],
    [b"\x1b[99~\x1b[~\x1b[5A"],
    [b"\x1b[<M\x1b[<0;0;0M\x1b[<0;1M\x1b[<0;-3;2M\x1b[<0;999999;1M\x1b[<66;1;1M\x1b[<128;1;1M\x1b[32;5;7M"],
    [b"\x1b[M 00"],
    [b"\x1b[M", b" 0", b"0"],
    [b"\x1b]52;c;cQ==\x07", b"\x1bP1$r0m\x1b\\", b"\x1b]11;rgb", b":0/0/0\x1b", b"\\"],
    [b"\x1b[?2026;0$y\x1b[?2048;1$y\x1b[?62;c"],
    [b"\x1b[", *[QUIET] * PATIENCE],
]


def test_keys_pastes_and_the_mouse_are_known() -> None:
    assert [(parts, events(*parts)) for parts, _ in MEANT] == MEANT


def test_everything_else_does_nothing_and_none_of_its_characters_act_as_keys() -> None:
    assert {tuple(parts): found for parts in NOTHING if (found := events(*parts))} == {}


@pytest.mark.parametrize(
    "begun", [b"\x1b[", b"\x1b[M", b"\x1b]x", b"\x1bO", b"\x1b[[", b"\xc3", b"\x1b[<0;1", b"\x1bP"]
)
def test_ctrl_c_ends_what_has_only_begun(begun: bytes) -> None:
    assert events(begun + b"\x03") == events(begun, b"\x03") == events(begun, QUIET, b"\x03") == [CTRL_C]


@pytest.mark.parametrize(
    "begun", [b"\x1b[", b"\x1b[M", b"\x1b]x", b"\x1bO", b"\x1b[[", b"\xc3", b"\x1b[<0;1", b"\x1bP"]
)
def test_what_never_ends_is_given_up(begun: bytes) -> None:
    assert events(begun, *[QUIET] * PATIENCE, b"q") == typed("q")


def test_a_sequence_and_a_paste_without_an_end_take_bounded_room() -> None:
    assert len(events(b"\x1b]" + b"x" * MOST * 2, b"\x03")) == 1
    found = Input()
    assert found.take(PASTE + b"x" * MOST) == []
    assert [one for _ in range(20) for one in found.take(b"y" * MOST)] == []
    assert found.take(b"z" + END + b"q") == [Paste("x" * MOST), *typed("q")]


CHUNKS = st.lists(
    st.one_of(
        st.binary(max_size=12),
        st.sampled_from(
            [PASTE, END, b"\x1b", b"\x1b[", b"\x1b[<0;3", b";4M", b"\x1b[M", b"\x1b]", b"\xc3", b"u", b"\x07"]
        ),
        st.from_regex(rb"\x1b\[[<?]?[0-9:;]{0,12}[A-Za-z~]", fullmatch=True),
        st.none(),
    ),
    max_size=12,
)


@given(CHUNKS)
def test_whatever_came_before_ctrl_c_is_heard(parts: list[bytes | None]) -> None:
    assert events(*parts, *[QUIET] * PATIENCE, b"\x03")[-1] == CTRL_C


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_it_does_not_matter_where_bytes_are_cut_if_nothing_is_late(data: bytes, cuts: list[int]) -> None:
    ends = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    parts = [data[first:end] for first, end in pairwise(ends)]
    assert events(*parts, QUIET) == events(data, QUIET)
