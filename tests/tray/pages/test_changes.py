"""Test the page that shows what an install changes."""

from deskbell.pages.changes import page
from tests.tray.pages.test_markup import Read

DIFF = """--- /home/me/.claude/settings.json
+++ /home/me/.claude/settings.json
@@ -1,2 +1,2 @@
 {
-  "model": "<b>"
+\t"model": "\x1b[31m--- &"
\\ No newline at end of file
"""


def test_every_line_of_the_change_is_shown_as_it_is() -> None:
    html = page([("/home/me/.claude/settings.json", DIFF)]).body
    assert '<span class="place">@@ -1,2 +1,2 @@</span><span class="same"> {</span>' in html
    assert '<span class="removed">-  &quot;model&quot;: &quot;&lt;b&gt;&quot;</span>' in html
    assert '<span class="added">+\t&quot;model&quot;: &quot;\\u001b[31m--- &amp;&quot;</span>' in html
    assert "No newline at end of file</span>" in html


def test_the_page_says_that_nothing_was_changed_and_how_to_change_it() -> None:
    words = " ".join(Read(page([("settings.json", DIFF)]).body).texts)
    assert words.startswith("What an install changes Nothing has been changed yet.")
    assert "deskbell install" in words


def test_without_a_change_it_says_so() -> None:
    assert "an install would change nothing" in page([]).body
