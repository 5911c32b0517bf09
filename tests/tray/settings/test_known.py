"""Test what Deskbell remembers of where it was installed."""

import json
import os
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.home import home
from deskbell.settings.known import KnownFile, forget, read_known, remember, remembered_config_dirs


def test_the_folder_of_this_environment_comes_first(private_home: Path) -> None:
    other = private_home / "other"
    remember(home().config, other / "settings.json", KnownFile(), other)
    remember(home().config, private_home / ".claude" / "settings.json", KnownFile(), private_home / ".claude")

    assert remembered_config_dirs(home().config) == [private_home / ".claude", other]


def test_a_broken_memory_still_names_the_folder_of_this_environment(private_home: Path) -> None:
    home().config.mkdir(parents=True)
    (home().config / "claude.json").write_text("{")

    assert remembered_config_dirs(home().config) == [private_home / ".claude"]
    with pytest.raises(Problem, match=r"^Cannot read .*claude\.json: it is not what .* `deskbell install`"):
        read_known(home().config)


def test_the_file_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    remember(tmp_path, tmp_path / "a.json", KnownFile(), None)
    path = tmp_path / "claude.json"
    assert read_known(tmp_path) is read_known(tmp_path)
    before = path.stat()
    path.write_bytes(b" " * before.st_size)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert list(read_known(tmp_path).files) == [tmp_path / "a.json"]
    path.write_text('{"files": {"/b.json": {}}}')
    assert list(read_known(tmp_path).files) == [Path("/b.json")]


def test_a_second_install_does_not_forget_what_the_first_created(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    remember(tmp_path, path, KnownFile(created=True), None)
    remember(tmp_path, path, KnownFile(created=False), None)

    assert read_known(tmp_path).files[path].created
    forget(tmp_path, path, None)
    assert read_known(tmp_path).files == {}


def test_what_a_newer_deskbell_wrote_is_kept(tmp_path: Path) -> None:
    (tmp_path / "claude.json").write_text(
        '{"version": 2, "more": {"a": 1}, "files": {"/x": {"scope": "user", "b": 2}}}'
    )

    remember(tmp_path, tmp_path / "settings.json", KnownFile(), None)

    text = (tmp_path / "claude.json").read_text()
    assert '"more"' in text
    assert '"b": 2' in text


BROKEN = {
    "nested too deeply": "[" * 100_000 + "]" * 100_000,
    "deep inside": '{"files": ' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}",
    "a huge number": '{"version": 1e400}',
    "a number of many digits": '{"version": ' + "9" * 100_000 + "}",
    "a path with NUL": json.dumps({"config_dirs": ["/a\0b"]}),
    "a file with NUL": json.dumps({"files": {"/a\0b": {}}}),
    "half of a surrogate pair": '{"config_dirs": ["\\ud800"]}',
    "a list": "[]",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_memory_that_is_not_understood_is_a_problem(tmp_path: Path, text: str) -> None:
    (tmp_path / "claude.json").write_text(text)

    with pytest.raises(Problem, match="it is not what Deskbell wrote there"):
        read_known(tmp_path)
    assert len(remembered_config_dirs(tmp_path)) == 1


def test_a_memory_that_cannot_be_read_is_a_problem_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "claude.json").mkdir()

    with pytest.raises(Problem, match="it is a folder"):
        read_known(tmp_path)


def test_nothing_is_written_where_nothing_changes(tmp_path: Path) -> None:
    remember(tmp_path, tmp_path / "settings.json", KnownFile(), tmp_path)
    before = (tmp_path / "claude.json").stat()

    remember(tmp_path, tmp_path / "settings.json", KnownFile(), tmp_path)

    assert (tmp_path / "claude.json").stat() == before
