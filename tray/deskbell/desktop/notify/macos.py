"""Choose the backend of desktop-notifier for macOS."""

from desktop_notifier.backends.base import DesktopNotifierBackend

from deskbell.desktop.notify.notification import APP

NAME = "Notification Centre"


def backend() -> DesktopNotifierBackend:
    """Return the backend. macOS requires an application bundle: outside of one, return a backend that does nothing."""
    from desktop_notifier.backends.macos_support import is_bundle

    if not is_bundle():
        from desktop_notifier.backends.dummy import DummyNotificationCenter

        return DummyNotificationCenter(APP)
    from desktop_notifier.backends.macos import CocoaNotificationCenter

    return CocoaNotificationCenter(APP)
