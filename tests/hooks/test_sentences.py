"""Test that secrets in sentences are found. Whole texts are in test_redact and test_secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.sentences import is_strong, sentence_values

SECRET = "correct9horse"
WALLET = "abandon ability banner canyon dolphin eagle fabric galaxy habit icon jungle kitten"
FOUND = [
    *(f"set the password to {SECRET}", f"the password (prod) is {SECRET}", f"the password's {SECRET}", f"пароль {SECRET}"),
    *(f"log in with admin/{SECRET}", f"credentials: admin / {SECRET}", f"Setze das Passwort auf {SECRET}.", f"密码：{SECRET}"),
    *(f'name="password"\n\n{SECRET}\n', f"IDENTIFIED BY '{SECRET}'", f"la clé API est {SECRET}", f"the ssh key «{SECRET}»"),
]  # fmt: skip
NOT_FOUND = [
    *("the password is wrong", f"the password is is is is is {SECRET}", "Use a token bucket", "tokens: 12345678", "the token (see below", "the password", "login: a/b"),
    *("password src/a1/b2/c3", "token https://example.org/1a", "pin: 12", "the phrase is short", "token getToken1(user)"),
]  # fmt: skip
STRONG = [
    ("correct9horse", True),
    ("short1", False),
    ("correcthorse", False),
    ("src/auth1/b", False),
    ("a1" * 20, True),
]


def found(text: str) -> list[str]:
    return list(dict.fromkeys(text[start:end] for start, end in sentence_values(text, text.lower())))


@pytest.mark.parametrize("text", FOUND)
def test_what_a_sentence_announces_is_found(text: str) -> None:
    assert found(text) == [SECRET]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_nothing_is_found_in_a_sentence_without_a_secret(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("text", ["PIN is 1234", "my pin: 123456", "the passcode is 1234"])
def test_a_number_is_found_after_its_word(text: str) -> None:
    assert found(text) == [text.rsplit(" ", 1)[1]]


def test_the_words_of_a_wallet_are_found() -> None:
    assert found(f"my seed phrase is {WALLET}") == [WALLET]
    assert found(f'"mnemonic": "{WALLET}"') == [WALLET]


@pytest.mark.parametrize(("word", "expected"), STRONG)
def test_a_strong_word_is_long_and_has_letters_and_digits_and_is_no_path(word: str, expected: bool) -> None:
    assert is_strong(word) is expected


PIECES = st.sampled_from(
    ["password", "пароль", " is ", " to ", "login", SECRET, "/", ":", " ", "'", "\n", "(", ")", "pin:", "1234"]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_span_lies_in_the_text_and_is_not_empty(text: str) -> None:
    for start, end in sentence_values(text, text.lower()):
        assert 0 <= start < end <= len(text)


def test_a_secret_is_found_after_two_words_that_announce_one() -> None:
    text = "identified by identified by Zq9hunter2x"
    assert "Zq9hunter2x" in [text[start:end] for start, end in sentence_values(text, text.lower())]
