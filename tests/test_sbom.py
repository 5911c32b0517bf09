"""Test that the SBOM lists every package that Deskbell needs at run time, and that it never differs by itself."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def written(folder: Path) -> bytes:
    subprocess.run([sys.executable, ROOT / "packaging" / "sbom.py", folder], check=True, timeout=60)
    (path,) = folder.iterdir()
    assert path.name == f"{PROJECT['name']}-{PROJECT['version']}.cdx.json"
    return path.read_bytes()


def reached(bom: dict[str, Any]) -> set[str]:
    """Return Deskbell and every package that it needs, directly or through others."""
    needs = {item["ref"]: item.get("dependsOn", []) for item in bom["dependencies"]}
    found: set[str] = set()
    ahead = [bom["metadata"]["component"]["bom-ref"]]
    while ahead:
        new = set(needs[ahead.pop()]) - found
        found |= new
        ahead += new
    return found


def test_the_sbom_lists_what_deskbell_needs_and_what_that_needs(tmp_path: Path) -> None:
    bom = json.loads(written(tmp_path))
    program = bom["metadata"]["component"]
    assert (program["name"], program["version"]) == (PROJECT["name"], PROJECT["version"])
    listed = {item["bom-ref"]: item for item in bom["components"]}
    needed = next(item["dependsOn"] for item in bom["dependencies"] if item["ref"] == program["bom-ref"])
    direct = {Requirement(item).name for item in PROJECT["dependencies"]}
    assert {listed[ref]["name"] for ref in needed} == direct
    assert reached(bom) == listed.keys()
    assert all(
        item["purl"] == f"pkg:pypi/{item['name']}@{item['version'].replace('!', '%21')}" for item in listed.values()
    )


def test_the_versions_are_those_of_the_lock_and_what_only_some_systems_need_is_optional(tmp_path: Path) -> None:
    components = json.loads(written(tmp_path))["components"]
    lines = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8").splitlines()
    locked = [Requirement(line.removesuffix(" \\")) for line in lines if line[:1].isalnum()]
    assert {(item["name"], f"=={item['version']}", item["scope"]) for item in components} == {
        (item.name, str(item.specifier), "optional" if item.marker else "required") for item in locked
    }


def test_the_sbom_is_the_same_every_time(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    assert written(tmp_path / "one") == written(tmp_path / "two")
