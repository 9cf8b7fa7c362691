"""Where in the corpus a token or a pair occurs, with the text around it."""
