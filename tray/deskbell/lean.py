"""What does a program that stays all day do without? OpenSSL, which the standard library loads, and Pillow's fonts.

That is 6 of 50 megabytes, and a tenth of the time until the icon is there. Whoever speaks TLS later loads it then; no
letter is ever drawn.
"""

import sys
from importlib import import_module

NOT_NEEDED = ("ssl", "_hashlib", "PIL._imagingft")
USERS = ("asyncio", "hashlib", "hmac", "PIL.ImageDraw")
"""They know how to live without it."""


def load() -> None:
    """To be called before anything imports them."""
    absent = [name for name in NOT_NEEDED if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]  # what import takes for "not there"
    for user in USERS:
        import_module(user)
    for name in absent:
        del sys.modules[name]
