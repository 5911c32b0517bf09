"""How does JSON become values and back without the json package?

`import json` costs as much as all the rest of the hook together, because its decoder and scanner compile regular
expressions. The C accelerator behind it needs none, so it is called directly, with the settings that `json.loads` and
`json.dumps` would give it. Where an interpreter has no accelerator, or another one, the package serves.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    import _json as accelerator
except ImportError:
    accelerator = None  # type: ignore[assignment]  # an interpreter without it

SPACE = " \t\n\r"


def decode(data: bytes) -> "Any":
    """The value of one JSON text; ValueError when it is none. Wrong UTF-8 becomes U+FFFD, NaN and the like None."""
    text = data.decode("utf-8", "replace").strip(SPACE + "\ufeff")
    if _scan is None:
        return _slow_decode(text)
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("more than one JSON text")
    return value


def encode(value: "Any") -> bytes:
    """Compact JSON as UTF-8; a lone surrogate, which UTF-8 cannot hold, becomes a question mark."""
    text = _slow_encode(value) if _chunks is None else "".join(_chunks(value, 0))
    return text.encode("utf-8", "replace")


def _integer(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:  # longer than the interpreter lets an integer be
        return None


def _constant(_name: str) -> None:
    return None


class _Settings:
    """What the scanner reads from a `json.JSONDecoder`."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = staticmethod(_integer)
    parse_constant = staticmethod(_constant)


def _unknown(value: "Any") -> str:
    return str(value)


def _slow_decode(text: str) -> "Any":
    import json

    return json.loads(text, strict=False, parse_int=_integer, parse_constant=_constant)


def _slow_encode(value: "Any") -> str:
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_unknown)


def _fast_decoder() -> "Any":
    try:
        return accelerator.make_scanner(_Settings)  # type: ignore[arg-type]  # typeshed names the result, not the input
    except (AttributeError, TypeError):  # none, or one that is called another way
        return None


def _fast_encoder() -> "Any":
    try:
        text = accelerator.encode_basestring
        return accelerator.make_encoder(None, _unknown, text, None, ":", ",", False, False, True)
    except (AttributeError, TypeError):
        return None


_scan = _fast_decoder()
_chunks = _fast_encoder()
