"""Test `deskbell config` as a person types it."""

import shlex
import sys
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.home import home
from tests.tray.commands.said import Out, said


def test_it_shows_sets_and_finds_the_file(capsys: Out) -> None:
    assert said(capsys, "config", "path").strip() == str(home().config / "config.toml")
    assert "min_turn = 10.0" in said(capsys, "config", "show")
    assert said(capsys, "config", "set", "rings.idle.min_turn", "30") == "rings.idle.min_turn = 30\n"
    assert "min_turn = 30.0  # default: 10.0" in said(capsys, "config", "show")


# what is set: what the refusal says
REFUSED = {
    ("burst.more_than", "lots"): "burst.more_than must be a whole number",
    ("burst.most", "5"): "burst.most is not a setting",
    ("burst.more_than.x", "5"): "burst.more_than.x is not a setting",
    ("a", "b"): "a is not a setting",
    ("rings", "off"): "rings is a table: set rings.<status>.<setting>",
    ("rings.idle", "off"): "rings.idle is a table: set rings.idle.<setting>",
    ("channels", "phone"): "channels cannot be set one by one. Run `deskbell config edit`.",
    ("channels.0.url", "x"): "channels cannot be set one by one. Run `deskbell config edit`.",
    ("", "5"): "an empty name is not a setting",
    ("burst.", "5"): "burst. is not a setting",
    ("burst..within", "5"): "burst..within is not a setting",
}


@pytest.mark.parametrize(("words", "complaint"), REFUSED.items(), ids=map(str, REFUSED))
def test_set_refuses_what_is_wrong_and_keeps_the_file(capsys: Out, words: tuple[str, str], complaint: str) -> None:
    said(capsys, "config", "set", "burst.more_than", "5")
    before = (home().config / "config.toml").read_bytes()
    answer = said(capsys, "config", "set", *words, code=2)
    assert complaint in answer
    assert (home().config / "config.toml").read_bytes() == before


def test_set_keeps_the_ends_of_the_lines(capsys: Out) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_bytes(b"# mine\r\n[burst]\r\nwithin = 1.0\r\n")
    said(capsys, "config", "set", "burst.more_than", "5")
    assert (home().config / "config.toml").read_bytes() == b"# mine\r\n[burst]\r\nwithin = 1.0\r\nmore_than = 5\r\n"


def test_a_refused_value_is_not_said_to_be_in_the_file(capsys: Out) -> None:
    answer = said(capsys, "config", "set", "rings.idle.min_turn", "soon", code=2)
    assert answer == "deskbell: rings.idle.min_turn must be a number. Nothing was changed.\n"


@pytest.mark.parametrize("content", ["[[[", "a = " + "[" * 100_000])
def test_a_file_that_is_not_toml_is_left_alone(capsys: Out, content: str) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text(content)
    assert "is not TOML" in said(capsys, "config", "set", "burst.within", "5", code=1)
    assert "is not TOML" in said(capsys, "config", "show", code=1)
    assert (home().config / "config.toml").read_text() == content


MISTAKES = {
    "[rings.permision]\nring = true\n": "Did you mean rings.permission?",
    "[rings.idle]\nmin_trun = 3\n[rigns]\nx = 1\n": "Did you mean rings.idle.min_turn and rings?",
    "[burst]\nxyzzy = 3\n": "",
    "[[channels]]\nnam = 'a'\n": "",
    "[burst]\nwithin = 'long'\n": "",
    "[[[": "",
}


@pytest.mark.parametrize(("content", "hint"), MISTAKES.items())
def test_with_a_mistake_in_the_file_the_settings_are_still_listed(capsys: Out, content: str, hint: str) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text(content)
    assert main(["config", "show"]) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("# Deskbell: what rings")
    assert "these are the defaults, because config.toml has a mistake" in shown.out
    assert "[rings.permission]" in shown.out
    assert "min_turn = 10.0" in shown.out
    assert str(home().config / "config.toml") in shown.err
    assert shown.err.endswith(f"{hint}\n")
    assert ("Did you mean" in shown.err) == bool(hint)


def test_with_a_file_that_cannot_be_read_the_settings_are_still_listed(capsys: Out) -> None:
    (home().config / "config.toml").mkdir(parents=True)
    assert main(["config", "show"]) == 1
    shown = capsys.readouterr()
    assert "min_turn = 10.0" in shown.out
    assert "it is a folder" in shown.err


def test_a_value_that_is_nested_too_deep_is_refused(capsys: Out) -> None:
    assert "burst.within" in said(capsys, "config", "set", "burst.within", "[" * 100_000, code=2)


@pytest.mark.skipif(sys.platform == "win32", reason="the words of the editor are quoted as on Unix")
def test_edit_opens_a_file_that_explains_itself_and_checks_it(
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


def test_a_value_that_cannot_be_written_is_a_problem(capsys: Out) -> None:
    home().config.parent.mkdir(parents=True)
    home().config.write_text("a file where the folder should be")
    assert "Free some space or make it writable, then try again." in said(
        capsys, "config", "set", "burst.within", "5", code=1
    )


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_to_the_file_stays_a_link(capsys: Out, tmp_path: Path) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").symlink_to(tmp_path / "dotfile.toml")
    said(capsys, "config", "set", "burst.within", "5")
    assert (home().config / "config.toml").is_symlink()
    assert "within = 5" in (tmp_path / "dotfile.toml").read_text()


def test_edit_says_that_the_file_has_no_mistake(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", f"{sys.executable} -c pass")
    assert said(capsys, "config", "edit") == f"{home().config / 'config.toml'} has no mistake.\n"


def test_an_editor_that_fails_is_a_problem(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", f"{sys.executable} -c 'raise SystemExit(7)'")
    assert "ended with error 7. Run `deskbell config edit` again." in said(capsys, "config", "edit", code=1)


def test_an_editor_that_does_not_exist_is_a_problem(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "/nowhere/editor")
    assert "Set EDITOR" in said(capsys, "config", "edit", code=1)


@pytest.mark.skipif(sys.platform == "win32", reason="the words of the editor are quoted as on Unix")
def test_an_editor_whose_words_cannot_be_split_is_a_problem(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "vi 'it")
    assert "The words of your editor cannot be read: No closing quotation. Set EDITOR" in said(
        capsys, "config", "edit", code=1
    )


def test_an_editor_of_blanks_is_not_set(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", " ")
    monkeypatch.setenv("EDITOR", f"{sys.executable} -c pass")
    assert "has no mistake" in said(capsys, "config", "edit")


def test_a_file_that_cannot_be_read_is_a_problem(capsys: Out) -> None:
    (home().config / "config.toml").mkdir(parents=True)
    assert "cannot be read: it is a folder" in said(capsys, "config", "show", code=1)


def test_it_shows_where_a_channel_sends_and_not_the_path_that_is_its_secret(capsys: Out) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text(
        '[[channels]]\nname = "team"\nkind = "webhook"\nurl = "https://hooks.example/T0/x9"\n'
        '[[channels]]\nname = "mine"\nkind = "command"\ncommand = ["true"]\n'
    )
    shown = said(capsys, "config", "show")
    assert 'url = "https://hooks.example/[redacted]"' in shown
    assert "x9" not in shown
    assert "://[redacted]" not in shown
