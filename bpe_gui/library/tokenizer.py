"""The tokenizer of scripts and notebooks, trained or loaded."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from operator import index
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings import convert, parallel_texts, save
from bpe_gui.encodings.base import Encoding, EncodingError, ExportError
from bpe_gui.encodings.formats.untrusted_files import MAX_ID
from bpe_gui.encodings.import_history import history_of, pairs_in_order
from bpe_gui.files import check_writable
from bpe_gui.library.results import EncodedText, MergeHistory
from bpe_gui.library.run import Run
from bpe_gui.progress import counted

_Found = TypeVar("_Found")


class Tokenizer:
    """Encode and decode texts, list the merges, and save. `train` and `load` make it.

    >>> from bpe_gui import train
    >>> tokenizer = train(["low low lower"], preset="gpt2", merges=3)
    >>> tokenizer
    <Tokenizer 'gpt2': 259 tokens>
    >>> encoded = tokenizer.encode("low lower")
    >>> encoded.tokens, encoded.offsets
    (['low', 'Ġlow', 'e', 'r'], [(0, 3), (3, 7), (7, 8), (8, 9)])
    >>> tokenizer.decode(encoded.ids)
    'low lower'
    >>> tokenizer.at(1).encode("low lower").tokens
    ['lo', 'w', 'Ġ', 'lo', 'w', 'e', 'r']
    """

    def __init__(
        self,
        encoding: Encoding | Run,
        corpus: Corpus | Texts | None = None,
        *,
        name_at_end: str | None = None,
    ) -> None:
        self.name = encoding.name
        self._name_at_end = name_at_end or encoding.name
        self._encoding = encoding
        self._corpus = corpus
        self._text_of = cache(encoding.id_to_token)

    def __reduce__(self) -> tuple[Callable[..., Tokenizer], tuple[Encoding | Run, str]]:
        """Pickle and copy without the corpus, which may be a generator."""
        return _without_corpus, (self._encoding, self._name_at_end)

    def __repr__(self) -> str:
        return f"<Tokenizer {self.name!r}: {counted(len(self._encoding.ids), 'token')}>"

    def encode(self, text: str) -> EncodedText:
        """Turn a text into tokens; special tokens in it are found, and none are added.

        Raises EncodingError if a regular expression takes too long, or for half of a surrogate
        pair; TypeError if `text` is not a str.
        """
        spans = _encoded(self._encoding.encode, text)
        known = spans.ids != NO_TOKEN
        ids = spans.ids[known].tolist()
        starts, ends = spans.char_starts[known].tolist(), spans.char_ends[known].tolist()
        tokens = [self._text_of(token) for token in ids]
        closes_word = self._encoding.closes_word if isinstance(self._encoding, Run) else None
        offsets = list(zip(starts, ends, strict=True))
        return EncodedText(text, ids, tokens, offsets, spans, closes_word, self._content)

    def encode_ids(self, text: str) -> NDArray[np.int32]:
        """Turn a long text into ids alone: those of `encode`, in an array, many times faster.

        Raises as `encode`.

        >>> from bpe_gui import train
        >>> train(["low low lower"], preset="gpt2", merges=3).encode_ids("low low").tolist()
        [257, 258]
        """
        encoding = self._encoding
        if isinstance(encoding, Run):
            ids = _encoded(encoding.encode_ids, text)
        else:
            ids = _encoded(encoding.encode, text).ids
        known: NDArray[np.int32] = ids[ids != NO_TOKEN]
        return known

    def decode(self, ids: Iterable[int]) -> str:
        """Decode ids to text; bytes that are not UTF-8 become U+FFFD.

        Raises EncodingError for an unknown id, TypeError for anything but integers.
        """
        if isinstance(ids, EncodedText):
            raise TypeError("decode takes ids; pass the .ids of the encoded text")
        try:
            known = list(map(index, ids))
        except TypeError:
            raise TypeError(f"decode takes the ids of tokens, not {ids!r:.40}") from None
        for token in (min(known, default=0), max(known, default=0)):
            if not 0 <= token <= MAX_ID:
                raise EncodingError(f"{self.name} has no token with the id {token}")
        return self._encoding.decode(known)

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """Map every token, as the vocabulary spells it, to its id, in the order of the ids.

        It cannot be changed; `dict(tokenizer.vocab)` is a copy that can.
        """
        return MappingProxyType({self._text_of(id_): id_ for id_ in sorted(self._encoding.ids)})

    @property
    def merges(self) -> list[tuple[str, str]]:
        """List the two tokens of every merge, in the order of the merges.

        Raises ExportError if the loaded file has no merges, or does not hold them.
        """
        return list(self._merges)

    @cached_property
    def _merges(self) -> list[tuple[str, str]]:
        if isinstance(self._encoding, Run):
            history = self._encoding.history
            sides = (
                map(history.id_to_token, side.tolist()) for side in (history.left, history.right)
            )
            return list(zip(*sides, strict=True))
        pairs = pairs_in_order(self._encoding)
        return [(self._text_of(left), self._text_of(right)) for left, right in pairs]

    @property
    def history(self) -> MergeHistory:
        """List the merges with all that is known about each.

        Raises ExportError, which says why, if a loaded tokenizer cannot be rebuilt merge by merge.
        """
        history = self._run.history
        return MergeHistory(history, range(len(history)))

    def at(self, merges: int) -> Tokenizer:
        """Make the tokenizer as it was after that many merges; tokens keep their ids.

        Raises IndexError if there are fewer merges, ExportError as `history` does, TypeError for
        anything but an integer.
        """
        history, merges = self._run.history, index(merges)
        if not 0 <= merges <= len(history):
            raise IndexError(
                f"{self.name} has {counted(len(history), 'merge')}; choose a number from 0 to "
                f"{len(history):,}, not {merges:,}"
            )
        name = f"{self._name_at_end} at {counted(merges, 'merge')}"
        run = Run(history.until(merges), name, self._run.ids)
        return Tokenizer(run, self._corpus, name_at_end=self._name_at_end)

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the tokenizer to a file, whole or not at all.

        format: "tokenizer.json", "tiktoken", "gpt2" (vocab.json and merges.txt) or "minbpe". By
            default the name tells: x.json, x.tiktoken, vocab.json or a folder, x.model.

        The library of the format first reads a file with the first 1,000 merges, and is compared
        on texts in many languages. Raises ExportError if it encodes one differently, or if the
        format cannot hold a part of the tokenizer; OSError. Warns if special tokens have to be
        named to `load`.
        """
        path = os.fspath(path)
        if not path:
            raise ExportError("the name of a file is empty")
        if not isinstance(self._encoding, Run):
            texts = parallel_texts.sample_texts()
            converted = convert.convert(self._encoding, path, texts, format)
            _warn_of_special_tokens(path, converted.split, converted.special_tokens)
            return
        chosen = save.format_of(path) if format is None else save.format_named(format)
        self._encoding.check_own_ids()
        if "" not in chosen.endings:
            check_writable(path)
        agreement = save.save(self._encoding.history, path, chosen, self._corpus)
        if not agreement.agreed:
            problem = save.explain_disagreement(chosen, agreement)
            raise ExportError(f"{path} is not written, because {problem}")
        lost = save.unsaved_special_tokens(self._encoding.history, chosen)
        _warn_of_special_tokens(path, self._encoding.history.recipe.split, lost)

    def _content(self, token: int) -> bytes:
        """Return the bytes that a token stands for, none for the unknown token."""
        encoding = self._encoding
        is_unknown = not isinstance(encoding, Run) and encoding.is_unknown(token)
        return b"" if is_unknown else encoding.token_bytes(token)

    @cached_property
    def _run(self) -> Run:
        """Rebuild the encoding as a run. Raises ExportError if the run encodes differently."""
        if isinstance(self._encoding, Run):
            return self._encoding
        history = history_of(self._encoding)
        size = history.vocabulary_size(len(history))
        ids = [self.vocab[history.id_to_token(token)] for token in range(size)]
        run = Run(history, self.name, ids)
        rebuilt = Tokenizer(run)
        for language in parallel_texts.languages().values():
            if rebuilt.encode(language.text).ids != self.encode(language.text).ids:
                raise ExportError(
                    f"{self.name} cannot be rebuilt merge by merge: its merges alone encode texts "
                    f"differently, in {language.name} for example"
                )
        return run


def _without_corpus(encoding: Encoding | Run, name_at_end: str) -> Tokenizer:
    """Make a tokenizer from what was pickled or copied of it."""
    return Tokenizer(encoding, name_at_end=name_at_end)


def _warn_of_special_tokens(path: str, split: str, special_tokens: Mapping[str, int]) -> None:
    """Warn of special tokens that a saved file does not hold."""
    if special_tokens:
        how = f"load({f'{path}@{split}'!r}, special_tokens={dict(special_tokens)!r})"
        warnings.warn(f"{path} does not hold the special tokens; read it as {how}", stacklevel=3)


def _encoded(encode: Callable[[str], _Found], text: str) -> _Found:
    """Encode a text, and say what is wrong with one that cannot be."""
    if not isinstance(text, str):
        raise TypeError(f"a text to encode is a str, not {type(text).__name__}")
    try:
        return encode(text)
    except UnicodeEncodeError as error:
        raise EncodingError(
            f"the text has half of a surrogate pair at character {error.start}, which cannot "
            "be encoded; replace it"
        ) from None
