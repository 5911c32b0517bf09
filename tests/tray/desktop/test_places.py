"""Test which folders are watched for those that matter."""

from pathlib import Path

from deskbell.desktop.places import modified, needed, places


def listed(*targets: Path) -> set[tuple[Path, bool]]:
    return {(place.path, place.target) for place in places(targets)}


def test_a_folder_and_its_parent_are_watched(tmp_path: Path) -> None:
    target = tmp_path / "sessions"
    target.mkdir()
    assert listed(target) == {(target, True), (tmp_path, False)}


def test_for_a_missing_folder_the_nearest_one_above_is_watched(tmp_path: Path) -> None:
    assert listed(tmp_path / "not" / "there") == {(tmp_path, False)}


def test_a_folder_that_matters_does_so_also_as_a_parent(tmp_path: Path) -> None:
    target = tmp_path / "sessions"
    target.mkdir()
    assert (tmp_path, True) in listed(target, tmp_path)
    assert (tmp_path, True) in listed(tmp_path, target)


def test_a_new_folder_of_the_same_name_is_another_place(tmp_path: Path) -> None:
    target = tmp_path / "sessions"
    target.mkdir()
    before = places([target])
    target.rename(tmp_path / "old")
    target.mkdir()
    assert {place.path for place in places([target]) - before} == {target}


def test_a_folder_that_has_gone_was_never_modified(tmp_path: Path) -> None:
    assert modified(tmp_path) > 0
    assert modified(tmp_path / "gone") == 0


def test_to_miss_nothing_in_a_folder_it_and_the_nearest_one_above_it_must_be_watched(tmp_path: Path) -> None:
    there, missing = tmp_path / "sessions", tmp_path / "not" / "there"
    there.mkdir()
    found = places([there, missing])
    assert needed(there, found) == {there, tmp_path}
    assert needed(missing, found) == {tmp_path}
    assert needed(there, ()) == {there}
