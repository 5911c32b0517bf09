"""Take out the tags that Claude Code 2.1.328 puts around a long paste in a prompt. Pure."""

import re

_TAG = re.compile(r'\n*</?pasted_content id="[^"\n]{0,64}">\n?')


def without_tags(prompt: str) -> str:
    """Return PROMPT as the person wrote it, with each paste on lines of its own."""
    return _TAG.sub("\n", prompt).strip() if "pasted_content" in prompt else prompt
