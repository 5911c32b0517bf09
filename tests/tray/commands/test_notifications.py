"""The verbs round notifications, as the person types them."""

import json
import shlex
import sys
import time
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.home import home
from deskbell.notices import decisions, quiet
from deskbell.notices.decisions import Decision

Out = pytest.CaptureFixture[str]


def said(out: Out, *words: str, code: int = 0) -> str:
    assert main(words) == code
    shown = out.readouterr()
    return shown.err if code else shown.out


def test_why_explains_in_sentences(capsys: Out) -> None:
    decisions.write(home().state, [Decision(time.time(), "abc", 1, "api", "idle", "not shown", "its pane was focused")])
    assert said(capsys, "why").endswith("idle         api: not shown, its pane was focused\n")
    assert json.loads(said(capsys, "why", "api", "--json"))["reason"] == "its pane was focused"
    assert said(capsys, "why", "web") == "Nothing was decided about web yet.\n"


def test_a_snooze_is_set_and_ended(capsys: Out) -> None:
    assert said(capsys, "snooze", "2h").startswith("Snoozed until")
    left = (quiet.read(home().state).snooze(time.time()) or 0) - time.time()
    assert 7100 < left <= 7200
    assert said(capsys, "snooze", "off") == "Not snoozed.\n"
    assert quiet.read(home().state).snooze(time.time()) is None


@pytest.mark.parametrize("span", ["90s", "30m", "30min", "2h", "3 d", "tomorrow"])
def test_spans_that_are_understood(capsys: Out, span: str) -> None:
    assert "Snoozed until" in said(capsys, "snooze", span)


def recorded(session_id: str) -> None:
    record = {"v": 1, "session_id": session_id, "journal": 0}
    (home().sessions / f"{session_id}.json").write_text(json.dumps(record))


def test_mutes_are_set_listed_and_taken_back(capsys: Out) -> None:
    home().sessions.mkdir(parents=True)
    recorded("abcdef")
    said(capsys, "mute", "abc")
    said(capsys, "mute", "--project", "scratch*")
    listed = said(capsys, "mute", "--status", "idle", "--for", "1h")
    assert "muted: session abcdef\nmuted: project scratch*\nmuted: status idle until" in listed
    said(capsys, "unmute", "abc")
    said(capsys, "unmute", "--project", "scratch*")
    assert said(capsys, "unmute", "--status", "idle") == "Nothing is muted.\n"


def test_a_session_that_is_not_there_or_not_clear_cannot_be_muted(capsys: Out) -> None:
    home().sessions.mkdir(parents=True)
    for name in ("abc", "abd"):
        recorded(name)
    assert 'no session matches "x"' in said(capsys, "mute", "x", code=1)
    assert '"ab" is ambiguous: ' in said(capsys, "mute", "ab", code=1)


def test_config_shows_sets_and_finds_the_file(capsys: Out) -> None:
    assert said(capsys, "config", "path").strip() == str(home().config / "config.toml")
    assert "min_turn = 10.0" in said(capsys, "config", "show")
    said(capsys, "config", "set", "rings.idle.min_turn", "30")
    assert "min_turn = 30.0  # default: 10.0" in said(capsys, "config", "show")


def test_config_set_refuses_what_is_wrong_and_keeps_the_file(capsys: Out) -> None:
    said(capsys, "config", "set", "burst.more_than", "5")
    before = (home().config / "config.toml").read_bytes()
    for name, value in (("burst.more_than", "lots"), ("burst.most", "5"), ("burst.more_than.x", "5"), ("a", "b")):
        assert "deskbell: " in said(capsys, "config", "set", name, value, code=1)
    assert (home().config / "config.toml").read_bytes() == before


def test_config_set_leaves_a_file_that_is_no_toml_alone(capsys: Out) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text("[[[")
    assert "is not TOML" in said(capsys, "config", "set", "burst.within", "5", code=1)
    assert "is not TOML" in said(capsys, "config", "show", code=1)


@pytest.mark.skipif(sys.platform == "win32", reason="the words of the editor are quoted as on Unix")
def test_config_edit_opens_a_file_that_explains_itself_and_checks_it(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import pathlib, sys; file = pathlib.Path(sys.argv[1])\n"
        "file.write_text(file.read_text().replace('# more_than = 3', 'more_than = 0'))"
    )
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(editor)]))
    complaint = said(capsys, "config", "edit", code=1)
    text = (home().config / "config.toml").read_text()
    assert "# min_turn = 10.0" in text
    assert f"line {text.splitlines().index('more_than = 0') + 1}: burst.more_than" in complaint


def test_an_editor_that_is_not_there_is_a_problem(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "/nowhere/editor")
    assert "set EDITOR" in said(capsys, "config", "edit", code=1)
