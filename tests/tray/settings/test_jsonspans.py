"""Test that the parser is as strict as JSON.parse and that every error has its place."""

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.settings.jsonspans import MOST, Misshapen, Value, parse, place

BROKEN = {
    "a comma too many in an object": ('{"a": 1,}', "line 1 column 9", 'expected a key in "quotes"'),
    "a comma too many in a list": ("[1,\n 2,\n]", "line 3 column 1", "expected a value"),
    "a comma missing": ('{"a": 1\r\n "b": 2}', "line 2 column 2", "expected a comma or }"),
    "a colon missing": ('{"a" 1}', "line 1 column 6", "expected a colon"),
    "a key without quotes": ("{a: 1}", "line 1 column 2", "unexpected 'a'"),
    "a line comment": ('{\n  // why\n  "a": 1}', "line 2 column 3", "JSON allows no comments"),
    "a block comment": ("/* settings */ {}", "line 1 column 1", "JSON allows no comments"),
    "single quotes": ("{'a': 1}", "line 1 column 2", 'unexpected "\'"'),
    "a text that does not end": ('{"a": "b\n}', "line 1 column 7", "this string is not closed"),
    "an unknown escape": (r'{"a": "\x"}', "line 1 column 7", "this string is not closed"),
    "a number with a leading zero": ("[01]", "line 1 column 3", "expected a comma or ]"),
    "a number Python would take": ("[NaN]", "line 1 column 2", "unexpected 'N'"),
    "two values": ("{} {}", "line 1 column 4", "expected nothing more"),
    "the end too early": ('{"a": [1, 2', "line 1 column 12", "expected a comma or ]"),
    "the wrong bracket": ('{"a": [1}', "line 1 column 9", "expected a comma or ]"),
    "white space JSON does not know": ("{\u00a0}", "line 1 column 2", "unexpected '\\xa0'"),
    "a place after a byte order mark": ("\ufeff{,}", "line 1 column 2", 'expected a key in "quotes" or }'),
    "a place after the line ends of old": ("{\r\r,}", "line 3 column 1", 'expected a key in "quotes" or }'),
}


@pytest.mark.parametrize(("text", "where", "what"), BROKEN.values(), ids=BROKEN)
def test_a_broken_text_is_refused_with_its_place(text: str, where: str, what: str) -> None:
    with pytest.raises(Misshapen) as refused:
        parse(text)

    assert place(text, refused.value.at) == where
    assert refused.value.what.startswith(what)


def value_of(text: str, value: Value) -> object:
    if value.kind == "object":
        return {item.key: value_of(text, item.value) for item in value.items}
    if value.kind == "array":
        return [value_of(text, item.value) for item in value.items]
    return json.loads(text[value.start : value.end])


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(anything, st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_the_spans_hold_the_values_that_json_reads(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    assert value_of(text, parse(text)) == json.loads(text)


@given(st.text(alphabet='{}[]:,"\\ \n1e-.0truefalsn\u00e9', max_size=25))
def test_it_takes_exactly_the_texts_that_json_takes(text: str) -> None:
    """Python's json also takes NaN and Infinity, which this alphabet cannot spell."""
    try:
        json.loads(text)
        valid = True
    except ValueError:
        valid = False
    try:
        parse(text)
        taken = True
    except Misshapen:
        taken = False

    assert taken == valid


def test_any_depth_is_read() -> None:
    deep = "[" * MOST + "]" * MOST

    assert parse(deep).end == len(deep)


MANY = {
    "objects": "[" + "{}," * MOST + "{}]",
    "lists inside one another": "[" * (MOST + 1),
    "members": "{" + '"a":1,' * MOST + '"a":1}',
    "texts": '["a"' + ',"b"' * MOST + "]",
}


@pytest.mark.uncounted
@pytest.mark.long
@pytest.mark.parametrize("text", MANY.values(), ids=MANY)
def test_a_text_of_too_many_values_is_refused_where_they_become_too_many(text: str) -> None:
    with pytest.raises(Misshapen, match="more than 50,000 values") as refused:
        parse(text)

    assert len(text) / 2 < refused.value.at < len(text)


@pytest.mark.uncounted
def test_keys_are_no_values() -> None:
    assert len(parse("{" + '"a":1,' * (MOST - 2) + '"a":1}').items) == MOST - 1


@pytest.mark.uncounted
@pytest.mark.long
def test_a_text_of_a_million_values_takes_hardly_longer_than_the_most_that_is_read() -> None:
    most = "[" + "{}," * (MOST - 2) + "{}]"
    allowed = spent(lambda: parse(most))

    def refused() -> None:
        with pytest.raises(Misshapen):
            parse("[" + "{}," * 1_300_000 + "{}]")

    assert spent(refused) < 4 * allowed


def spent(call: Callable[[], object]) -> float:
    """The processor time of the fastest of three calls."""
    times = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)
