"""Test that the tags around a long paste are taken out, and nothing else."""

import pytest

from deskbell_hooks.pasted import LONGEST_ID, without_tags


@pytest.mark.parametrize(
    ("prompt", "without"),
    [
        ('\n\n<pasted_content id="e2b7">\nword word\n</pasted_content id="e2b7">\n', "word word"),
        (
            'look:\n\n<pasted_content id="a1">\none\n\ntwo\n</pasted_content id="a1">\n and go',
            "look:\none\n\ntwo\n and go",
        ),
        (
            '\n\n<pasted_content id="67bd">\none\n</pasted_content id="67bd">\n'
            '\n\n<pasted_content id="67bd">\ntwo\n</pasted_content id="67bd">\n',
            "one\ntwo",
        ),
        (
            '\n\n<pasted_content id="67bd">\none\n\n</pasted_content id="67bd">\n'
            '\n\n<pasted_content id="67bd">\ntwo\n</pasted_content id="67bd">\n',
            "one\n\ntwo",
        ),
        ('<pasted_content id="a1">\ncut off', "cut off"),
        ('see <pasted_content id="a1">a log</pasted_content id="a1">', "see \na log"),
    ],
)
def test_the_tags_are_taken_out(prompt: str, without: str) -> None:
    assert without_tags(prompt) == without


@pytest.mark.parametrize(
    "text",
    [
        "what is pasted_content?",
        " <pasted> stays ",
        '<\\pasted_content id="1">typed<\\/pasted_content id="1">',
        '<pasted_content id="a1',
        '<pasted_content id="a1"',
        'pasted_content id="a1">',
        '<pasted_content id="a"b">',
        '<pasted_content id="a\nb">',
        f'<pasted_content id="{"x" * (LONGEST_ID + 1)}">',
        "",
    ],
)
def test_everything_else_stays(text: str) -> None:
    assert without_tags(text) == text


def test_a_hundred_thousand_tags_are_taken_out_in_linear_time() -> None:
    assert without_tags('\n<pasted_content id="a1">\n' * 100_000) == ""
