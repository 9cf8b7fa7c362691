"""The table of all tokens."""
