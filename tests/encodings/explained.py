"""Runs that are compared, and what is said of where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_gui.bpe.recipe import Recipe
from bpe_gui.encodings.alignment import Alignment, Cutter, align
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.cause import CauseKind
from bpe_gui.encodings.causes import cause
from bpe_gui.encodings.trained import TrainedEncoding
from tests.bpe.test_trainer import COURSE, trained

TRAINED_ON = [(sentence, 3) for sentence in COURSE]


def run(recipe: Recipe, corpus: list[tuple[str, int]] = TRAINED_ON) -> TrainedEncoding:
    return TrainedEncoding(trained(corpus, recipe).history)


def over(text: str, *encodings: Encoding, specials_as_text: Sequence[bool] = ()) -> Alignment:
    cuts = [
        Cutter(encoding).cut(text, specials_as_text=index in specials_as_text)
        for index, encoding in enumerate(encodings)
    ]
    return align(text, cuts)


def why(text: str, first: Encoding, second: Encoding) -> list[tuple[CauseKind, str]]:
    """Kind and sentence for each difference."""
    found = over(text, first, second)
    causes = [cause(found, index, 0, 1) for index in range(found.differences)]
    assert None not in causes
    return [(c.kind, c.sentence) for c in causes if c is not None]
