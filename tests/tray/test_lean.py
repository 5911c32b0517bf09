"""The program that stays all day carries no OpenSSL, and can have it when it is needed."""

import json
import os
import subprocess
import sys

LOOK = """
import json, sys
from deskbell import lean
lean.load()
import deskbell.start
before = [name for name in ("_ssl", "_hashlib") if name in sys.modules]
import hashlib, hmac, urllib.request
hmac.new(b"key", b"", hashlib.sha256).hexdigest()
print(json.dumps([before, hasattr(urllib.request, "HTTPSHandler")]))
"""


def test_openssl_is_loaded_only_by_whoever_needs_it() -> None:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    said = subprocess.run([sys.executable, "-c", LOOK], env=env, capture_output=True, check=True).stdout
    assert json.loads(said) == [[], True]
