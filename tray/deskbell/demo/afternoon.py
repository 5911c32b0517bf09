"""List what `deskbell demo` plays: the afternoon of a person with six sessions.

Pure. All times are minutes after one o'clock.
"""

from collections.abc import Iterator
from itertools import chain

from deskbell.demo.scenes import (
    Moment,
    asks_for_plan,
    asks_permission,
    asks_question,
    closes,
    fails,
    finishes,
    is_interrupted,
    is_killed,
    is_left_waiting,
    is_prompted,
    lists_tasks,
    needs_input,
    runs_tool,
    starts,
    starts_subagents,
)

BEGINS = 13 * 60
"""Minutes after midnight at which the afternoon begins."""

BRANCHES = {
    "api": "release-2.4",
    "web": "checkout",
    "docs": "main",
    "infra": "new-cluster",
    "data": "backfill",
    "mobile": "cold-start",
}


RELEASE = ("Run the tests", "Bump the version", "Publish to the registry")
"""The tasks of the release."""


def _api() -> Iterator[Moment]:
    yield from starts(0, "api")
    yield from is_prompted(1, "api", "Release 2.4: run the tests, bump the version, publish")
    yield from lists_tasks(2, "api", 0, *RELEASE)
    yield from runs_tool(3, "api", 12, "Bash", command="npm test")
    yield from runs_tool(13, "api", 15, "Edit", file_path="package.json")
    yield from lists_tasks(15.5, "api", 2, *RELEASE)
    yield from asks_permission(16, "api", 44, "yes", "Bash", command="npm publish --access public")
    yield from lists_tasks(46, "api", 3, *RELEASE)
    yield from finishes(48, "api", "2.4.0 is on the registry.")
    yield from is_prompted(120, "api", "The smoke test fails on Node 18. Why?")
    yield from runs_tool(122, "api", 140, "Bash", command="nvm exec 18 npm run smoke")
    yield from runs_tool(142, "api", 150, "Edit", file_path="src/fetch.ts")
    yield from finishes(185, "api", "Node 18 lacks structuredClone; the code no longer uses it.")
    yield from is_prompted(205, "api", "Tag it and push")
    yield from runs_tool(206, "api", 209, "Bash", command="git tag v2.4.1")
    yield from is_left_waiting(210, "api", "Bash", command="git push --force-with-lease origin release-2.4")


def _web() -> Iterator[Moment]:
    yield from starts(4, "web")
    yield from is_prompted(5, "web", "Redesign the checkout page")
    yield from runs_tool(7, "web", 14, "Read", file_path="src/checkout/Page.tsx")
    yield from asks_question(18, "web", 52, "One page, or one step after the other?", ("One page", "Steps"))
    yield from runs_tool(54, "web", 70, "Edit", file_path="src/checkout/Page.tsx")
    yield from runs_tool(72, "web", 95, "Bash", command="npx playwright test checkout")
    yield from finishes(100, "web", "The new page passes all 41 tests.")
    yield from is_prompted(170, "web", "Make the total stick to the bottom on phones")
    yield from runs_tool(172, "web", 188, "Edit", file_path="src/checkout/Total.css")
    yield from is_interrupted(200, "web")
    yield from is_prompted(214, "web", "Only below 600 pixels, please")
    yield from finishes(236, "web", "It sticks below 600 pixels only.")


def _docs() -> Iterator[Moment]:
    yield from starts(10, "docs")
    yield from is_prompted(11, "docs", "Bring the API reference up to date with 2.4")
    searches = {"Find every changed endpoint": 60.0, "Compare the examples": 75.0, "Look for dead links": 90.0}
    yield from starts_subagents(13, "docs", 20, searches)
    yield from runs_tool(94, "docs", 106, "Edit", file_path="reference/orders.md")
    yield from finishes(112, "docs", "17 pages are up to date, and 3 links are fixed.")
    yield from closes(160, "docs")


def _infra() -> Iterator[Moment]:
    yield from starts(25, "infra")
    yield from is_prompted(26, "infra", "Plan the move of staging to the new cluster")
    yield from runs_tool(28, "infra", 40, "Bash", command="terraform plan -out staging.tfplan")
    yield from asks_for_plan(58, "infra", 84)
    yield from runs_tool(86, "infra", 100, "Edit", file_path="staging/main.tf")
    yield from asks_permission(104, "infra", 128, "no", "Bash", command="terraform apply staging.tfplan")
    yield from is_prompted(145, "infra", "Show me the difference first")
    yield from finishes(168, "infra", "Two nodes are replaced; the database stays.")


def _data() -> Iterator[Moment]:
    yield from starts(34, "data")
    yield from is_prompted(35, "data", "Backfill the March invoices")
    yield from runs_tool(37, "data", 64, "Bash", command="python backfill.py --month 2026-03")
    yield from fails(66, "data", "rate_limit", "You have reached your limit for now.")
    yield from is_prompted(96, "data", "Continue")
    yield from lists_tasks(97, "data", 1, "Read the March exports", "Backfill the invoices", "Compare the sums")
    yield from runs_tool(98, "data", 180, "Bash", command="python backfill.py --resume")
    yield from finishes(182, "data", "All 12 804 invoices are in place.")


def _mobile() -> Iterator[Moment]:
    yield from starts(62, "mobile")
    yield from is_prompted(63, "mobile", "Why does the app crash on a cold start?")
    yield from runs_tool(65, "mobile", 80, "Bash", command="adb logcat -d")
    yield from needs_input(88, "mobile", 112, "tracker", "Which project are the tickets in?")
    yield from runs_tool(130, "mobile", 140, "Edit", file_path="app/src/Startup.kt")
    yield from is_killed(152, "mobile")


AFTERNOON = tuple(sorted(chain(_api(), _web(), _docs(), _infra(), _data(), _mobile()), key=lambda moment: moment.at))
