"""Test pystray's menu as it is built of items."""

from deskbell.desktop.tray.builder import Builder
from deskbell.desktop.tray.library import Menu
from deskbell.face.actions import Action, Open, Quit
from deskbell.face.item import Item, separator

QUIT = (Item("quit", "Quit", Quit()),)


def test_a_click_comes_back_as_its_action() -> None:
    clicked: list[Action] = []
    menu = Builder(clicked.append).menu((Item("more", "More", children=QUIT),))
    (more,) = menu
    (item,) = more.submenu
    item(None)
    assert clicked == [Quit()]


def test_a_row_with_a_submenu_is_clicked_where_the_panel_reports_that() -> None:
    clicked: list[Action] = []
    (row,) = Builder(clicked.append).menu((Item("row", "Row", Open("log"), children=QUIT),))
    row(None)
    assert clicked == [Open("log")]
    assert [item.text for item in row.submenu] == ["Quit"]


def test_the_age_in_a_row_is_that_of_the_moment_when_it_is_read() -> None:
    times = [60.0, 120.0]
    (row,) = Builder(print, clock=lambda: times.pop(0)).menu((Item("row", "api", Quit(), since=0.0),))
    assert (row.text, row.text) == ("api · 1 min", "api · 2 min")


def test_a_sign_is_a_picture_or_words_before_the_age() -> None:
    item = Item("row", "api", Quit(), sign="question", since=0.0)
    (drawn,) = Builder(print, signed=lambda sign: sign.encode(), clock=lambda: 60.0).menu((item,))
    (told,) = Builder(print, signed=lambda sign: f"a {sign}", clock=lambda: 60.0).menu((item,))
    assert (drawn.picture, drawn.text) == (b"question", "api · 1 min")
    assert (told.picture, told.text) == (b"", "api · a question · 1 min")


def test_an_item_says_whether_it_is_ticked_and_enabled() -> None:
    items = (
        Item("title", "Blocked"),
        separator("line"),
        Item("on", "At login", Quit(), checked=True),
        Item("off", "Muted", Quit(), checked=False),
    )
    title, line, on, off = Builder(print).menu(items)
    assert line is Menu.SEPARATOR or (line.key, line.text) == ("line", "")
    assert (title.enabled, on.checked, off.checked) == (False, True, False)


def test_what_a_click_on_the_icon_does_is_not_in_the_menu() -> None:
    clicked: list[Action] = []
    menu = Builder(clicked.append).menu((Item("click", "Go", Open("board"), hidden=True), *QUIT))
    assert [item.text for item in menu] == ["Quit"]
    menu(None)
    assert clicked == [Open("board")]


def test_a_row_keeps_the_mark_and_the_isolates_that_hold_its_direction() -> None:
    row = "\u200e\u2068שלום\u2069 ▸ api"
    assert [item.text for item in Builder(print).menu((Item("x", row, Quit()),))] == [row]


def test_a_submenu_that_has_not_changed_is_used_again() -> None:
    builder, same, other = Builder(print), (Item("a", "A", Quit()),), (Item("b", "B", Quit()),)
    first = [item.submenu for item in builder.menu((Item("x", "X", children=same), Item("y", "Y", children=other)))]
    again = [item.submenu for item in builder.menu((Item("y", "Z", children=other), Item("x", "X", children=same)))]
    assert (again[0] is first[1], again[1] is first[0]) == (True, True)
    changed = [item.submenu for item in builder.menu((Item("x", "X", children=(Item("a", "A!", Quit()),)),))]
    assert [item.text for item in changed[0]] == ["A!"]


def test_a_menu_knows_whether_it_grows_older() -> None:
    aged = Item("x", "X", Quit(), since=0.0)
    assert not Builder(print).menu(QUIT).ages
    assert Builder(print).menu((aged,)).ages
    assert Builder(print).menu((Item("more", "More", children=(aged,)),)).ages
