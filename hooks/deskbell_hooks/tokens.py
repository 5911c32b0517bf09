"""Find the secrets in a text that are known by their own form: private keys, tokens with a prefix, bot URLs.

Pure. A span is where a secret starts and ends. `redact` calls `tokens`; the helpers serve `named` too.
"""

PREFIXES = (
    *("sk-", "sk_live_", "sk_test_", "rk_live_", "pk_live_", "whsec_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *("github_pat_", "glpat-", "glrt-", "gldt-", "glcbt-", "glptt-", "glft-", "glsoat-", "xoxa-", "xoxb-", "xoxp-"),
    *("xoxr-", "xoxs-", "xapp-", "AKIA", "ASIA", "ABIA", "ACCA", "AIza", "npm_", "pypi-", "hf_", "dckr_pat_", "ya29."),
    *("SG.", "shpat_", "dop_v1_", "eyJ", "hvs.", "hvb.", "hvr.", "sq0csp-", "sq0atp-", "EAAA", "gsk_", "xai-"),
    *("lin_api_", "PMAK-", "AGE-SECRET-KEY-1", "hooks.slack.com/services/", "discord.com/api/webhooks/"),
)
"""What a token begins with; ten characters or more follow, among them a digit or letters of both cases."""
HEX_PREFIXES = ("SK", "AC", "dapi")
"""What 32 hexadecimal digits follow: Twilio's keys and accounts, and Databricks' tokens."""
HEX = frozenset("0123456789abcdef")

QUOTES = "\"'`"
STOP = " \t\r\n\"'`,;&|)]}<>"
"""The characters that end a word of a command."""

Span = tuple[int, int]


def tokens(text: str) -> list[Span]:
    return [*_private_keys(text), *_prefixed(text), *_hexadecimal(text), *_mailchimp(text), *_telegram(text)]


def find_all(text: str, part: str) -> list[int]:
    """Return where the part stands in the text; occurrences do not overlap."""
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + len(part))
    return found


def is_word(char: str) -> bool:
    return char.isalnum() or char in "_-"


def looks_random(word: str) -> bool:
    return any(c.isdigit() for c in word) or (word != word.lower() and word != word.upper())


def skip(text: str, start: int, chars: str) -> int:
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
    end = value_end(text, start)
    return (start + 1 if text[start : start + 1] in (*QUOTES,) else start), end


def word_end(text: str, end: int, more: str = "") -> int:
    while end < len(text) and (is_word(text[end]) or text[end] in more):
        end += 1
    return end


def _private_keys(text: str) -> list[Span]:
    spans = []
    for start in find_all(text, "-----BEGIN"):
        if "PRIVATE KEY" in text[start : start + 64]:
            end = text.find("-----END", start)
            close = text.find("-----", end + 8) if end > 0 else -1
            spans.append((start, close + 5 if close > 0 else len(text)))
    return spans


def _prefixed(text: str) -> list[Span]:
    spans = []
    for prefix in PREFIXES:
        end = 0
        for start in find_all(text, prefix):
            if start < end or (start and is_word(text[start - 1])):
                continue
            end = word_end(text, start, ".=/+")
            if end - start >= len(prefix) + 10 and looks_random(text[start + len(prefix) : end]):
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
    """Find the number and the token of a bot in the URL of its API: https://api.telegram.org/bot<number>:<token>/."""
    spans = []
    for at in find_all(text, "/bot"):
        colon = start = at + 4
        while text[colon : colon + 1].isdigit():
            colon += 1
        end = word_end(text, colon + 1)
        if colon > start and text[colon : colon + 1] == ":" and end > colon + 1:
            spans.append((start, end))
    return spans
