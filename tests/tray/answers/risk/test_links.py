"""Test that a link does not lead where its name does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.answers.risk import Place, risk
from deskbell.answers.risk.kind import Verdict
from deskbell.answers.risk.links import linked
from deskbell.answers.risk.trees import MOST


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


@pytest.fixture
def full(place: Place) -> Place:
    """The same project with credentials among its files."""
    project = Path(place.project)
    for name in ("config/app.csv", "config/deploy_key", "config/deep/a/token.csv", "src/b.py", ".env", "data/a.csv"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("HOST=createUser\n")
    return place


MATCHED: list[tuple[str, str, Verdict]] = [
    ("Bash", "cat config/*.csv", "plain"),
    ("Bash", "cat data/*.csv", "plain"),
    ("Bash", "head -2 src/*.py", "plain"),
    ("Bash", "ls -la config/*", "plain"),
    ("Bash", "ls */*.csv", "plain"),
    ("Bash", "cat nothing*.csv", "plain"),
    ("Bash", "cat ~/link/src/*.py", "plain"),
    ("Bash", "cat **/*.csv", "careful"),
    ("Bash", "cat config/**.csv", "careful"),
    ("Bash", "wc -l src/*.py config/deep/*/*.csv", "careful"),
    ("Bash", "cd config && head -2 deep/*/*.csv", "careful"),
    ("Bash", "grep -n foobar config/deep/*/*.csv", "careful"),
    ("Bash", "grep -rn createUser .", "careful"),
    ("Bash", "grep -rn createUser src", "plain"),
    ("Bash", "cd config && grep -rn createUser .", "careful"),
    ("Bash", "rg createUser data", "plain"),
    ("Bash", "rg createUser config", "careful"),
    ("Bash", "cd src && rg createUser", "plain"),
    ("Bash", "grep -rn nothingHere .", "plain"),
    ("Grep", "createUser", "careful"),
    ("Grep", "nothingHere", "plain"),
]


@pytest.mark.parametrize(("tool", "named", "verdict"), MATCHED)
def test_what_a_pattern_or_a_search_reads_is_judged_by_what_lies_there(
    tool: str, named: str, verdict: Verdict, full: Place
) -> None:
    assert linked(tool, {"command" if tool == "Bash" else "pattern": named}, full).verdict == verdict


def test_the_glob_of_a_search_leaves_the_other_files_out(full: Place) -> None:
    searched = {"pattern": "createUser", "path": full.project}
    assert linked("Grep", searched, full).verdict == "careful"
    assert linked("Grep", {**searched, "glob": "*.py"}, full).verdict == "plain"
    assert linked("Grep", {**searched, "path": f"{full.project}/src"}, full).verdict == "plain"


def test_a_pattern_for_very_many_files_is_careful(place: Place) -> None:
    folder = Path(place.project, "many")
    folder.mkdir()
    for number in range(1_100):
        (folder / f"{number}.py").touch()
    assert linked("Bash", {"command": "wc -l many/*.py"}, place).verdict == "careful"
    assert linked("Bash", {"command": "wc -l many/1*.py"}, place).verdict == "plain"


@pytest.mark.long
def test_a_folder_that_is_too_large_for_a_deep_pattern_is_careful(place: Place) -> None:
    folder = Path(place.project, "many")
    folder.mkdir()
    for number in range(MOST + 2):
        (folder / f"{number}.txt").touch()
    assert linked("Bash", {"command": "wc -l many/**/x.py"}, place).verdict == "careful"


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


REPOSITORIES: dict[str, tuple[str, bool]] = {
    "a folder of the project": ("mkdir", False),
    "a repository in the project": ("sub/.git", True),
    "a bare repository in the project": ("sub/HEAD", True),
    "a repository above the folder": (".git", True),
}


@pytest.mark.parametrize(("made", "other"), REPOSITORIES.values(), ids=REPOSITORIES)
@pytest.mark.parametrize("command", ["cd vendored/sub && git status", "cd vendored/sub && timeout 9 git log --oneline"])
def test_git_in_a_folder_of_the_project_obeys_the_project_unless_a_repository_is_between(
    place: Place, made: str, other: bool, command: str
) -> None:
    below = Path(place.project) / "vendored"
    (below / "sub").mkdir(parents=True)
    if other:
        (below / made).touch()
    found = linked("Bash", {"command": command}, place)
    assert (found.verdict, "another repository" in found.reason) == (("careful", True) if other else ("plain", False))
