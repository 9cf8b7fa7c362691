"""Encodings with one interface: those trained here, and those of other programs' files."""
