"""Find the secrets that a name before them gives away: PASSWORD=value, token: value, api_key is value.

Pure. `redact` and `trim` call this; `commands`, `sentences` and `structures` use its names too.
"""

from deskbell_hooks.tokens import QUOTES, STOP, Span, find_all, is_mixed, is_word, looks_random, skip, value

NAMES = frozenset(
    "password passwd passphrase passcode pwd pass secret secrets token apikey auth authorization credential"
    " credentials bearer cookie accesskey secretkey privatekey presharedkey authtoken accesstoken pat passwort kennwort"
    " pw psk mnemonic otp jwt authkey masterkey signingkey bindpw rootpw sessionid jsessionid phpsessid"
    " geheimnis wachtwoord contraseña senha".split()
)
"""The last part of a name whose value is a secret: the `token` of GITHUB_TOKEN."""
ENDINGS = (
    *("password", "passwd", "passphrase", "secret", "token", "apikey", "credential", "credentials", "dbpass", "rootpw"),
    *("accesskey", "accountkey", "sharedkey", "privatekey", "secretkey", "encryptionkey"),
)
"""What such a last part may end with: PGPASSWORD."""
ANYWHERE = frozenset(("password", "passwd", "secret", "credential", "credentials"))
"""Parts that give a name away wherever they are in it: SECRET_NUMBER."""
KEY_OF = frozenset(
    "api access secret private signing encryption auth master service account license deploy client session shared"
    " aws azure openai anthropic github gitlab stripe slack google gcp ssh gpg jwt hmac storage subscription"
    " application admin app preshared webhook".split()
)
"""Parts that make a name with the last part `key` that of a secret: api_key, not primary_key."""
SIGNATURES = frozenset(("sig", "signature", "x-amz-signature", "x-goog-signature", "x-hub-signature", "hmac"))
"""Parameters of a URL that grant what the URL names, as in the shared links of Azure, Amazon and Google."""
GRANTS = frozenset(("code", "key", "appid", "oauth_verifier", "response"))
"""Parameters that grant it only if their value is long."""
DETAILS = frozenset(
    "file path url uri name id stdin field type count ref dir endpoint expiry expires ttl length policy manager store"
    " fd prompt hint env arn format version limit index rules santa".split()
)
"""The last part of a name that says something about a secret: PASSWORD_FILE, token_url, secretName."""
OF_VALUES = frozenset(("data", "value", "base", "base64"))
"""The last part of a name that still holds the secret: client-key-data."""
SCHEMES = frozenset(("bearer", "basic", "token", "digest", "apikey"))
"""Words between `Authorization:` and its secret."""
NOT_VALUES = frozenset(
    "none null nil true false undefined yes no await async new function lambda not required optional string str"
    " changeme ? ~ | |- > >- !vault !ref !sub self this read-host".split()
)
"""Words of code and of settings that are no secret."""
PROSE = frozenset("is are must be at the required should not too has".split())
"""Words of a message: `password: "is too short"`."""
PLACEHOLDERS = (
    "<",
    "{{",
    "${",
    "$(",
    "%env(",
    "your-",
    "your_",
    "your ",
    "process.env",
    "os.environ",
    "env:",
    "keyring:",
)
"""The beginnings of words that stand in the place of a secret."""
DECLARING = frozenset(("const", "let", "var"))
"""Words before a name that code declares."""
HOLDERS = frozenset(
    "self this os process input config settings request req args options env params props form event user data body"
    " response".split()
)
"""What code takes a secret from: `password = input.value` holds none."""
NOT_NAMES = frozenset("bypass compass trespass encompass surpass overpass underpass multipass".split())
"""Words that end like a name of a secret, in "pass"."""
NEAR = 200
"""The most characters between two words that belong to one command."""


def is_secret_name(name: str) -> bool:
    """Return True for api_key, GITHUB_TOKEN, clientSecret, PGPASSWORD; not for author, max_tokens, primary_key, key."""
    parts = parts_of(name)
    if len(parts) > 1 and parts[-1] in OF_VALUES:
        parts.pop()
    if not parts or parts[-1] in DETAILS:
        return False
    if parts[-1] == "key" and any(part in KEY_OF for part in parts[:-1]):
        return True
    if parts[-1].endswith("pass") and parts[-1] not in NOT_NAMES:
        return True
    if "".join(parts[-2:]) in NAMES:
        return True
    return parts[-1] in NAMES or parts[-1].endswith(ENDINGS) or any(part in ANYWHERE for part in parts)


def parts_of(name: str) -> list[str]:
    """Return the words of a name in lower case: those of clientSecret and of CLIENT_SECRET are the same."""
    spaced, before = [], ""
    for char in name:
        if not char.isalnum():
            spaced.append(" ")
        else:
            spaced.append(" " + char if char.isupper() and before.islower() else char)
        before = char
    return "".join(spaced).lower().split()


def is_path(word: str) -> bool:
    """Return whether WORD is a path: what it holds is elsewhere."""
    parts = word.split("/")
    begins = len(parts) > 2 and parts[0] in ("", "~", ".", "..")
    return begins and all(part.replace("-", "").replace("_", "").replace(".", "").isalnum() for part in parts[1:])


def is_placeholder(word: str) -> bool:
    """Return True for $TOKEN, <your-token>, {{ token }}, xxxx, ****: what stands where a secret will be."""
    lower = word.lower()
    return (
        word[:1] == "$"
        or lower in NOT_VALUES
        or lower.startswith(PLACEHOLDERS)
        or (len(word) > 1 and len(set(lower)) == 1)
    )


def _is_label(word: str) -> bool:
    """Return True for the name of a field, as in `{password: "Passwort"}`."""
    return word.isalpha() and is_secret_name(word)


def named_values(text: str) -> list[Span]:
    """Find NAME=value, name: value, "name": "value", name is value, ?sig=value."""
    spans = []
    for sign in ("=", ":", " is ", " ist ", " lautet ", ">", ",", "("):
        end = 0
        for at in find_all(text, sign):
            name_start = -1 if at < end else _secret_name_start(text, at, sign)
            if name_start < 0:
                continue
            value_start = skip(text, at + len(sign), " =>" if sign == "=" else " =")
            if sign == ":" and text.startswith(("|\n", "|-\n", ">\n", ">-\n"), value_start):
                value_start = skip(text, value_start, "|>- \n")  # a block of YAML
            is_quoted = value_start > at and text[value_start : value_start + 1] in (*QUOTES,)
            if is_quoted if sign in (",", "(") else is_quoted or not _is_code(text, name_start, value_start, sign):
                start, stop = value(text, value_start)
            else:
                continue
            if _is_value(text, sign, at, name_start, start, stop):
                spans.append((start, stop))
                end = stop
    return spans


def _is_value(text: str, sign: str, at: int, name_start: int, start: int, stop: int) -> bool:
    if sign == ":" and ":" in (text[at - 1 : at], text[at + 1 : at + 2]):
        return False  # a name in C++, Rust or pytest
    if sign == ":" and stop > start and text[start:stop].replace(".", "").isdigit() and "." in text[start:stop]:
        return False  # a version
    if sign == ":" and text[name_start - 2 : name_start] == "${":
        return False  # the default of a variable of the shell
    word, is_quoted = text[start:stop], text[start - 1 : start] in (*QUOTES,) and start > at + len(sign)
    first, _, rest = word.partition(" ")
    is_scheme = first.lower() in SCHEMES and (not rest or is_placeholder(rest))
    if not word or word[0] in "{[" or is_scheme or is_placeholder(word.rstrip(":.,")) or is_path(word):
        return False
    if is_quoted and (word[0] in " ,);:\n" or not PROSE.isdisjoint(word.lower().split()) or _is_label(word)):
        return False
    if sign in (",", "("):
        return is_quoted and is_mixed(word)
    if sign in "=>":
        return sign == "=" or bool(text[at - 1 : at] in (*"=-",))
    attached = sign == ":" and start == at + 1 and not _is_script(text, name_start, at)
    return attached or (is_quoted and word.lower() != text[name_start:at].lower()) or _looks_secret(word)


def _secret_name_start(text: str, at: int, sign: str) -> int:
    """Return where the name before this place starts; -1 if it does not name a secret."""
    end = at - 1 if sign == "=" and text[at - 1 : at] == ":" else at
    while end > 0 and text[end - 1] == " ":
        end -= 1
    if text[end - 1 : end] == "]" and text[end - 2 : end - 1] in (*QUOTES,):
        end -= 1
    while end > 0 and text[end - 1] in QUOTES + " \\":
        end -= 1
    if (sign in ",>" and end == at and text[at - 1 : at] not in (*"=-",)) or (sign == "(" and end < at):
        return -1
    start = start_of_name(text, end)
    name = text[start:end]
    if is_secret_name(name) or (sign == "=" and _is_parameter(text, start, at, name.lower())):
        return start
    if sign == "=" and text[start - 2 : start] == ": ":  # a declaration with a type
        typed = start_of_name(text, start - 2)
        return typed if is_secret_name(text[typed : start - 2]) else -1
    before = max(0, start - 20)
    return start if is_key_name(text[before:start].lower(), name) else -1


def _is_parameter(text: str, start: int, at: int, name: str) -> bool:
    """Return True for ?sig= and for ?code= before a long value."""
    if name in SIGNATURES:
        return text[start - 1 : start] in (*"?&, ",)
    if name not in GRANTS or text[start - 1 : start] not in (*"?&, ",):
        return False
    begin, end = value(text[at + 1 : at + 200], 0)
    return end - begin >= 24 and looks_random(text[at + 1 + begin : at + 1 + end])


def is_key_name(before: str, name: str) -> bool:
    """Return True for the second word of "the api key"."""
    return name.lower() == "key" and before.endswith(" ") and before.split()[-1:] != [] and before.split()[-1] in KEY_OF


def start_of_name(text: str, end: int) -> int:
    """Return where the name that ends before END starts."""
    while end > 0 and (is_word(text[end - 1]) or text[end - 1] == "."):
        end -= 1
    return end


def _is_script(text: str, start: int, end: int) -> bool:
    """Return True for a name that may be a part of another: `npm run test:auth:unit` holds no secret."""
    return text[start - 1 : start] == ":" or text[start:end].lower() == "auth"


def _looks_secret(word: str) -> bool:
    """Return whether WORD is no prose. After a colon and a space, and after "is", prose is as common as a value."""
    return len(word) >= 16 or any(not c.isalpha() for c in word.rstrip(".!?"))


def _is_code(text: str, name_start: int, start: int, sign: str) -> bool:
    """Return True for `token = getToken()`, `const password = input.value`, `pass=0;` and `password=password`."""
    end = start
    while end < len(text) and text[end] not in STOP + "([":
        end += 1
    path = text[start:end]
    if path.isdigit() and len(path) <= 2:
        return True
    parts = path.replace("_", "a").replace("::", ".").split(".")
    calls = text[end : end + 1] in ("(", "[") or path.endswith("::") or path in ("[", "&")
    if calls and all(part.isalnum() and not part[0].isdigit() for part in parts if part):
        return True
    if sign != "=" or not all(part.isalpha() for part in parts):
        return False
    declared = text[max(0, name_start - 10) : name_start].rstrip().rpartition(" ")[2] in DECLARING
    is_spaced = text[start - 1 : start] == " "
    return is_secret_name(path) or (len(parts) > 1 and (declared or is_spaced or parts[0] in HOLDERS))
