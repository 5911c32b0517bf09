"""Name the colours of terminals, for tests of what can be read on them."""

LIGHT = ("#ffffff", "#fdf6e3", "#fafafa", "#eeeeee")
DARK = ("#000000", "#002b36", "#1e1e1e", "#282c34", "#300a24")
"""Backgrounds: white and black, Solarized, One, Tango, VS Code, Ubuntu."""
FAR, NEAR = 3.75, 3.0
"""The contrast that a text needs on white and on black, and on other backgrounds, whose programs may raise it."""
FULL = 4.5
"""The contrast that WCAG asks of a text on a background that we draw ourselves."""
STEPS = (0, 95, 135, 175, 215, 255)
"""The brightness of red, green and blue in the cube of 256 colours."""


def numbered(number: int) -> str:
    """Return one of the colours 16 to 255, which are the same in every terminal."""
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    red, green, blue = (number - 16) // 36, (number - 16) // 6 % 6, (number - 16) % 6
    return "#" + "".join(f"{STEPS[one]:02x}" for one in (red, green, blue))
