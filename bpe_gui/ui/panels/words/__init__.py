"""The words of the corpus as they are tokenized."""
