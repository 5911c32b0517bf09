"""Test that the statusline goes into a settings text and comes out again without a trace, alone and chained."""

import json
import subprocess
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.settings.file_text import with_hooks, with_line, without_hooks, without_line
from deskbell.settings.jsonspans import Misshapen
from deskbell.settings.line_command import REFRESH, Line, Order, registered
from deskbell.settings.line_text import Taken, found, refreshed
from deskbell.settings.line_text import with_line as text_with_line
from deskbell.settings.line_text import without_line as text_without_line
from tests.tray.settings_texts import CORPUS, HOOK, WANTED

LINE = Line(HOOK.python, HOOK.main, HOOK.state, "/home/zoë/it's here/config.toml")
NEWER = replace(LINE, main="/new/deskbell_hooks/__main__.py")
OWN = '~/.claude/statusline.sh --say "it\'s" $HOME'
PATH = CORPUS[0]


def entry(text: str) -> dict[str, Any]:
    return dict(json.loads(text.removeprefix("\ufeff"))["statusLine"])


def own(**more: object) -> str:
    return json.dumps({"model": "opus", "statusLine": {"type": "command", "command": OWN, **more}, "x": 1}, indent=2)


EMPTY = ["", "\n", " \n\t", "\ufeff", "{}", "{ }", "{\n}\n", "\ufeff{}", "\r\n", "{\r\n}"]
FULL = [
    '{"model": "opus"}',
    '{\n\t"model": "opus"\n}\n',
    '{"model":"opus","hooks":{}}',
    '{"a": {"b": []}, "hooks": {"Stop": []}}',
]


@pytest.mark.parametrize(
    "text",
    [
        *EMPTY,
        *FULL,
        *(path.read_text("utf-8") for path in CORPUS if "statusLine" not in path.read_text("utf-8", "replace")),
    ],
)
def test_a_line_alone_goes_in_and_comes_out_without_a_trace(text: str) -> None:
    try:
        before = text_with_line(text, LINE, None)
    except Misshapen:
        return  # the corpus holds texts that nothing is put into
    assert registered(entry(before)["command"]) is not None
    assert text_with_line(before, LINE, None) == before
    assert text_without_line(before) == (text, "")


@pytest.mark.parametrize("text", [*EMPTY, *FULL])
@pytest.mark.parametrize("hooks_first", [True, False])
@pytest.mark.parametrize("hooks_out_first", [True, False])
def test_hooks_and_line_go_in_and_come_out_in_any_order(text: str, hooks_first: bool, hooks_out_first: bool) -> None:
    now: bytes | None = text.encode()
    for hooks in (hooks_first, not hooks_first):
        now = with_hooks(PATH, now, WANTED) if hooks else with_line(PATH, now, LINE, None, False)
    for hooks in (hooks_out_first, not hooks_out_first):
        now = without_hooks(PATH, now) if hooks else without_line(PATH, now)[0]
    assert now == text.encode()


OWNS = [
    own(),
    own(padding=0),
    own(refreshInterval=3),
    own(refreshInterval=REFRESH),
    '{"statusLine":{"command":"\\u007e/x \\/ \\ud83d\\ude00 é","type":"command"}}',
    '{"statusLine": {"type": "command",\n    "command": "a\\nb" ,\n "padding" : 2 }}',
    '{ "statusLine" : { "type" : "command", "command" : "echo \'x\' \\"y\\"" }, "hooks": {} }',
    '{"statusLine": {"type": "prompt", "command": "x", "type": "command", "command": "y"}}',
]


@pytest.mark.parametrize("text", OWNS)
@pytest.mark.parametrize("order", ["first", "last"])
def test_an_own_line_is_chained_and_given_back_to_the_byte(text: str, order: Order) -> None:
    with pytest.raises(Taken):
        text_with_line(text, LINE, None)
    chained = text_with_line(text, LINE, order)
    there = registered(entry(chained)["command"])
    assert there is not None
    assert there.line == LINE
    assert there.own is not None
    assert (there.own.order, there.own.command) == (order, entry(text)["command"])
    assert "refreshInterval" in entry(chained)
    assert text_with_line(chained, LINE, None) == chained
    assert text_without_line(chained) == (text, "")
    assert text_without_line(text_with_line(chained, NEWER, None)) == (text, "")


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40), st.booleans()
)
def test_any_own_command_comes_back_to_the_byte(words: str, escaped: bool) -> None:
    text = json.dumps({"statusLine": {"type": "command", "command": words}}, ensure_ascii=escaped)
    assert text_without_line(text_with_line(text, LINE, "first")) == (text, "")


def test_the_order_of_a_chained_line_can_be_changed() -> None:
    chained = text_with_line(own(), LINE, "first")
    turned = text_with_line(chained, LINE, "last")
    assert turned != chained
    assert text_without_line(turned) == (own(), "")


def test_what_the_person_changes_around_a_chained_line_stays() -> None:
    chained = text_with_line(own(padding=0), LINE, "first").replace('"padding": 0', '"padding": 3')
    assert text_without_line(chained) == (own(padding=3), "")
    paced = text_with_line(own(), LINE, "first").replace(f'"refreshInterval": {REFRESH}', '"refreshInterval": 60')
    assert text_without_line(paced) == (own(refreshInterval=60), "")


def test_what_the_person_changed_in_a_line_alone_is_reported() -> None:
    text = text_with_line("{}", LINE, None).replace(
        f'"refreshInterval": {REFRESH}', '"refreshInterval": 2, "padding": 1'
    )
    assert text_without_line(text) == ("{}", '"refreshInterval": 2, "padding": 1')


@pytest.mark.parametrize("text", ["", "{}", own(), own().replace("command", "x")])
def test_nothing_but_our_line_is_taken_out(text: str) -> None:
    try:
        assert text_without_line(text) == (text, "")
    except Misshapen:
        assert '"x"' in text


STRANGE = [
    '{"statusLine": null}',
    '{"statusLine": "x"}',
    '{"statusLine": []}',
    '{"statusLine": {}}',
    '{"statusLine": {"type": "command"}}',
    '{"statusLine": {"type": "command", "command": 5}}',
    '{"statusLine": {"type": "static", "command": "x"}}',
    '{"statusLine": {"command": "x"}}',
    '{"statusLine": {"type": "command", "command": "x"}, "statusLine": {"type": "command", "command": "y"}}',
    "[]",
    "{",
]


@pytest.mark.parametrize("text", STRANGE)
def test_a_line_of_a_strange_shape_is_refused_and_stays(text: str) -> None:
    for order in ("first", None):
        with pytest.raises(Misshapen):
            text_with_line(text, LINE, order)  # type: ignore[arg-type]  # both are orders
    assert refreshed(text, LINE) == text


def test_only_our_line_is_put_right() -> None:
    assert refreshed(own(), LINE) == own()
    assert refreshed("{}", LINE) == "{}"
    ours = text_with_line("{}", LINE, None)
    there = found(refreshed(ours, NEWER)).ours
    assert there is not None
    assert there.line == NEWER
    chained = text_with_line(own(), LINE, "first")
    assert refreshed(chained, NEWER, windows=True) == chained, "what cannot be done there keeps no hook from its place"


def test_where_deskbell_is_gone_the_own_line_runs_as_before() -> None:
    text = json.dumps({"statusLine": {"type": "command", "command": "printf '%s' \"own: $(cat)\""}})
    words = entry(text_with_line(text, LINE, "last"))["command"]
    done = subprocess.run(["/bin/sh", "-c", words], input=b"given", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"own: given", b"")
    alone = entry(text_with_line("{}", LINE, None))["command"]
    done = subprocess.run(["/bin/sh", "-c", alone], input=b"given", capture_output=True, check=True)
    assert b"Deskbell is gone" in done.stdout


def test_without_a_file_there_is_nothing_to_take_out() -> None:
    assert without_line(PATH, None) == (None, "")


def test_hooks_come_out_of_a_text_with_a_line_of_a_strange_shape() -> None:
    text = b'{"statusLine": 5}'
    assert without_hooks(PATH, with_hooks(PATH, text, WANTED)) == text
