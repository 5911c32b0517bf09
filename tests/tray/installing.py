"""Provide a machine to install on: its own home, a client of any version, and the program as a process."""

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from deskbell.__main__ import main
from deskbell.home import Home
from deskbell.settings.asker_wish import wants_asker
from deskbell.settings.interpreter import stable_interpreter
from deskbell.settings.registration import Version
from deskbell.settings.setup import Setup
from deskbell.settings.targets import Target

ROOT = Path(__file__).parents[2]
LIMITED = """import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
os.execv(sys.executable, [sys.executable, "-B", *sys.argv[2:]])  # half a compiled module fails every later import
"""
NEWEST: Version = (2, 1, 326)


def here(words: Sequence[str], environment: Mapping[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `deskbell WORDS` in this process, which takes a tenth of the time of a new one."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch, open(os.devnull) as nothing:
        for name in os.environ.keys() - environment.keys():
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.chdir(cwd)
        patch.setattr(sys, "stdin", nothing)
        for name, stream in zip(("stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
            patch.setattr(sys, f"__{name}__", stream)
        try:
            code = main(words)
        except SystemExit as left:  # argparse has said what is wrong
            code = int(left.code or 0)
    out, err = (stream.buffer.getvalue().decode() for stream in streams)  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(words, code, out, err)


@dataclass
class Machine:
    root: Path
    client: Version | None = NEWEST
    env: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Home:
        return Home(
            self.root / "deskbell" / "state", self.root / "deskbell" / "data", self.root / "deskbell" / "config"
        )

    @property
    def settings(self) -> Path:
        return self.root / ".claude" / "settings.json"

    @property
    def target(self) -> Target:
        return Target(self.settings)

    @property
    def setup(self) -> Setup:
        answers = wants_asker(self.home.config)
        return Setup(self.home, stable_interpreter(), self.client, self.root / "managed", answers=answers)

    def answers(self, on: bool) -> None:
        """Edit config.toml as a person does."""
        self.home.config.mkdir(parents=True, exist_ok=True)
        (self.home.config / "config.toml").write_text(f"[answers]\npermission = {str(on).lower()}\n")

    def write(self, text: str, path: Path | None = None) -> Path:
        path = path or self.settings
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        os.utime(path, (1, 1))  # long ago, so that nothing waits for a writer
        return path

    def has_client(self, version: str) -> None:
        """Put a `claude` on the PATH that answers only with its version."""
        fake = self.root / "bin" / "claude"
        fake.parent.mkdir(exist_ok=True)
        fake.write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n")
        fake.chmod(0o700)

    def has_code(self, deployed: Path) -> None:
        """Copy the data folder DEPLOYED here, so that no installation needs to compile the hook again."""
        shutil.copytree(deployed, self.home.data)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.root),
            "PATH": f"{self.root / 'bin'}{os.pathsep}{os.defpath}",
            "DESKBELL_HOME": str(self.root / "deskbell"),
            "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in ("tray", "hooks", "icons")),
            "LANG": "C.UTF-8",
            **self.env,
        }

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run `deskbell WORDS` in this process."""
        return here(words, self.environment, cwd or self.root)

    def started(self, *words: str, limit: int | None = None) -> subprocess.CompletedProcess[str]:
        """Start `deskbell WORDS` as a person does. LIMIT: the bytes that no file may exceed, as on a full disk."""
        python = [sys.executable] if limit is None else [sys.executable, "-c", LIMITED, str(limit)]
        ran = subprocess.run(
            [*python, "-m", "deskbell", *words],
            env=self.environment,
            cwd=self.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return subprocess.CompletedProcess(words, ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def json(self, *words: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.run(*words, "--json").stdout)
        return answer

    def fire(self, event: str, session: str = "5e55-10") -> subprocess.CompletedProcess[bytes]:
        """Start the handler that the settings have for EVENT, as Claude Code does."""
        handler = json.loads(self.settings.read_bytes())["hooks"][event][-1]["hooks"][-1]
        said = json.dumps({"session_id": session, "hook_event_name": event, "cwd": "/tmp"})
        return subprocess.run(
            ["/bin/sh", "-c", handler["command"]], input=said.encode(), capture_output=True, check=False
        )
