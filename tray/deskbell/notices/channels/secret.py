"""Read the secret of a channel from the environment or from the system's keyring. The settings never hold it."""

import os

from deskbell.notices.channels import Failed

SERVICE = "deskbell"
"""The name of the service under which the keyring keeps the secrets."""


def secret(place: str) -> str | None:
    """Return the secret at `env:NAME` or `keyring:NAME`; None if PLACE is empty. Raise Failed if there is no secret."""
    if not place:
        return None
    kind, _, name = place.partition(":")
    found = os.environ.get(name) if kind == "env" else _from_keyring(name)
    if not found:
        hint = f"Set {name} before Deskbell starts." if kind == "env" else f"Run `keyring set {SERVICE} {name}`."
        raise Failed(f"the secret {place} does not exist. {hint}", for_good=True)
    return found


def _from_keyring(name: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise Failed("keyring is not installed. Run `pip install 'deskbell[keyring]'`.", for_good=True) from None
    try:
        found: str | None = keyring.get_password(SERVICE, name)
    except KeyringError as error:
        raise Failed(f"the keyring cannot be opened ({type(error).__name__})") from None
    return found
