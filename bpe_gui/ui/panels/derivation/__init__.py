"""How a word is tokenized, merge by merge."""
