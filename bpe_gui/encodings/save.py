"""Saving of a run in any format, and the check that the file encodes texts as the run does.

The file is loaded back by the library that defines the format, and `verify` compares its ids for
some texts with the run's own. minbpe cannot be installed: our own reader loads its files back, and
messages say so.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.bpe.corpus import Corpus, CorpusError
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.recipe import Alphabet, Recipe
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings import parallel_texts
from bpe_gui.encodings.base import EncodingError, ExportError, is_panic
from bpe_gui.encodings.formats import gpt2, huggingface_export, minbpe, tiktoken_ranks
from bpe_gui.encodings.formats.untrusted_files import read_bounded, to_text

_Encode = Callable[[Sequence[str]], Iterable[list[int]]]
_Load = Callable[[History, str | Path, int, bool | None], _Encode]


class Format(Struct, frozen=True):
    """Describe a format that a run can be saved in.

    name: its name on the command line.
    title: its name in the window.
    endings: the endings of file names that imply it; a new file gets the first. The empty one
        stands for a folder.
    write: saves a history to a path at a position. Raises ExportError, OSError.
    reader: the name of the program that loads a saved file back.
    renumbers: whether the format gives tokens other ids.
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
    def encode(texts: Sequence[str]) -> Iterator[list[int]]:
        # Only where tokens begin and end is left out, which takes two fifths of the time.
        for encoded in library.encode_batch_fast(list(texts), add_special_tokens=False):
            yield list(encoded.ids)

    return encode


def _load_tiktoken(
    history: History, path: str | Path, position: int, compiled: bool | None
) -> _Encode:
    pattern, specials = tiktoken_ranks.read_options(history)
    encoding = tiktoken_ranks.read(path, pattern, specials)
    return lambda texts: (encoding.encode(text).ids.tolist() for text in texts)


def _load_minbpe(
    history: History, path: str | Path, position: int, compiled: bool | None
) -> _Encode:
    encoding = minbpe.read(path, compiled=compiled)
    ids = minbpe.new_ids(history, position)
    ours = {new: old for old, new in enumerate(ids.tolist())}
    return lambda texts: (
        [ours.get(token, NO_TOKEN) for token in encoding.encode(text).ids.tolist()]
        for text in texts
    )


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
    """Check before a training that a format can hold a recipe. Raises ExportError."""
    if recipe.byte_level:
        recipe = recipe.with_changes(alphabet=Alphabet.BYTES, vocabulary_size=None)
    words = WordCounts.from_pairs([], recipe)
    with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
        # The path does not exist, so a format of several files creates a folder there.
        chosen.write(Trainer(words, recipe, compiled=False).history, Path(folder) / "any", None)


def format_named(name: str) -> Format:
    """Find a format by its name. Raises ExportError, which lists the names."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    meant = next((known.name for known in FORMATS if f".{name.lower()}" in known.endings), None)
    hint = f"; did you mean {meant}?" if meant else f"; choose one of {names}"
    raise ExportError(f"there is no format {name!r} to save in{hint}")


def format_of(path: str | Path) -> Format:
    """Find the format that a path implies, by the longest ending that fits; a folder is GPT-2's.

    Raises ExportError if there is none, and for a folder with the ending of a file but no slash.

    >>> format_of("NOVEL.JSON").name, format_of("novel-vocab.json").name
    ('tokenizer.json', 'gpt2')
    """
    name = Path(path).name.lower()
    if str(path).endswith(os.sep):
        return format_named("gpt2")
    fitting = [(e, known) for known in FORMATS for e in known.endings if e and name.endswith(e)]
    if Path(path).is_dir():
        if not fitting:
            return format_named("gpt2")
        raise ExportError(
            f"{path} is a folder, though its name ends like that of a file; name a file in it, or "
            "end it in a slash for GPT-2's vocab.json and merges.txt"
        )
    if not fitting:
        endings = ", ".join(known.endings[0] for known in FORMATS if known.name != "gpt2")
        raise ExportError(
            f"{path}: the name does not say which format is meant; end it in {endings} or "
            "vocab.json, or in a slash for a folder, or name the format"
        )
    return max(fitting, key=lambda pair: len(pair[0]))[1]


def save(
    history: History, path: str | Path, chosen: Format, corpus: Corpus | Texts | None
) -> Agreement:
    """Write a run if the reader of the format agrees with it on texts; returns the comparison.

    If it does not agree, nothing is written. The reader loads a file with the first 1,000 merges:
    they show how it normalizes, splits and spells texts and in which order it merges, and to load
    50,000 takes 50 times as long. Of a run that goes on from an encoding it loads all. The texts
    are a story in twenty languages and the beginning of the corpus, if that can be read again.
    Raises ExportError if the format cannot hold the run, and OSError.
    """
    position = len(history)
    if history.recipe.inherited is None:
        position = min(position, _MERGES_CHECKED)
    compiled = kernel_cache.is_ready(kernel_cache.Kernels.ENGINE)
    texts = chain(
        [parallel_texts.joined().text],
        slice_of(corpus) if corpus is not None else (),
    )
    with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
        trial = Path(folder) / "trial"
        chosen.write(history, trial, position)
        name = chosen.name
        agreement = verify(history, trial, texts, position, format_name=name, compiled=compiled)
    if agreement.agreed:
        chosen.write(history, path, None)
    return agreement if position == len(history) else replace(agreement, merges=position)


def explain_disagreement(chosen: Format, agreement: Agreement) -> str:
    """Explain why a run is not written if the reader of a format disagrees with it."""
    return f"{chosen.title} would be read differently: {agreement.sentence}"


def how_to_read(path: str | Path, split: str, special_tokens: Mapping[str, int]) -> str:
    """Say what to name with a file that holds neither its split nor its special tokens.

    Empty if there is nothing to name.

    >>> how_to_read("low.tiktoken", "gpt2", {"<end>": 0})
    "read it as low.tiktoken@gpt2 --special '<end>=0'"
    """
    named = shlex.quote(f"{path}@{split}") if split else shlex.quote(str(path))
    pairs = (shlex.quote(f"{text}={token}") for text, token in special_tokens.items())
    said = " ".join([named, *(f"--special {pair}" for pair in pairs)])
    return f"read it as {said}" if split or special_tokens else ""


def unsaved_special_tokens(history: History, chosen: Format) -> dict[str, int]:
    """List the special tokens, with their ids, that a format does not hold."""
    return tiktoken_ranks.read_options(history)[1] if chosen.name == "tiktoken" else {}


# -- the check after saving ------------------------------------------------------------------


_SLICE = 20_000
"""Bytes of a corpus, or words of a table, that a saved file is checked on."""

_MERGES_CHECKED = 1_000
"""Merges of a run with which a file is checked before the run is saved."""

_PIECE, _AT_ONCE = 10_000, 20
"""Characters of a text that is checked, and how many of them the library encodes in one call, on
all processors."""

_AROUND = 4
"""Ids before and after the first difference that are shown."""


class Mismatch(Struct, frozen=True):
    """Describe the first difference between the ids of a run and of its saved file.

    place: the index of the character at which the first differing token begins.
    ours, theirs: the ids around that token.
    """

    text: str
    place: int
    ours: tuple[int, ...]
    theirs: tuple[int, ...]


class Agreement(Struct, frozen=True):
    """Report the check of a saved file.

    characters: the size of the texts that were compared and agreed.
    mismatch: the first difference; None if there is none.
    problem: why the file could not be loaded back or used; empty if it could.
    finished: whether all texts were compared; False if the check was cancelled.
    renumbered: whether the format gives tokens other ids, which the comparison took into account.
    merges: with how many of the first merges the ids were compared; None if with all.
    """

    characters: int
    mismatch: Mismatch | None = None
    problem: str = ""
    finished: bool = True
    renumbered: bool = False
    merges: int | None = None

    @property
    def agreed(self) -> bool:
        """Tell whether the file could be checked and no text differed."""
        return self.mismatch is None and not self.problem

    @property
    def sentence(self) -> str:
        """Put the result into a sentence without its end."""
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
        if self.merges is not None:
            count += f" with the first {self.merges:,} merges"
        if self.renumbered:
            count += ", with ids that the format numbers anew"
        return count if self.finished else f"{count} until it was stopped"


def slice_of(corpus: Corpus | Texts, size: int = _SLICE) -> Iterator[str]:
    """Yield the beginning of a corpus for `verify`, in pieces: at most `size` bytes, or words of a
    table.

    Yields nothing of sources that can be read only once (standard input, a pipe), and ends where
    the corpus cannot be read.
    """
    try:
        if corpus.size is None:
            return
        if isinstance(corpus, Corpus) and corpus.word_counts:
            yield " ".join(word for word, _ in islice(corpus.counted_words(), size))
            return
        left = size
        for block in corpus.blocks():
            text = block.text[:left].decode("utf-8", "ignore")
            yield from (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
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

    cancelled: called before every 20 texts, so texts should be of moderate size.
    compiled: which form of the kernels tokenizes, as for `Tokenizer`.
    Raises ExportError only if no format is named and the path does not imply one.
    """
    chosen = format_of(path) if format_name is None else format_named(format_name)
    if position is None:
        position = len(history)
    renumbered = chosen.renumbers
    characters = 0
    try:
        encode = chosen._load(history, path, position, compiled)
        ours = Tokenizer(history, position, compiled=compiled)
        waiting = iter(texts)
        while batch := list(islice(waiting, _AT_ONCE)):
            if cancelled():
                return Agreement(characters, finished=False, renumbered=renumbered)
            for text, found in zip(batch, encode(batch), strict=True):
                mismatch = _compare(ours, found, text)
                if mismatch is not None:
                    return Agreement(characters, mismatch, renumbered=renumbered)
                characters += len(text)
    except (EncodingError, OSError, UnicodeEncodeError) as error:
        # The library does not accept names of files that are not UTF-8.
        return Agreement(characters, problem=f"it could not be checked: {error}")
    except BaseException as error:
        # The tokenizers library raises nothing more precise than Exception, or panics.
        if not (type(error) is Exception or is_panic(error)):
            raise
        return Agreement(characters, problem=f"it could not be loaded back: {error}")
    return Agreement(characters, renumbered=renumbered)


def _compare(ours: Tokenizer, found: list[int], text: str) -> Mismatch | None:
    ids = ours.encode_ids(text)
    ids = ours.history.own_ids(ids)
    expected = ids[ids != NO_TOKEN].tolist()  # libraries drop unknown characters
    if expected == found:
        return None
    tokens = ours.encode(text)
    known = np.flatnonzero(tokens.ids != NO_TOKEN)
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
    """Find the index of the first difference between two unequal lists.

    >>> _first_difference([1, 2, 3], [1, 3]), _first_difference([1], [1, 2])
    (1, 1)
    """
    for index, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return index
    return min(len(first), len(second))
