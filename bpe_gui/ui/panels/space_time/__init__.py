"""The text across and the run downwards: which merge removed each boundary."""
