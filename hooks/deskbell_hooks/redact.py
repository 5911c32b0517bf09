"""Which parts of a text are secrets, and how does it read without them?

Deliberately without regular expressions (their import alone would double the cost of the hook) and deliberately
eager: a word too many hidden costs a glance at the terminal, a password shown costs a password.
"""

HIDDEN = "[redacted]"

PREFIXES = (
    *("sk-", "sk_live_", "sk_test_", "rk_live_", "pk_live_", "whsec_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *("github_pat_", "glpat-", "xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xapp-", "AKIA", "ASIA", "AIza", "npm_"),
    *("pypi-", "hf_", "dckr_pat_", "ya29.", "SG.", "shpat_", "dop_v1_", "eyJ"),
    *("hooks.slack.com/services/", "discord.com/api/webhooks/"),
)
NAMES = frozenset(
    "password passwd passphrase passcode pwd pass secret secrets token apikey auth authorization credential"
    " credentials bearer cookie accesskey secretkey privatekey authtoken accesstoken pat".split()
)
ENDINGS = ("password", "passwd", "passphrase", "secret", "token", "apikey", "credential", "credentials", "dbpass")
ANYWHERE = frozenset(("password", "passwd", "secret", "credential", "credentials"))
KEY_OF = frozenset(
    "api access secret private signing encryption auth master service account license deploy client session shared"
    " aws azure openai anthropic github gitlab stripe slack google gcp ssh gpg jwt hmac storage".split()
)
SCHEMES = frozenset(("bearer", "basic", "token", "digest", "apikey"))
QUOTES = "\"'`"
LONGEST_HOST = 300
STOP = " \t\r\n\"'`,;&|)]}<>"


def redact(text: str) -> str:
    spans = [
        *_private_keys(text),
        *_known_tokens(text),
        *_named_values(text),
        *_flag_values(text),
        *_cookies(text),
        *_schemes(text),
        *_url_passwords(text),
    ]
    return _without(text, [span for span in spans if not _is_hidden(text, *span)])


def _is_hidden(text: str, start: int, end: int) -> bool:
    """A text may come by here twice, and a word ends before a closing bracket."""
    return text[start : end + 1] == HIDDEN


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    out, done = [], 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        if start >= done:
            out.append(text[done:start])
            out.append(HIDDEN)
        done = end
    return "".join(out) + text[done:]


def _all(text: str, part: str) -> list[int]:
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + len(part))
    return found


def _first(text: str, chars: str, start: int, end: int) -> int:
    return min((found for char in chars if (found := text.find(char, start, end)) >= 0), default=end)


def _value_end(text: str, start: int) -> int:
    """Up to the closing quote where a quote opened, else to where a word of a command ends."""
    if start < len(text) and text[start] in QUOTES:
        close = text.find(text[start], start + 1)
        return close if close > 0 else len(text)
    end = start
    while end < len(text) and text[end] not in STOP:
        end += 2 if text[end] == "\\" else 1
    return min(end, len(text))


def _value(text: str, start: int) -> tuple[int, int]:
    end = _value_end(text, start)
    return (start + 1 if text[start : start + 1] in (*QUOTES,) else start), end


def _private_keys(text: str) -> list[tuple[int, int]]:
    spans = []
    for start in _all(text, "-----BEGIN"):
        if "PRIVATE KEY" in text[start : start + 64]:
            end = text.find("-----END", start)
            close = text.find("-----", end + 8) if end > 0 else -1
            spans.append((start, close + 5 if close > 0 else len(text)))
    return spans


def _is_word(char: str) -> bool:
    return char.isalnum() or char in "_-"


def _known_tokens(text: str) -> list[tuple[int, int]]:
    spans = []
    for prefix in PREFIXES:
        end = 0
        for start in _all(text, prefix):
            if start < end or (start and _is_word(text[start - 1])):
                continue
            end = start
            while end < len(text) and (_is_word(text[end]) or text[end] in ".=/+"):
                end += 1
            if end - start >= len(prefix) + 10 and _looks_random(text[start + len(prefix) : end]):
                spans.append((start, end))
    return spans


def _looks_random(word: str) -> bool:
    return any(c.isdigit() for c in word) or (word != word.lower() and word != word.upper())


def is_secret_name(name: str) -> bool:
    """api_key, GITHUB_TOKEN, clientSecret, PGPASSWORD; not author, max_tokens, primary_key, key."""
    parts = _parts(name)
    if not parts:
        return False
    if parts[-1] == "key" and any(part in KEY_OF for part in parts[:-1]):
        return True
    return parts[-1] in NAMES or parts[-1].endswith(ENDINGS) or any(part in ANYWHERE for part in parts)


def _parts(name: str) -> list[str]:
    spaced, before = [], ""
    for char in name:
        if not char.isalnum():
            spaced.append(" ")
        else:
            spaced.append(" " + char if char.isupper() and before.islower() else char)
        before = char
    return "".join(spaced).lower().split()


def _named_values(text: str) -> list[tuple[int, int]]:
    """NAME=value, name: value, "name": "value", name is value."""
    spans = []
    for sign in ("=", ":", " is "):
        end = 0
        for at in _all(text, sign):
            if at < end or not is_secret_name(_name_before(text, at)):
                continue
            start = _skip(text, at + len(sign), " =")
            sure = sign == "=" or (sign == ":" and start == at + 1)
            start, stop = _value(text, start)
            word = text[start:stop]
            if word and word.lower() not in SCHEMES and word[0] != "$" and (sure or _looks_secret(text, start, word)):
                spans.append((start, stop))
                end = stop
    return spans


def _skip(text: str, start: int, chars: str) -> int:
    while start < len(text) and text[start] in chars:
        start += 1
    return start


def _looks_secret(text: str, start: int, word: str) -> bool:
    """After a colon and a space, or after "is", prose follows as often as a value does."""
    return text[start - 1 : start] in (*QUOTES,) or len(word) >= 16 or any(not c.isalpha() for c in word.rstrip(".!?"))


def _name_before(text: str, at: int) -> str:
    end = at
    while end > 0 and text[end - 1] in QUOTES + " \\":
        end -= 1
    start = end
    while start > 0 and (_is_word(text[start - 1]) or text[start - 1] == "."):
        start -= 1
    return text[start:end]


def _flag_values(text: str) -> list[tuple[int, int]]:
    """--password value, curl -u user:password, mysql -ppassword, sshpass -p password."""
    spans = []
    for at in _all(text, "-"):
        if at and text[at - 1] not in " \t\n([" + QUOTES:
            continue
        end = at
        while end < len(text) and _is_word(text[end]):
            end += 1
        flag, start = text[at:end].lstrip("-"), _skip(text, end, " \t=" + QUOTES)
        if start == end:
            continue
        if is_secret_name(flag):
            start, stop = _value(text, _skip(text, end, " \t="))
            if not text[start:stop].startswith(("-", "$")):
                spans.append((start, stop))
        elif flag in ("u", "user", "proxy-user", "U"):
            spans.extend(_after_colon(text, start))
        elif flag in ("p", "a") and _is_password(text[max(0, at - 200) : at], flag):
            spans.append(_value(text, start))
    return spans + _attached_values(text)


def _is_password(command: str, flag: str) -> bool:
    return any(program in command for program in (("sshpass", "docker login") if flag == "p" else ("redis-cli",)))


def _attached_values(text: str) -> list[tuple[int, int]]:
    """mysql -ppassword, curl -uuser:password."""
    spans = []
    for flag, programs in ((" -p", ("mysql", "mariadb")), (" -u", ("curl",))):
        for at in _all(text, flag):
            start = at + len(flag)
            if text[start : start + 1].isspace() or not any(p in text[max(0, at - 200) : at] for p in programs):
                continue
            spans.extend([(start, _value_end(text, start))] if flag == " -p" else _after_colon(text, start))
    return spans


def _after_colon(text: str, start: int) -> list[tuple[int, int]]:
    end = start
    while end < len(text) and text[end] not in STOP:
        end += 1
    colon = text.find(":", start, end)
    is_pair = 0 < colon < end - 1 and not text.startswith(("//", "$"), colon + 1)
    return [(colon + 1, end)] if is_pair and not text[start:end].replace(":", "").isdigit() else []


def _lower(text: str) -> str:
    """As long as the text: a few letters have two for their lower case."""
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _cookies(text: str) -> list[tuple[int, int]]:
    """Cookie: a=b; c=d"""
    spans, lower, end = [], _lower(text), 0
    for at in _all(lower, "cookie:"):
        if at < end:
            continue
        start = end = _skip(text, at + len("cookie:"), " ")
        while end < len(text) and text[end] not in "\r\n" + QUOTES:
            end += 1
        if "=" in text[start:end]:
            spans.append((start, end))
    return spans


def _schemes(text: str) -> list[tuple[int, int]]:
    """Authorization: Bearer xyz."""
    spans, lower = [], _lower(text)
    for scheme in ("bearer ", "basic ", "token ", "digest ", "apikey "):
        for at in _all(lower, scheme):
            start = at + len(scheme)
            end = _value_end(text, start)
            word = text[start:end]
            before = lower[max(0, at - 20) : at].rstrip(" " + QUOTES)
            announced = "auth" in before and before.endswith((":", "="))
            if (announced and word) or (scheme == "bearer " and len(word) >= 8 and _looks_random(word)):
                spans.append((start, end))
    return spans


def _url_passwords(text: str) -> list[tuple[int, int]]:
    """scheme://user:password@host, scheme://token@host."""
    spans = []
    for at in _all(text, "://"):
        start = at + 3
        end = _first(text, STOP, start, min(len(text), start + LONGEST_HOST))
        path = _first(text, "/?#", start, end)
        colon = text.find(":", start, path)
        host = text.rfind("@", start, path)
        if host < 0 and colon > 0 and not text[colon + 1 : path].isdigit():
            host = text.rfind("@", start, end)  # a password with a slash in it
        if 0 < colon < host - 1 and not text.startswith("$", colon + 1):
            spans.append((colon + 1, host))
        elif colon < 0 and host - start >= 16 and _looks_random(text[start:host]):
            spans.append((start, host))
    return spans
