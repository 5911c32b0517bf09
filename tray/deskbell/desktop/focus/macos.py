"""Ask macOS which application is in front, through AppKit, which pystray depends on."""

from typing import Any

from deskbell.desktop.focus import Active, AskedScreen


class Macos(AskedScreen):
    name = "macOS"

    def __init__(self) -> None:
        import AppKit

        self._workspace: Any = AppKit.NSWorkspace.sharedWorkspace()

    def active(self) -> Active | None:
        front = self._workspace.frontmostApplication()
        return Active(int(front.processIdentifier())) if front else None
