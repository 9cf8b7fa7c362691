"""Runs that are compared, and the causes of where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_gui.bpe.recipe import Recipe
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.differences.alignment import Alignment, CachedEncoder, align
from bpe_gui.encodings.differences.causes import Cause
from bpe_gui.encodings.differences.find_causes import causes
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.test_trainer import COURSE, trained

TRAINED_ON = [(sentence, 3) for sentence in COURSE]


def run(recipe: Recipe, corpus: list[tuple[str, int]] = TRAINED_ON) -> TrainedEncoding:
    return TrainedEncoding(trained(corpus, recipe).history)


def over(text: str, *encodings: Encoding, specials_as_text: Sequence[int] = ()) -> Alignment:
    cuts = [
        CachedEncoder(encoding).encode(text, specials_as_text=index in specials_as_text)
        for index, encoding in enumerate(encodings)
    ]
    return align(text, cuts)


def why(text: str, first: Encoding, second: Encoding) -> list[tuple[Cause, ...]]:
    """The causes of each difference."""
    found = over(text, first, second)
    return [causes(found, index, 0, 1) for index in range(found.differences)]


def all_causes(text: str, first: Encoding, second: Encoding) -> list[Cause]:
    """The causes of all differences."""
    return [cause for those in why(text, first, second) for cause in those]


def kinds(text: str, first: Encoding, second: Encoding) -> list[list[type[Cause]]]:
    """The kinds of the causes of each difference."""
    return [[type(cause) for cause in those] for those in why(text, first, second)]
