"""Decide what may be answered from outside of a session's terminal, and how."""
