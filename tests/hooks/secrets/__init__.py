"""Read the shapes of secrets and the innocent texts, and fill the shapes with invented secrets.

A line of a file is a text, and one that begins with ## names what follows. ⏎ stands for a newline. What stands between
« and » is replaced by invented characters: «hex 32» by 32 hexadecimal digits, «pw», «short» and «other» by a password. No file holds a
token, so that no scanner takes one for real.
"""

import random
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

LISTED = ("tokens", "commands", "files", "requests", "sentences")
"""The shapes that public rule sets and manuals list."""
UNLISTED = ("unlisted", "unseen")
"""Shapes that no list names: they were written down before anybody looked which are hidden."""
READABLE = ("innocent", "readable")
KINDS = (*LISTED, *UNLISTED)
ALPHABETS = {
    "hex": "0123456789abcdef",
    "digits": string.digits,
    "upper": string.ascii_uppercase + string.digits,
    "letters": string.ascii_letters,
    "base32": string.ascii_uppercase + "234567",
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "base36": string.ascii_lowercase + string.digits,
    "base62": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
}
PASSWORDS = ("hunter2-Zq9", "s3cr3t.Pa55w0rd", "Xk_41-vB!q", "correct9horse", "Tr0ub4dor_3", "pa55Word%21")
SHORT = ("hunter2!x", "Winter2026!", "Tr0ub4dor&3", "q7#mPz4k", "p4ss!wort", "Zx9$kLm2")
OTHER = ("Sommer-Regen77", "gr33n_Tea?", "N0rdpol!2025", "kX7vQ2mw", "blue$Whale9", "1q2w3e4R%")
CHOSEN = {"pw": PASSWORDS, "short": SHORT, "other": OTHER}
WORDS = [
    "abandon",
    "ability",
    "banner",
    "canyon",
    "dolphin",
    "eagle",
    "fabric",
    "galaxy",
    "habit",
    "icon",
    "jungle",
    "kit",
]
AROUND = (
    "run it with {} please",
    '{{"value": "{}"}}',
    "echo {} > /tmp/x",
    "cat > x <<'EOF'\n{}\nEOF",
    "X={} make",
    "- '{}'",
)
"""Texts that do not say that a secret follows: a token is known by its own form."""

_PLACE = re.compile("«([a-z0-9]+)(?: ([0-9]+))?»")


class Shape(NamedTuple):
    text: str
    """The line of the file, which names the shape."""
    kind: str
    filled: tuple[tuple[str, tuple[str, ...]], ...]
    """Texts with the secrets in each."""


def lines(kind: str) -> list[str]:
    path = Path(__file__).parent / f"{kind}.txt"
    read = path.read_text(encoding="utf-8").splitlines()
    return [line.replace("⏎", "\n") for line in read if line and not line.startswith("## ")]


@cache
def shapes() -> tuple[Shape, ...]:
    return tuple(Shape(line, kind, tuple(_filled(line, kind))) for kind in KINDS for line in lines(kind))


@cache
def innocent() -> tuple[str, ...]:
    """Return the texts without secrets; hashes, ids and pictures in them are invented, too."""
    return tuple(text for kind in READABLE for line in lines(kind) for text, _ in _filled(line, kind))


def _filled(line: str, kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for around in AROUND if kind == "tokens" else ("{}",):
        chosen = random.Random(line)  # the same characters in every run
        secrets: list[str] = []

        def invented(match: re.Match[str], chosen: random.Random = chosen, secrets: list[str] = secrets) -> str:
            secrets.append(_invented(match[1], int(match[2] or 0), chosen))
            return secrets[-1]

        text = _PLACE.sub(invented, line)
        yield (
            around.replace("{}", text).replace("{{", "{").replace("}}", "}") if kind == "tokens" else text,
            tuple(secrets),
        )


def _invented(kind: str, length: int, chosen: random.Random) -> str:
    if kind in CHOSEN:
        return chosen.choice(CHOSEN[kind])
    if kind == "uuid":
        return "-".join(_invented("hex", part, chosen) for part in (8, 4, 4, 4, 12))
    if kind == "words":
        return " ".join(chosen.choices(WORDS, k=length))
    invented = "".join(chosen.choices(ALPHABETS[kind], k=length))
    return (
        invented if length < 8 or any(char.isdigit() for char in invented) or kind == "letters" else f"{invented[:-1]}7"
    )


def is_left(secret: str, text: str) -> bool:
    """Return whether eight characters of the secret that stand together, or all of a shorter one, are in the text."""
    part = min(8, len(secret))
    return any(secret[at : at + part] in text for at in range(len(secret) - part + 1))
