"""Where encodings of a text differ, and the causes."""
