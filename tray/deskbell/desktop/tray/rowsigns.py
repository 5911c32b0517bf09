"""Show in its row of the menu what a session waits for: with a picture, or in words where rows have no pictures."""

from deskbell_icons import Sign, pixels

SIZE = 32
"""Panels show it at 16 or 22 pixels, or at twice that on a sharp screen, and make a larger picture smaller."""
WORDS: dict[Sign, str] = {
    "permission": "needs approval",
    "question": "asks",
    "input": "needs input",
    "plan": "has a plan",
    "interrupted": "stopped",
    "error": "failed",
    "background": "in the background",
}
"""What the heading above a row does not say. No font has characters for all of this that are of equal width."""


def words(sign: Sign) -> str:
    return WORDS.get(sign, "")


def picture(sign: Sign) -> bytes:
    """Return the sign as a PNG. Nobody knows whether the menu is dark or light: it stands out on both."""
    return pixels.sign_png(sign, SIZE)
