"""Connect Deskbell to the desktop. The only room that imports pystray, desktop-notifier, watchdog, D-Bus and X."""
