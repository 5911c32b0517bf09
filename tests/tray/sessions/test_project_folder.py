"""Test how Claude Code names the folder of a project, and that a name leads back to every folder that it can mean."""

import os
import random
import time

import pytest

from deskbell.sessions import project_folder as module
from deskbell.sessions.project_folder import Meant, Tree, meant, project_folder

TREES = 100_000 if os.environ.get("DESKBELL_THOROUGH") else 10_000

# Seen with Claude Code 2.1.326.
SEEN = {
    "/home/me/a_b.c d-e": "-home-me-a-b-c-d-e",
    "/home/me/.config": "-home-me--config",
    "/home/me/é/x": "-home-me---x",
    "/home/me/e\u0301b": "-home-me-e-b",
    "/home/me/🚀k": "-home-me---k",
    f"/tmp/deskbell-kdb_lbs9/projects/{'a' * 120}/{'b' * 100}": (
        f"-tmp-deskbell-kdb-lbs9-projects-{'a' * 120}-{'b' * 47}-3dttzh"
    ),
    "/": "-",
    "C:\\Users\\me\\api": "C--Users-me-api",
}


@pytest.mark.parametrize(("path", "name"), SEEN.items())
def test_a_folder_is_named_as_claude_code_names_it(path: str, name: str) -> None:
    assert project_folder(path) == name


def test_a_hash_of_zero_is_one_digit() -> None:
    assert module._hash("") == "0"


def tree_of(*folders: str, files: tuple[str, ...] = (), closed: tuple[str, ...] = (), separator: str = "/") -> Tree:
    """A disk with FOLDERS, those above them, and FILES. What is CLOSED cannot be listed."""
    children: dict[str, list[str]] = {}
    for path in (*folders, *files):
        for end in range(1, len(path) + 1):
            if end == len(path) or path[end] == separator:
                above, _, own = path[:end].rpartition(separator)
                inside = children.setdefault(above if above.strip("C:") else above + separator, [])
                inside.extend([own] if own and own not in inside else [])
    there = {*children, *folders} - {*files}
    return Tree(lambda path: None if path in closed else children.get(path, ()), there.__contains__, separator)


SEED = "/$!@#%^&*()--helloworld!+5_4<>x?.foo"


def test_the_example_of_the_document_is_found() -> None:
    tree = tree_of(SEED, "/$!", "/helloworld", "/-----------")
    assert project_folder(SEED) == "-------------helloworld--5-4--x--foo"
    assert meant(project_folder(SEED), tree, ["/"]) == Meant((SEED,), True)


MEANT = {
    "a folder with dashes": (("/home/me/my-app",), "-home-me-my-app", ("/home/me/my-app",)),
    "a hidden folder": (("/home/me/.config/x", "/home/me/config"), "-home-me--config-x", ("/home/me/.config/x",)),
    "two spellings of one name": (("/w/a-b", "/w/a_b"), "-w-a-b", ("/w/a-b", "/w/a_b")),
    "a dash or a folder": (("/w/a/b", "/w/a-b"), "-w-a-b", ("/w/a-b", "/w/a/b")),
    "a name that ends within a part": (("/w/api", "/w/api-2"), "-w-api", ("/w/api",)),
    "the top": (("/w",), "-", ("/",)),
    "nothing": (("/w/a",), "-w-b", ()),
    "no path": (("/w/a",), "w-a", ()),
    "an empty name": (("/w/a",), "", ()),
    "a folder named of dashes": (("/-/--", "/--/-", "/--/--"), "-----", ("/-/--", "/--/-")),
}


@pytest.mark.parametrize(("folders", "name", "found"), MEANT.values(), ids=MEANT)
def test_a_name_means_every_folder_that_is_encoded_so(
    folders: tuple[str, ...], name: str, found: tuple[str, ...]
) -> None:
    answer = meant(name, tree_of(*folders), ["/"])
    assert (set(answer.paths), answer.whole) == (set(found), True)


def test_the_longest_match_is_found_first_and_a_start_before_it() -> None:
    tree = tree_of("/w/a/b", "/w/a-b")
    assert meant("-w-a-b", tree, ["/"]).paths == ("/w/a-b", "/w/a/b")
    assert meant("-w-a-b", tree, ["/w/a/b", "/w/a", "/w", "/"]).paths == ("/w/a/b", "/w/a-b")


def test_a_file_is_no_folder() -> None:
    assert meant("-w-a", tree_of("/w/b", files=("/w/a",)), ["/"]) == Meant((), True)


def test_a_folder_that_cannot_be_listed_is_entered_where_a_start_knows_the_way() -> None:
    tree = tree_of("/home/me/api", closed=("/home",))
    assert meant("-home-me-api", tree, ["/"]) == Meant((), False)
    assert meant("-home-me-api", tree, ["/home/me", "/home", "/"]) == Meant(("/home/me/api",), False)
    assert meant("-srv", tree, ["/"]) == Meant((), True), "it is not on the way"


def test_a_drive_of_windows_is_a_start() -> None:
    tree = tree_of(r"C:\Users\me\my api", separator="\\")
    assert meant("C--Users-me-my-api", tree, ["C:\\"]) == Meant((r"C:\Users\me\my api",), True)


def test_a_name_that_was_cut_is_found_by_its_hash() -> None:
    one, other = (f"/w/{'a' * 150}/{'b' * 60}/{end}" for end in ("c/d", "c/e"))
    tree = tree_of(one, other, f"/w/{'a' * 150}/{'b' * 40}")
    assert len(project_folder(one)) > module.LONGEST
    assert meant(project_folder(one), tree, ["/"]) == Meant((one,), True)
    edge = f"/w/{'a' * (module.LONGEST - 3)}"
    assert meant(project_folder(f"{edge}/x"), tree_of(f"{edge}/x", f"{edge}/y"), ["/"]).paths == (f"{edge}/x",)


def test_the_children_of_a_folder_that_only_lacks_the_last_dash_are_left_out() -> None:
    tree = tree_of("/w/a-", *(f"/w/a/{number}" for number in range(2 * module.MOST_LOOKS)))
    assert meant("-w-a-", tree, ["/"]) == Meant(("/w/a-",), True)


def test_links_in_a_circle_end_the_search_without_an_answer_that_it_cannot_know() -> None:
    tree = Tree(lambda _: ("-", "--", "---"), lambda _: True)
    answer = meant("-" * 150, tree, ["/"])
    assert not answer.whole


PARTS = (
    "a",
    "b",
    "ab",
    "a-b",
    "a_b",
    "a.b",
    ".a",
    "-",
    "--",
    "a b",
    "é",
    "🚀",
    "a" * 90,
    "b" * 110,
    "$!",
    "5_4",
    "x?.foo",
)


def grown(chance: random.Random) -> list[str]:
    folders = ["/"]
    for _ in range(chance.randrange(1, 14)):
        above = chance.choice(folders)
        folders.append(f"{above.rstrip('/')}/{chance.choice(PARTS)}")
    return list(dict.fromkeys(folders))


@pytest.mark.uncounted
def test_in_any_tree_a_name_means_exactly_the_folders_that_are_encoded_so() -> None:
    """Never one of several: who asks must be able to say that it is ambiguous."""
    chance, several = random.Random(1), 0
    for number in range(TREES):
        folders = grown(chance)
        sought = project_folder(chance.choice(folders))
        starts = [*chance.sample(folders, min(2, len(folders))), "/"]
        answer = meant(sought, tree_of(*folders), starts)
        expected = {path for path in folders if project_folder(path) == sought}
        assert (set(answer.paths), answer.whole) == (expected, True), f"tree {number}: {folders}"
        several += len(expected) > 1
    assert several > TREES / 50


def test_a_home_of_50_000_folders_costs_one_listing() -> None:
    names = [f"project-{number:05}" for number in range(50_000)]
    looked: list[str] = []

    def children(path: str) -> list[str]:
        looked.append(path)
        return {"/": ["home"], "/home": ["me"], "/home/me": names}.get(path, [])

    begun = time.process_time()
    answer = meant("-home-me-project-04321-src", Tree(children, lambda path: "src" in path), ["/home/me", "/home", "/"])
    assert time.process_time() - begun < 0.25, "it takes about 0.02 seconds"
    assert answer == Meant((), True)
    assert looked == ["/home/me", "/home/me/project-04321", "/home", "/"]
