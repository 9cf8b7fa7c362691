"""What can be done in the window: each action with its words and keys, as data."""
