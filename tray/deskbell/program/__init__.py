"""Run the program: its parts, its loop, its clicks, and what breaks. Only `deskbell run` needs this room."""
