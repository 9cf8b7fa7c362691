"""Byte-Pair Encoding made visible: train, watch, scrub and compare tokenizers."""

__version__ = "0.1.0"
