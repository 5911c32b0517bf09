"""Test that the folder of a session is found on a real disk: links, closed folders, accounts, ids of any kind."""

import json
import os
import time
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.sessions.project_folder import project_folder
from deskbell.sessions.resumable import Resumable, current_folder, disk, resumable
from deskbell.sessions.written import written
from tests.tray.sessions.test_written import kept, user

NOBODY = "/nobody"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Resolved, as Claude Code sees its folder."""
    return tmp_path.resolve()


def record(place: Path, session_id: str, **more: object) -> None:
    (place / "records").mkdir(exist_ok=True)
    said = {"v": 1, "session_id": session_id, "journal": 0, **more}
    (place / "records" / f"{session_id}.json").write_text(json.dumps(said))


def looked(place: Path, session_id: str, here: str = NOBODY) -> Resumable:
    transcript = next((one for one in written([place / "claude"]) if one.session_id == session_id), None)
    return resumable(session_id, place / "records", transcript, here)


def test_a_session_that_stays_is_resumed_here_with_its_own_account(place: Path) -> None:
    (folder, here) = made(place, "api", "here")
    kept(place / "claude", project_folder(folder), "s-1", text=user(folder))
    transcript = next(iter(written([place / "claude"])))
    found = resumable("s-1", place / "records", transcript, here, stays=True)
    assert found == Resumable("s-1", here, str(place / "claude"))
    with pytest.raises(Problem, match="The current folder does not exist any more"):
        resumable("s-1", place / "records", transcript, "", stays=True)
    with pytest.raises(Problem, match="is not an id"):
        resumable("-x", place / "records", transcript, here, stays=True)


def made(place: Path, *names: str) -> list[str]:
    for name in names:
        (place / name).mkdir(parents=True)
    return [str(place / name) for name in names]


def test_a_session_that_deskbell_never_saw_is_resumed_from_the_folder_of_its_transcript(place: Path) -> None:
    (folder,) = made(place, "my api's")
    kept(place / "claude", project_folder(folder), "s-1", text=user(folder) + user(str(place)))
    found = looked(place, "s-1")
    assert found == Resumable("s-1", folder, str(place / "claude"))
    assert found.project == "my api's"


def test_a_session_without_a_transcript_is_resumed_with_the_account_of_its_record(place: Path) -> None:
    (folder,) = made(place, "api")
    record(place, "s-1", start_cwd=folder, cwd=7, config_dir="/home/me/.claude-work")
    found = looked(place, "s-1")
    assert (found.cwd, found.config_dir) == (folder, "/home/me/.claude-work")
    assert found.doubt.startswith("Its transcript was not found")


def test_a_transcript_that_says_nothing_is_found_by_the_name_of_its_place(place: Path) -> None:
    (folder, _) = made(place, ".config/a_b.c d-é🚀", ".config/a")
    kept(place / "claude", project_folder(folder), "s-1")
    assert looked(place, "s-1") == Resumable("s-1", folder, str(place / "claude"))


def test_two_folders_of_one_name_are_ambiguous(place: Path) -> None:
    made(place, "a-b", "a_b")
    kept(place / "claude", project_folder(str(place / "a-b")), "s-1")
    with pytest.raises(
        Problem, match=r"^Cannot resume s-1\. Its folder is ambiguous: .* or .*a.b\. Go to the right one"
    ):
        looked(place, "s-1")
    found = looked(place, "s-1", here=str(place / "a_b"))
    assert (found.cwd, found.doubt[:25]) == (str(place / "a_b"), "Its folder is ambiguous: ")


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_link_and_the_folder_that_it_leads_to_are_one(place: Path) -> None:
    (folder,) = made(place, "a_b")
    (place / "a-b").symlink_to(folder)
    (place / "circle").symlink_to("circle")
    kept(place / "claude", project_folder(folder), "s-1")
    assert looked(place, "s-1").cwd == folder


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a folder that cannot be listed")
def test_a_folder_below_one_that_cannot_be_listed_is_found_from_within(place: Path) -> None:
    (folder,) = made(place, "closed/me/api")
    kept(place / "claude", project_folder(folder), "s-1")
    (place / "closed").chmod(0o111)
    try:
        with pytest.raises(Problem, match="no such folder exists here"):
            looked(place, "s-1")
        assert looked(place, "s-1", here=str(place / "closed/me")).cwd == folder
    finally:
        (place / "closed").chmod(0o755)


@pytest.mark.parametrize("session_id", ["../x", "--help", "-1", "agent-7", "", "a/b", "a\0b", "ü"])
def test_what_is_not_the_id_of_a_session_is_refused(place: Path, session_id: str) -> None:
    with pytest.raises(Problem, match=r"is not an id that Claude Code can resume\. Name another session\."):
        resumable(session_id, place, None, NOBODY)


@pytest.mark.parametrize("folder", ["relative", "/a\0b", "/a\ud800b"])
def test_an_impossible_or_relative_path_is_not_a_folder(
    place: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(place, "relative")
    monkeypatch.chdir(place)
    record(place, "s-1", start_cwd=folder)
    with pytest.raises(Problem, match="Neither its transcript nor its folder was found"):
        looked(place, "s-1")


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the current folder")
def test_a_current_folder_that_was_deleted_is_empty(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(place, "gone")
    monkeypatch.chdir(place / "gone")
    assert current_folder() == str(place / "gone")
    (place / "gone").rmdir()
    assert current_folder() == ""


@pytest.mark.long
def test_a_home_of_many_folders_is_searched_at_once(place: Path) -> None:
    names = [f"project-{number:04}" for number in range(5_000)]
    made(place, *names)
    begun = time.process_time()
    found = disk(NOBODY).meant(project_folder(str(place / "project-0420")))
    assert time.process_time() - begun < 0.25, "it takes about 0.003 seconds"
    assert found.paths == (str(place / "project-0420"),)
