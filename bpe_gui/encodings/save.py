"""Saving a run in any format, and making sure that what was saved cuts texts the same way.

After a save the file is loaded back by the library that defines the format and asked for the
ids of some texts; `verify` compares them with the run's own. minbpe is no library that can be
installed: its files are loaded back by our own reader, which is all that is said of them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.bpe.corpus import Corpus, CorpusError
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.recipe import Alphabet, Recipe
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.training import SMALL
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings import gpt2, huggingface_export, minbpe, parallel_texts, tiktoken_ranks
from bpe_gui.encodings.base import EncodingError, ExportError, is_panic
from bpe_gui.encodings.reading import read_bounded, to_text

_Encode = Callable[[str], list[int]]
_Load = Callable[[History, str | Path, int, bool | None], _Encode]


@dataclass(frozen=True, slots=True)
class Format:
    """A way to save a run.

    name: what the command line calls it.
    title: what the window calls it.
    endings: of file names that stand for it, the first is what a new file gets. The empty
        one stands for a folder.
    write: saves a history at a path and position. Raises ExportError, OSError.
    reader: what loads a saved file back, in words.
    renumbers: whether the format has ids of its own for the same tokens.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    write: Callable[[History, str | Path, int | None], None]
    _load: _Load
    reader: str
    renumbers: bool = False


def _load_huggingface(
    history: History, path: str | Path, position: int, compiled: bool | None
) -> _Encode:
    return _encode_with(LibraryTokenizer.from_str(to_text(read_bounded(path), path, "JSON")))


def _load_gpt2(
    history: History, path: str | Path, position: int, compiled: bool | None
) -> _Encode:
    vocabulary, merges = gpt2.pair_of(path)
    model = models.BPE.from_file(str(vocabulary), str(merges))
    return _encode_with(gpt2.to_library(model, history.recipe.special_tokens))


def _encode_with(library: LibraryTokenizer) -> _Encode:
    return lambda text: list(library.encode(text, add_special_tokens=False).ids)


def _load_tiktoken(
    history: History, path: str | Path, position: int, compiled: bool | None
) -> _Encode:
    pattern, specials = tiktoken_ranks.read_options(history)
    encoding = tiktoken_ranks.read(path, pattern, specials)
    return lambda text: list(encoding.encode(text).ids.tolist())


def _load_minbpe(
    history: History, path: str | Path, position: int, compiled: bool | None
) -> _Encode:
    encoding = minbpe.read(path, compiled=compiled)
    ids = minbpe.new_ids(history, position)
    ours = {new: old for old, new in enumerate(ids.tolist())}
    return lambda text: [ours.get(token, NO_TOKEN) for token in encoding.encode(text).ids.tolist()]


FORMATS = (
    Format(
        "tokenizer.json",
        "Hugging Face tokenizer.json",
        (".json",),
        huggingface_export.write,
        _load_huggingface,
        "the tokenizers library",
    ),
    Format(
        "tiktoken",
        "tiktoken ranks",
        (".tiktoken",),
        tiktoken_ranks.write,
        _load_tiktoken,
        "the tiktoken library",
    ),
    Format(
        "gpt2",
        "GPT-2's vocab.json + merges.txt",
        ("vocab.json", "merges.txt", "encoder.json", "vocab.bpe", ""),
        gpt2.write,
        _load_gpt2,
        "the tokenizers library",
    ),
    Format(
        "minbpe",
        "minbpe .model",
        (".model",),
        minbpe.write,
        _load_minbpe,
        "bpe-gui's own reader",
        renumbers=True,
    ),
)
"""All formats that a run can be saved in."""


def check_recipe(recipe: Recipe, chosen: Format) -> None:
    """Raise ExportError, before a training, for what no training with a recipe can change."""
    if recipe.byte_level:
        recipe = recipe.with_changes(alphabet=Alphabet.BYTES, vocabulary_size=None)
    words = WordCounts.from_pairs([], recipe)
    with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
        # In a folder that is not there, a format of several files makes one.
        chosen.write(Trainer(words, recipe, compiled=False).history, Path(folder) / "any", None)


def format_named(name: str) -> Format:
    """The format of that name. Raises ExportError naming the known ones."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    raise ExportError(f"there is no format {name!r} to save in; the formats are {names}")


def format_of(path: str | Path) -> Format:
    """The format that a path stands for, by the longest ending that fits; a folder is GPT-2's.

    Raises ExportError if none does.
    """
    name = Path(path).name
    if Path(path).is_dir() or str(path).endswith(os.sep):
        return format_named("gpt2")
    fitting = [(e, known) for known in FORMATS for e in known.endings if e and name.endswith(e)]
    if not fitting:
        endings = ", ".join(known.endings[0] for known in FORMATS if known.name != "gpt2")
        raise ExportError(
            f"{path}: the name does not say which format is meant; end it in {endings} or "
            "vocab.json, or name a folder with a slash at its end"
        )
    return max(fitting, key=lambda pair: len(pair[0]))[1]


def save(
    history: History, path: str | Path, chosen: Format, corpus: Corpus | Texts | None
) -> Agreement:
    """Write a run once what reads its format agrees with us; returns in what they do.

    If it does not, nothing is written. The texts that are compared are a story in twenty
    languages and the beginning of the corpus, if that can be read again. Raises ExportError if
    the format cannot hold the run, and OSError.
    """
    compiled = history.corpus_bytes > SMALL and kernel_cache.is_ready(kernel_cache.Part.ENGINE)
    size = _SLICE if compiled else SMALL
    texts = chain(
        (language.text for language in parallel_texts.languages().values()),
        slice_of(corpus, size) if corpus is not None else (),
    )
    with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
        trial = Path(folder) / "trial"
        chosen.write(history, trial, None)
        agreement = verify(history, trial, texts, format_name=chosen.name, compiled=compiled)
    if agreement.agreed:
        chosen.write(history, path, None)
    return agreement


def explain_disagreement(chosen: Format, agreement: Agreement) -> str:
    """Why a run is not written in a format that does not agree with us."""
    return f"{chosen.title} would not be read as it is meant: {agreement.sentence}"


# -- the check after saving ------------------------------------------------------------------


_SLICE = 1_000_000
"""Bytes of a corpus, or words of a table, that a saved file is tried on."""

_AROUND = 4
"""So many ids before and after the first difference are shown."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first place where what was saved cuts a text otherwise.

    place: the character of the text at which the first token begins that differs.
    ours, theirs: the ids from a few before that token to a few after it.
    """

    text: str
    place: int
    ours: tuple[int, ...]
    theirs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the check of a saved file found.

    characters: how many were compared and agreed.
    mismatch: the first difference, None if there was none.
    problem: why the file could not be loaded back or asked, empty if it could.
    finished: whether all texts were looked at, rather than cancelled before.
    renumbered: whether the format has ids of its own; ours were compared as they stand there.
    """

    characters: int
    mismatch: Mismatch | None = None
    problem: str = ""
    finished: bool = True
    renumbered: bool = False

    @property
    def agreed(self) -> bool:
        """Whether all that was looked at agreed, and there was something to look at."""
        return self.mismatch is None and not self.problem

    @property
    def sentence(self) -> str:
        """What a badge says."""
        if self.problem:
            return self.problem
        if self.mismatch is not None:
            ours, theirs = (
                " ".join(map(str, ids)) or "no ids"
                for ids in (self.mismatch.ours, self.mismatch.theirs)
            )
            return (
                f"differs at character {self.mismatch.place + 1:,}: "
                f"{ours} here, {theirs} in the file"
            )
        count = f"{self.characters:,} character{'' if self.characters == 1 else 's'} agreed"
        if self.renumbered:
            count += ", with ids that the format numbers anew"
        return count if self.finished else f"{count} until it was stopped"


def slice_of(corpus: Corpus | Texts, size: int = _SLICE) -> Iterator[str]:
    """The beginning of a corpus, so many bytes or words of a table, in pieces for `verify`.

    Nothing of what can be read only once (standard input, a pipe), and no more if it cannot be
    read now.
    """
    try:
        if corpus.size is None:
            return
        if isinstance(corpus, Corpus) and corpus.word_counts:
            yield " ".join(word for word, _ in islice(corpus.counted_words(), size))
            return
        left = size
        for block in corpus.blocks():
            yield block.text[:left].decode("utf-8", "ignore")
            left -= len(block.text)
            if left <= 0:
                return
    except (CorpusError, OSError):
        return


def verify(
    history: History,
    path: str | Path,
    texts: Iterable[str],
    position: int | None = None,
    *,
    format_name: str | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    compiled: bool | None = None,
) -> Agreement:
    """Load a saved file back and compare its ids for some texts with the run's own.

    `cancelled` is asked before each text: give them in pieces of a moderate size. `compiled`
    says which form of the kernels cuts them, as for `Tokenizer`. Raises ExportError only if
    the path does not tell the format and no name is given.
    """
    chosen = format_of(path) if format_name is None else format_named(format_name)
    if position is None:
        position = len(history)
    renumbered = chosen.renumbers
    characters = 0
    try:
        encode = chosen._load(history, path, position, compiled)
        ours = Tokenizer(history, position, compiled=compiled)
        for text in texts:
            if cancelled():
                return Agreement(characters, finished=False, renumbered=renumbered)
            mismatch = _compare(ours, encode, text)
            if mismatch is not None:
                return Agreement(characters, mismatch, renumbered=renumbered)
            characters += len(text)
    except (EncodingError, OSError, UnicodeEncodeError) as error:
        # The library does not take names of files that are no UTF-8.
        return Agreement(characters, problem=f"it could not be checked: {error}")
    except BaseException as error:
        # The tokenizers library raises nothing more precise than Exception, or panics.
        if not (type(error) is Exception or is_panic(error)):
            raise
        return Agreement(characters, problem=f"it could not be loaded back: {error}")
    return Agreement(characters, renumbered=renumbered)


def _compare(ours: Tokenizer, encode: _Encode, text: str) -> Mismatch | None:
    tokens = ours.encode(text)
    known = np.flatnonzero(tokens.ids != NO_TOKEN)  # what libraries leave out
    expected, found = tokens.ids[known].tolist(), encode(text)
    if expected == found:
        return None
    place = _first_difference(expected, found)
    begins = tokens.char_starts[known].tolist()
    window = slice(max(place - _AROUND, 0), place + _AROUND + 1)
    return Mismatch(
        text,
        begins[place] if place < len(begins) else len(text),
        tuple(expected[window]),
        tuple(found[window]),
    )


def _first_difference(first: Sequence[int], second: Sequence[int]) -> int:
    """The index of the first difference between two unequal lists.

    >>> _first_difference([1, 2, 3], [1, 3]), _first_difference([1], [1, 2])
    (1, 1)
    """
    for index, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return index
    return min(len(first), len(second))
