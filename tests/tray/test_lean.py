"""The program that stays all day carries nothing that it does not need, and can have it when somebody does."""

import json
import os
import subprocess
import sys

BEFORE = """
import json, sys
from deskbell import lean
lean.load()
import deskbell.log, deskbell.start
spared = ["_ssl", "_hashlib", "PIL._imagingft"]
if sys.platform == "linux":
    import deskbell.desktop.notify.picture, deskbell.desktop.tray.linux
    spared += ["PIL", "difflib", "email", "html.entities", "pickle", "sysconfig", "zipfile"]
"""
LOOK = """
before = [name for name in spared if name in sys.modules]
import hashlib, hmac, importlib.metadata, pickle, sysconfig, urllib.request, zoneinfo
works = [
    hmac.new(b"key", b"", hashlib.sha256).hexdigest(),
    hasattr(urllib.request, "HTTPSHandler"),
    importlib.metadata.version("pydantic"),
    pickle.loads(pickle.dumps("this")),
    list(zoneinfo.TZPATH) == [path for path in (sysconfig.get_config_var("TZPATH") or "").split(":") if path],
]
print(json.dumps([before, all(works)]))
"""
UNKNOWN = """
import sys
sys.modules["pydantic.plugin._loader"] = None
from deskbell import lean
lean.load()
print('"went on"')
"""


def _said(code: str) -> str:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True, text=True).stdout


def test_what_is_spared_is_loaded_by_whoever_needs_it() -> None:
    assert json.loads(_said(BEFORE + LOOK)) == [[], True]


def test_another_pydantic_than_this_one_is_no_reason_not_to_start() -> None:
    assert json.loads(_said(UNKNOWN)) == "went on"
