"""Hold the program that a person starts: the tray icon, the notifications and the commands."""

VERSION = "0.1.0"
