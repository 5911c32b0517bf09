"""Test how many of the known shapes of secrets are hidden, and how many innocent texts are changed.

The shapes are in tests/hooks/secrets. They were collected from the public rule sets gitleaks and
trufflehog, and from the manuals of the programs that take a password.
"""

from functools import cache

import pytest

from deskbell_hooks.redact import redact
from deskbell_hooks.trim import clean
from tests.hooks.secrets import Shape, innocent, is_left, shapes

CAUGHT = 0.97
"""The part of the shapes that are hidden, at least."""
CHANGED = 0.03
"""The part of the innocent texts that are changed, at most."""
LONG = 10_000

MISSED = {
    "cio«base62 32»": "nothing but three lower-case letters announces it, with which many words begin",
    "re_«base62 8»_«base62 24»": "its beginning is that of many names in code",
    "test_«hex 35»": "its beginning is that of every test",
    "pat«base62 14».«hex 64»": "its beginning is that of paths and patterns",
    "s.«base62 24»": "its beginning is that of every attribute of s",
    "M«base62 23».G«base62 5».«base62 38»": "it has no beginning of its own",
    "sonar-scanner -Dsonar.login=«hex 40»": "a login is a name elsewhere",
    "msmtp --passwordeval='echo «pw»'": "a command within a flag",
    "impacket-psexec 'dom/me:«pw»@h'": "a target without a scheme",
    "expect -c 'send \"«pw»\\r\"'": "nothing says that a secret is sent",
    "openvpn --auth-user-pass <(printf 'me\\n%s' «pw»)": "a command within a command",
    "wg set wg0 private-key <(echo «base64 43»=)": "a command within a command",
    'sops -e --age x --set \'["db"]["password"] "«pw»"\' f': "a path of keys before the value",
    "jdbc:oracle:thin:scott/«pw»@db:1521:x": "a URL without //",
    "smb://dom;a:«pw»@h/x": "a semicolon ends a command",
    'requests.get(u, auth=("me", "«pw»"))': "a pair in code",
    'mysqli_connect("db", "a", "«pw»")': "an argument without a name",
    '{"kty":"RSA","n":"x","d":"«base62 86»"}': "a name of one letter",
    "'Authorization': 'Bearer ' + '«pw»'": "a text in two parts",
    "Sec-WebSocket-Protocol: bearer, «base62 40»": "a comma after the scheme",
    "//me:«pw»@example.org/x": "comments begin with // too",
    "https%3A%2F%2Fme%3A«pw»%40example.org": "an encoded URL",
    '{"sessionId": "«base62 32»"}': "Claude Code calls the ids of its sessions so, which are no secrets",
    "recovery code: «base36 5»-«base36 5»": "a code is rarely secret",
}
"""The shapes that are not hidden, each with the reason."""

CHANGED_NEVERTHELESS = {
    "if token == expected_token:": "a value after = may be a word",
    'assert token == "x"': "a value in quotes",
    "gpg --export-secret-keys me > key.asc": "a flag with the name of a secret",
    "gcloud secrets versions access latest --secret=db": "a flag with the name of a secret",
    "PASSWORD=`pass show db`": "a value in quotes",
}
"""The innocent texts that are changed, each with the reason."""


@cache
def leaks(shape: Shape) -> bool:
    shown = [(clean(text, LONG), secrets) for text, secrets in shape.filled]
    return any(is_left(secret, text) for text, secrets in shown for secret in secrets)


def changed() -> set[str]:
    return {text for text in innocent() if clean(text, LONG) != text}


def test_there_are_more_than_400_shapes_and_innocent_texts_and_none_twice() -> None:
    names = [shape.text for shape in shapes()]
    assert len(names) == len(set(names)) > 400
    assert len(innocent()) == len(set(innocent())) > 400
    assert all(secrets for shape in shapes() for _, secrets in shape.filled)


def test_nearly_all_known_shapes_are_hidden() -> None:
    missed = [shape.text for shape in shapes() if leaks(shape)]
    caught = 1 - len(missed) / len(shapes())
    print(f"{caught:.1%} of {len(shapes())} shapes are hidden", *missed, sep="\n  ")
    assert set(missed) == set(MISSED)
    assert caught >= CAUGHT


def test_nearly_all_innocent_texts_stay() -> None:
    print(
        f"{len(changed()) / len(innocent()):.1%} of {len(innocent())} innocent texts are changed",
        *changed(),
        sep="\n  ",
    )
    assert changed() == set(CHANGED_NEVERTHELESS)
    assert len(changed()) <= CHANGED * len(innocent())


@pytest.mark.uncounted
@pytest.mark.parametrize("texts", [[text for shape in shapes() for text, _ in shape.filled], innocent()])
def test_every_hidden_shape_has_a_hint(texts: list[str]) -> None:
    assert [text for text in texts if clean(text, LONG) != redact(text)] == []


@pytest.mark.uncounted
def test_redacting_a_shape_twice_is_redacting_it_once() -> None:
    texts = [redact(text) for shape in shapes() for text, _ in shape.filled]
    assert [text for text in texts if redact(text) != text] == []


@pytest.mark.uncounted
@pytest.mark.parametrize("around", ["make && {}\n", "cd x; {} | tee log", "> {}", "{}\n\nThen run the tests."])
def test_a_shape_is_hidden_among_other_text(around: str) -> None:
    shown = [shape for shape in shapes() if shape.kind in ("tokens", "requests", "files") and not leaks(shape)]
    left = [
        shape.text
        for shape in shown
        for text, secrets in shape.filled[:1]
        if any(is_left(secret, clean(around.replace("{}", text), LONG)) for secret in secrets)
    ]
    assert left == []
