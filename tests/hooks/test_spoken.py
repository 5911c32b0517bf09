"""Test that passwords in prose are found. Whole texts are in test_redact and test_secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.spoken import is_identifier, is_name, is_password, is_shaped, spoken_values

SECRET = "gr33n!Tea"
HEX = "9b1c2d3e4f5061728394a5b6c7d8e9f0"

FOUND = [
    *("the password is {}", "the password {} is old", "password for the box is {}", "the password, {}, is old", 'the password: "{}"'),
    *("use {} as the password", "type {} when it asks for the password", "{} is the password", "the password = {}"),
    *("das Passwort heißt {}", "nimm {} als Passwort", "la contraseña del servidor es {}", "mot de passe : {}", "a senha é {}"),
    *("пароль от базы — {}", "密码是{}", "把{}作为密码", "パスワードは「{}」です", "{}をパスワードにする", "मेरा पासवर्ड है {}", "كلمة المرور هي {}"),
    *("password: {}.", "the password is\n{}", "密码密码是{}"),
]  # fmt: skip
NOT_FOUND = [
    *("the password is wrong!", "the password uses sha256", "the password of user42 is wrong", "the password. Then db2-x1!", "password; a1!b2c"),
    *("password hash12345(x)", "the password must have 12 characters", "the password is at src/a1!b/c2", "the password is $A1!bcd"),
    *("mail me@example1.org the password", "rename the password to db-credentials-v2", "a1!bcde. Reset the password", "password12 a1!bcd"),
    *("пароль слишком короткий", "密码长度至少为8位", "パスワードリセット", "the password " + "is " * 12 + SECRET, "the password" + " " * 99 + SECRET),
    *("cat as password", "the password", "the password:\n\nThen a1b2"),
]  # fmt: skip
KEYS: list[tuple[str, list[str]]] = [
    (f"my key {HEX}", [HEX]),
    (f"私钥: {HEX * 2}", [HEX * 2]),
    (f"the key is {HEX}01234567", [f"{HEX}01234567"]),
    (f"the key of {HEX}01234567", []),
    (f"the key in commit {HEX}", []),
    ("the recovery key is ZTHQ-1446-RVMZ-3YVX", ["ZTHQ-1446-RVMZ-3YVX"]),
    ("the recovery key is ZTHQ-1446-RV-3YVX", []),
    ("the key is ABCD-EFGH-IJKL-MNOP", []),
    ("la clave es JBSWY3DPEHPK3PXP", ["JBSWY3DPEHPK3PXP"]),
    ("der Schlüssel lautet k7x2m9q4w8z3p6v1", ["k7x2m9q4w8z3p6v1"]),
    ("the public key is aB3dE6gH9kL2nO5qR8tU", []),
    (f"the cache key: {HEX}", []),
    (f"keykey {HEX}", [HEX]),
    ("令牌 Qx7!kd@4003", ["Qx7!kd@4003"]),
    ("minha chave: hUnter2%289", ["hUnter2%289"]),
    ("the key is Qx7!kd", []),
    ("token: 48000!", []),
]


def found(text: str) -> list[str]:
    return list(dict.fromkeys(text[start:end] for start, end in spoken_values(text, text.lower())))


@pytest.mark.parametrize("text", FOUND)
def test_a_short_password_is_found_where_a_sentence_announces_it(text: str) -> None:
    assert found(text.format(SECRET)) == [SECRET]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_nothing_is_found_where_a_sentence_only_speaks_of_passwords(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(("text", "keys"), KEYS)
def test_hexadecimal_digits_are_a_key_right_behind_the_word_for_it(text: str, keys: list[str]) -> None:
    assert found(text) == keys


WORDS: list[tuple[str, bool, bool, bool]] = [
    ("hunter2", True, False, False),
    ("hunter42", True, True, False),
    ("hunt!r", True, True, False),
    ("hunt!r2", True, True, True),
    ("kX7vQ2mw", True, True, True),
    ("Sommer-Regen77", True, True, False),
    ("db-credentials-v2", False, False, False),
    ("release_1.4", False, False, False),
    ("ada@example1.org", False, False, False),
    ("src/auth1/b", False, False, False),
    ("https://a1.example", False, False, False),
    ("name=a1!", False, False, False),
    ("sha256-hashed!1", False, False, False),
    ("<token1>", False, False, False),
    ("a 1!bcd", False, False, False),
    ("1234!567", False, False, False),
    ("wrong!", False, False, False),
    ("a1!b", False, False, False),
]


@pytest.mark.parametrize(("word", "sure", "unsure", "shaped"), WORDS)
def test_what_is_a_password_if_something_says_so_or_nothing_does_or_by_its_shape(
    word: str, sure: bool, unsure: bool, shaped: bool
) -> None:
    assert (is_password(word, True), is_password(word, False), is_shaped(word)) == (sure, unsure, shaped)


NAMES = [("db-v2", True), ("release_1.4", True), ("one", False), ("a-b2", False), ("hunter2-Zq9", False)]


@pytest.mark.parametrize(("word", "expected"), NAMES)
def test_words_and_numbers_with_hyphens_are_a_name(word: str, expected: bool) -> None:
    assert is_name(word) is expected


IDENTIFIERS = [
    ("PasswordV2Validator", True),
    ("getUser2", True),
    ("correct9horse", False),
    ("aB3dE6gH", False),
    ("a-B", False),
]


@pytest.mark.parametrize(("word", "expected"), IDENTIFIERS)
def test_words_with_capitals_are_an_identifier(word: str, expected: bool) -> None:
    assert is_identifier(word) is expected


PIECES = st.sampled_from(
    ["password", "пароль", "密码", " is ", " as ", "key ", SECRET, HEX, ":", " ", "'", "\n", "(", ",", ". ", "é", "は"]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_span_lies_in_the_text_and_is_not_empty(text: str) -> None:
    for start, end in spoken_values(text, text.lower()):
        assert 0 <= start < end <= len(text)
