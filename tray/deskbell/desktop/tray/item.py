"""Serve the icon on D-Bus: the properties and signals of `org.kde.StatusNotifierItem`.

https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/

A left click opens the menu in every panel that can do that. As in libappindicator, there is no method Activate. So
Plasma opens the menu whatever ItemIsMenu says, and GNOME's extension does not wait for a second click. Xfce, waybar and
others follow ItemIsMenu, and Cinnamon the path of the item. LXQt's panel opens menus only by a right click, so it gets
Activate.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from dbus_fast.annotations import DBusBool, DBusInt32, DBusObjectPath, DBusSignature, DBusStr
from dbus_fast.service import dbus_signal

from deskbell.desktop.tray.interface import Interface, method, readable
from deskbell.desktop.tray.pixmap import Pixmap, pixmap
from deskbell.supervision import Supervisor
from deskbell_icons.pixels import Pixels

MENU_PATH = "/MenuBar"
ITEM_PATH = "/StatusNotifierItem"
AYATANA_PATH = "/org/ayatana/NotificationItem/deskbell"
"""The path of libappindicator's items. Cinnamon opens the menu by a left click only for these:
https://github.com/linuxmint/xapp/blob/master/xapp-sn-watcher/sn-item.c
"""

Pixmaps = Annotated[list[Pixmap], DBusSignature("a(iiay)")]


class StatusNotifierItem(Interface):
    """The icon as a service on the bus."""

    def __init__(
        self,
        supervisor: Supervisor,
        name: str,
        activate: Callable[[], None],
        permitted: Callable[[str], None] = lambda _: None,
    ) -> None:
        """ACTIVATE is called for a middle click on the icon. PERMITTED is called with the token of the next click."""
        super().__init__("org.kde.StatusNotifierItem", supervisor)
        self._id = name
        self._activate = activate
        self._permitted = permitted
        self._status = "Passive"
        self._pixmaps: list[Pixmap] = []
        self._text = ""

    def show(self, visible: bool) -> None:
        self._status = "Active" if visible else "Passive"
        self._new_status()

    def draw(self, pictures: Sequence[Pixels]) -> None:
        self._pixmaps = [pixmap(picture) for picture in pictures]
        self._new_icon()

    def say(self, text: str) -> None:
        self._text = text
        self._new_title()
        self._new_tool_tip()

    @method("SecondaryActivate")
    def _on_secondary_activate(self, x: DBusInt32, y: DBusInt32) -> None:
        self._activate()

    @method("ProvideXdgActivationToken")
    def _on_provide_xdg_activation_token(self, token: DBusStr) -> None:
        """Take the token of the next click. GNOME's extension and Plasma call this; on X11 Plasma's token is empty."""
        self._permitted(token)

    @method("ContextMenu")
    def _on_context_menu(self, x: DBusInt32, y: DBusInt32) -> None:
        """Do nothing: the host draws the menu of MENU_PATH."""

    @method("Scroll")
    def _on_scroll(self, delta: DBusInt32, orientation: DBusStr) -> None:
        """Do nothing."""

    @dbus_signal(name="NewIcon")
    def _new_icon(self) -> None:
        pass

    @dbus_signal(name="NewTitle")
    def _new_title(self) -> None:
        pass

    @dbus_signal(name="NewToolTip")
    def _new_tool_tip(self) -> None:
        pass

    @dbus_signal(name="NewStatus")
    def _new_status(self) -> DBusStr:
        return self._status

    @readable("Category")
    def _category(self) -> DBusStr:
        return "ApplicationStatus"

    @readable("Id")
    def _the_id(self) -> DBusStr:
        return self._id

    @readable("Title")
    def _title(self) -> DBusStr:
        return self._text or self._id

    @readable("Status")
    def _the_status(self) -> DBusStr:
        return self._status

    @readable("WindowId")
    def _window_id(self) -> DBusInt32:
        return 0

    @readable("IconName")
    def _icon_name(self) -> DBusStr:
        return ""

    @readable("IconThemePath")
    def _icon_theme_path(self) -> DBusStr:
        return ""

    @readable("IconPixmap")
    def _icon_pixmap(self) -> Pixmaps:
        return self._pixmaps

    @readable("OverlayIconName")
    def _overlay_icon_name(self) -> DBusStr:
        return ""

    @readable("OverlayIconPixmap")
    def _overlay_icon_pixmap(self) -> Pixmaps:
        return []

    @readable("AttentionIconName")
    def _attention_icon_name(self) -> DBusStr:
        return ""

    @readable("AttentionIconPixmap")
    def _attention_icon_pixmap(self) -> Pixmaps:
        return []

    @readable("AttentionMovieName")
    def _attention_movie_name(self) -> DBusStr:
        return ""

    @readable("ToolTip")
    def _tool_tip(self) -> Annotated[list[Any], DBusSignature("(sa(iiay)ss)")]:
        return ["", [], self._text or self._id, ""]

    @readable("IconAccessibleDesc")
    def _icon_accessible_desc(self) -> DBusStr:
        return self._text or self._id

    @readable("AttentionAccessibleDesc")
    def _attention_accessible_desc(self) -> DBusStr:
        return self._text or self._id

    @readable("ItemIsMenu")
    def _item_is_menu(self) -> DBusBool:
        return True

    @readable("Menu")
    def _menu(self) -> DBusObjectPath:
        return MENU_PATH


class ActivatedItem(StatusNotifierItem):
    """An item that does for a left click what it does for a middle click."""

    @method("Activate")
    def _on_activate(self, x: DBusInt32, y: DBusInt32) -> None:
        self._activate()


def item_class(env: Mapping[str, str]) -> type[StatusNotifierItem]:
    return ActivatedItem if is_lxqt(env) else StatusNotifierItem


def is_lxqt(env: Mapping[str, str]) -> bool:
    return "LXQT" in _desktops(env)


def item_path(env: Mapping[str, str]) -> str:
    return ITEM_PATH if _desktops(env).isdisjoint(("CINNAMON", "X-CINNAMON")) else AYATANA_PATH


def _desktops(env: Mapping[str, str]) -> set[str]:
    return set(env.get("XDG_CURRENT_DESKTOP", "").upper().split(":"))
