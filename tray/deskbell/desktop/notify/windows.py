"""Choose the backend of desktop-notifier for Windows."""

from desktop_notifier.backends.base import DesktopNotifierBackend

from deskbell.desktop.notify.notification import APP

NAME = "Windows"


def backend() -> DesktopNotifierBackend:
    from desktop_notifier.backends.winrt import WinRTDesktopNotifier

    return WinRTDesktopNotifier(APP)
