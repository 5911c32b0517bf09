"""Replace the secrets in a text by HIDDEN.

It uses no regular expressions, whose import alone would double the cost of the hook. It hides too much rather than too
little: a word hidden by mistake costs a glance at the terminal, a password shown costs a password. Only known forms are
found. `trim` imports this only for a text with one of its HINTS, so a form that is added here or in `named` or `tokens`
needs a hint there.
"""

from deskbell_hooks.named import NEAR, is_secret_name, named_values, spaced_values
from deskbell_hooks.tokens import QUOTES, STOP, Span, find_all, is_word, looks_random, skip, tokens, value, value_end

HIDDEN = "[redacted]"
LONGEST_HOST = 300
FLAGS = {
    "p": ("sshpass", "docker login", "podman login", "twine", "az login"),
    "a": ("redis-cli",),
    "w": ("ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd"),
}
"""One-letter flags that a password follows, and the programs that mean a password by them."""
ATTACHED = ((" -p", ("mysql", "mariadb", "sshpass")), (" -u", ("curl",)))
"""Flags to which a value is attached without a space."""
READERS = ("--password-stdin", "sudo -S", "chpasswd", "passwd --stdin")
"""What reads a password from a pipe."""


def redact(text: str) -> str:
    spans = [
        *tokens(text),
        *named_values(text),
        *spaced_values(text),
        *_flag_values(text),
        *_cookies(text),
        *_schemes(text),
        *_url_passwords(text),
        *_piped(text),
    ]
    return _without(text, [span for span in spans if not _is_hidden(text, *span)])


def _is_hidden(text: str, start: int, end: int) -> bool:
    """Return True for HIDDEN itself, because a text may be redacted twice. The span ends before its last bracket."""
    return text[start : end + 1] == HIDDEN


def _without(text: str, spans: list[Span]) -> str:
    out, done = [], 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        if start >= done:
            out.append(text[done:start])
            out.append(HIDDEN)
        done = end
    return "".join(out) + text[done:]


def _first(text: str, chars: str, start: int, end: int) -> int:
    return min((found for char in chars if (found := text.find(char, start, end)) >= 0), default=end)


def _flag_values(text: str) -> list[Span]:
    """Find --password value, curl -u user:password, curl -b name=value, sshpass -p password."""
    spans = []
    for at in find_all(text, "-"):
        if at and text[at - 1] not in " \t\n([" + QUOTES:
            continue
        end = at
        while end < len(text) and is_word(text[end]):
            end += 1
        flag, start = text[at:end].lstrip("-"), skip(text, end, " \t=" + QUOTES)
        if start == end:
            continue
        command = text[max(0, at - NEAR) : at]
        if is_secret_name(flag):
            start, stop = value(text, skip(text, end, " \t="))
            if not text[start:stop].startswith(("-", "$")):
                spans.append((start, stop))
        elif flag in ("u", "user", "proxy-user", "U"):
            spans.extend(_after(":", text, start) or (_after("%", text, start) if "smbclient" in command else []))
        elif (flag == "b" and "curl" in command) or flag == "from-literal":
            spans.extend(_after("=", text, start))
        elif any(program in command for program in FLAGS.get(flag, ())):
            spans.append(value(text, skip(text, end, " \t")))
    return spans + _attached_values(text)


def _attached_values(text: str) -> list[Span]:
    """Find mysql -ppassword, curl -uuser:password."""
    spans = []
    for flag, programs in ATTACHED:
        for at in find_all(text, flag):
            start = at + len(flag)
            command = text[max(0, at - NEAR) : at]
            if text[start : start + 1].isspace() or not any(program in command for program in programs):
                continue
            spans.extend([(start, value_end(text, start))] if flag == " -p" else _after(":", text, start))
    return spans


def _after(sign: str, text: str, start: int) -> list[Span]:
    """Find the second half of a pair such as user:password."""
    end = start
    while end < len(text) and text[end] not in STOP:
        end += 1
    at = text.find(sign, start, end)
    is_pair = 0 < at < end - 1 and not text.startswith(("//", "$"), at + 1)
    return [(at + 1, end)] if is_pair and not text[start:end].replace(":", "").isdigit() else []


def _piped(text: str) -> list[Span]:
    """Find echo password | docker login --password-stdin."""
    spans = []
    for reader in READERS:
        for at in find_all(text, reader):
            pipe = text.rfind("|", max(0, at - NEAR), at)
            for printer in ("echo ", "printf "):
                found = text.rfind(printer, max(0, pipe - NEAR), max(0, pipe))
                start = skip(text, found + len(printer), " " + QUOTES)
                end = start + len(text[start:pipe].rstrip(" " + QUOTES))
                if found >= 0 and start < end and text[start] != "$":
                    spans.append((start, end))
    return spans


def _lower(text: str) -> str:
    """Return the text in lower case and of the same length: a few letters would become two."""
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _cookies(text: str) -> list[Span]:
    """Find Cookie: a=b; c=d."""
    spans, lower, end = [], _lower(text), 0
    for at in find_all(lower, "cookie:"):
        if at < end:
            continue
        start = end = skip(text, at + len("cookie:"), " ")
        while end < len(text) and text[end] not in "\r\n" + QUOTES:
            end += 1
        if "=" in text[start:end]:
            spans.append((start, end))
    return spans


def _schemes(text: str) -> list[Span]:
    """Find Authorization: Bearer value."""
    spans, lower = [], _lower(text)
    for scheme in ("bearer ", "basic ", "token ", "digest ", "apikey "):
        for at in find_all(lower, scheme):
            start = at + len(scheme)
            end = value_end(text, start)
            word = text[start:end]
            before = lower[max(0, at - 20) : at].rstrip(" " + QUOTES)
            announced = "auth" in before and before.endswith((":", "="))
            if (announced and word) or (scheme == "bearer " and len(word) >= 8 and looks_random(word)):
                spans.append((start, end))
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
