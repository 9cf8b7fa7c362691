"""Finding what can be done, and reading about what is shown."""
