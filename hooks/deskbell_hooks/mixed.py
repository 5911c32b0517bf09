"""Find long tokens of mixed classes: letters of both cases and digits in an order that no word, name or path has.

Pure. `redact` calls `mixed_values`, `spoken` calls `is_random`. No table says which token it is: what stands before it
decides how long it must be. A name, a flag, a header, a quote or another sign leads it in; after an ordinary word it
must be longer. Hashes, ids, versions, paths, pictures and public keys stay: their alphabet, their beginning or the name
before them tells them.
"""

from deskbell_hooks.named import parts_of, start_of_name
from deskbell_hooks.tokens import QUOTES, Span, find_all, is_mixed

HEXADECIMAL = "0123456789abcdef"
LED, BARE, SMALL, CAPITAL = 16, 24, 20, 28
"""The fewest characters of a token that a sign leads in, of one after a word, and of those with small letters or
capitals only."""
LEADING = frozenset("auth authtoken bearer echo key login password printf secret token unlock".split())
"""Words that lead a token in as a sign does."""
HASH = 32
"""The fewest hexadecimal digits that may be a secret. They look like a hash, so the name before them must say more."""
MOST = 240
"""Characters of a word that are counted. The rest is like them."""
SPELLED, VOWELS = 3, frozenset("aeiouy")
"""The fewest small letters in a row that are counted as a part of a word. In a longer row one of them is a vowel."""
NEAR = 40
"""The most characters between a token and the beginning of its name."""
TOLD = frozenset(
    "id ids uid uuid guid sha sha1 sha224 sha256 sha384 sha512 md5 h1 hash digest checksum integrity fingerprint etag"
    " match commit rev revision ref file filename path cursor slug arn cid jti address version build".split()
)
"""The last part of a name that says what follows it: something that names a thing and opens none."""
TYPES = frozenset(
    "toolu msg req run dpl cus pi ch in sub price prod evt usr user org proj acct file batch thread asst call"
    " resp".split()
)
"""The beginnings of ids that say what they name: toolu_01..."""
PUBLIC = frozenset(("public", "pub", "pubkey", "publickey"))
"""Parts of the names of public keys."""
HOLDING = frozenset("key access login license licence salt pepper cred creds hook webhook".split())
"""The last part of the name of a secret that may look like a hash: NEWRELIC_LICENSE."""
NAMING = frozenset("cache primary foreign partition sort idempotency public object last".split())
"""Parts of names that end like those and hold no secret: CACHE_KEY."""
BEGINNINGS = (
    *("iVBORw0KGgo", "R0lGOD", "9j/", "/9j/", "UklGR", "PHN2Zy", "PD94bW", "d09G", "AAAA", "MII", "JVBERi0", "UEsDB"),
    *("H4sI", "_Z", "__Z"),
)
"""What the base64 of pictures, fonts, archives, certificates and public keys begins with, and the symbols of C++."""
BEFORE = ("base64,", "|1|")
"""What stands before the contents of a data URL, and before the hash of a known host."""
HOOK = "hook"
"""A part of an address whose path is a secret: whoever knows it may post there."""
FRAME = "-----BEGIN "
KEPT = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-+/.~")
"""The characters of tokens, with those that join their parts."""


class _Apart(dict[int, str]):
    """A table for `str.translate` that keeps the characters of tokens and makes all others spaces."""

    def __missing__(self, code: int) -> str:
        self[code] = kept = chr(code) if chr(code) in KEPT else " "
        return kept


def mixed_values(text: str) -> list[Span]:
    """Return where such tokens are in TEXT."""
    spans: list[Span] = []
    text_without_public = _without_public_blocks(text)
    at = told = 0  # told: where the last line of a picture ends
    for word in text_without_public.translate(_Apart()).split(" "):
        start, at = at, at + len(word) + 1
        if len(word) < LED:
            continue
        if word.startswith(BEGINNINGS) or text.endswith(BEFORE, 0, start) or (told and start - told <= 2):
            told = start + len(word)
        else:
            spans.extend(_tokens_in(text, start, word))
    return spans


def _without_public_blocks(text: str) -> str:
    """Return TEXT with spaces in place of certificates and public keys."""
    parts, done = [], 0
    for at in find_all(text, FRAME):
        if at >= done and "PRIVATE" not in text[at : at + 64]:
            end = text.find("-----END", at)
            end = end if end >= 0 else len(text)
            parts.append(text[done:at] + " " * (end - at))
            done = end
    return "".join(parts) + text[done:]


def _tokens_in(text: str, start: int, word: str) -> list[Span]:
    if "/" in word and _is_path(word):
        return _parts_of_address(start, word) if HOOK in word else []
    start += len(word) - len(word.lstrip("-./+~"))
    word = word.strip("-./+~")
    span = (start, start + len(word))
    name, is_led = _name_before(text, start), _is_led(text, start)
    if len(word) >= HASH and set(word) <= set(HEXADECIMAL + "-"):
        return [span] if _holds(name) else []
    if _holds(name) and is_coded(word):
        return [span]
    is_told = name[-1:] != [] and (name[-1] in TOLD or not PUBLIC.isdisjoint(name))
    if is_told or _tells(word, is_led) or text.startswith("(", span[1]):
        return []  # it is known, or called
    return [span] if is_random(word, LED if is_led else BARE) else []


def _is_path(word: str) -> bool:
    """Return whether one of the parts of WORD is a word, or it begins like a path."""
    parts = word.split("/")
    begins = word[0] in "/.~" and len(parts) > 2
    return begins or any(len(part) >= SPELLED and part.isalpha() and part[1:].islower() for part in parts)


def _parts_of_address(start: int, word: str) -> list[Span]:
    spans = []
    for part in word.split("/"):
        if is_random(part, LED):
            spans.append((start, start + len(part)))
        start += len(part) + 1
    return spans


def _tells(word: str, is_led: bool) -> bool:
    """Return whether WORD says itself that it is an id, a hash or the name of a file."""
    kind, _, rest = word.partition("_")
    if kind.islower() and rest.isalnum() and len(rest) <= BARE and (kind in TYPES or not is_led):
        return True
    if word.partition("-")[0].lower() in TOLD:
        return True
    stem, dot, ending = word.rpartition(".")
    return bool(dot) and ending.isalnum() and ending.islower() and len(ending) <= 4 and stem.count(".") < 2


def _holds(name: list[str]) -> bool:
    """Return whether a name of these parts is that of a secret, even if what it names looks like a hash or an id."""
    return name[-1:] != [] and name[-1] in HOLDING and name != ["key"] and NAMING.isdisjoint(name)


def _name_before(text: str, start: int) -> list[str]:
    """Return the parts of the name that a sign joins to what starts here."""
    before = text[max(0, start - NEAR) : start]
    end = len(before.rstrip(QUOTES + " :=\\[("))
    return parts_of(before[start_of_name(before, end) : end]) if end < len(before) else []


def _is_led(text: str, start: int) -> bool:
    """Return whether a sign, a quote, a flag or a letter of a script without spaces stands before this place."""
    before = text[max(0, start - NEAR) : start].rstrip(" \t\\")
    if not before or before[-1] == "\n":
        return False
    if not before[-1].isalnum() or not text[start - 1].isascii():
        return before[-1] not in ".)"
    word = before.split()[-1].lower()
    return word.startswith("-") or word in LEADING


def is_random(word: str, least: int) -> bool:
    """Return whether WORD or its longest part has at least LEAST characters in an order that no name has."""
    longest = max(_apart(word), key=len)
    if len(word) < least or set(longest.lower()) <= set(HEXADECIMAL) or _ends_with_hash(word):
        return False
    return _has_no_order(_Count(word[:MOST])) or (
        len(longest) >= least and (_has_no_order(_Count(longest[:MOST])) or _is_of_one_case(longest, least))
    )


def _ends_with_hash(word: str) -> bool:
    """Return whether WORD ends as the name of a file does that is named by its contents."""
    return len(word) - len(word.rstrip(HEXADECIMAL)) >= LED


def _has_no_order(count: "_Count") -> bool:
    if count.uppers < 2 or count.lowers < 2:
        return False
    if not count.digits:
        is_even = 4 * min(count.uppers, count.lowers) >= count.all
        return is_even and count.all >= SMALL and 3 * count.spelled < count.all and 6 * count.breaks >= count.all
    return 2 * count.spelled < count.all and (5 if count.all > BARE else 4) * count.breaks >= count.all


def _is_of_one_case(word: str, least: int) -> bool:
    """Return whether WORD, behind something that announces a token, is one in base 36 or base 32."""
    count = _Count(word[:MOST])
    is_small = word.islower() and len(word) >= SMALL and 4 * count.breaks >= count.all
    is_capital = word.isupper() and len(word) >= CAPITAL and 6 * count.breaks >= count.all
    return least == LED and (is_small or is_capital) and count.digits >= 3


def is_coded(word: str) -> bool:
    """Return whether WORD has letters and digits without a sign between them, as codes of any alphabet have."""
    return len(word) >= LED and word.isalnum() and is_mixed(word) and not _is_spelled(word)


def _is_spelled(word: str) -> bool:
    count = _Count(word[:MOST])
    return 2 * count.spelled >= count.all


def _apart(word: str) -> list[str]:
    return word.replace("_", "-").replace(".", "-").replace("/", "-").split("-")


class _Count:
    """How many characters of each class a word has, how often the class changes, and how many letters are spelled."""

    def __init__(self, word: str) -> None:
        self.uppers = sum(map(str.isupper, word))
        self.lowers = sum(map(str.islower, word))
        self.digits = sum(map(str.isdigit, word))
        self.all = self.uppers + self.lowers + self.digits
        self.breaks, self.spelled = _changes(word)


def _class_of(char: str) -> str:
    return "l" if char.islower() else "u" if char.isupper() else "d" if char.isdigit() else " "


def _changes(word: str) -> "tuple[int, int]":
    """Return how often the class changes within a part, and the small letters in rows that may be a part of a word.

    That small letters follow a capital is no change: words are written so.
    """
    classes = "".join(map(_class_of, word))
    rows = "".join(char if char.islower() else " " for char in word).split()
    breaks = sum(classes.count(pair) for pair in ("lu", "ld", "ud", "dl", "du"))
    return breaks, sum(len(row) for row in rows if _may_be_spelled(row))


def _may_be_spelled(row: str) -> bool:
    return len(row) == SPELLED or (len(row) > SPELLED and not VOWELS.isdisjoint(row))
