"""Decide what may be answered from outside the terminal, and how."""
