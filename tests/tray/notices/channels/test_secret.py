"""Test that the secret of a channel comes from the environment or the keyring."""

import sys
from types import ModuleType

import pytest

from deskbell.notices.channels import Failed, send
from deskbell.notices.channels.secret import secret
from tests.tray.notices.channels.receiver import MESSAGE, channel, receiver


class KeyringError(Exception):
    pass


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], str]:
    """A keyring in memory, in the place of the library."""
    kept: dict[tuple[str, str], str] = {}
    library, errors = ModuleType("keyring"), ModuleType("keyring.errors")

    def get_password(service: str, name: str) -> str | None:
        if name == "locked":
            raise KeyringError("the secret is sesame")
        return kept.get((service, name))

    library.get_password, library.errors = get_password, errors  # type: ignore[attr-defined]  # a module has any name
    errors.KeyringError = KeyringError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", library)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return kept


def test_no_place_is_no_secret() -> None:
    assert secret("") is None


def test_a_secret_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "sesame")
    assert secret("env:KEY") == "sesame"


def test_a_secret_is_read_from_the_keyring(keyring: dict[tuple[str, str], str]) -> None:
    keyring["deskbell", "phone"] = "sesame"
    assert secret("keyring:phone") == "sesame"


def test_a_secret_that_does_not_exist_says_how_to_set_it(keyring: dict[tuple[str, str], str]) -> None:
    with pytest.raises(Failed, match=r"the secret env:NOWHERE does not exist. Set NOWHERE before") as failed:
        secret("env:NOWHERE")
    assert failed.value.for_good
    with pytest.raises(Failed, match=r"the secret keyring:phone does not exist. Run `keyring set deskbell phone`"):
        secret("keyring:phone")


def test_a_locked_keyring_may_be_tried_again_and_its_words_are_not_repeated(
    keyring: dict[tuple[str, str], str],
) -> None:
    with pytest.raises(Failed) as failed:
        secret("keyring:locked")
    assert (str(failed.value), failed.value.for_good) == ("the keyring cannot be opened (KeyringError)", False)


def test_without_the_library_the_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(Failed, match="pip install 'deskbell") as failed:
        secret("keyring:phone")
    assert failed.value.for_good


def test_without_its_secret_nothing_is_sent() -> None:
    with receiver() as one, pytest.raises(Failed):
        send(MESSAGE, channel("ntfy", url=f"{one.url}/t", secret="env:NOWHERE"))
    assert one.got == []
