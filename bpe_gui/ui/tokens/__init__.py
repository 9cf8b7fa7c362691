"""How a text cut into tokens is laid out and painted; the token view puts it together."""
