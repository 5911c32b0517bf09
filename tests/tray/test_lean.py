"""The program that stays all day carries nothing that it does not need, and can have it when somebody does."""

import json
import os
import subprocess
import sys

BEFORE = """
import json, sys
from deskbell import lean
lean.load()
import deskbell.log, deskbell.start, deskbell.desktop.notify.picture
from deskbell.desktop import tray
tray.tray(print, print)
"""
LOOK = """
PILLOW = ["PIL"] if sys.platform == "linux" else ["PIL._imagingft"]
before = [name for name in ("_ssl", "_hashlib", "email", "zipfile", "html.entities", "difflib", "pickle", "sysconfig", *PILLOW) if name in sys.modules]
import hashlib, hmac, importlib.metadata, pickle, sysconfig, urllib.request, zoneinfo
hmac.new(b"key", b"", hashlib.sha256).hexdigest()
print(json.dumps([before, hasattr(urllib.request, "HTTPSHandler"), bool(importlib.metadata.version("pydantic")),
    pickle.loads(pickle.dumps(1)), zoneinfo.TZPATH == tuple(filter(None, (sysconfig.get_config_var("TZPATH") or "").split(":")))]))
"""
UNKNOWN = """
import sys
sys.modules["pydantic.plugin._loader"] = None
"""


def _said(code: str) -> str:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True, text=True).stdout


def test_what_is_spared_is_loaded_by_whoever_needs_it() -> None:
    assert json.loads(_said(BEFORE + LOOK)) == [[], True, True, 1, True]


def test_another_pydantic_than_this_one_is_no_reason_not_to_start() -> None:
    starts = BEFORE.replace(
        "import deskbell.log, deskbell.start, deskbell.desktop.notify.picture", "print(json.dumps('lean.py went on'))"
    )
    assert json.loads(_said(UNKNOWN + starts)) == "lean.py went on"
