"""Several encodings of one text, one under the other and aligned to the byte."""
