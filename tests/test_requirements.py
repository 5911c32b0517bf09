"""Test that the lower bounds of what Deskbell needs admit no version with a known weakness."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

FIXED = {
    "dbus-fast": (
        "5.0.11",
        "no advisory: 5.0.3, 5.0.4 and 5.0.11 refuse messages that are nested too deep or malformed",
    ),
    "pillow": ("13.0.0", "PYSEC-2026-2253 to 2257 and 3451 to 3453, mended in 12.3.0; CGA-6r43-cc9v-c6c4 in 13.0.0"),
    "psutil": ("5.6.6", "PYSEC-2019-41"),
    "pydantic": ("2.4.0", "PYSEC-2026-1812"),
}
"""The first version of a package without a known weakness, and the advisories."""

NONE_KNOWN = {
    *("desktop-notifier", "platformdirs", "pystray", "python-xlib"),
    *("rich", "tomlkit", "typing-extensions", "watchdog"),
}
"""Dependencies of which no advisory is known."""


def named(requirements: list[str]) -> dict[str, Requirement]:
    return {canonicalize_name(item.name): item for item in map(Requirement, requirements)}


RUN = named(PROJECT["project"]["dependencies"])


def lower(requirement: Requirement) -> Version:
    return max(Version(part.version) for part in requirement.specifier if part.operator == ">=")


def test_somebody_has_looked_for_advisories_of_every_dependency() -> None:
    assert RUN.keys() - FIXED.keys() == NONE_KNOWN


def test_no_lower_bound_admits_a_version_with_a_known_weakness() -> None:
    bounds = {name: lower(RUN[name]) for name in RUN.keys() & FIXED.keys()}
    assert {name: bound for name, bound in bounds.items() if bound < Version(FIXED[name][0])} == {}
