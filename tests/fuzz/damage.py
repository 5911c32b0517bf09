"""Damage the bytes of a good file, as a crash, a bad disk, another version or an attacker does."""

import re
from collections.abc import Callable

from hypothesis import strategies as st

LONGEST = 2**18
"""Bytes of a damaged file. The bounds on size have tests of their own: `tests/tray/test_hostile_files.py`."""
TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[\w.+-]+|[^\w\s]')
"""A string, a number, a name or a sign, in JSON, TOML, a property list or a desktop entry."""


def nested(depth: int, opened: bytes = b"[", closed: bytes = b"]") -> bytes:
    return opened * depth + b"1" + closed * depth


ODD = (
    *(b"null", b"true", b"-1", b"0", b"1.5", b'""', b'"x"', b"[]", b"{}", b"[[]]", b'[{}]', b'{"":{"":[null]}}'),
    *(b"2147483648", b"9223372036854775808", b"18446744073709551616", b"9" * 400, b"9" * 5000, b"-" + b"9" * 4000),
    *(b"1e300", b"1e400", b"-1e400", b"1e-400", b"NaN", b"-Infinity", b"inf", b"nan", b"-0.0", b"0x7f", b"1_000"),
    *(b"253402300800", b"1e11", b"2.4e11", b"1790000000000", b"1979-05-27T07:32:00Z", b"00:00:00", b"9999-12-31"),
    *(b'"\\u0000"', b'"\\ud800"', b'"\\udfff\\ud800"', b'"\\u001b]0;x\\u0007"', b'"\\u202e\\u2066"', b'"\\n\\r\\u2028"'),
    *(b'"\\x"', b'"\\u12"', b'"half', b"'", b'"""', b"'''", b"\0", b"\0" * 300, b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J"),
    *(b"\n", b"\r", b"\r\n", b",", b":", b"=", b"}", b"]", b"{", b"[", b"[[", b"]]", b"#", b"\\", b"%", b"&", b"<", b">"),
    *(b"\xef\xbb\xbf", b"\xc2\x85", b"\xe2\x80\xa8", b'"' + b"x" * 5000 + b'"', b'"' + "ẞ\u0301".encode() * 900 + b'"'),
    *(nested(150), nested(260), nested(30_000), nested(260, b'{"a":', b"}"), nested(9000, b'{"a":', b"}")),
    *(nested(900, b"a=[{", b"}]"), b"a." * 900, b'"a".' * 60, b"<array>" * 900, b"<dict><key>a</key>" * 300),
    *(b"<!ENTITY a 'b'>", b"&a;", b"/../../etc/passwd", b"/dev/zero", b"~nobody", b"file:///", b"http://[", b"https://x:y/"),
)  # fmt: skip
"""Values of other types, numbers out of every range, texts that are none, and beginnings without an end."""


def damaged(data: bytes, damage: bytes) -> bytes:
    """Return DATA with the changes of DAMAGE. Four bytes make a change: how, where (two bytes) and with what."""
    for how, high, low, odd in zip(*[iter(damage)] * 4, strict=False):
        data = CHANGES[how % len(CHANGES)](data, high << 8 | low, odd)[:LONGEST]
    return data


def _place(data: bytes, at: int) -> int:
    """Return the place in the file. AT says how far it is into the file, in parts of 2**16."""
    return len(data) * at >> 16


def _token(data: bytes, at: int) -> tuple[int, int]:
    """Return where the next token begins and ends; twice the end of the file if there is none."""
    found = TOKEN.search(data, _place(data, at)) or TOKEN.search(data)
    return found.span() if found else (len(data), len(data))


def _flipped(data: bytes, at: int, odd: int) -> bytes:
    here = _place(data, at)
    return data[:here] + bytes(one ^ 1 << odd % 8 for one in data[here : here + 1]) + data[here + 1 :]


def _cut(data: bytes, at: int, odd: int) -> bytes:
    return data[_place(data, at) :] if odd % 4 == 0 else data[: _place(data, at)]


def _doubled(data: bytes, at: int, odd: int) -> bytes:
    """Repeat a part. The part may be a key, a line or the file, and the times many."""
    here = _place(data, at)
    part = data[here : here + 1 + odd * odd]
    return data[:here] + part * (2 if odd % 8 else 3000) + data[here + len(part) :]


def _without(data: bytes, at: int, odd: int) -> bytes:
    start, end = _token(data, at)
    return data[:start] + data[end:]


def _replaced(data: bytes, at: int, odd: int) -> bytes:
    start, end = _token(data, at)
    return data[:start] + ODD[odd % len(ODD)] + data[end:]


def _inserted(data: bytes, at: int, odd: int) -> bytes:
    here = _place(data, at)
    return data[:here] + ODD[odd % len(ODD)] + data[here:]


def _exchanged(data: bytes, at: int, odd: int) -> bytes:
    """Replace a token by another one of the file, so that a key has a value of another type."""
    start, end = _token(data, at)
    first, last = _token(data, odd * 257 % 2**16)
    return data[:start] + data[first:last] + data[end:]


def _without_lines(data: bytes, at: int, odd: int) -> bytes:
    return data.replace(b"\n", b"" if odd % 2 else b"\r")


CHANGES: tuple[Callable[[bytes, int, int], bytes], ...] = (
    *(_replaced, _replaced, _replaced, _exchanged, _exchanged),  # readers refuse less of these
    *(_without, _inserted, _inserted, _flipped, _cut, _doubled, _without_lines),
)
damages = st.binary(min_size=4, max_size=12)
"""One to three changes, in a form of which Hypothesis makes a thousand in the time of thirty tuples."""
