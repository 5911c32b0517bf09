"""Test the extension for VS Code: what it shows, with node, and the package that the editor installs."""

import json
import os
import shutil
import subprocess
import zipfile
from importlib import util
from pathlib import Path
from xml.etree import ElementTree

import pytest

from deskbell.desktop.jump.editors import EXTENSION, url
from deskbell.desktop.jump.spot import Spot

FOLDER = Path(__file__).parents[1] / "packaging/vscode"


def test_the_extension_shows_the_right_terminal() -> None:
    if not shutil.which("node"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("node is missing: see tests/system-packages.sh")
    done = subprocess.run(["node", "--test", "."], cwd=FOLDER, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "# pass 5" in done.stdout


def test_the_package_is_the_same_each_time_and_names_what_the_url_names(tmp_path: Path) -> None:
    found = util.spec_from_file_location("pack", FOLDER / "pack.py")
    assert found
    assert found.loader
    module = util.module_from_spec(found)
    found.loader.exec_module(module)
    first, second = module.pack(tmp_path / "a"), module.pack(tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        about = json.loads(archive.read("extension/package.json"))
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        ElementTree.fromstring(archive.read("[Content_Types].xml"))
        assert "registerUriHandler" in archive.read("extension/extension.js").decode()
    (identity,) = (one.attrib for one in manifest.iter() if one.tag.endswith("Identity"))
    assert f"{identity['Publisher']}.{identity['Id']}" == f"{about['publisher']}.{about['name']}" == EXTENSION
    assert f"//{EXTENSION}/show?" in url("vscode", Spot(1, (1,)))
