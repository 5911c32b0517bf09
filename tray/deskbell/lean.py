"""What does a program that stays all day do without? OpenSSL: the standard library loads it, and nothing here needs it.

That is 5 of 50 megabytes, and a tenth of the time until the icon is there. Whoever speaks TLS later loads it then.
"""

import sys
from importlib import import_module

OPENSSL = ("ssl", "_hashlib")
USERS = ("asyncio", "hashlib", "hmac")
"""They know how to live without it."""


def load() -> None:
    """To be called before anything imports them."""
    absent = [name for name in OPENSSL if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]  # what import takes for "not there"
    for user in USERS:
        import_module(user)
    for name in absent:
        del sys.modules[name]
