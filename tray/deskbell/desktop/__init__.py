"""Connect Deskbell to the desktop. No other room imports pystray, desktop-notifier, watchdog, D-Bus or X."""
