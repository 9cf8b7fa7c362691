"""What can be done in the window: actions with their words and keys, as data."""
