"""Show the status of a session in its row of the menu: as a picture, or in words if rows have no pictures."""

from deskbell_icons import Sign, pixels

SIZE = 32
"""Pixels. Panels scale the picture down to 16 or 22 pixels, or to twice that on high-resolution screens."""
WORDS: dict[Sign, str] = {
    "permission": "needs approval",
    "question": "asks",
    "input": "needs input",
    "plan": "has a plan",
    "interrupted": "stopped",
    "error": "failed",
    "limit": "waits for a limit",
    "background": "in the background",
}
"""Words for what the heading above a row does not say. No font has signs of equal width for all of these."""


def words(sign: Sign) -> str:
    return WORDS.get(sign, "")


def picture(sign: Sign) -> bytes:
    """Return the sign as a PNG that is visible on dark and on light menus."""
    return pixels.sign_png(sign, SIZE)
