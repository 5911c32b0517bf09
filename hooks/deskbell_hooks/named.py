"""Find the secrets in a text that are known by the name before them: PASSWORD=value, token: value, api_key is value.

Pure. Only `redact` and `trim` call this.
"""

from deskbell_hooks.tokens import QUOTES, STOP, Span, find_all, is_word, looks_random, skip, value, word_end

NAMES = frozenset(
    "password passwd passphrase passcode pwd pass secret secrets token apikey auth authorization credential"
    " credentials bearer cookie accesskey secretkey privatekey authtoken accesstoken pat passwort kennwort".split()
)
ENDINGS = ("password", "passwd", "passphrase", "secret", "token", "apikey", "credential", "credentials", "dbpass")
ANYWHERE = frozenset(("password", "passwd", "secret", "credential", "credentials"))
KEY_OF = frozenset(
    "api access secret private signing encryption auth master service account license deploy client session shared"
    " aws azure openai anthropic github gitlab stripe slack google gcp ssh gpg jwt hmac storage".split()
)
SIGNATURES = frozenset(("sig", "signature", "x-amz-signature", "x-goog-signature"))
"""Parameters of a URL that grant what the URL names, as in the shared links of Azure, Amazon and Google."""
SCHEMES = frozenset(("bearer", "basic", "token", "digest", "apikey"))
NOT_VALUES = frozenset(("none", "null", "nil", "true", "false", "undefined", "yes", "no"))
DECLARING = frozenset(("const", "let", "var"))
HOLDERS = frozenset(
    "self this os process input config settings request req args options env params props form event user data body"
    " response".split()
)
"""What code takes a secret from: `password = input.value` holds none."""
NEAR = 200
"""Characters between the words that belong to one command."""


def is_secret_name(name: str) -> bool:
    """Return True for api_key, GITHUB_TOKEN, clientSecret, PGPASSWORD; not for author, max_tokens, primary_key, key."""
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


def named_values(text: str) -> list[Span]:
    """Find NAME=value, name: value, "name": "value", name is value, ?sig=value."""
    spans = []
    for sign in ("=", ":", " is ", " ist ", " lautet "):
        end = 0
        for at in find_all(text, sign):
            name_start = -1 if at < end else _secret_name_start(text, at, sign)
            value_start = skip(text, at + len(sign), " =") if name_start >= 0 else 0
            if name_start < 0 or (sign == "=" and _is_code(text, name_start, value_start)):
                continue
            start, stop = value(text, value_start)
            word = text[start:stop]
            attached = sign == ":" and value_start == at + 1 and not _is_script(text, name_start, at)
            sure = sign == "=" or attached or start > value_start
            if word and word.lower() not in SCHEMES and word[0] != "$" and (sure or _looks_secret(word)):
                spans.append((start, stop))
                end = stop
    return spans


def _secret_name_start(text: str, at: int, sign: str) -> int:
    """Return where the name before this place starts; -1 if it does not name a secret."""
    end = at
    while end > 0 and text[end - 1] in QUOTES + " \\":
        end -= 1
    start = _name_start(text, end)
    name = text[start:end]
    if is_secret_name(name) or (sign == "=" and name.lower() in SIGNATURES and text[start - 1 : start] in (*"?&",)):
        return start
    before = _name_start(text, start - 1) if name.lower() == "key" and text[start - 1 : start] == " " else start
    return before if text[before : start - 1].lower() in KEY_OF else -1  # "the api key: ..."


def _name_start(text: str, end: int) -> int:
    while end > 0 and (is_word(text[end - 1]) or text[end - 1] == "."):
        end -= 1
    return end


def _is_script(text: str, start: int, end: int) -> bool:
    """Return True for a name that may be a part of another: `npm run test:auth:unit` holds no secret."""
    return text[start - 1 : start] == ":" or text[start:end].lower() == "auth"


def _looks_secret(word: str) -> bool:
    """After a colon and a space, or after "is", prose follows as often as a value does."""
    return len(word) >= 16 or any(not c.isalpha() for c in word.rstrip(".!?"))


def _is_code(text: str, name_start: int, start: int) -> bool:
    """Return True for `token = getToken()`, `const password = input.value`, `pass=0;` and `token=None`."""
    end = start
    while end < len(text) and text[end] not in STOP + "([":
        end += 1
    path = text[start:end]
    if path.lower() in NOT_VALUES or (path.isdigit() and len(path) <= 2):
        return True
    parts = path.replace("_", "a").split(".")
    if not all(part.isalpha() for part in parts):
        return False
    declared = text[max(0, name_start - 10) : name_start].rstrip().rpartition(" ")[2] in DECLARING
    return text[end : end + 1] in ("(", "[") or (len(parts) > 1 and (declared or parts[0] in HOLDERS))


def spaced_values(text: str) -> list[Span]:
    """Find aws_secret_access_key value, the password of a .netrc, and ConvertTo-SecureString value."""
    spans, end = [], 0
    for at in find_all(text, "_"):
        if at < end:
            continue
        end = word_end(text, at)
        start, stop = _next_word(text, end)
        random = stop - start >= 8 and looks_random(text[start:stop])
        if random and is_secret_name(text[_name_start(text, at) : end]):
            spans.append((start, stop))
    for word, announced in (("password", ("machine ", "login ")), ("ConvertTo-SecureString", ())):
        for at in find_all(text, word + " "):
            start, stop = _next_word(text, at + len(word))
            if start < stop and all(other in text[max(0, at - NEAR) : at] for other in announced):
                spans.append((start, stop))
    return spans


def _next_word(text: str, at: int) -> Span:
    """Return where the word after the space at this place stands; an empty span for a flag, a variable or no space."""
    start = skip(text, at, " ")
    return (at, at) if start == at or text[start : start + 1] in ("$", "-") else value(text, start)
