"""The most frequent pairs as bars."""
