"""What parts of the window that concern all of it are given."""
