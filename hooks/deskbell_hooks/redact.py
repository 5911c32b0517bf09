"""Replace the secrets in a text with HIDDEN.

It uses no regular expressions, whose import alone would double the cost of the hook. It hides too much rather than too
little: a word hidden by mistake costs a glance at the terminal, a password shown costs a password. It finds only known
forms: those of the tables in `prefixes` and `commands`, and of the rules in `named`, `structures`, `sentences` and
`tokens`. `trim` imports this only for a text with one of its hints, so every new form needs a hint there.
"""

from deskbell_hooks.commands import command_values
from deskbell_hooks.mixed import mixed_values
from deskbell_hooks.named import is_placeholder, named_values
from deskbell_hooks.sentences import sentence_values
from deskbell_hooks.spoken import is_password, spoken_values
from deskbell_hooks.structures import structured_values
from deskbell_hooks.tokens import QUOTES, STOP, Span, find_all, looks_random, skip, tokens, value_end, word_end

HIDDEN = "[redacted]"
LONGEST_HOST = 300


def redact(text: str) -> str:
    """Return TEXT with HIDDEN in place of each secret."""
    return redacted_start(text, len(text))


def redacted_start(text: str, end: int) -> str:
    """Return the part of TEXT before END, redacted. What gives a secret away may stand after END.

    A secret that goes on there is hidden as a whole.
    """
    return _without(text, [span for span in _secrets(text) if span[0] < end], end)


def _secrets(text: str) -> list[Span]:
    lower = _lower(text)
    spans = [
        *tokens(text),
        *mixed_values(text),
        *named_values(text),
        *structured_values(text),
        *command_values(text),
        *sentence_values(text, lower),
        *spoken_values(text, lower),
        *_cookies(text, lower),
        *_schemes(text, lower),
        *_url_passwords(text),
        *_host_passwords(text),
    ]
    return [span for span in spans if not _is_hidden(text, *span)]


def _is_hidden(text: str, start: int, end: int) -> bool:
    """Return True for HIDDEN itself, because a text may be redacted twice. The span ends before its last bracket."""
    return text[start : end + 1] == HIDDEN


def _without(text: str, spans: list[Span], stop: int) -> str:
    out, done = [], 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        if start >= done:
            out.append(text[done:start])
            out.append(HIDDEN)
        done = end
    return "".join(out) + text[done:stop]


def _first(text: str, chars: str, start: int, end: int) -> int:
    """Return where the first of CHARS stands; END if none does."""
    return min((found for char in chars if (found := text.find(char, start, end)) >= 0), default=end)


def _lower(text: str) -> str:
    """Return the text in lower case and of the same length: a few letters would become two."""
    if len(lower := text.lower()) == len(text):
        return lower
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _cookies(text: str, lower: str) -> list[Span]:
    """Find Cookie: a=b; c=d."""
    spans, end = [], 0
    for at in find_all(lower, "cookie:"):
        if at < end:
            continue
        start = end = skip(text, at + len("cookie:"), " ")
        while end < len(text) and text[end] not in "\r\n" + QUOTES:
            end += 1
        if "=" in text[start:end]:
            spans.append((start, end))
    return spans


def _schemes(text: str, lower: str) -> list[Span]:
    """Find Authorization: Bearer value, whatever the scheme is called."""
    spans = []
    for at in find_all(lower, "authorization"):
        name_end = at + len("authorization")
        start = skip(text, name_end, QUOTES + " \t\\:=,]")
        end = word_end(text, start) if start > name_end else start
        if end > start and text[end : end + 1] == " ":
            spans.extend(_credentials(text, end + 1, 20))
    for scheme in ("bearer ", "basic "):
        for at in find_all(lower, scheme):
            before = lower[max(0, at - 20) : at].rstrip(" " + QUOTES)
            announced = "auth" in before and before.endswith((":", "="))
            spans.extend(_credentials(text, at + len(scheme), 20 if announced else LONGEST_HOST))
    return spans


def _credentials(text: str, start: int, plain: int) -> list[Span]:
    """Return the word that starts here if it is no word of a language, or has PLAIN characters."""
    start = skip(text, start, QUOTES + " +\\")
    end = value_end(text, start)
    word = text[start:end]
    if not word or word[0] in "{'" or is_placeholder(word):
        return []
    return [(start, end)] if len(word) >= plain or (len(word) >= 6 and looks_random(word)) else []


def _host_passwords(text: str) -> list[Span]:
    """Find user:password@host without a scheme."""
    spans, done = [], 0
    for at in find_all(text, "@"):
        start = max(done, at - LONGEST_HOST)
        colon = text.rfind(":", start, at)
        done = at
        names_host = text[at + 1 : at + 2].isalpha() and not text.startswith("sha", at + 1)
        if colon > 0 and names_host and text[colon - 1].isalnum() and is_password(text[colon + 1 : at], is_sure=True):
            spans.append((colon + 1, at))
    return spans


def _url_passwords(text: str) -> list[Span]:
    """Find scheme://user:password@host and scheme://token@host."""
    spans = []
    for at in find_all(text, "://"):
        start = at + 3
        end = _first(text, STOP, start, min(len(text), start + LONGEST_HOST))
        path = _first(text, "/?#", start, end)
        colon = text.find(":", start, path)
        host = text.rfind("@", start, path)
        if host < 0 and colon > 0 and not text[colon + 1 : path].isdigit():
            host = text.rfind("@", start, end)  # the password may contain a slash
        if 0 < colon < host - 1 and not text.startswith("$", colon + 1):
            spans.append((colon + 1, host))
        elif colon < 0 and host - start >= 16 and looks_random(text[start:host]):
            spans.append((start, host))
    return spans
