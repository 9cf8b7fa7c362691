"""A token, the tree of its merges, and what is made of it."""
