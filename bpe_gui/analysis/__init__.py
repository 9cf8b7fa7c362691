"""What views ask about a run: why a pair won, how a token came to be, what a split blocks."""
