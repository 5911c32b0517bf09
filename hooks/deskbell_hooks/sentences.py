"""Find the secrets that a sentence announces: "set the password to X", "Das Kennwort lautet X", "пароль: X".

Pure. Only `redact` calls this. Prose is seldom secret, so a value counts only if it does not look like a word of any
language, if it is a number after a word such as "PIN", or if it is the twelve words of a wallet.
"""

from deskbell_hooks.named import is_key_name, is_placeholder, is_secret_name
from deskbell_hooks.spoken import is_identifier, is_name, is_password
from deskbell_hooks.tokens import HEX, QUOTES, Span, find_all, is_mixed, is_word, skip, word_end

STEMS = (
    *("pass", "pw", "secret", "token", "key", "auth", "credential", "kennwort", "geheimnis", "schlüssel", "wachtwoord"),
    *("contraseña", "senha", "hasło", "lösenord", "пароль", "密码", "パスワード", "비밀번호", "şifre", "clave", "clé"),
    *("chiave", "jeton", "parola", "code", "psk", "secrète", "私钥", "秘密鍵", "закрытый ключ", "المفتاح الخاص"),
)
"""Parts of the words that announce a secret, in lower case."""
SPOKEN = (
    *("passe", "passwort", "password", "kennwort", "geheimnis", "api-schlüssel", "wachtwoord", "contraseña", "senha"),
    *("hasło", "lösenord", "пароль", "密码", "パスワード", "비밀번호", "şifre", "clave", "clé", "chiave", "jeton"),
    *("parola", "secrète", "requirepass", "masterauth", "私钥", "秘密鍵", "закрытый ключ", "المفتاح الخاص"),
)
"""Beginnings of such words in several languages."""
CONNECTORS = frozenset("is ist lautet to auf est es è é - – → => : = ： api for d ordine är plain".split())
"""What may stand between such a word and the secret."""
LOGINS = (
    "login|log in|sign in|credential|zugangsdaten|credencia|identifiant|учётные|учетные|логин|凭证|凭据"
    "|認証情報|ログイン|بيانات الاعتماد|بيانات الدخول|क्रेडेंशियल|लॉगिन"
).split("|")
"""Words that announce a user and a password, such as admin / secret."""
NUMBERS = (
    "pin:|pin is |pin es |pin est |pin ist |pinは|pin码|пин-код|passcode|otp=|otp |otp:|暗証番号|验证码"
    "|код подтверждения"
).split("|")
"""Words that announce a secret number."""
PHRASES = ("mnemonic", "phrase")
"""Words that announce the words of a wallet."""
BY = ("identified by ", "uthorization: ", "pragma key=")
"""Words right before a secret."""
KEY_IDS = (8, 16)
"""The numbers of hexadecimal digits that name a public key."""
LONGEST = 100
"""Characters of a word, and of a password in a sentence. A longer word is read only once."""
OPEN = QUOTES + "«“„"
REST = " \t\r\n\"'`,;|()[]{}<>“”«»"


def sentence_values(text: str, lower: str) -> list[Span]:
    """Return where such secrets are in TEXT. LOWER is the same text in lower case."""
    return [*_announced(text, lower), *_login_pairs(text, lower), *_numbers(text, lower), *_phrases(text, lower)]


def _announced(text: str, lower: str) -> list[Span]:
    spans: list[Span] = []
    for stem in STEMS:
        end = 0
        for at in find_all(lower, stem):
            if at < end:
                continue
            start, floor = at, max(end, at - 40)
            while start > floor and (is_word(text[start - 1]) or text[start - 1] == "."):
                start -= 1
            end = word_end(text, at)
            if _announces(text, lower, start, end):
                found, reached = _next(text, end)
                spans.extend(found)
                end = reached if reached - end > LONGEST else end
    for announced in BY:
        for at in find_all(lower, announced):
            spans.extend(_next(text, at + len(announced) - 1)[0])
    return spans


def _announces(text: str, lower: str, start: int, end: int) -> bool:
    name = text[start:end]
    if is_secret_name(name) or lower[start:end].startswith(SPOKEN):
        return True
    return is_key_name(lower[max(0, start - 20) : start], name)


def _next(text: str, at: int) -> tuple[list[Span], int]:
    """Return the value that follows this place, behind up to four connectors, and how far the text was read."""
    for _ in range(4):
        at = skip(text, at, " \t\n:：=")
        if text.startswith(("'s ", "’s "), at):
            at += 2
            continue
        if text.startswith("(", at):
            close = text.find(")", at, at + 40)
            if close < 0:
                return [], at
            at = close + 1
            continue
        if text[at : at + 2] in ('"\n', '"\r'):  # a form
            at = skip(text, at, '" \r\n')
        start = skip(text, at, OPEN)
        end = start
        while end < len(text) and text[end] not in REST:
            end += 1
        word = text[start:end].rstrip(".!?:")
        if is_strong(word) and text[end : end + 1] not in ("(", "["):
            return [(start, start + len(word))], end
        if word.lower() not in CONNECTORS and not (len(word) == 1 and word.isdigit()):
            return [], end
        at = end
    return [], at


def is_strong(word: str) -> bool:
    """Return True if WORD is in no language: eight characters or more, with letters and digits, and no path."""
    if len(word) < 8 or not is_mixed(word) or is_placeholder(word) or word[0] in "-./~\\$" or is_name(word):
        return False
    if is_identifier(word) or (len(word) in KEY_IDS and set(word.lower()) <= HEX):
        return False
    return "://" not in word and "=" not in word[:-2] and (len(word) >= 30 or not any(c in "/\\:" for c in word))


def _login_pairs(text: str, lower: str) -> list[Span]:
    """Find log in with admin/secret, credentials: admin / secret, sign in as me:secret."""
    spans = []
    for stem in LOGINS:
        for at in find_all(lower, stem):
            end = text.find("\n", at, at + 80)
            line = text[at : end if end >= 0 else at + 80 + len(stem)]
            for sign in (" / ", "/", ":"):
                cut = line.find(sign, len(stem) + 2)
                if cut < 0 or not line[cut - 1].isalnum():
                    continue
                start = at + cut + len(sign)
                stop = start
                while stop < min(len(text), start + LONGEST) and text[stop] not in REST:
                    stop += 1
                if is_password(text[start:stop], is_sure=True):
                    spans.append((start, stop))
    return spans


def _numbers(text: str, lower: str) -> list[Span]:
    spans = []
    for announced in NUMBERS:
        for at in find_all(lower, announced):
            start = skip(text, at + len(announced), " :=：は是为")
            start += 3 if text.startswith("is ", start) else 0
            end = start
            while end < min(len(text), start + 12) and text[end].isascii() and is_word(text[end]):
                end += 1
            if 4 <= end - start <= 10 and text[start:end].isdigit():
                spans.append((start, end))
    return spans


def _phrases(text: str, lower: str) -> list[Span]:
    """Find the twelve or more words of a wallet."""
    spans = []
    for announced in PHRASES:
        for at in find_all(lower, announced):
            start = skip(text, at + len(announced), QUOTES + " :=")
            start += 3 if text.startswith("is ", start) else 0
            end = start
            while end < min(len(text), start + 300) and (text[end].islower() or text[end] == " "):
                end += 1
            if len(text[start:end].split()) >= 12:
                spans.append((start, end))
    return spans
