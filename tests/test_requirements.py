"""Test that what is installed is pinned with hashes, the same everywhere, and has no known weakness."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "requirements").glob("*.txt"))}

FIXED = {
    "dbus-fast": (
        "5.0.11",
        "no advisory: 5.0.3, 5.0.4 and 5.0.11 refuse messages that are nested too deep or malformed",
    ),
    "markdown-it-py": ("2.2.0", "PYSEC-2023-23, PYSEC-2023-24"),
    "pillow": ("13.0.0", "PYSEC-2026-2253 to 2257 and 3451 to 3453, mended in 12.3.0; CGA-6r43-cc9v-c6c4 in 13.0.0"),
    "psutil": ("5.6.6", "PYSEC-2019-41"),
    "pydantic": ("2.4.0", "PYSEC-2026-1812"),
    "pygments": ("2.20.0", "GHSA-5239-wwwm-4pmq"),
}
"""The first version of a package without a known weakness, and the advisories."""

NONE_KNOWN = {
    *("desktop-notifier", "platformdirs", "pystray", "python-xlib"),
    *("pydantic-core", "rich", "textual", "tomlkit", "typing-extensions", "watchdog"),
}
"""Dependencies of which no advisory is known."""


def named(requirements: list[str]) -> dict[str, Requirement]:
    return {canonicalize_name(item.name): item for item in map(Requirement, requirements)}


RUN = named(PROJECT["project"]["dependencies"])
EXTRAS = {extra: named(items) for extra, items in PROJECT["project"]["optional-dependencies"].items()}
BUILD = named(PROJECT["build-system"]["requires"])


def pins(lock: str) -> dict[str, Version]:
    """The version of every package of a lock."""
    lines = [line.removesuffix(" \\") for line in LOCKS[lock].splitlines() if re.match(r"\w", line)]
    return {name: Version(str(item.specifier).removeprefix("==")) for name, item in named(lines).items()}


def lower(requirement: Requirement) -> Version:
    return max(Version(part.version) for part in requirement.specifier if part.operator == ">=")


def test_somebody_has_looked_for_advisories_of_every_dependency() -> None:
    assert RUN.keys() - FIXED.keys() == NONE_KNOWN


@pytest.mark.parametrize("library", ["pystray", "PIL", "watchdog", "desktop_notifier", "pydantic"])
def test_the_libraries_that_deskbell_is_made_of_are_required_and_used(library: str) -> None:
    required = canonicalize_name({"PIL": "pillow"}.get(library, library))
    paths = [path for root in ("tray", "icons") for path in (ROOT / root).rglob("*.py")]
    assert required in RUN
    assert any(re.search(rf"^\s*(from|import) {library}\b", path.read_text("utf-8"), re.M) for path in paths)


def test_no_lower_bound_admits_a_version_with_a_known_weakness() -> None:
    bounds = {name: lower(RUN[name]) for name in RUN.keys() & FIXED.keys()}
    assert {name: bound for name, bound in bounds.items() if bound < Version(FIXED[name][0])} == {}


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_holds_a_version_with_a_known_weakness(lock: str) -> None:
    found = pins(lock)
    assert {name for name in found.keys() & FIXED.keys() if found[name] < Version(FIXED[name][0])} == set()


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("run", RUN),
        ("install", {**RUN, **BUILD, **EXTRAS["install"]}),
        ("dev", {**RUN, **BUILD, **EXTRAS["dev"]}),
        ("tools", {**RUN, **EXTRAS["tools"]}),
    ],
    ids=["run", "install", "dev", "tools"],
)
def test_every_lower_bound_is_satisfied_by_the_lock(lock: str, wanted: dict[str, Requirement]) -> None:
    found = pins(lock)
    assert [name for name, item in wanted.items() if name not in found or found[name] not in item.specifier] == []


def test_the_locks_agree() -> None:
    run, install, dev, tools = pins("run"), pins("install"), pins("dev"), pins("tools")
    assert {name: install.get(name) for name in run} == run
    assert {name: dev.get(name) for name in install} == install
    assert {name: tools[name] for name in tools.keys() & dev.keys()} == {
        name: dev[name] for name in tools.keys() & dev.keys()
    }


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_one_version_and_the_hashes_of_its_files(lock: str) -> None:
    entries = [entry for entry in re.split(r"\n(?=\w)", LOCKS[lock]) if entry[0] != "#"]
    assert len(entries) == len(pins(lock))
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.!]+ ", entry)
        assert re.search(r"\n {4}--hash=sha256:[0-9a-f]{64}\b", entry)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_registry_and_sets_no_option(lock: str) -> None:
    assert "/" not in re.sub(r"#.*", "", LOCKS[lock])
    assert not re.search(r"^-", LOCKS[lock], re.MULTILINE)
    assert "://" not in LOCKS[lock]


def test_nothing_is_installed_but_from_a_lock() -> None:
    recipes = [ROOT / "Makefile", *(ROOT / ".github" / "workflows").glob("*.yml")]
    lines = [line for path in recipes for line in path.read_text(encoding="utf-8").splitlines()]
    installs = [line for line in lines if re.search(r"pip install|\$\(PIP\)", line) and not line.startswith("PIP :=")]
    assert len(installs) >= 8
    for line in installs:
        assert re.search(
            r"--require-hashes --requirement requirements/\w+\.txt$|--no-deps --no-build-isolation --editable \.$", line
        )
