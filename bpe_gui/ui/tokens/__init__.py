"""Lay out and paint a tokenized text; the token view puts it together."""
