"""Test that the codec reads and writes what the json package reads and writes."""

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks import codec
from deskbell_hooks.codec import decode, encode

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=30,
)


def package_decode(data: bytes) -> Any:
    def number(digits: str) -> float | None:
        return float(digits) if math.isfinite(float(digits)) else None

    text = data.decode("utf-8", "replace").strip(" \t\n\r\ufeff")
    return json.loads(text, strict=False, parse_constant=lambda _: None, parse_float=number)


@pytest.mark.uncounted
@given(VALUES)
def test_decode_reads_what_the_package_writes(value: Any) -> None:
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only, indent=1).encode("utf-8", "replace")
        assert decode(text) == package_decode(text)


@pytest.mark.uncounted
@given(VALUES)
def test_encode_writes_what_the_package_would_write(value: Any) -> None:
    expected = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    assert encode(value) == expected
    assert b"\n" not in expected


@pytest.mark.uncounted
@given(VALUES)
def test_decode_reads_what_encode_writes(value: Any) -> None:
    clean = json.loads(json.dumps(value).encode("utf-8", "replace").decode())
    assert decode(encode(clean)) == json.loads(encode(clean))


@given(st.binary(max_size=200))
def test_any_bytes_decode_to_a_value_or_raise_value_error(data: bytes) -> None:
    try:
        expected = package_decode(data)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011  # no more is promised
            decode(data)
    else:
        assert decode(data) == expected


ALIKE = [
    *(b'{"a":1,"a":2}', b"[1.5e3,-0,1E-2]", b'"\\ud83d\\ude00"', b'"\\u0000"', b'"a\nb\x00"', b"12345678901234567890"),
    *(b"\xef\xbb\xbf{}", b" \t\r\n{} \n", b'"\xff\xfe"', b"1e400", b"[-1e999]", b"true", b'{"":{"":[]}}'),
    b"[NaN,Infinity,-Infinity]",
]


@pytest.mark.parametrize("data", ALIKE)
def test_unusual_json_is_read_as_the_package_reads_it(data: bytes) -> None:
    assert decode(data) == package_decode(data)


NO_JSON = [b"", b" ", b"{", b'{"a":}', b"{} {}", b"nul", b"[1,]", b'"\\x"', b"\x00", b"'a'", b"[" * 200_000]


@pytest.mark.parametrize("data", NO_JSON)
def test_what_is_not_json_raises_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"^(not JSON|more than one)") as found:
        decode(data)
    assert found.type is ValueError


def test_an_integer_with_too_many_digits_becomes_none() -> None:
    assert decode(b'{"n":' + b"9" * 10_000 + b"}") == {"n": None}


def test_a_value_that_json_does_not_know_is_written_as_text() -> None:
    assert encode([int]) == b'["' + str(int).encode() + b'"]'


def test_a_lone_surrogate_becomes_a_question_mark() -> None:
    assert encode(decode(b'"\\ud800x"')) == b'"?x"'


def test_numbers_that_json_cannot_write_are_read_as_none() -> None:
    assert encode(decode(b"[1e999,-1e999,NaN,Infinity,1.5]")) == b"[null,null,null,null,1.5]"


@pytest.mark.parametrize("flags", [[], ["-I", "-S"]])
def test_without_the_accelerator_the_package_is_used(python: str, flags: list[str]) -> None:
    """Run in another interpreter, in which `_json` cannot be imported."""
    program = (
        "import sys; sys.modules['_json'] = None; sys.path.insert(0, sys.argv[1])\n"
        "from deskbell_hooks.codec import decode, encode, accelerator\n"
        "assert accelerator is None\n"
        "assert decode(b' [1e999, NaN, 1.5, {\"a\": \"\\\\u00e9\"}] ') == [None, None, 1.5, {'a': '\\u00e9'}]\n"
        "assert decode(b'9' * 9000) is None\n"
        "assert encode({'a': [1, 'x\\u00e9']}) == '{\"a\":[1,\"x\\u00e9\"]}'.encode()\n"
        "assert encode([int]) == b'[\"' + str(int).encode() + b'\"]'\n"
        "for bad in (b'', b'{', b'{} {}', b'[' * 200000):\n"
        "    try: decode(bad)\n"
        "    except ValueError: continue\n"
        "    sys.exit('read ' + repr(bad[:9]))\n"
    )
    hooks = str(Path(codec.__file__).parent.parent)
    subprocess.run([python, *flags, "-c", program, hooks], check=True, timeout=60)
