"""Test that one line comes to the end of a tmux.conf, and that nothing but that line goes again."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from deskbell.errors import Problem
from deskbell.settings.tmux_text import MARK, has_line, line, with_line, without_line

INCLUDE = "/home/u/it's here/deskbell.conf"
FILES = st.one_of(st.none(), st.lists(st.sampled_from([b"set -g x 1", b"", b"\r", b"# c", b"\xff"])).map(b"\n".join))


def added(content: bytes | None) -> bytes:
    return with_line(content, INCLUDE)


@given(FILES)
@example(b"")
@example(b"a")
@example(b"a\n\n")
@example(None)
def test_the_line_comes_and_goes_to_the_byte(content: bytes | None) -> None:
    there = added(content)
    assert there.count(line(INCLUDE)) == 1
    assert there.endswith(b"\n")
    assert has_line(there)
    assert without_line(there) == content


@given(FILES)
def test_a_second_time_changes_nothing(content: bytes | None) -> None:
    assert added(added(content)) == added(content)


@given(FILES, st.sampled_from([b"", b"set -g y 2\n", b"set -g y 2"]))
def test_what_was_written_after_the_line_stays(content: bytes | None, after: bytes) -> None:
    assume(after)
    left = without_line(added(content) + after)
    glue = b"\n" if content and not content.endswith(b"\n") else b""
    assert left == (content or b"") + glue + after


@given(FILES)
def test_a_file_without_the_line_stays_as_it_is(content: bytes | None) -> None:
    assert without_line(content) == content
    assert not has_line(content)


def test_a_line_of_an_earlier_place_is_replaced() -> None:
    moved = with_line(with_line(b"a\n", "/old/deskbell.conf"), "/new/deskbell.conf")
    assert moved == b"a\n" + line("/new/deskbell.conf") + MARK + b"\n"


@pytest.mark.parametrize("content", [b"set -g x \\", b"set -g x \\\n"])
def test_a_last_line_that_goes_on_is_not_joined(content: bytes) -> None:
    with pytest.raises(Problem, match="backslash"):
        added(content)


@pytest.mark.parametrize(("before", "after"), [(b"", b"\r"), (b"  ", b""), (b"", b"  ")])
def test_a_line_that_an_editor_has_put_blanks_around_is_ours(before: bytes, after: bytes) -> None:
    edited = b"a\n" + before + line(INCLUDE) + MARK + after + b"\n"
    assert has_line(edited)
    assert without_line(edited) == b"a\n"


OTHERS = [b"source-file -q '/x/deskbell.conf'\n", b"# deskbell tmux install\n", b"set -g x 1 # deskbell tmux install\n"]


@pytest.mark.parametrize("content", OTHERS)
def test_a_line_of_the_person_is_not_ours(content: bytes) -> None:
    assert not has_line(content)
    assert without_line(content) == content
