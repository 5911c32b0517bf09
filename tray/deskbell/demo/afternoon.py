"""What does `deskbell demo` play? The afternoon of a person with six sessions, in minutes after one o'clock."""

from collections.abc import Iterator
from itertools import chain

from deskbell.demo.scenes import (
    Moment,
    asks,
    comes,
    delegates,
    dies,
    fails,
    goes,
    is_cut,
    is_done,
    is_told,
    needs_input,
    never_learns,
    plans,
    runs,
    wants,
)

BEGINS = 13 * 60
"""Minutes after midnight."""

BRANCHES = {
    "api": "release-2.4",
    "web": "checkout",
    "docs": "main",
    "infra": "new-cluster",
    "data": "backfill",
    "mobile": "cold-start",
}


def _api() -> Iterator[Moment]:
    yield from comes(0, "api")
    yield from is_told(1, "api", "Release 2.4: run the tests, bump the version, publish")
    yield from runs(3, "api", 12, "Bash", command="npm test")
    yield from runs(13, "api", 15, "Edit", file_path="package.json")
    yield from wants(16, "api", 44, "yes", "Bash", command="npm publish --access public")
    yield from is_done(48, "api", "2.4.0 is on the registry.")
    yield from is_told(120, "api", "The smoke test fails on Node 18. Why?")
    yield from runs(122, "api", 140, "Bash", command="nvm exec 18 npm run smoke")
    yield from runs(142, "api", 150, "Edit", file_path="src/fetch.ts")
    yield from is_done(185, "api", "structuredClone was missing there; it is not used any more.")
    yield from is_told(205, "api", "Tag it and push")
    yield from runs(206, "api", 209, "Bash", command="git tag v2.4.1")
    yield from never_learns(210, "api", "Bash", command="git push --force-with-lease origin release-2.4")


def _web() -> Iterator[Moment]:
    yield from comes(4, "web")
    yield from is_told(5, "web", "Redesign the checkout page")
    yield from runs(7, "web", 14, "Read", file_path="src/checkout/Page.tsx")
    yield from asks(18, "web", 52, "One page, or one step after the other?", ("One page", "Steps"))
    yield from runs(54, "web", 70, "Edit", file_path="src/checkout/Page.tsx")
    yield from runs(72, "web", 95, "Bash", command="npx playwright test checkout")
    yield from is_done(100, "web", "The new page passes all 41 tests.")
    yield from is_told(170, "web", "Make the total stick to the bottom on phones")
    yield from runs(172, "web", 188, "Edit", file_path="src/checkout/Total.css")
    yield from is_cut(200, "web")
    yield from is_told(214, "web", "Only below 600 pixels, please")
    yield from is_done(236, "web", "It sticks below 600 pixels only.")


def _docs() -> Iterator[Moment]:
    yield from comes(10, "docs")
    yield from is_told(11, "docs", "Bring the API reference up to date with 2.4")
    searches = {"Find every changed endpoint": 60.0, "Compare the examples": 75.0, "Look for dead links": 90.0}
    yield from delegates(13, "docs", 20, searches)
    yield from runs(94, "docs", 106, "Edit", file_path="reference/orders.md")
    yield from is_done(112, "docs", "17 pages are up to date, and 3 links are mended.")
    yield from goes(160, "docs")


def _infra() -> Iterator[Moment]:
    yield from comes(25, "infra")
    yield from is_told(26, "infra", "Plan the move of staging to the new cluster")
    yield from runs(28, "infra", 40, "Bash", command="terraform plan -out staging.tfplan")
    yield from plans(58, "infra", 84)
    yield from runs(86, "infra", 100, "Edit", file_path="staging/main.tf")
    yield from wants(104, "infra", 128, "no", "Bash", command="terraform apply staging.tfplan")
    yield from is_told(145, "infra", "Show me the difference first")
    yield from is_done(168, "infra", "Two nodes are replaced; the database stays.")


def _data() -> Iterator[Moment]:
    yield from comes(34, "data")
    yield from is_told(35, "data", "Backfill the March invoices")
    yield from runs(37, "data", 64, "Bash", command="python backfill.py --month 2026-03")
    yield from fails(66, "data", "rate_limit", "You have reached your limit for now.")
    yield from is_told(96, "data", "Go on")
    yield from runs(98, "data", 180, "Bash", command="python backfill.py --resume")
    yield from is_done(182, "data", "All 12 804 invoices are there.")


def _mobile() -> Iterator[Moment]:
    yield from comes(62, "mobile")
    yield from is_told(63, "mobile", "Why does the app crash on a cold start?")
    yield from runs(65, "mobile", 80, "Bash", command="adb logcat -d")
    yield from needs_input(88, "mobile", 112, "tracker", "Which project are the tickets in?")
    yield from runs(130, "mobile", 140, "Edit", file_path="app/src/Startup.kt")
    yield from dies(152, "mobile")


AFTERNOON = tuple(sorted(chain(_api(), _web(), _docs(), _infra(), _data(), _mobile()), key=lambda moment: moment.at))
