"""Give the tests of the program a browser, as most machines have one."""

import pytest


@pytest.fixture(autouse=True)
def a_browser_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER", "firefox")
