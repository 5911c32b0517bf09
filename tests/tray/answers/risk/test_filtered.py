"""Test what is left of a command without its filtered searches."""

import pytest

from deskbell.answers.risk.filtered import without_filtered

LEFT_OUT = {
    "find . -name x": "",
    "find . -name x -delete": "-delete",
    "find . -name x -exec rm {} +": "-exec rm +",
    "find . -name x -exec rm -rf . +": "-exec rm -rf . +",
    "find . -name x | xargs rm -rf .": "| xargs rm -rf .",
    "find . -name x && rm -rf .": "&& rm -rf .",
    "rm -rf $(find . -name x) .": "rm -rf $() .",
    "rm -rf `find . -name x` .": "rm -rf `` .",
    r"rm -rf $(find . -name x\\) .": r"rm -rf $(\\) .",
    r"find . \( -name a -o -name b \) -delete": "-delete",
    r"find . -name x -exec rm {} \; -print": "-exec rm ; -print",
    "find . -type f -empty -name x -delete": "-delete",
    "find . -name .git -prune -o -name x -delete": "-delete",
    "(sudo /usr/bin/find . -iname x -delete)": "-delete)",
    "bash -c 'find . -name x -delete'": "-delete",
    'sh -c "find . -name x -delete"': "-delete",
    "while find . -name x; do rm -rf .; done": "; do rm -rf .; done",
}

STAY = [
    "rm -rf -- . -name",
    "rm -rf . -name find",
    "rm -rf find . -name x",
    "echo find . -name x",
    "<find rm -rf . -name x",
    "sudo -u find rm -rf . -name x",
    "X=/find rm -rf . -name x",
    "./find . -name x",
    "find .",
    "find . -delete -name x",
    "find . -exec rm {} + -name x",
    r"find . -name x -exec rm {} \; -o -delete",
    "find . -name x -o -delete",
    "find . -name x , -delete",
    "find . -name x -o -print",
    "find . ! -name x -delete",
    "find . -not -name x -delete",
    r"find . ! \( -name x \) -delete",
    "find . '(' -name x ')' -delete",
    "find . -name '*' -delete",
    "find . -newer -name -delete",
    "find . -name",
    "find . $X -name x",
    "find . # -name x",
    "bash -c 'find . -delete' -name x",
    "bash -c 'find .' -name x",
    "",
]


@pytest.mark.parametrize(("text", "left"), LEFT_OUT.items(), ids=LEFT_OUT)
def test_a_filtered_search_is_left_out_and_what_it_runs_stays(text: str, left: str) -> None:
    assert without_filtered(text).replace(" ", "") == left.replace(" ", "")


@pytest.mark.parametrize("text", STAY)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert without_filtered(text) == text
