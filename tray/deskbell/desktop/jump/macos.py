"""Bring a tab of iTerm2 or Terminal, a terminal of Ghostty, or else the application to the front on macOS.

AppleScript finds the tab by its tty, and afterwards tells which one is in front. The scripts are fixed texts that get
what they need as arguments. macOS asks the person once for the Automation permission.
"""

import re
from collections.abc import Mapping

from deskbell.desktop.jump.arrival import Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.output import output
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem

# https://iterm2.com/documentation-scripting.html
ITERM = (
    """on run argv
  tell application "iTerm2"
    repeat with w in windows
      repeat with t in tabs of w
        repeat with s in sessions of t
          if tty of s is item 1 of argv then
            select w
            select t
            select s
            activate
            return "found"
          end if
        end repeat
      end repeat
    end repeat
  end tell
end run""",
    'tell application "iTerm2" to tty of current session of current window',
)
TERMINAL = (
    """on run argv
  tell application "Terminal"
    repeat with w in windows
      repeat with t in tabs of w
        if tty of t is item 1 of argv then
          set selected of t to true
          set index of w to 1
          activate
          return "found"
        end if
      end repeat
    end repeat
  end tell
end run""",
    'tell application "Terminal" to tty of selected tab of front window',
)
SCRIPTS: Mapping[str, tuple[str, str]] = {"iTerm.app": ITERM, "Apple_Terminal": TERMINAL}
"""TERM_PROGRAM -> the script that chooses a tab, and the one that tells the tty of the tab in front."""
# https://ghostty.org/docs/features/applescript (1.3): a terminal is found by its working directory.
GHOSTTY = """on run argv
  tell application "Ghostty"
    set found to every terminal whose working directory is item 1 of argv
    if (count of found) is 1 then
      focus (item 1 of found)
      return "found"
    end if
  end tell
end run"""
ACTIVATE = 'on run argv\n  tell application id (item 1 of argv) to activate\n  return "found"\nend run'
_BUNDLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,200}")
"""Anything else could be an option of osascript, and "-e" one that runs."""
IN_FRONT = 'tell application "System Events" to bundle identifier of first process whose frontmost is true'


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the tab; None for another terminal."""
    name = spot.handle("TERM_PROGRAM")
    if name == "ghostty":
        folder = spot.handle("PWD")
        if not folder.startswith("/"):  # it would be an option of osascript
            return None
        return Tab(Step("tab", "its terminal in Ghostty", lambda: _run(GHOSTTY, folder), lambda: None), raises=True)
    if name not in SCRIPTS or not spot.tty:
        return None
    choose, front = SCRIPTS[name]
    tty = spot.tty
    return Tab(
        Step("tab", f"its tab in {name.removesuffix('.app')}", lambda: _run(choose, tty), lambda: _said(front) == tty),
        raises=True,
    )


def window(spot: Spot, _desk: Desk, _tab: Tab | None) -> Step | None:
    """Return the application; None if it is not known."""
    bundle = spot.handle("__CFBundleIdentifier")
    if not _BUNDLE.fullmatch(bundle):
        return None
    return Step("window", bundle, lambda: _run(ACTIVATE, bundle), lambda: _said(IN_FRONT) == bundle)


def _run(script: str, *given: str) -> None:
    said = output("osascript", "-e", script, *given)
    if said is None or said.strip() != "found":
        raise Problem("The terminal did not show its tab.", "Allow Automation for Deskbell in the System Settings.")


def _said(script: str) -> str | None:
    said = output("osascript", "-e", script)
    return said.strip() if said else None
