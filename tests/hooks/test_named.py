"""Test that secrets are found by the name before them. Whole texts are in test_redact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.named import is_placeholder, is_secret_name, named_values
from deskbell_hooks.structures import structured_values
from deskbell_hooks.tokens import Span


@pytest.mark.parametrize(
    "name", ["api_key", "GITHUB_TOKEN", "clientSecret", "PGPASSWORD", "X-Api-Key", "db.password", "--pass-phrase"]
)
def test_the_name_of_a_secret(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["author", "max_tokens", "primary_key", "key", "monkey", "", "-", "tokens"])
def test_a_name_of_something_else(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize("name", ["PASSWORD_FILE", "token_url", "secretName", "bypass", "TokenType"])
def test_a_detail_of_a_secret_is_none(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize("word", ["$X", "<token>", "{{ x }}", "xxxx", "****", "env:TOKEN", "your-key", "null"])
def test_what_stands_where_a_secret_will_be(word: str) -> None:
    assert is_placeholder(word)


@pytest.mark.parametrize("word", ["x", "hunter2", "yourself1", "aaab"])
def test_a_secret_is_no_placeholder(word: str) -> None:
    assert not is_placeholder(word)


FOUND: list[tuple[str, list[str]]] = [
    ("password=abc", ["abc"]),
    ("password = 'a b'", ["a b"]),
    ("a=1 password=b token=c", ["b", "c"]),
    ("token: abc1", ["abc1"]),
    ("the api key is x9", ["x9"]),
    ("https://h/x?sig=ab&se=1", ["ab"]),
    ("my_token abcdefg8 my_token abcdefg9", ["abcdefg8", "abcdefg9"]),
    ("machine h login me password x", ["x"]),
    ("machine h\n  login me\n  password x", ["x"]),
]
NOT_FOUND = [
    *(
        "AWS_CREDENTIALS=/etc/aws/creds.json",
        "password=~/.pass/db1",
        '{"auth": {"bob": 1}}',
        "play-services-auth:21.2.0",
    ),
    *("", "=", "password", "password=", "password=$X", "password: yes", "token: Bearer", "max_tokens=5", "sig=ab"),
    *(
        "my_token $abcdefg8",
        "my_token --abcdefg8",
        "my_token short8",
        "my_token abcdefgh",
        "my_token",
        "password x",
        "login password x",
    ),
]


def found(text: str) -> list[str]:
    spans: list[Span] = sorted([*named_values(text), *structured_values(text)])
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(("text", "values"), FOUND)
def test_the_value_after_a_secret_name_is_found(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize("text", NOT_FOUND)
def test_where_there_is_no_value_nothing_is_found(text: str) -> None:
    assert found(text) == []


@given(st.text(alphabet="aA_. =:'$pwd\"\\(", max_size=60))
def test_a_span_lies_in_the_text_and_is_not_empty(text: str) -> None:
    for start, end in [*named_values(text), *structured_values(text)]:
        assert 0 <= start < end <= len(text)
