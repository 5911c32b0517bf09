"""Deskbell: the program that the person starts."""

VERSION = "0.1.0"
