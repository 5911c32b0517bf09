"""Write the SBOM of Deskbell: a CycloneDX list of the packages that it needs at run time, in the versions of the lock.

`make wheel` runs it with the folder of the wheel. The list has the packages of every system; a package that only some
systems need is optional. It holds no time and no random number, so that the same commit gives the same bytes.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent


class Locked(NamedTuple):
    """A package in a lock file, and the packages that need it."""

    requirement: Requirement
    needed_by: frozenset[str]

    @property
    def name(self) -> str:
        return canonicalize_name(self.requirement.name)


def locked(text: str) -> Iterator[Locked]:
    """Yield the packages of a lock file. Each begins a line; the comment "via" below it names those that need it."""
    for entry in re.split(r"\n(?=\w)", text):
        if entry[0] != "#":
            _, _, via = entry.partition("# via")
            yield Locked(
                Requirement(entry.partition(" \\")[0]), frozenset(re.findall(r"^[ #]*([\w.-]+)", via, re.MULTILINE))
            )


def component(kind: ComponentType, name: str, version: str, scope: ComponentScope | None = None) -> Component:
    purl = PackageURL("pypi", name=name, version=version)
    return Component(type=kind, name=name, version=version, scope=scope, purl=purl, bom_ref=str(purl))


def library(package: Locked) -> Component:
    (pin,) = package.requirement.specifier
    scope = ComponentScope.OPTIONAL if package.requirement.marker else ComponentScope.REQUIRED
    return component(ComponentType.LIBRARY, package.name, pin.version, scope)


def sbom(name: str, version: str, lock: str) -> str:
    """Return the SBOM of a program. LOCK is the text of its lock file."""
    packages = list(locked(lock))
    program = component(ComponentType.APPLICATION, name, version)
    libraries = {package.name: library(package) for package in packages}
    bom = Bom(components=libraries.values(), serial_number=uuid5(NAMESPACE_URL, f"{program.purl}\n{lock}"))
    bom.metadata.component = program
    bom.metadata.timestamp = None
    for user, item in {name: program, **libraries}.items():
        bom.register_dependency(item, [libraries[package.name] for package in packages if user in package.needed_by])
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=2) + "\n"


def main(folder: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = sbom(project["name"], project["version"], (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8"))
    folder.mkdir(exist_ok=True)
    (folder / f"{project['name']}-{project['version']}.cdx.json").write_bytes(text.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
