"""Test that secrets on a command line are found. Whole texts are in test_redact and test_secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.commands import ARGUMENTS, FLAGS, command_values

FOUND: list[tuple[str, list[str]]] = [
    ("mysql -u root -pab1", ["ab1"]),
    ("7z x -p'a b1' a.7z", ["a b1"]),
    ("curl -su me:ab1 x", ["ab1"]),
    ("zip \\\n  -P ab1 a.zip", ["ab1"]),
    ("xfreerdp /u:me /p:ab1", ["ab1"]),
    ("signtool sign /f c.pfx /p ab1 a.exe", ["ab1"]),
    ("htpasswd -b file me ab1", ["ab1"]),
    ("vault login -method=token ab1", ["ab1"]),
    ("rabbitmqctl add_user me ab1 x2", ["ab1"]),
    ("vault kv put secret/x foo=ab1 bar=cd2", ["ab1", "cd2"]),
    ("kubectl create secret generic x --from-literal conn='ab1'", ["ab1"]),
    ("sqlplus scott/ab1@orcl", ["ab1"]),
    ("anything -p gr33n_Tea? x", ["gr33n_Tea?"]),
    ("anything -p kX7vQ2mw x", ["kX7vQ2mw"]),
    ("anything -p:1q2w3e4R% x", ["1q2w3e4R%"]),
    ("lftp -u bob,ab1 host", ["ab1"]),
    ("gh auth login --with-token <<< ab1", ["ab1"]),
    ("echo ab1 | kinit me", ["ab1"]),
    ("gem push --key ab1 x.gem", ["ab1"]),
]
NOT_FOUND = [
    *("anything -p 8080:80", "ssh -p postgres16", "mkdir -p a1/b!2", "rsync -a me1@host1 x", "wget -w 20"),
    *("mysql -u root -p", "docker login x; docker run -p 80:80 nginx", "zip -P", "cargo login", "vault login", "net user bob"),
    *("vault login $TOKEN", "docker login -p $PASSWORD", "docker login -p -u me", "vault kv put secret/x @file.json"),
    *("gh auth login --with-token < file", "cat <<< word", "sqlplus / as sysdba", "bw unlock --raw", "snyk auth", "/p", "-"),
]  # fmt: skip


def found(text: str) -> list[str]:
    return list(dict.fromkeys(text[start:end] for start, end in sorted(command_values(text))))


@pytest.mark.parametrize(("text", "values"), FOUND)
def test_the_secret_of_a_command_is_found(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize("text", NOT_FOUND)
def test_a_command_without_a_secret_stays(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("flag", [flag for flag in FLAGS if len(flag) > 1])
def test_a_flag_means_a_secret_only_to_its_program(flag: str) -> None:
    assert found(f"{FLAGS[flag][0].strip()} x -{flag} ab1 y") == ["ab1"]
    assert found(f"other x -{flag} ab1 y") == []


WORDS = st.sampled_from([*ARGUMENTS, "a1", "'", '"', "-", " ", "\n", "|", "=", "/", ":", "\\", "-p", "mysql ", "<<< "])


@given(st.lists(WORDS, max_size=12).map("".join))
def test_a_span_lies_in_the_text_and_is_not_empty(text: str) -> None:
    for start, end in command_values(text):
        assert 0 <= start < end <= len(text)
