"""Decide what rings, when and why, and word what it says."""
