"""Decode and encode JSON without importing the json package.

`import json` costs as much as all the rest of the hook together, because its decoder and scanner compile regular
expressions. The C accelerator behind it needs none, so it is called directly, with the settings that `json.loads` and
`json.dumps` would give it. If the accelerator is missing or takes other arguments, this module uses the package.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

try:
    import _json as accelerator
except ImportError:
    accelerator = None  # type: ignore[assignment]  # not every interpreter has it

SPACE = " \t\n\r"
INFINITY = float("inf")


def decode(data: bytes) -> "Any":
    """Return the value of one JSON text. Raise ValueError, and nothing else, if it is not one.

    Wrong UTF-8 becomes U+FFFD; NaN, infinities and numbers that are too long become None.
    """
    text = data.decode("utf-8", "replace").strip(SPACE + "\ufeff")
    try:
        value, end = _scanned(text)
    except (StopIteration, RecursionError, SystemError, ValueError):
        # The accelerator looks for json.decoder to raise its error. Before Python 3.12 it does not import it: where
        # it is not loaded, it fails without an exception, which the interpreter turns into SystemError.
        raise ValueError("not JSON, or nested too deep to read") from None
    if end != len(text):
        raise ValueError("more than one JSON text")
    return value


def _scanned(text: str) -> "tuple[Any, int]":
    """Return the first value in TEXT, and where it ends."""
    if _scan is None or _patient_scan is None:
        return _slow_scan(text, 0)
    try:
        found: tuple[Any, int] = _scan(text, 0)
    except ValueError:  # there may be a number that `int` refuses
        found = _patient_scan(text, 0)
    return found


def encode(value: "Any") -> bytes:
    """Return compact JSON as UTF-8. A lone surrogate, which UTF-8 cannot hold, becomes a question mark."""
    text = _slow_encode(value) if _chunks is None else "".join(_chunks(value, 0))
    return text.encode("utf-8", "replace")


def _integer(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:  # more digits than the interpreter converts
        return None


def _float(digits: str) -> float | None:
    number = float(digits)
    return number if -INFINITY < number < INFINITY else None


def _constant(_name: str) -> None:
    return None


class _Settings:
    """The attributes that the scanner reads from a `json.JSONDecoder`."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    array_hook = None  # since Python 3.15
    parse_float = staticmethod(_float)
    parse_int: "Callable[[str], int | None]" = int  # the scanner calls it without a detour through Python
    parse_constant = staticmethod(_constant)


class _Patient(_Settings):
    """The settings for a text with a number that has more digits than `int` converts."""

    parse_int = staticmethod(_integer)


def _unknown(value: "Any") -> str:
    return str(value)


def _slow_scan(text: str, start: int) -> "tuple[Any, int]":
    import json

    decoder = json.JSONDecoder(strict=False, parse_float=_float, parse_int=_integer, parse_constant=_constant)
    return decoder.raw_decode(text, start)


def _slow_encode(value: "Any") -> str:
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_unknown)


def _fast_decoder(settings: "type[_Settings]") -> "Any":
    try:
        return accelerator.make_scanner(settings)  # type: ignore[arg-type]  # typeshed names the result, not the input
    except (AttributeError, TypeError):  # there is none, or it takes other arguments
        return None


def _fast_encoder() -> "Any":
    try:
        text = accelerator.encode_basestring
        return accelerator.make_encoder(None, _unknown, text, None, ":", ",", False, False, True)
    except (AttributeError, TypeError):
        return None


_scan, _patient_scan = _fast_decoder(_Settings), _fast_decoder(_Patient)
_chunks = _fast_encoder()
