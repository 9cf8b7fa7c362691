"""The workspace that sets encodings side by side."""
