"""Write and lock the small files of Deskbell, and tell whether a file has changed."""
