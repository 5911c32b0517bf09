"""What is there, and what is it doing? From the files of hooks and client to the truth of every session."""
