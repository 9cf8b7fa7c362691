"""Tokenizers for scripts and notebooks: trained here or loaded from a file, with one interface.

`from bpe_gui import load, train` is all that is needed; this package also has the types. Nothing
imports Qt.

An error that the caller can correct is one sentence, the same as on the command line: CorpusError,
RecipeError, EncodingError or ExportError, all of them ValueErrors. A file that is missing or
unreadable raises Python's own OSError. What a generator of texts or a `progress` function raises
comes through unchanged. One thread at a time may use a tokenizer.
"""

from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.encodings.base import EncodingError, ExportError
from bpe_gui.library.api import RecipeKeys, load, train
from bpe_gui.library.results import EncodedText, Merge, MergeHistory, Pair
from bpe_gui.library.tokenizer import Tokenizer
from bpe_gui.progress import Progress

__all__ = [
    "CorpusError",
    "EncodedText",
    "EncodingError",
    "ExportError",
    "Merge",
    "MergeHistory",
    "Pair",
    "Progress",
    "Recipe",
    "RecipeError",
    "RecipeKeys",
    "Tokenizer",
    "load",
    "train",
]
