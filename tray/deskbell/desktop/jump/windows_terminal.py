"""Choose the tab of Windows Terminal with UI Automation, which also proves it.

Reaches the tab that shows the title of the session's console. A random word is written into that title and removed at
once; only a process of that console can do so, so the tab whose name shows the word is the right one. No tab is chosen
if it was renamed, if its profile has `suppressApplicationTitle`, or if it shows another of its panes. Written from
documentation and not run on Windows:

https://learn.microsoft.com/windows/console/attachconsole
https://learn.microsoft.com/dotnet/api/system.windows.automation.selectionitempattern
https://github.com/rullerzhou-afk/clawd-on-desk/issues/246 (the tabs are TabItems that can be selected)
"""

import os
import secrets
from typing import NamedTuple

from deskbell.desktop.jump.arrival import Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.files.read import json_value
from deskbell.helper import run

PID, MARK = "DESKBELL_JUMP_PID", "DESKBELL_JUMP_MARK"
"""The script is a fixed text, which reads what it needs from these variables."""
SCRIPT = r"""
$ErrorActionPreference = 'Stop'
$out = [Console]::Out
Add-Type -AssemblyName UIAutomationClient, UIAutomationTypes
Add-Type -Namespace Deskbell -Name Its -MemberDefinition '
[DllImport("kernel32.dll")] public static extern bool FreeConsole();
[DllImport("kernel32.dll")] public static extern bool AttachConsole(uint id);
[DllImport("kernel32.dll", CharSet = CharSet.Unicode)] public static extern bool SetConsoleTitleW(string title);
[DllImport("kernel32.dll", CharSet = CharSet.Unicode)]
public static extern uint GetConsoleTitleW(System.Text.StringBuilder title, uint size);
'
$element = [System.Windows.Automation.AutomationElement]
$condition = 'System.Windows.Automation.PropertyCondition'
$windows = New-Object $condition($element::ClassNameProperty, 'CASCADIA_HOSTING_WINDOW_CLASS')
$tabs = New-Object $condition($element::ControlTypeProperty, [System.Windows.Automation.ControlType]::TabItem)
$mark = $env:DESKBELL_JUMP_MARK
$answer = @{}
[void][Deskbell.Its]::FreeConsole()
if ([Deskbell.Its]::AttachConsole([uint32]$env:DESKBELL_JUMP_PID)) {
  $before = New-Object System.Text.StringBuilder 4096
  [void][Deskbell.Its]::GetConsoleTitleW($before, 4096)
  try {
    $end = [DateTime]::UtcNow.AddSeconds(1)
    while ($answer.Count -eq 0 -and [DateTime]::UtcNow -lt $end) {
      [void][Deskbell.Its]::SetConsoleTitleW($mark)
      Start-Sleep -Milliseconds 30
      foreach ($window in $element::RootElement.FindAll('Children', $windows)) {
        foreach ($tab in $window.FindAll('Descendants', $tabs)) {
          if ($tab.Current.Name.Contains($mark)) {
            $item = $tab.GetCurrentPattern([System.Windows.Automation.SelectionItemPattern]::Pattern)
            $item.Select()
            $answer = @{ window = $window.Current.NativeWindowHandle; selected = $item.Current.IsSelected }
          }
        }
      }
    }
  } finally {
    [void][Deskbell.Its]::SetConsoleTitleW($before.ToString())
  }
}
$out.Write((ConvertTo-Json -Compress $answer))
"""
WITHIN = 4.0
"""Seconds that the script has. PowerShell first compiles the calls of the system."""


class Chosen(NamedTuple):
    """The window of the tab, and whether the tab is selected."""

    window: int
    is_selected: bool


def tab(spot: Spot, _desk: Desk) -> Tab | None:
    """Choose the tab at once, because only then its window is known. None for another terminal, or without a tab."""
    chosen = _chosen(spot.pid) if spot.handle("WT_SESSION") else None
    if chosen is None:
        return None
    step = Step("tab", "its tab in Windows Terminal", lambda: None, lambda: chosen.is_selected)
    return Tab(step, chosen.window)


def _chosen(pid: int) -> Chosen | None:
    command = ("powershell", "-NoProfile", "-NonInteractive", "-Command", SCRIPT.strip())
    env = {**os.environ, PID: str(pid), MARK: f"deskbell-{secrets.token_hex(5)}"}
    try:
        done = run(command, WITHIN, env=env)
        said = json_value(done.said.encode())
    except (OSError, ValueError):
        return None
    if done.code or not isinstance(said, dict):
        return None
    window = said.get("window")
    return Chosen(window, said.get("selected") is True) if isinstance(window, int) and window else None
