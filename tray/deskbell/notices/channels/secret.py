"""Where is the secret of a channel? In the environment or in the system's keyring, never in the settings."""

import os

from deskbell.notices.channels import Failed

SERVICE = "deskbell"


def secret(place: str) -> str | None:
    """`env:NAME` or `keyring:NAME`; None where none is configured."""
    if not place:
        return None
    kind, _, name = place.partition(":")
    found = os.environ.get(name) if kind == "env" else _from_keyring(name)
    if not found:
        raise Failed(f"the secret {place} is not there", for_good=True)
    return found


def _from_keyring(name: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise Failed("keyring is not installed: pip install 'deskbell[keyring]'", for_good=True) from None
    try:
        found: str | None = keyring.get_password(SERVICE, name)
    except KeyringError as error:
        raise Failed(f"the keyring does not open: {error}") from error
    return found
