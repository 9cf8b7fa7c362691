"""The way from a text to its ids, laid open: what each stage made of the one before it."""
