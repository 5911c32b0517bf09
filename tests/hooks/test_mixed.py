"""Test that long tokens of mixed classes are found by what leads them in, and that what has an order stays."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.mixed import BARE, LED, is_random, mixed_values

LONG = "aB3dE6gH9kL2nO5qR8tU1w"[:22]
LONGER = "Qm7XcP0vLz3RkYb9TnW4sJdA8gHe"
HEX = "9b1c2d3e4f5061728394a5b6c7d8e9f0"
BASE62 = string.ascii_letters + string.digits

LED_IN = [
    *("X={}", "x: {}", '"x": "{}"', "x => '{}'", "f({})", 'f("a", "{}")', "--x {}", "-x {}", "a {{{}}}", "<x>{}<", "x <- {}"),
    *("cat <<< {}", "me:{}", "X-Thing: {}", "[{}]", "a | {}", "a, {}", "-- {}", "({} x)", "x='{}/'"),
]  # fmt: skip


@pytest.mark.parametrize("text", LED_IN)
def test_what_a_sign_leads_in_is_found(text: str) -> None:
    assert found(text.format(LONG)) == [LONG]


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in mixed_values(text)]


@pytest.mark.parametrize("text", ["show {}", "{}", "see\n{}", "f(x) {}", "the end. {}"])
def test_what_a_word_leads_in_is_found_if_it_is_longer(text: str) -> None:
    assert found(text.format(LONG)) == []
    assert found(text.format(LONGER)) == [LONGER]


FOUND: list[tuple[str, list[str]]] = [
    ("a aB3dE6gH9kL2.nO5qR8.tU1wX4yZ7cF0", ["aB3dE6gH9kL2.nO5qR8.tU1wX4yZ7cF0"]),
    ("a aB3dE6gH9kL2/nO5qR8+tU1wX4yZ7cF0==", ["aB3dE6gH9kL2/nO5qR8+tU1wX4yZ7cF0"]),
    (f"https://example.org/hooks/{LONG}", [LONG]),
    (f"https://example.org/hooks/x/{LONG}/{LONG}", [LONG, LONG]),
    ("k=k7x2m9q4w8z3p6v1n5t0", ["k7x2m9q4w8z3p6v1n5t0"]),
    (f"k=my_new_prefix_{LONG}", [f"my_new_prefix_{LONG}"]),
    ("k='QmXcPvLzRkYbTnWsJdAgHeUi'", ["QmXcPvLzRkYbTnWsJdAgHeUi"]),
    (f"NEWRELIC_LICENSE={HEX}", [HEX]),
    (f"tool login {LONG}", [LONG]),
    (f"echo {LONG} | tool", [LONG]),
    ("MY_KEY=JBSWY3DPEHPK3PXP", ["JBSWY3DPEHPK3PXP"]),
    ("x=JBSWY3DPEHPK3PXPJBSW2Y3DPEHPK", ["JBSWY3DPEHPK3PXPJBSW2Y3DPEHPK"]),
    (f"--sonar-login {HEX}", [HEX]),
    ("RECORD_KEY: 0740d25a-79e5-47da-8355-1f3b5116f2ab", ["0740d25a-79e5-47da-8355-1f3b5116f2ab"]),
    (f"k=abc_{LONG}", [f"abc_{LONG}"]),
    (f"-----BEGIN PRIVATE KEY-----\nx={LONG}", [LONG]),
    (f"-----BEGIN X-----\n{LONGER}\n-----END X-----\nx={LONG}", [LONG]),
    (f"data:image/png;base64,{LONG} x={LONG}", [LONG]),
    (f"密码{LONG}", [LONG]),
]


@pytest.mark.parametrize(("text", "tokens"), FOUND)
def test_tokens_of_other_forms_are_found(text: str, tokens: list[str]) -> None:
    assert found(text) == tokens


NOT_FOUND = [
    *(f"git show {HEX}01234567", f"sha={HEX}", f"x={HEX}", f"key={HEX}", f"CACHE_KEY={HEX}", f"app-{HEX}.js", f"x=TASK{HEX}"),
    *(f"sha512-{LONGER}", f"id: {LONG}", f'"requestId": "{LONG}"', f"PublicKey = {LONG}", f"sha256:{LONG}"),
    *(f"toolu_{LONG}", f"'toolu_{LONG}'", f"a pi_{LONG}", f"x={LONG}.png", f"x=a/src/{LONG}/b", f"x=/{LONG}/{LONG}/c"),
    *(f"https://docs.example.org/d/{LONG}/edit", f"x=data:image/png;base64,{LONGER}", f"iVBORw0KGgo{LONG}\n{LONGER}"),
    *(f"-----BEGIN CERTIFICATE-----\n{LONGER}\n-----END CERTIFICATE-----", f"-----BEGIN PUBLIC KEY-----\n{LONGER}"),
    *(f"x={LONG}(1)", "MY_KEY=JBSWY3DP", "MY_KEY=passwordsalad77", "x=JBSWY3DPEHPK3PXP"),
    *("x=OAuth2AuthorizationCodeGrantFilter", "x=getUserByEmailV2FromHttp2Api", "x=SHOUTED_WORDS_2_AND_3_MORE", "x=aaaaaaaaaaaaaaaaaaaaa"),
    *("x=numpy-1.26.4-cp312-cp312-manylinux_2_17", "x=com.example.app2.MainActivity", "x=CertificateManagerCertificate"),
    *("x=k7x2m9q4w8z3", "a k7x2m9q4w8z3p6v1n5t0k7x2m9q4", "x=1234567890123456789", "x=x86-64-unknown-linux-gnu-2"),
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_FOUND)
def test_hashes_ids_paths_pictures_versions_and_names_stay(text: str) -> None:
    assert found(text) == []


def test_nearly_every_random_word_is_random_and_hardly_a_hash_is() -> None:
    chosen = random.Random(7)
    words = ["".join(chosen.choices(BASE62, k=length)) for length in (20, 24, 32, 40, 64) for _ in range(400)]
    hashes = ["".join(chosen.choices("0123456789abcdef", k=length)) for length in (32, 40, 64) for _ in range(400)]
    assert sum(is_random(word, LED) for word in words) > 0.98 * len(words)
    assert not any(is_random(word, LED) for word in hashes)


@given(st.text(alphabet=f"{BASE62}=: '\"/._-\n\\", max_size=200))
def test_a_span_lies_in_the_text_and_is_a_token(text: str) -> None:
    for start, end in mixed_values(text):
        assert 0 <= start < end <= len(text)
        assert is_random(text[start:end], LED) or end - start >= BARE
