"""Guided tours as plain text: what they may say, how they are read and written. No Qt."""
