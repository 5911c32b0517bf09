"""Test that secrets are found by the structure of a file. Whole texts are in test_redact and test_secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.structures import structured_values

HEX = "9b1c2d3e4f5061728394a5b6c7d8e9f0"
FOUND: list[tuple[str, list[str]]] = [
    ("machine h login me password x", ["x"]),
    ("<password>a b</password>", ["a b"]),
    ('<wsse:Password Type="x">ab</wsse:Password>', ["ab"]),
    ('{"name": "password", "value": "ab1"}', ["ab1"]),
    ('{"name": "password", "value": "ab1 value"}', ["ab1 value"]),
    ("- name: API_TOKEN\n  value: ab1\n", ["ab1"]),
    ("ConvertTo-SecureString -AsPlainText -String ab1", ["ab1"]),
    ('echo "db:5432:app:me:ab1" >> ~/.pgpass', ["ab1"]),
    ('login("me", "a1!b2c")', ["a1!b2c"]),
    ("auth=('me', 'Rain-Coat77')", ["Rain-Coat77"]),
    (f'HTTPBasicAuth("api", "{HEX}")', [HEX]),
    ('Basic.encode("me:a1!b2c")', ["a1!b2c"]),
    ("kind: Secret\nstringData:\n  conn: ab1\n  b: cd2\n", ["ab1", "cd2"]),
]
NOT_FOUND = [
    *("<password></password>", "<password/>", "</password>x<", "<title>a</title>", "<password>${x}</password>", ">", "<"),
    *('{"name": "color", "value": "ab1"}', '{"name": "password", "value": "ab"}', "kind: ConfigMap\ndata:\n  a: b1\n"),
    *('login("me")', 'login("me", "postgres16")', 'login(me) + "a1!b2c"', "login(", 'find("a1!b2c")', 'login("a"' + ', "b"' * 9 + ', "a1!b2c")'),
    *("kind: Secret\ndata:\n  a: b\n", "pgpass a:b", "values: 1", "kind: Secret\ndata:\n  a\nb: c1"),
]  # fmt: skip


def found(text: str) -> list[str]:
    return list(dict.fromkeys(text[start:end] for start, end in sorted(structured_values(text))))


@pytest.mark.parametrize(("text", "values"), FOUND)
def test_the_secret_in_a_structure_is_found(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize("text", NOT_FOUND)
def test_a_structure_without_a_secret_stays(text: str) -> None:
    assert found(text) == []


PIECES = st.sampled_from(
    ["<", ">", "password", "/", "value", ":", "=", '"', " ", "\n", "a1", "kind: Secret", "ata:\n", "  "]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_a_span_lies_in_the_text_and_is_not_empty(text: str) -> None:
    for start, end in structured_values(text):
        assert 0 <= start < end <= len(text)
