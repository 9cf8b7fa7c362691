"""The numbers that encodings are compared by, on one text or many."""
