"""Fit the segments of the statusline into the width of the terminal, and colour them. Pure.

If they do not fit, each becomes shorter; if that is not enough, the least important ones are left out. The result is
one line of text and escape sequences. Only this module makes escape sequences.
"""

from deskbell_hooks.segments import Segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deskbell_hooks.segments import Options

IMPORTANCE = (
    "others",
    "problem",
    "context",
    "agents",
    "model",
    "branch",
    "limits",
    "project",
    "cost",
    "lines",
    "duration",
)
"""The most important first."""
KEPT = 2
"""Every other segment becomes this many steps shorter before `others` does, because nothing else says who waits."""
COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
SIGNS = {
    "●": "*", "○": "o", "▸": ">", "✓": "+", "✗": "x", "·": "-", "…": "~", "█": "#", "░": "-", "│": "|", "⎇": "@",
    "\ue0b0": ">", "❯": ">", "╱": "/",
}  # fmt: skip
"""What replaces each sign of the statusline in ASCII."""
FEW = {
    "16": "black", "231": "bright-white", "34": "green", "37": "cyan", "24": "blue", "25": "blue", "30": "default",
    "60": "magenta", "64": "default", "133": "magenta", "160": "red", "166": "bold", "178": "yellow", "196": "red",
    "214": "yellow", "236": "black", "238": "black", "240": "black",
}  # fmt: skip
"""What replaces each colour of the presets on a terminal that has 16 or fewer. Green, yellow and cyan are used only as
backgrounds of black text: many terminals show them too light to be read on white."""
ARROW = "\ue0b0"
"""The separator of powerline, which every patched font has."""
RESET = "\x1b[0m"


def line(
    found: "list[Segment]",
    options: "Options",
    room: int,
    coloured: bool,
    ascii_only: bool,
    link: str = "",
    few: bool = False,
) -> str:
    """Return the line. LINK is what a click on a session opens, without the id of the session; "" for no links.

    FEW: the terminal has no 256 colours.
    """
    separator: str = options["separator"]
    if separator == ARROW and not coloured:
        separator = " ❯ "
    if ascii_only:
        found = [Segment(one.name, one.mood, [plain(form) for form in one.forms], one.session) for one in found]
        separator = f" {plain(separator).strip()} " if separator.strip() else separator
    arrows = separator == ARROW
    around = 3 if arrows else _columns(separator)
    chosen = fitted(found, room - 3 * arrows, around)
    shown = [
        (one, _linked(plain(text) if ascii_only else text, link and one.session and link + one.session))
        for one, text in chosen
    ]
    if arrows:
        return _with_arrows(shown, options, few)
    if not coloured:
        return separator.join(text for _, text in shown)
    between = f"{RESET}{separator}"
    return between.join(f"{style(colour(one, options), few=few)}{text}" for one, text in shown) + RESET


def plain(text: str) -> str:
    """Return TEXT in ASCII: SIGNS replaces the signs of the statusline; any other character becomes a question mark."""
    return text if text.isascii() else "".join(char if char < "\x7f" else SIGNS.get(char, "?") for char in text)


def fitted(found: "list[Segment]", room: int, separator: int) -> "list[tuple[Segment, str]]":
    """Return the segments that fit, each with one of its forms. The last one is cut if it is still too long.

    All become shorter in turn. The room that is left then goes to the most important ones.
    """
    kept = sorted(found, key=_importance)
    level = {one.name: 0 for one in kept}
    widths = {one.name: [_columns(form) for form in one.forms] for one in kept}
    while (left := room - _width(kept, widths, level, separator)) < 0:
        longer = [one for one in kept if level[one.name] < len(one.forms) - 1]
        if longer:
            level[min(reversed(longer), key=lambda one: level[one.name] + KEPT * (one.name == "others")).name] += 1
        elif len(kept) > 1:
            kept.pop()
        else:
            from deskbell_hooks.columns import cut

            return [(kept[0], cut(kept[0].forms[-1], max(room, 1)))]
    for one in kept:
        sizes = widths[one.name]
        at = min(n for n, size in enumerate(sizes) if size - sizes[level[one.name]] <= left)
        left -= sizes[at] - sizes[level[one.name]]
        level[one.name] = at
    return [(one, one.forms[level[one.name]]) for one in found if one in kept]


def _width(kept: "list[Segment]", widths: "dict[str, list[int]]", level: "dict[str, int]", separator: int) -> int:
    return sum(widths[one.name][level[one.name]] for one in kept) + separator * (len(kept) - 1)


def _importance(one: "Segment") -> int:
    return IMPORTANCE.index(one.name)


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    if all(char < "\u0300" or char in SIGNS for char in text):
        return len(text)  # without another module
    from deskbell_hooks.columns import columns

    return columns(text)


def colour(one: "Segment", options: "Options") -> str:
    """Return the colour of a segment: that of its mood, else its own."""
    colours: dict[str, str] = options["colors"]
    return colours.get(one.mood, "") or colours.get(one.name, "")


def style(spec: str, back: str = "", few: bool = False) -> str:
    """Return the escape sequence of a colour such as "bold red", "#ff8800", "33" or "white/red"; "" for none.

    Words that name no colour are ignored. BACK replaces the background in SPEC. FEW: the terminal has no 256 colours.
    """
    front, _, behind = spec.partition("/")
    words, behind = front.split(), (back or behind).strip()
    if few:
        words, behind = [FEW.get(word, word) for word in words], FEW.get(behind, behind)
    numbers = [number for word in words for number in _numbers(word, 30)]
    numbers += _numbers(behind, 40)
    return f"\x1b[{';'.join(numbers)}m" if numbers else ""


def is_colour(spec: str) -> bool:
    """Return whether `style` understands every word of SPEC."""
    front, _, behind = spec.partition("/")
    return all(_numbers(word, 30) for word in front.split()) and (
        not behind.strip() or bool(_numbers(behind.strip(), 40))
    )


def _numbers(word: str, base: int) -> "list[str]":
    if word in ("bold", "dim", "default"):
        return [{"bold": "1", "dim": "2", "default": f"{base + 9}"}[word]]
    if word in COLOURS:
        return [f"{base + COLOURS.index(word)}"]
    if word.startswith("bright-") and word[7:] in COLOURS:
        return [f"{base + 60 + COLOURS.index(word[7:])}"]
    if word.isascii() and word.isdigit() and len(word) < 4 and int(word) < 256:
        return [f"{base + 8}", "5", f"{int(word)}"]
    if len(word) == 7 and word[0] == "#" and all(digit in "0123456789abcdefABCDEF" for digit in word[1:]):
        return [f"{base + 8}", "2", *(f"{int(word[at : at + 2], 16)}" for at in (1, 3, 5))]
    return []


def _linked(text: str, url: str) -> str:
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if url else text


def _with_arrows(shown: "list[tuple[Segment, str]]", options: "Options", few: bool) -> str:
    """Draw each segment on its own background, and between two an arrow in the colours of both."""
    parts = []
    backs = [colour(one, options).partition("/")[2].strip() or "238" for one, _ in shown]
    for at, (one, text) in enumerate(shown):
        follows = backs[at + 1] if at + 1 < len(shown) else "default"
        front = style(colour(one, options), backs[at], few)
        parts.append(f"{front} {text} {RESET}{style(backs[at], follows, few)}{ARROW}")
    return "".join(parts) + RESET
