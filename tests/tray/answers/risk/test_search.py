"""Test what a search through many files is said to lay open."""

import pytest

from deskbell.answers.risk.search import is_specific, seeks_credentials

SPECIFIC = ["foo", "def main", "class .*Error", r"use\w+State", "foo|bar", r"foo\|bar", "(foo|bar)baz", "^import", "colou?r x=1"]  # fmt: skip
LOOSE = ["", ".", ".*", "a", "ab", "foo|", "foo|.", r"foo\|", "(foo)?", "a*b*c*", "[A-Za-z]", "[^]abc]", r"\w\w\w", r"\x41\x42",
         "foo" * 101, "[" * 9999, "(?!foo)", "(?i)foo", "x{0,9}y?z*", "^$", "f?o?o?"]  # fmt: skip


@pytest.mark.parametrize("pattern", SPECIFIC)
def test_what_is_named_is_specific(pattern: str) -> None:
    assert is_specific(pattern)


@pytest.mark.parametrize("pattern", LOOSE)
def test_what_may_match_every_line_is_not(pattern: str) -> None:
    assert not is_specific(pattern)


CREDENTIALS = ["x" * 301, "password", "PASSWD", "api_key", "api.key", "apiKey", "s[e]cret", "secr.*et|secret", "AKIA", "ghp_", "KEY", "DB_URL", "pwd",
               "BEGIN", "postgres://", "Bearer", "eyJ", "sk-", "AWS_REGION", "DSN", "to(k)en", "key", "foo|keys", r"\bkey\b", "auth", "env", "validateToken|token", "token_validate", "gettoken"]  # fmt: skip
OTHERS = ["foo", "keyboard", "def key", "useAuth", "author", "url", "begin", "monkey", "pass", "compass",
          "validateToken", "reset_password", "def get_token", "createSecret|handleLogin"]  # fmt: skip


@pytest.mark.parametrize("pattern", CREDENTIALS)
def test_a_search_for_credentials_is_known(pattern: str) -> None:
    assert seeks_credentials(pattern)


@pytest.mark.parametrize("pattern", OTHERS)
def test_another_search_is_not_taken_for_one(pattern: str) -> None:
    assert not seeks_credentials(pattern)
