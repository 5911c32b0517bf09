"""Test that every test of a module that `make mutants` changes is among those that may notice it."""

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
CHOSEN = tomllib.loads((FOLDER / "mutmut.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
SELECTED = set(CHOSEN["pytest_add_cli_args_test_selection"])


def written_for(module: str) -> set[str]:
    package, *rooms, name = Path(module).with_suffix("").parts
    folder = ROOT / "tests" / {"deskbell_hooks": "hooks", "deskbell": "tray"}[package] / Path(*rooms)
    named = {*folder.glob(f"test_{name}.py"), *folder.glob(f"test_{name}_*.py")}
    return {path.relative_to(ROOT).as_posix() for path in named}


def test_every_test_of_a_module_that_is_changed_is_selected() -> None:
    for module in CHOSEN["only_mutate"]:
        assert written_for(module), module
        assert written_for(module) <= SELECTED


def test_what_is_selected_exists() -> None:
    assert [name for name in SELECTED if not (ROOT / name).is_file()] == []
