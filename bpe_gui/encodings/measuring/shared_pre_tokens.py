"""The pre-tokens of a corpus, counted once for all encodings that split texts alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from copy import copy
from threading import Lock

from msgspec import Struct, field

from bpe_gui.analysis.pre_token_counts import (
    NotSeparateError,
    PreTokenCounts,
    count_pre_tokens,
)
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import PatternError, RecipeError
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.words import Documents
from bpe_gui.encodings.ours import SharedCuts
from bpe_gui.encodings.rebuilt import Samples

_CHECK_EVERY = 0.05
"""Seconds between two looks at whether counts that another thread makes are still wanted."""


class CountedCorpus(Struct, frozen=True, eq=False):
    """What a corpus has of pre-tokens, and samples of it that a library is to encode as well.

    skipped_files: names and sizes of files in folders that are no text.
    cuts: what the merges of runs do to the pre-tokens.
    """

    pre_tokens: PreTokenCounts
    samples: list[bytes]
    skipped_files: Mapping[str, int]
    cuts: SharedCuts = field(default_factory=SharedCuts)


class SharedPreTokens:
    """Counts a corpus when it is asked to, once for every split; any thread may ask."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._lock = Lock()
        self._found: dict[tuple[str, tuple[str, ...]], Future[CountedCorpus | None]] = {}

    def of(
        self,
        recipe: Recipe,
        specials: tuple[str, ...],
        *,
        check: Callable[[], None],
        progress: Callable[[int], object],
    ) -> CountedCorpus | None:
        """Count the corpus as a recipe splits it, or take what was counted before.

        Returns None if the pre-tokens do not tell all: if they are not separate, or if one of the
        special tokens occurs. `check` and `progress` are as for `count_pre_tokens`, which raises
        CorpusError.
        """
        with self._lock:
            key = recipe.split, specials
            future = self._found.get(key)
            is_first = future is None
            if future is None:
                future = self._found[key] = Future()
        if is_first:
            try:
                future.set_result(self._count(recipe, specials, check, progress))
            except BaseException as error:
                future.set_exception(error)  # for those who wait
                raise
        while not wait([future], _CHECK_EVERY).done:
            check()
        return future.result()

    def _count(
        self,
        recipe: Recipe,
        specials: tuple[str, ...],
        check: Callable[[], None],
        progress: Callable[[int], object],
    ) -> CountedCorpus | None:
        choosing = Samples()
        samples: list[bytes] = []
        written = [token.encode("utf-8") for token in specials]

        def look(found: Documents) -> None:
            if any(token in found.text for token in written):
                raise NotSeparateError
            samples.extend(choosing.take(found.text, found.ends))

        corpus = copy(self._corpus)  # each notes for itself what it has skipped
        try:
            counts = count_pre_tokens(corpus, recipe, look=look, check=check, progress=progress)
        except (NotSeparateError, PatternError, RecipeError):
            return None  # to measure the text as a whole succeeds, or says what is wrong
        return CountedCorpus(counts, samples, corpus.skipped_files)
