"""Take out the tags that Claude Code puts around a long paste in a prompt. Pure.

`trim` calls `as_written`, and imports this only for a text with TAG in it. The tray calls `without_tags` for what
Claude Code writes itself. There are no regular expressions here: their import alone would double the cost of the hook.
Seen with Claude Code 2.1.328: https://code.claude.com/docs/en/terminal-config#how-claude-treats-pasted-text
"""

from deskbell_hooks.notes import is_machine
from deskbell_hooks.trim import TAG

END = '">'
LONGEST_ID = 64
"""The most characters of an id. Claude Code takes 4."""


def as_written(text: str) -> str:
    """Return TEXT without the tags, unless it would then look like a report of a background task.

    Only Claude Code writes such reports. The tags show that the person pasted this one.
    """
    said = without_tags(text)
    return text if is_machine(said) else said


def without_tags(text: str) -> str:
    """Return TEXT as the person wrote it, with each paste on lines of its own."""
    first, *others = text.split(TAG)
    said = [first]
    for other in others:
        identity, end, behind = other.partition(END)
        sign = "</" if said[-1].endswith("</") else "<"
        if end and said[-1].endswith(sign) and len(identity) <= LONGEST_ID and not set(identity) & {'"', "\n"}:
            before = said[-1][: -len(sign)]
            said[-1] = before.removesuffix("\n") if sign == "</" else before.rstrip("\n")
            said.append("\n" + (behind[1:] if behind[:1] == "\n" else behind))
        else:
            said.append(TAG + other)
    return "".join(said).strip() if others else text
