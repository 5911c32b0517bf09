"""Test that the tags around a long paste are taken out, and nothing else."""

import pytest

from deskbell.text.pasted import without_tags


@pytest.mark.parametrize(
    ("prompt", "without"),
    [
        ('\n\n<pasted_content id="e2b7">\nword word\n</pasted_content id="e2b7">\n', "word word"),
        (
            'look:\n\n<pasted_content id="a1">\none\n\ntwo\n</pasted_content id="a1">\n and go',
            "look:\none\n\ntwo\n and go",
        ),
        ('<pasted_content id="a1">\ncut off', "cut off"),
        ("what is pasted_content?", "what is pasted_content?"),
        (" <pasted> stays ", " <pasted> stays "),
        ("", ""),
    ],
)
def test_the_tags_are_taken_out(prompt: str, without: str) -> None:
    assert without_tags(prompt) == without
