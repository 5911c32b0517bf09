"""Find the secrets that the structure of a file announces: .netrc, .pgpass, XML, pairs of name and value, Kubernetes.

Pure. Only `redact` calls this.
"""

from deskbell_hooks.mixed import HASH
from deskbell_hooks.named import NEAR, is_placeholder, is_secret_name, start_of_name
from deskbell_hooks.spoken import is_password, is_shaped
from deskbell_hooks.tokens import HEX, QUOTES, Span, find_all, is_mixed, looks_random, skip, value, value_end, word_end

CALLS = tuple(
    "auth login authenticate password connect begin pdo credential credentials encode sign getconnection string::from"
    " setopt".split()
)
"""The ends of the names of calls that take a password, in lower case."""
NEAR_CALL, MOST_ARGUMENTS = 24, 6
"""The most characters of such an end, and the most arguments that are read."""
SECURE = "ConvertTo-SecureString"


def structured_values(text: str) -> list[Span]:
    """Find aws_secret_access_key value, the password of a .netrc, ConvertTo-SecureString value, <password>value<."""
    spans, end = [], 0
    for at in find_all(text, "_"):
        if at < end:
            continue
        end = word_end(text, at)
        start, stop = _next_word(text, end)
        random = stop - start >= 8 and looks_random(text[start:stop])
        if random and is_secret_name(text[start_of_name(text, at) : end]):
            spans.append((start, stop))
    for word, announced in (("password", ("machine ", "login ")), ("password", ("default ", "login ")), (SECURE, ())):
        for at in find_all(text, word + " "):
            start, stop = _next_word(text, at + len(word))
            if text[start:stop] in ("-String", "-AsPlainText") or text.startswith("-", skip(text, at + len(word), " ")):
                begin = text.find("-String ", at, at + 60)
                start, stop = _next_word(text, begin + 7) if begin > 0 else (at, at)
            if start < stop and all(other in text[max(0, at - NEAR) : at] for other in announced):
                spans.append((start, stop))
    found = [*spans, *_arguments_of_calls(text), *_elements(text), *_paired(text)]
    return [*found, *_password_files(text), *_kubernetes(text)]


def _arguments_of_calls(text: str) -> list[Span]:
    """Find the password in login("me", "password"). Names stand there too, so it must have the shape of one."""
    spans, done = [], 0
    for at in find_all(text, "("):
        if at < done or not text[max(0, at - NEAR_CALL) : at].lower().rstrip(" =").endswith(CALLS):
            continue
        done = at + 1
        for _ in range(MOST_ARGUMENTS):
            start = min((found for quote in QUOTES if (found := text.find(quote, done, at + NEAR)) >= 0), default=-1)
            stop = value_end(text, start) if start >= 0 else -1
            if start < 0 or text.find(")", done, start) >= 0:
                break
            begin = max(start + 1, text.find(":", start, stop) + 1)
            if _is_passed(text[begin:stop]):
                spans.append((begin, stop))
            done = stop + 1
    return spans


def _is_passed(word: str) -> bool:
    """Return whether a call that takes a password takes WORD for it."""
    has_both_cases = word not in (word.lower(), word.upper())
    is_mixture = len(word) >= 8 and is_mixed(word) and has_both_cases and is_password(word, is_sure=True)
    return is_shaped(word) or is_mixture or (len(word) >= HASH and set(word) <= HEX)


def _elements(text: str) -> list[Span]:
    """Find <password>value</password>."""
    spans = []
    for at in find_all(text, ">"):
        start = text.rfind("<", max(0, at - 100), at)
        name = text[start + 1 : at].split(" ")[0].rpartition(":")[2] if start >= 0 else ""
        end = text.find("<", at + 1, at + 4000)
        is_open = end > at + 1 and text[at - 1] != "/" and text[start + 1] != "/" and not text[at + 1 : end].isspace()
        if is_open and is_secret_name(name) and not is_placeholder(text[at + 1 : end]):
            spans.append((at + 1, end))
    return spans


def _paired(text: str) -> list[Span]:
    """Find {"name": "password", "value": "secret"} and <property name="password" value="secret"/>."""
    spans, done = [], 0
    for at in find_all(text, "alue"):
        if at < done:
            continue
        done = at + 4
        start = skip(text, done, QUOTES + "\\ ")
        if text[start : start + 1] not in (":", "="):
            continue
        before = text[max(0, at - 60) : at - 1].removesuffix("Parameter").rstrip(QUOTES + " ,;\n\t-{:\\")
        if is_secret_name(before[start_of_name(before, len(before)) :]):
            begin, done = value(text, skip(text, start + 1, " "))
            if begin < done and is_mixed(text[begin:done]):
                spans.append((begin, done))
    return spans


def _password_files(text: str) -> list[Span]:
    """Find host:port:database:user:secret, a line of a .pgpass."""
    spans = []
    for line in text.split("\n") if ".pgpass" in text or ":*:*:" in text else ():
        parts = line.split(" > ")[0].split(" >> ")[0].rstrip(QUOTES + " ").split(":")
        if len(parts) == 5 and (parts[1].isdigit() or parts[1] == "*") and is_mixed(parts[4]):
            start = text.find(":".join(parts[1:4]))
            start = text.find(parts[4], start)
            spans.append((start, start + len(parts[4])))
    return spans


def _kubernetes(text: str) -> list[Span]:
    """Find the values of a Secret of Kubernetes, whatever their names are."""
    spans = []
    for at in find_all(text, "ata:\n") if "kind: Secret" in text else ():
        for line_start in find_all(text[at : at + 4000], "\n  "):
            colon = text.find(": ", at + line_start, at + line_start + 100)
            start, stop = value(text, colon + 2)
            if colon > 0 and "\n" not in text[at + line_start + 1 : colon] and is_mixed(text[start:stop]):
                spans.append((start, stop))
    return spans


def _next_word(text: str, at: int) -> Span:
    """Return where the word after the space at this place stands; an empty span for a flag, a variable or no space."""
    start = skip(text, at, " ")
    return (at, at) if start == at or text[start : start + 1] in ("$", "-", "") else value(text, start)
