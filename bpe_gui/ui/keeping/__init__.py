"""What is kept of a window: sessions, and what was there when the program ended."""
