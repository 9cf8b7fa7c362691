"""One module per panel of the window; panels do not import each other."""
