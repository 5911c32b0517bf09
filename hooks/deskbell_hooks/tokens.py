"""Find the secrets that their own form gives away: private keys, tokens with a prefix, the URLs of bots.

Pure. A span is where a secret starts and ends. `redact` calls `tokens`; its other modules use the rest.
"""

from deskbell_hooks.prefixes import ENDINGS, HASHES, HEX_PREFIXES, INFIXES, LONG_PREFIXES, PREFIXES

HEX = frozenset("0123456789abcdef")

QUOTES = "\"'`"
STOP = " \t\r\n\"'`,;&|)]}<>"
"""The characters that end a word of a command."""

Span = tuple[int, int]
"""Where a secret starts, and where it ends."""


def tokens(text: str) -> list[Span]:
    """Return where such secrets are in TEXT."""
    found = [*_private_keys(text), *_prefixed(text), *_long(text), *_around(text), *_hashes(text)]
    return [*found, *_hexadecimal(text), *_mailchimp(text), *_telegram(text)]


def find_all(text: str, part: str) -> list[int]:
    """Return where PART occurs in TEXT, without overlaps."""
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + len(part))
    return found


def is_word(char: str) -> bool:
    return char.isalnum() or char in "_-"


def looks_random(word: str) -> bool:
    """Return True for a word with a digit, or with letters of both cases."""
    return any(c.isdigit() for c in word) or (word != word.lower() and word != word.upper())


def skip(text: str, start: int, chars: str) -> int:
    """Return the first place from START on that has none of CHARS."""
    while start < len(text) and text[start] in chars:
        start += 1
    return start


def value_end(text: str, start: int) -> int:
    """Return where a value ends: at the closing quote if it starts with one, else where a word of a command ends."""
    if start < len(text) and text[start] in QUOTES:
        close = text.find(text[start], start + 1)
        return close if close > 0 else len(text)
    end = start
    while end < len(text) and text[end] not in STOP:
        end += 2 if text[end] == "\\" else 1
    return min(end, len(text))


def value(text: str, start: int) -> Span:
    """Return the value that starts here, without its quotes."""
    end = value_end(text, start)
    return (start + 1 if text[start : start + 1] in (*QUOTES,) else start), end


def word_end(text: str, end: int, more: str = "") -> int:
    """Return where the word that goes on at END ends. The characters in MORE belong to words, too."""
    while end < len(text) and (is_word(text[end]) or text[end] in more):
        end += 1
    return end


def is_mixed(word: str) -> bool:
    """Return True for a word with a letter and a digit. No word of a language has both."""
    return any(char.isdigit() for char in word) and any(char.isalpha() for char in word)


FRAMES = (("-----BEGIN", "-----END", "-----"), ("---- BEGIN", "---- END", "----"))
"""What a private key begins and ends with: PEM, and SSH2."""


def _private_keys(text: str) -> list[Span]:
    spans = []
    for begin, finish, dashes in FRAMES:
        for start in find_all(text, begin):
            if "PRIVATE KEY" in text[start : start + 64]:
                end = text.find(finish, start)
                close = text.find(dashes, end + 8) if end > 0 else -1
                spans.append((start, close + len(dashes) if close > 0 else len(text)))
    for announced in ("Private-Lines:", "minisign encrypted secret key"):
        spans.extend((at + len(announced), len(text)) for at in find_all(text, announced)[:1])
    return [(start, min(end, len(text))) for start, end in spans if start < len(text)]


def _prefixed(text: str) -> list[Span]:
    spans = []
    for prefix in PREFIXES:
        end = 0
        for start in find_all(text, prefix):
            if start < end or (start and is_word(text[start - 1]) and prefix[0] not in "/."):
                continue
            if text.endswith("base64,", 0, start):
                continue  # a map of sources in a data URL
            end = word_end(text, start, ".=/+~" + prefix[0])
            if end - start >= len(prefix) + 10 and looks_random(text[start + len(prefix) : end]):
                spans.append((start, end))
    return spans


def _long(text: str) -> list[Span]:
    spans = []
    for prefix, least in LONG_PREFIXES.items():
        end = 0
        for start in find_all(text, prefix):
            if start < end or (start and is_word(text[start - 1])):
                continue
            end = word_end(text, start + len(prefix), ".!$")
            word = text[start + len(prefix) : end]
            if len(word) >= least and sum(char.isdigit() for char in word) >= 2 and is_mixed(word):
                spans.append((start, end))
    return spans


def _around(text: str) -> list[Span]:
    """Find the tokens that have a sign in the middle or at the end."""
    spans = []
    for sign, (before, behind) in (*INFIXES.items(), *((sign, (least, 0)) for sign, least in ENDINGS.items())):
        done = 0
        for at in find_all(text, sign):
            if at < done:
                continue
            start, end = at, word_end(text, at + len(sign), ".~")
            while start > max(done, at - 80) and (is_word(text[start - 1]) or text[start - 1] in ".~"):
                start -= 1
            done = end
            if at - start >= before and end - at - len(sign) >= behind and is_mixed(text[start:end]):
                spans.append((start, end))
    return spans


def _hashes(text: str) -> list[Span]:
    """Find the hash of a password, as it stands in a file of passwords."""
    spans = []
    for prefix in HASHES:
        end = 0
        for start in find_all(text, prefix):
            if start >= end:
                end = word_end(text, start + len(prefix), "$./+=,")
                if end - start - len(prefix) >= 20:
                    spans.append((start, end))
    return spans


def _is_hex(text: str) -> bool:
    return len(text) == 32 and set(text) <= HEX


def _hexadecimal(text: str) -> list[Span]:
    spans = []
    for prefix in HEX_PREFIXES:
        for start in find_all(text, prefix):
            end = start + len(prefix) + 32
            starts_a_word = not start or not is_word(text[start - 1])
            if starts_a_word and _is_hex(text[start + len(prefix) : end]) and not text[end : end + 1].isalnum():
                spans.append((start, word_end(text, end)))
    return spans


def _mailchimp(text: str) -> list[Span]:
    """Find 32 hexadecimal digits, "-us" and the number of a data centre."""
    return [
        (at - 32, word_end(text, at))
        for at in find_all(text, "-us")
        if at >= 32 and _is_hex(text[at - 32 : at]) and text[at + 3 : at + 4].isdigit()
    ]


def _telegram(text: str) -> list[Span]:
    """Find the number and the token of a bot, also in the URL of its API: https://api.telegram.org/bot<number>:<token>/."""
    spans = []
    for at in find_all(text, ":AA"):
        start, end = at, word_end(text, at + 1)
        while start > at - 12 and text[start - 1 : start].isdigit():
            start -= 1
        if at - start >= 8 and end - at >= 32:
            spans.append((start, end))
    for at in find_all(text, "/bot"):
        colon = start = at + 4
        while text[colon : colon + 1].isdigit():
            colon += 1
        end = word_end(text, colon + 1)
        if colon > start and text[colon : colon + 1] == ":" and end > colon + 1:
            spans.append((start, end))
    return spans
