"""Test that hooks go into the text of a settings file, come out and are put right, and that nothing else changes."""

import json
from pathlib import Path

import pytest

from deskbell.settings.hooks_text import compared, hooks_disabled, managed_only, with_hooks, without_hooks
from deskbell.settings.jsonspans import Misshapen, place
from deskbell.settings.registration import is_ours, wanted
from deskbell.settings.standing import Standing
from tests.tray.settings_texts import CORPUS, HOOK, OLDER, WANTED

STOP = {"Stop": WANTED["Stop"]}
OURS = json.dumps(WANTED["Stop"][0], ensure_ascii=False)
OLD = json.dumps(OLDER["Stop"][0], ensure_ascii=False)
GROUP = f'{{"hooks": [{OURS}]}}'
THEIRS = '{"type": "command", "command": "theirs"}'


def read(path: Path) -> str:
    return path.read_bytes().decode()


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
class TestCorpus:
    def test_install_then_uninstall_gives_the_text_back(self, path: Path) -> None:
        assert without_hooks(with_hooks(read(path), WANTED)) == read(path)

    def test_install_twice_is_install_once(self, path: Path) -> None:
        once = with_hooks(read(path), WANTED)

        assert with_hooks(once, WANTED) == once
        assert compared(once, WANTED).as_wanted

    def test_uninstall_without_install_changes_nothing(self, path: Path) -> None:
        assert without_hooks(read(path)) == read(path)

    def test_the_client_reads_ours_beside_what_it_read_before(self, path: Path) -> None:
        before = json.loads(read(path).removeprefix("\ufeff").strip() or "{}")
        after = json.loads(with_hooks(read(path), WANTED).removeprefix("\ufeff"))

        for event, (handler,) in WANTED.items():
            groups = after["hooks"][event]
            assert groups[-1] == {"hooks": [handler]}
            assert groups[:-1] == before.get("hooks", {}).get(event, [])
        assert {**after, "hooks": {}} == {**before, "hooks": {}}

    def test_older_entries_of_ours_are_put_right_and_come_out_clean(self, path: Path) -> None:
        older = with_hooks(read(path), OLDER)

        newer = with_hooks(older, WANTED)

        assert compared(newer, WANTED).as_wanted
        assert without_hooks(newer) == read(path)


def test_an_indented_file_gets_one_line_for_each_event() -> None:
    assert with_hooks('{\n    "model": "opus"\n}\n', STOP) == (
        '{\n    "model": "opus",\n    "hooks": {\n        "Stop": [' + GROUP + "]\n    }\n}\n"
    )


def test_a_minified_file_stays_on_its_line() -> None:
    tight = json.dumps(WANTED["Stop"][0], ensure_ascii=False, separators=(",", ":"))

    assert with_hooks('{"a":1}', STOP) == '{"a":1,"hooks":{"Stop":[{"hooks":[' + tight + "]}]}}"


CHANGES = {
    "an older entry is put right where it stands": (
        f'{{"hooks": {{"Stop": [{{"hooks": [{OLD}, {THEIRS}]}}, {{"hooks": [{THEIRS}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{{"hooks": [{OURS}, {THEIRS}]}}, {{"hooks": [{THEIRS}]}}]}}}}',
    ),
    "of two entries for one event the second goes": (
        f'{{"hooks": {{"Stop": [{GROUP}, {GROUP}]}}}}',
        f'{{"hooks": {{"Stop": [{GROUP}]}}}}',
    ),
    "of two older entries for one event the second goes": (
        f'{{"hooks": {{"Stop": [{{"hooks": [{OLD}]}}, {{"hooks": [{OLD}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{GROUP}]}}}}',
    ),
    "an entry with a number for true is put right": (
        f'{{"hooks": {{"Stop": [{{"hooks": [{OURS.replace(": true", ": 1")}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{GROUP}]}}}}',
    ),
    "an entry for an event that should have none goes": (
        f'{{"hooks": {{"Stop": [{GROUP}], "Setup": [{GROUP}]}}}}',
        f'{{"hooks": {{"Stop": [{GROUP}]}}}}',
    ),
    "an entry narrowed to some tools becomes one for all": (
        f'{{"hooks": {{"Stop": [{{"matcher": "Bash", "hooks": [{OURS}, {THEIRS}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{{"matcher": "Bash", "hooks": [{THEIRS}]}}, {GROUP}]}}}}',
    ),
    "an entry under a key that the client does not read moves to the one it reads": (
        f'{{"hooks": {{"Stop": [{GROUP}]}}, "hooks": {{"Stop": [{{"hooks": [{THEIRS}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{{"hooks": [{THEIRS}]}}, {GROUP}]}}}}',
    ),
    "an entry with a changed timeout is put right": (
        f'{{"hooks": {{"Stop": [{{"hooks": [{OURS.replace(": 5", ": 500")}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{GROUP}]}}}}',
    ),
}
NO_CHANGES = {
    "ours with an empty matcher": f'{{"hooks": {{"Stop": [{{"matcher": "", "hooks": [{OURS}]}}]}}}}',
    "ours in a group with theirs": f'{{"hooks": {{"Stop": [{{"hooks": [{THEIRS}, {OURS}]}}]}}}}',
    "ours in other words of the same meaning": '{"hooks":{"Stop":[{"matcher":"*","hooks":['
    + OURS.replace("/", "\\/")
    + "]}]}}",
    "beside a number longer than Python takes": (
        f'{{"hooks": {{"Stop": [{GROUP}, {{"hooks": [{{"timeout": {"9" * 5000}}}]}}]}}}}'
    ),
    "ours as a serialiser writes it": json.dumps({"hooks": {"Stop": [{"hooks": [WANTED["Stop"][0]]}]}}, indent=2),
}


@pytest.mark.parametrize(("before", "after"), CHANGES.values(), ids=CHANGES)
def test_install_puts_ours_right(before: str, after: str) -> None:
    assert with_hooks(before, STOP) == after
    assert not compared(before, STOP).as_wanted


@pytest.mark.parametrize("text", NO_CHANGES.values(), ids=NO_CHANGES)
def test_install_leaves_ours_alone_where_it_is_right(text: str) -> None:
    assert with_hooks(text, STOP) == text


TAKEN_OUT = {
    "a handler beside ours keeps its group": (
        f'{{"hooks": {{"Stop": [{{"hooks": [{OURS}, {THEIRS}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{{"hooks": [{THEIRS}]}}]}}}}',
    ),
    "what was added after ours stays as it was typed": (
        f'{{\n  "hooks": {{\n    "Stop": [{GROUP}],\n    "X": []\n  }}\n}}',
        '{\n  "hooks": {\n    "X": []\n  }\n}',
    ),
    "of several between others every one goes": (
        f'{{"hooks": {{"Stop": [{{"hooks": [{THEIRS}, {OURS}, {THEIRS}, {OLD}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{{"hooks": [{THEIRS}, {THEIRS}]}}]}}}}',
    ),
    "a file that another tool wrote anew": (
        json.dumps({"a": 1, "hooks": {"Stop": [{"hooks": [WANTED["Stop"][0]]}]}}, indent=4),
        '{\n    "a": 1\n}',
    ),
    "a group with a matcher goes with its only handler": (
        f'{{"hooks": {{"Stop": [{{"matcher": "", "hooks": [{OURS}]}}, {{"hooks": [{THEIRS}]}}]}}}}',
        f'{{"hooks": {{"Stop": [{{"hooks": [{THEIRS}]}}]}}}}',
    ),
    "ours alone": (f'{{"hooks":{{"Stop":[{GROUP}]}}}}', "{}"),
}


@pytest.mark.parametrize(("before", "after"), TAKEN_OUT.values(), ids=TAKEN_OUT)
def test_uninstall_takes_ours_and_nothing_else(before: str, after: str) -> None:
    assert without_hooks(before) == after


REFUSED = {
    "a list": ("[]", "the settings are not an object", "line 1 column 1"),
    "a text": ('\n"hooks"', "the settings are not an object", "line 2 column 1"),
    "hooks that are null": ('{"hooks": null}', '"hooks" is not an object', "line 1 column 11"),
    "hooks in a list": ('{\n  "hooks": []\n}', '"hooks" is not an object', "line 2 column 12"),
    "an event with an object": ('{"hooks": {"Stop": {}}}', '"Stop" under "hooks" is not a list', "line 1 column 20"),
    "a group that is text": ('{"hooks": {"Stop": ["x"]}}', 'an entry of "Stop" is not an object', "line 1 column 21"),
    "a group without handlers": (
        '{"hooks": {"Stop": [{"command": "x"}]}}',
        'an entry of "Stop" has no list "hooks"',
        "line 1 column 21",
    ),
    "an event with a strange name": (
        '{"hooks": {"\\u001b[2J\\ud800": {}}}',
        r'"\u001b[2J\ud800" under "hooks" is not a list',
        "line 1 column 31",
    ),
    "handlers that are not a list": (
        '{"hooks": {"Stop": [{"hooks": {}}]}}',
        '"hooks" in an entry of "Stop" is not a list',
        "line 1 column 31",
    ),
}


@pytest.mark.parametrize(("text", "what", "where"), REFUSED.values(), ids=REFUSED)
def test_hooks_of_the_wrong_shape_are_refused_with_their_place(text: str, what: str, where: str) -> None:
    with pytest.raises(Misshapen) as refused:
        with_hooks(text, WANTED)

    assert (refused.value.what, place(text, refused.value.at)) == (what, where)


@pytest.mark.parametrize("text", [text for text, _, _ in REFUSED.values()], ids=REFUSED)
def test_uninstall_accepts_hooks_of_any_shape(text: str) -> None:
    assert without_hooks(text) == text


NEVER_INSTALLED = {
    "in a list of events": f'{{"hooks": [[{GROUP}]]}}',
    "in an object of groups": f'{{"hooks": {{"Stop": {{"group": {GROUP}}}}}}}',
    "in an object of handlers": f'{{"hooks": {{"Stop": [{{"hooks": {{"handler": {OURS}}}}}]}}}}',
    "under another key": f'{{"hook": {{"Stop": [{GROUP}]}}}}',
}


@pytest.mark.parametrize("text", NEVER_INSTALLED.values(), ids=NEVER_INSTALLED)
def test_uninstall_leaves_alone_what_install_never_writes(text: str) -> None:
    assert without_hooks(text) == text
    assert compared(text, STOP).handlers == ()


def test_uninstall_of_a_broken_text_is_refused() -> None:
    with pytest.raises(Misshapen):
        without_hooks('{"hooks": ')


def test_the_standing_names_each_event() -> None:
    text = with_hooks(with_hooks("{}", STOP), {**STOP, "Setup": OLDER["Stop"]})
    wanted = {event: WANTED[event] for event in ("Stop", "SessionEnd")}

    stand = compared(text, wanted)

    assert (stand.current, stand.missing, stand.stale, stand.stray) == (("Stop",), ("SessionEnd",), (), ("Setup",))
    assert len(stand.handlers) == 2
    assert all(is_ours(handler) for handler in stand.handlers)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('{"disableAllHooks": true}', 1),
        ('{"disableAllHooks": false}', None),
        ('{"disableAllHooks": true, "disableAllHooks": false}', None),
        ('{"env": {"disableAllHooks": true}}', None),
        ("", None),
    ],
)
def test_a_switch_that_stops_all_hooks_is_found(text: str, at: int | None) -> None:
    assert hooks_disabled(text) == at
    assert managed_only(text.replace("disableAllHooks", "allowManagedHooksOnly")) == at


@pytest.mark.parametrize("text", ["", "\ufeff", " \r\n\t"])
def test_in_an_empty_text_every_hook_is_missing(text: str) -> None:
    assert compared(text, STOP) == Standing(missing=("Stop",))
    assert without_hooks(text) == text


@pytest.mark.parametrize("text", ["\xa0", "\x0b", "\u2003\n"])
def test_white_space_that_json_does_not_know_is_refused(text: str) -> None:
    for function in (lambda: with_hooks(text, STOP), lambda: without_hooks(text), lambda: compared(text, STOP)):
        with pytest.raises(Misshapen):
            function()
    with pytest.raises(Misshapen):
        hooks_disabled(text)


@pytest.mark.parametrize("text", ["\ufeff", "\ufeff \n", "\ufeff{}"])
def test_a_byte_order_mark_switches_nothing_off(text: str) -> None:
    assert hooks_disabled(text) is None
    assert compared(text, STOP).missing == ("Stop",)


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("\n", "\n"), ("\r\n", "\r\n"), (" \r\n \n", "\r\n"), ("\ufeff\r\n", "\r\n")]
)
def test_an_empty_text_keeps_its_byte_order_mark_and_its_line_ends(text: str, newline: str) -> None:
    lines = ["{\t\t\t", '  "hooks": {', '    "Stop": [' + GROUP + "]", "  }", "}"]
    bom = text[:1] if text.startswith("\ufeff") else ""

    assert with_hooks(text, STOP) == bom + newline.join(lines) + text.removeprefix("\ufeff")


def test_an_event_without_a_name_is_an_event() -> None:
    text = f'{{"hooks": {{"": [{GROUP}]}}}}'

    assert compared(text, STOP).stray == ("",)
    assert compared(text, {"": WANTED["Stop"]}).current == ("",)


def test_the_arguments_of_a_hook_without_a_shell_are_read() -> None:
    stop = {"Stop": wanted(HOOK, None, windows=True)["Stop"]}

    assert compared(with_hooks("{}", stop), stop).current == ("Stop",)


def test_a_deep_handler_of_the_persons_is_read() -> None:
    deep = "[" * 10_000 + "]" * 10_000
    text = f'{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "args": {deep}}}]}}]}}}}'

    assert compared(text, STOP).handlers == ()
    assert without_hooks(with_hooks(text, STOP)) == text
