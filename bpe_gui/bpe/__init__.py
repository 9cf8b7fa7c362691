"""What Byte-Pair Encoding is: recipes, corpora, training, history, encoding. No Qt."""
