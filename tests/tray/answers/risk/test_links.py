"""Test that a link does not lead where its name does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.answers.risk import Place, risk
from deskbell.answers.risk.kind import Verdict
from deskbell.answers.risk.links import linked


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A project with a file, a folder and links, which is itself reached by a link."""
    home, project = tmp_path / "ann", tmp_path / "ann" / "shop"
    for folder in (project / "src", home / ".ssh", home / ".aws", tmp_path / "other", project / ".git"):
        folder.mkdir(parents=True)
    for file in (project / "src" / "app.py", home / ".ssh" / "config"):
        file.write_text("x")
    (project / "docs").symlink_to(home / ".ssh")
    (project / "keys").symlink_to(home / ".aws")
    (project / "out").symlink_to(tmp_path / "other")
    (project / "hooks").symlink_to(project / ".git")
    (project / "same").symlink_to(project / "src")
    (project / "here").symlink_to(project)
    (project / "loop").symlink_to(project / "loop")
    (home / "link").symlink_to(project)
    return Place(str(home / "link"), str(home / "link"), str(home))


CASES: list[tuple[str, str, Verdict]] = [
    ("Edit", "src/app.py", "plain"),
    ("Edit", "same/app.py", "plain"),
    ("Edit", "new.py", "plain"),
    ("Edit", "docs/config", "jump"),
    ("Edit", "hooks/config", "jump"),
    ("Edit", "out/x", "careful"),
    ("Edit", "keys/x", "careful"),
    ("Edit", "a\0b", "careful"),
    ("Edit", ".git/config", "jump"),
    ("Read", "src/app.py", "plain"),
    ("Read", "docs/config", "jump"),
    ("Read", "keys/x", "careful"),
    ("Bash", "cat src/app.py", "plain"),
    ("Bash", "cat same/app.py", "plain"),
    ("Bash", "ls loop", "plain"),
    ("Bash", "npm test", "plain"),
    ("Bash", "cat docs/config", "jump"),
    ("Bash", "cat doc*/config", "jump"),
    ("Bash", "cat sr*/app.py", "plain"),
    ("Bash", "cat same/app.py same/../new.py", "plain"),
    ("Bash", "pytest out/../test_x.py", "careful"),
    ("Bash", "cd here/src && cat app.py", "plain"),
    ("Bash", "cd here && pytest ../test_x.py", "careful"),
    ("Bash", "cd here; cat ../.ssh/config", "jump"),
    ("Bash", "cat keys/credentials", "careful"),
    ("Bash", "pytest out/test_x.py", "careful"),
    ("Bash", "cd out && make test", "careful"),
    ("Bash", "grep '" + "[" * 9000 + "' src/app.py", "careful"),
    ("Bash", "echo " + " ".join(map(str, range(400))), "careful"),
]


@pytest.mark.parametrize(("tool", "named", "verdict"), CASES)
def test_a_link_is_judged_by_where_it_leads(tool: str, named: str, verdict: Verdict, place: Place) -> None:
    field = "command" if tool == "Bash" else "file_path"
    assert linked(tool, {field: named}, place).verdict == verdict


@pytest.mark.parametrize(("tool", "named"), [(tool, named) for tool, named, _ in CASES])
def test_following_links_never_lowers_the_risk(tool: str, named: str, place: Place) -> None:
    order = ["plain", "careful", "jump"]
    tool_input = {"command" if tool == "Bash" else "file_path": named}
    found = linked(tool, tool_input, place)
    assert order.index(found.verdict) >= order.index(risk(tool, tool_input, place).verdict)


NO_NAMES = ["a\0b", "\ud800", "/srv/\0", "~\0", "\udcff/x"]


@pytest.mark.parametrize("name", NO_NAMES)
@pytest.mark.parametrize("tool", ["Bash", "Edit", "Read"])
def test_what_no_file_can_be_called_is_never_plain_and_breaks_nothing(tool: str, name: str, place: Place) -> None:
    given = {"command": f"cat {name}"} if tool == "Bash" else {"file_path": name}
    assert linked(tool, given, place).verdict in ("careful", "jump")


@pytest.mark.parametrize("folder", ["a\0b", "\ud800", "/srv/\0"])
def test_a_session_in_a_folder_that_cannot_be_is_never_plain(folder: str, place: Place) -> None:
    for odd in (Place(folder, place.project, place.home), Place(place.cwd, folder, place.home)):
        assert linked("Bash", {"command": "git status"}, odd).verdict in ("careful", "jump")
