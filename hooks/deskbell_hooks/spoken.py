"""Find the passwords that prose announces, in the languages that people write most: "the password is X", "пароль X".

Pure. `redact` calls `spoken_values`; its other modules use the rest. A password in prose may be short, so it must stand
right behind the word that announces it, behind a word or a sign that says "is", or before "as the password". What has
the shape of a password is one in every place of such a sentence.
"""

from itertools import pairwise

from deskbell_hooks.mixed import HASH, LED, NAMING, is_coded, is_random
from deskbell_hooks.named import is_placeholder
from deskbell_hooks.tokens import HEX, QUOTES, Span, find_all, is_mixed, is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PASSWORDS = (
    "password|passwd|passphrase|passcode|passwort|kennwort|losungswort|geheimwort| pwd|contraseña|contrasena"
    "|clave|senha|palavra-passe|mot de passe|mdp|wachtwoord|hasło|lösenord|şifre|parola|парол|кодовое слово"
    "|密码|密碼|口令|暗号|パスワード|パスコード|パスフレーズ|暗証番号|合言葉|पासवर्ड|पासकोड|कूटशब्द|كلمة المرور"
    "|كلمة مرور|كلمة السر|كلمة سر|الرقم السري|رمز المرور|비밀번호|암호"
).split("|")
"""The words for a password, or the stems that their forms have in common, in lower case."""
KEYS = (
    "key token secret schlüssel clave llave chave clé jeton ключ токен 密钥 密鑰 私钥 令牌 凭证 鍵 キー"
    " トークン कुंजी टोकन مفتاح المفتاح رمز"
).split()
"""The words for a key: hexadecimal digits behind one are no hash."""
NO_SECRET = tuple(f"{kind}{sign}" for kind in ("public", "pub", *NAMING) for sign in ("", " ", "_", "-"))
"""What stands before such a word if the key is none that opens anything: "public key"."""
IS = frozenset(
    "is are was be been being ist war lautet wäre sei heißt es era fue ser está sea est sera était é foi seja"
    " são это был to auf := => -> = : – — → -".split()
)
"""Words and signs that stand right before the password that was announced earlier in the sentence."""
IS_ENDS = tuple("は 是 为 為 है हैं هي هو ： : = → — – 「 『 “ „ «".split())
"""What stands there where no spaces are written, and signs."""
AS = frozenset("is as als como comme как".split())
"""What stands between a password and the word for it: "use X as the password"."""
AS_ENDS = ("作为", "作為", "用作", "当作", "を", "को")
"""The same where the word for it follows at once."""
ORDINARY = tuple(
    "sha md5 bcrypt scrypt argon base64 base32 utf ascii oauth rsa rs256 hs256 es256 ed25519 aes tls http rfc x509 pkcs"
    " pbkdf2 ipv wpa totp ldap log4j k8s chacha".split()
)
"""Beginnings of the words with digits that stand beside the word "password" without being one."""
SIGNS = frozenset("!#$%^&*@?")
"""Signs in passwords."""
SHAPING = frozenset("!#$&?%^")
"""Signs that hardly any other word has between letters and digits."""
END = frozenset(" \t\r\n\"'`,;|()[]{}<>“”«»„「」『』")
"""What ends a word."""
STOPS = frozenset("。．！？!?;；\n")
"""What ends a sentence."""
NO_BEGINNING = "-./~\\$@#%&<{+*"
LATIN = "\u0250"
"""The first character behind the letters of Latin script."""
AHEAD, WORDS, LONGEST = 90, 10, 100
"""The most characters and words between a password and the word for it, and the most characters of a word."""
SHAPED = 8
"""The fewest characters of a password that a word for a key announces."""
COMMIT = 40
"""The hexadecimal digits of the id of a commit."""


def spoken_values(text: str, lower: str) -> list[Span]:
    """Return where such passwords are in TEXT. LOWER is the same text in lower case."""
    spans: list[Span] = []
    for stem in PASSWORDS:
        for at in find_all(lower, stem):
            end = at + len(stem)
            if lower.startswith(stem, end):
                continue
            if not stem.isascii() or not is_word(text[end : end + 1] or " "):
                spans.extend((*_behind(text, end, is_password, is_shaped), *_before(text, at)))
    for stem in KEYS:
        for at in find_all(lower, stem):
            if not lower.startswith(stem, at + len(stem)) and not lower.endswith(NO_SECRET, 0, at):
                spans.extend(_behind(text, at + len(stem), _is_key, _is_key_anywhere))
    return spans


def _behind(text: str, end: int, accepts: "Callable[[str, bool], bool]", knows: "Callable[[str], bool]") -> list[Span]:
    """Return the password that follows this place in the same sentence.

    ACCEPTS says whether a word is one if it stands close by or behind "is", KNOWS whether it is one wherever it stands.
    """
    limit, before, is_near = end + AHEAD, "", True
    for _ in range(WORDS):
        start = _word_start(text, end, limit)
        gap = text[end:start]
        if start >= limit or start == len(text) or not STOPS.isdisjoint(gap.lstrip(" \n")):
            break
        end = word_stop(text, start)
        word = text[start:end].rstrip(".,:;?")
        says_is = before.lower() in IS or before.endswith((":", "=")) or gap.rstrip(" \"'`(").endswith(IS_ENDS)
        is_near = is_near and "," not in gap
        if text[end : end + 1] not in ("(", "[") and (((says_is or is_near) and accepts(word, says_is)) or knows(word)):
            return [(start, start + len(word))]
        before = text[start:end]
        if before.endswith((".", "!", "?")):
            break
        is_near = is_near and (before.lower() in IS or gap.strip() not in ("", *QUOTES))
    return []


def _is_key_anywhere(word: str) -> bool:
    """Return whether WORD can hardly be anything but a password, by its signs."""
    return len(word) >= SHAPED and not SHAPING.isdisjoint(word) and is_shaped(word)


def _is_key(word: str, is_sure: bool) -> bool:
    """Return whether WORD is a token, a password, hexadecimal and no commit, or groups of capitals and digits."""
    groups = word.split("-")
    if is_sure and len(groups) > 3 and word.isupper() and is_mixed(word):
        return all(len(group) == len(groups[0]) and group.isalnum() for group in groups)
    if len(word) >= HASH and set(word) <= HEX:
        return is_sure or len(word) != COMMIT
    if len(word) >= SHAPED and is_shaped(word):
        return True
    return is_random(word, LED) or (is_sure and is_coded(word) and not set(word.lower()) <= HEX)


def _before(text: str, at: int) -> list[Span]:
    """Return the password before "as the password", or one with the shape of it in the same sentence."""
    floor = max(0, at - AHEAD)
    words = text[floor:at].rstrip(QUOTES + " ")
    for ending in AS_ENDS:
        if words.endswith(ending):
            return _last_password(text, floor, floor + len(words) - len(ending))
    for _ in range(WORDS):
        rest, _, word = words.rpartition(" ")
        if word.endswith((".", ";", "?", "\n")):
            break
        words = rest.rstrip()
        if word.lower() in AS or (words[-1:] != "." and is_shaped(words.rpartition(" ")[2])):
            return _last_password(text, floor, floor + len(words))
    return []


def _last_password(text: str, floor: int, end: int) -> list[Span]:
    """Return the word that ends at END if it is a password."""
    while end > floor and text[end - 1] in END:
        end -= 1
    start = end
    while start > floor and _is_of_word(text[start - 1]):
        start -= 1
    return [(start, end)] if is_password(text[start:end], is_sure=True) else []


def _word_start(text: str, start: int, limit: int) -> int:
    while start < min(limit, len(text)) and not _is_of_word(text[start]):
        start += 1
    return start


def word_stop(text: str, start: int) -> int:
    """Return where the word that starts here ends, after LONGEST characters at the latest."""
    stop = start
    while stop < len(text) and stop - start < LONGEST and _is_of_word(text[stop]):
        stop += 1
    return stop


def _is_of_word(char: str) -> bool:
    """Return whether CHAR may be in a word of a language with Latin letters, or in a password."""
    return char not in END if char.isascii() else char < LATIN and char.isalpha()


def is_password(word: str, is_sure: bool) -> bool:
    """Return whether WORD is in no language: letters with digits or signs. IS_SURE: something says that it is one."""
    core = word.rstrip("!?.")
    has_digit, has_sign = any(map(str.isdigit, core)), not SIGNS.isdisjoint(core)
    if len(word) < 5 or not any(map(str.isalpha, core)) or not (has_digit or has_sign) or _is_other(word, core):
        return False
    return is_sure or (len(word) >= 6 and has_sign) or (len(word) >= 8 and has_digit)


def _is_other(word: str, core: str) -> bool:
    """Return whether WORD is a path, an address, a name, an assignment, or a word that is known to have digits."""
    if word[0] in NO_BEGINNING or not END.isdisjoint(word) or "=" in word[:-2]:
        return True
    if "://" in word or (len(word) < 30 and any(char in "/\\:" for char in word)):
        return True
    return is_placeholder(word) or core.lower().startswith(ORDINARY) or is_name(core) or _is_address(core)


def is_shaped(word: str) -> bool:
    """Return whether WORD can hardly be anything but a password: letters and digits with signs, or in no order."""
    core = word.rstrip("!?.,")
    if not is_password(core, is_sure=True):
        return False
    return is_random(core, 8) or (is_mixed(core) and not SHAPING.isdisjoint(core))


def is_identifier(word: str) -> bool:
    """Return whether WORD is made of words with capitals: PasswordV2Validator."""
    spelled = sum(map(str.islower, word))
    has_hump = any(one.islower() and other.isupper() for one, other in pairwise(word))
    return word.isalnum() and has_hump and 3 * spelled > 2 * len(word) and not is_random(word, 8)


def is_name(word: str) -> bool:
    """Return whether WORD is words and numbers with hyphens, points or low lines between them: db-credentials-v2."""
    parts = word.replace("_", "-").replace(".", "-").split("-")
    return len(parts) > 1 and all(part.isalpha() or part.lower().removeprefix("v").isdigit() for part in parts)


def _is_address(word: str) -> bool:
    """Return whether WORD is an address of mail."""
    name, sign, host = word.partition("@")
    return bool(sign) and "." in host and SIGNS.isdisjoint(name + host) and host.rpartition(".")[2].isalpha()
