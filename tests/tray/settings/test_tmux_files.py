"""Test that the files of `deskbell tmux install` come and go without a trace, and that tmux.conf loses nothing."""

import os
import sys
import threading
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.home import home
from deskbell.settings import tmux_files
from deskbell.settings.interpreter import Interpreter
from deskbell.settings.tmux_files import Files, candidates, conf, files, put, with_line, without_line

PYTHON = Interpreter(sys.executable, sys.version_info[:2], sys.implementation.cache_tag or "")
KEYS = ("u", "b")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="tmux does not run on Windows")


@pytest.fixture
def places(tmp_path: Path) -> Files:
    return Files(home(), tmp_path / "tmux.conf")


def install(places: Files) -> bool:
    return tmux_files.install(places, PYTHON, ("/opt/deskbell",), KEYS)


def test_the_files_come_and_go(places: Files) -> None:
    assert tmux_files.state(places) == "missing"
    assert install(places)
    assert not install(places)
    assert tmux_files.state(places) == "installed"
    assert tmux_files.keys(places) == ["u", "b"]
    assert places.mark.stat().st_mode & 0o077 == 0
    assert tmux_files.uninstall(places)
    assert not tmux_files.uninstall(places)
    assert tmux_files.state(places) == "missing"
    assert tmux_files.keys(places) == []
    assert not places.folder.exists()


def test_the_files_of_another_version_are_outdated(places: Files) -> None:
    install(places)
    places.include.write_text(places.include.read_text().replace("hooks/", "hooks/0"))
    assert tmux_files.state(places) == "outdated"


def test_a_folder_that_cannot_be_made_is_a_problem(places: Files) -> None:
    places.home.state.parent.mkdir(parents=True)
    places.home.state.write_text("a file")
    with pytest.raises(Problem, match="Cannot write"):
        install(places)


def edit(places: Files) -> None:
    put(places.conf, *with_line(places))


def take_out(places: Files) -> None:
    put(places.conf, *without_line(places))


@pytest.mark.parametrize("content", [b"", b"set -g x 1", b"set -g x 1\n"])
@pytest.mark.parametrize("mode", [0o644, 0o600])
def test_tmux_conf_is_given_back_to_the_byte_with_its_mode(places: Files, content: bytes, mode: int) -> None:
    places.conf.write_bytes(content)
    places.conf.chmod(mode)
    os.utime(places.conf, (1, 1))  # nobody is about to fill it
    edit(places)
    assert places.conf.read_bytes().startswith(content)
    assert places.conf.stat().st_mode & 0o777 == mode
    edit(places)
    take_out(places)
    take_out(places)
    assert places.conf.read_bytes() == content
    assert places.conf.stat().st_mode & 0o777 == mode


@pytest.mark.skipif("not hasattr(os, 'getuid') or os.getuid() != 0", reason="only root can give a file away")
def test_the_owner_is_kept(places: Files) -> None:
    places.conf.write_bytes(b"a\n")
    os.chown(places.conf, 1234, 5678)
    edit(places)
    assert (places.conf.stat().st_uid, places.conf.stat().st_gid) == (1234, 5678)


@pytest.mark.skipif("sys.platform != 'linux'", reason="extended attributes of Linux")
def test_extended_attributes_are_kept(places: Files) -> None:
    places.conf.write_bytes(b"a\n")
    try:
        os.setxattr(places.conf, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    edit(places)
    assert os.getxattr(places.conf, "user.note") == b"mine"


def test_a_tmux_conf_that_was_made_for_the_line_goes_with_it(places: Files) -> None:
    edit(places)
    assert places.conf.stat().st_mode & 0o777 == 0o644
    take_out(places)
    assert not places.conf.exists()


def test_a_link_stays_a_link(places: Files, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles"
    target.write_bytes(b"a\n")
    places.conf.symlink_to(target)
    edit(places)
    assert places.conf.is_symlink()
    assert target.read_bytes() != b"a\n"
    take_out(places)
    assert (places.conf.is_symlink(), target.read_bytes()) == (True, b"a\n")


def test_a_link_to_a_tmux_conf_that_was_made_for_the_line_stays_a_link_to_a_file(places: Files, tmp_path: Path) -> None:
    edit(places)
    places.conf.rename(tmp_path / "dotfiles")
    places.conf.symlink_to("dotfiles")
    take_out(places)
    assert (os.readlink(places.conf), (tmp_path / "dotfiles").read_bytes()) == ("dotfiles", b"")
    os.utime(tmp_path / "dotfiles", (1, 1))
    edit(places)
    assert tmux_files.has_line(places.conf)


def test_a_file_that_cannot_be_edited_stays_as_it_is(places: Files, tmp_path: Path) -> None:
    places.conf.symlink_to(tmp_path / "nowhere")
    with pytest.raises(Problem, match="leads nowhere"):
        with_line(places)
    places.conf.unlink()
    places.conf.mkdir()
    with pytest.raises(Problem, match="Cannot read"):
        with_line(places)
    assert not tmux_files.has_line(places.conf)
    places.conf.rmdir()
    places.conf.write_bytes(b"set -g x \\\n")
    with pytest.raises(Problem, match=r"backslash.*Nothing was changed"):
        with_line(places)


def test_a_file_with_hard_links_is_not_replaced(places: Files, tmp_path: Path) -> None:
    places.conf.write_bytes(b"a\n")
    os.link(places.conf, tmp_path / "other")
    with pytest.raises(Problem, match=r"^\S+ has 2 hard links, .* Nothing was changed\. Make it"):
        with_line(places)
    assert (tmp_path / "other").samefile(places.conf)


def test_a_file_with_hard_links_that_need_not_change_is_only_read(places: Files, tmp_path: Path) -> None:
    """A backup of links must not stop an uninstall, nor hide the line from `deskbell tmux status`."""
    places.conf.write_bytes(b"a\n")
    os.link(places.conf, tmp_path / "other")
    assert without_line(places) == (b"a\n", b"a\n")
    (tmp_path / "other").unlink()
    edit(places)
    os.link(places.conf, tmp_path / "other")
    assert tmux_files.has_line(places.conf)
    edit(places)


def test_a_file_that_is_read_only_is_not_replaced(places: Files) -> None:
    places.conf.write_bytes(b"a\n")
    places.conf.chmod(0o444)
    assert without_line(places) == (b"a\n", b"a\n")
    with pytest.raises(Problem, match=r"^\S+ is read-only\. Nothing was changed\. Make"):
        with_line(places)
    places.conf.chmod(0o644)
    edit(places)
    places.conf.chmod(0o444)
    with pytest.raises(Problem, match="is read-only"):
        without_line(places)


def test_an_edit_of_the_person_meanwhile_is_not_lost(places: Files) -> None:
    places.conf.write_bytes(b"a\n")
    before, after = with_line(places)
    places.conf.write_bytes(b"a\nb\n")
    with pytest.raises(Problem, match="has changed meanwhile"):
        put(places.conf, before, after)
    assert places.conf.read_bytes() == b"a\nb\n"


def test_an_editor_that_has_emptied_the_file_is_waited_for(places: Files) -> None:
    places.conf.write_bytes(b"")
    before, after = with_line(places)
    saving = threading.Timer(0.2, places.conf.write_bytes, [b"a\n"])
    saving.start()
    with pytest.raises(Problem, match="has changed meanwhile"):
        put(places.conf, before, after)
    saving.join()
    assert places.conf.read_bytes() == b"a\n"


@pytest.mark.skipif(os.name == "posix" and os.getuid() == 0, reason="root writes everywhere")
@pytest.mark.parametrize("content", [b"a\n", None], ids=["with a tmux.conf", "without one"])
def test_a_read_only_folder_is_refused_before_anything_is_written(places: Files, content: bytes | None) -> None:
    if content:
        places.conf.write_bytes(content)
    places.conf.parent.chmod(0o500)
    try:
        with pytest.raises(Problem, match=r"^The folder \S+ is read-only\. Nothing was changed\. Make it"):
            with_line(places)
    finally:
        places.conf.parent.chmod(0o700)


def test_the_line_goes_into_the_file_that_tmux_reads(private_home: Path) -> None:
    first, given, usual = candidates({"XDG_CONFIG_HOME": str(private_home / "x")})
    assert [first, given, usual] == [
        private_home / ".tmux.conf",
        private_home / "x" / "tmux" / "tmux.conf",
        private_home / ".config" / "tmux" / "tmux.conf",
    ]
    env = {"XDG_CONFIG_HOME": "relative"}
    assert conf(env) == first  # it is made: every version reads it
    usual.parent.mkdir(parents=True)
    usual.write_text("a\n")
    assert conf(env) == usual
    first.write_text("")
    assert files(home(), env).conf == first
    edit(Files(home(), usual))
    assert conf(env) == usual  # it has the line already
