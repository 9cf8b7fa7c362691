"""The formats that encodings are read from and written to, and what these share."""
