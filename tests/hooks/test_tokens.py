"""Test that secrets are found by their own form. Whole texts are in test_redact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.prefixes import ENDINGS, HASHES, HEX_PREFIXES, INFIXES, LONG_PREFIXES, PREFIXES
from deskbell_hooks.tokens import find_all, looks_random, tokens, value, word_end

HEX = "9b1c2d3e4f5061728394a5b6c7d8e9f0"
REST = "Ab3dEf6hIj9k"


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in tokens(text)]


def test_a_token_with_a_known_prefix_is_found_as_a_word() -> None:
    for prefix in (prefix for prefix in PREFIXES if prefix[0] not in "/."):
        assert found(f"use {prefix}{REST}, then {prefix}{REST}") == [prefix + REST] * 2
        assert found(f"x{prefix}{REST}") == []
        assert found(f"{prefix}{REST[:9]}") == []
        assert found(f"{prefix}{'a' * 12}") == []


@pytest.mark.parametrize("prefix", HEX_PREFIXES)
def test_a_prefix_before_32_hexadecimal_digits_is_found_as_a_word(prefix: str) -> None:
    assert found(f"{prefix}{HEX} x") == [prefix + HEX]
    assert found(f"x-{prefix}{HEX}") == []
    assert found(f"{prefix}{HEX}0") == []
    assert found(f"{prefix}{HEX[:31]} ") == []
    assert found(f"{prefix}{HEX[:31]}g") == []


@pytest.mark.parametrize("prefix", [prefix for prefix in PREFIXES if prefix[0] in "/."])
def test_the_path_of_an_address_may_follow_a_host(prefix: str) -> None:
    assert found(f"https://x{prefix}{REST} y") == [prefix + REST]


@pytest.mark.parametrize(("prefix", "least"), LONG_PREFIXES.items())
def test_a_prefix_that_words_have_too_needs_more_characters_and_two_digits(prefix: str, least: int) -> None:
    rest = "aB1" * least
    assert found(f"use {prefix}{rest[:least]} x") == [prefix + rest[:least]]
    assert found(f"use {prefix}{rest[: least - 1]} x") == []
    assert found(f"use {prefix}{'a' * least}1 x") == []
    assert found(f"x{prefix}{rest[:least]}") == []


@pytest.mark.parametrize(("sign", "least"), [*INFIXES.items(), *((sign, (n, 0)) for sign, n in ENDINGS.items())])
def test_a_sign_within_a_token_has_enough_characters_on_both_sides(sign: str, least: tuple[int, int]) -> None:
    before, behind = ("aB1" * 20)[: least[0]], ("aB1" * 20)[: least[1]]
    assert found(f"use {before}{sign}{behind}, x") == [before + sign + behind]
    assert found(f"use {before[1:]}{sign}{behind}, x") == []


@pytest.mark.parametrize("prefix", HASHES)
def test_the_hash_of_a_password_is_found(prefix: str) -> None:
    assert found(f"me:{prefix}10$Ab3dEf6hIj9kAb3dEf6hIj9k:1") == [f"{prefix}10$Ab3dEf6hIj9kAb3dEf6hIj9k"]
    assert found(f"echo {prefix}x") == []


KEYS: list[tuple[str, list[str]]] = [
    (f"{HEX}-us7", [f"{HEX}-us7"]),
    (f"{HEX}-us", []),
    (f"{HEX[1:]}-us7", []),
    ("/bot12:ab-c/x", ["12:ab-c"]),
    ("/bot12:/x", []),
    ("/bot:ab", []),
    ("/bot12", []),
    (
        "-----BEGIN PRIVATE KEY-----x-----END PRIVATE KEY-----y",
        ["-----BEGIN PRIVATE KEY-----x-----END PRIVATE KEY-----"],
    ),
    ("-----BEGIN PRIVATE KEY-----x", ["-----BEGIN PRIVATE KEY-----x"]),
    ("-----BEGIN PRIVATE KEY-----x-----END", ["-----BEGIN PRIVATE KEY-----x-----END"]),
    ("-----BEGIN CERTIFICATE-----x", []),
    ("Private-Lines: 1\nAAAA", [" 1\nAAAA"]),
    (f"use 1234567890:AA{HEX} x", [f"1234567890:AA{HEX}"]),
    (f"use 12:AA{HEX} x", []),
    (f"use 1234567890:AA{HEX[:9]} x", []),
    (
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nx\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\ny",
        ["---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nx\n---- END SSH2 ENCRYPTED PRIVATE KEY ----"],
    ),
]


@pytest.mark.parametrize(("text", "spans"), KEYS)
def test_other_forms(text: str, spans: list[str]) -> None:
    assert found(text) == spans


VALUES: list[tuple[str, str]] = [
    ("abc def", "abc"), ("'a b' c", "a b"), ('"a b', "a b"), ("a\\ b c", "a\\ b"), ("a;b", "a"), ("", ""), ("a\\", "a\\"),
    ("''", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_a_value_ends_at_its_quote_or_with_the_word(text: str, expected: str) -> None:
    start, end = value(text, 0)
    assert text[start:end] == expected


RANDOM = [("abc", False), ("ABC", False), ("aBc", True), ("abc1", True), ("", False)]


@pytest.mark.parametrize(("word", "expected"), RANDOM)
def test_a_word_looks_random_with_a_digit_or_letters_of_both_cases(word: str, expected: bool) -> None:
    assert looks_random(word) is expected


@given(st.text(alphabet="ab", max_size=30), st.text(alphabet="ab", min_size=1, max_size=3))
def test_occurrences_are_found_as_str_replace_finds_them(text: str, part: str) -> None:
    assert len(find_all(text, part)) == text.count(part)
    assert all(text.startswith(part, at) for at in find_all(text, part))


@given(st.text(alphabet="a-_ .:", max_size=20))
def test_a_word_ends_at_the_first_other_character(text: str) -> None:
    end = word_end(text, 0)
    assert set(text[:end]) <= set("a-_")
    assert text[end : end + 1] not in ("a", "-", "_")
