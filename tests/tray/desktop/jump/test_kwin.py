"""Test the script that KWin runs: what is put into it stays a value, whatever it holds."""

import json
import re
import shutil
import subprocess

import pytest

from deskbell.desktop.jump.kwin import script

MARKS = ('"; callDBus("evil"); "', "'\\", "</script>", "\u2028\n", "GIVEN", None)


def given(text: str) -> object:
    """What the script was given, as JSON: it is on one line."""
    found = re.search(r"^var given = (.*);$", text, re.MULTILINE)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("mark", MARKS)
def test_what_is_put_into_the_script_is_one_value(mark: str | None) -> None:
    text = script(":1.7", [30, 20], mark, raises=True)
    assert given(text) == {
        "name": ":1.7", "path": "/deskbell/jump", "interface": "deskbell.Jump", "pids": [30, 20], "mark": mark, "raise": True,
    }  # fmt: skip
    assert text.isascii()


RUN = """
const windows = [
  { pid: 20, caption: "a", normalWindow: true }, { pid: 20, caption: "b deskbell-x", normalWindow: true },
  { pid: 10, caption: "outer", normalWindow: true }, { pid: 30, caption: "panel", normalWindow: false },
];
const workspace = %s;
const said = [];
function callDBus(...words) { said.push(words.slice(3)); }
%s
console.log(JSON.stringify(said));
"""
PLASMA = {
    "5": "{ clientList: () => windows, activeClient: windows[2] }",
    "6": "{ windowList: () => windows, activeWindow: windows[2] }",
}


@pytest.mark.skipif(not shutil.which("node"), reason="the script is JavaScript")
@pytest.mark.parametrize("plasma", PLASMA.values(), ids=PLASMA)
@pytest.mark.parametrize(
    ("pids", "raises", "said"),
    [
        ([30, 20, 10], True, [20, True, 20]),
        ([30, 20, 10], False, [20, False, 10]),
        ([10], False, [10, True, 10]),
        ([7], True, [0, False, 10]),
    ],
)
def test_the_script_raises_the_marked_window_of_the_nearest_process(
    plasma: str, pids: list[int], raises: bool, said: list[object]
) -> None:
    program = RUN % (plasma, script(":1.7", pids, "deskbell-x", raises=raises))
    done = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout) == [["Found", *said]]
