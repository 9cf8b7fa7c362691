"""The functions that make tokenizers: `train` and `load`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.corpus import Corpus, CorpusError, CorpusOptions, Hint
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.bpe.recipe import preset as preset_named
from bpe_gui.bpe.remote_files import Url, is_url, path_or_url
from bpe_gui.bpe.training import recipe_with, train_corpus
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.load import ONLY_FOR_RANKS, open_encoding, takes_special_tokens
from bpe_gui.library.run import Run, log_compiling
from bpe_gui.library.tokenizer import Tokenizer
from bpe_gui.progress import Progress, bars

_ARGUMENTS: dict[str, str] = {
    Hint.NAME_ENCODING: "name the encoding it is written in with encoding=",
    Hint.REPLACE: "have what cannot be read replaced with replace_errors=True",
    Hint.NAME_FIELD: "name the one that holds the text with json_field=",
}
"""The arguments of `train` that help with a file that cannot be read."""

_MAX_PATH = 4096
"""Characters of a text that are tried as the name of a file."""

_TRIED = 10
"""Texts that are tried as names of files."""


_NUMBERS = ("vocab_size", "vocabulary_size", "merges", "min_frequency")
"""Keys whose values are whole numbers."""


class RecipeKeys(TypedDict, total=False):
    """List the keys of a recipe, with the types of their values in its JSON file."""

    name: str
    description: str
    normalizers: Sequence[str | Mapping[str, str]]
    split: str | Mapping[str, str]
    symbols: Literal["bytes", "characters"]
    end_of_word: Literal["none", "own", "joined"]
    alphabet: Literal["bytes", "observed"]
    byte_fallback: bool
    vocabulary_size: int | None
    merges: int | None
    min_frequency: int
    special_tokens: Sequence[str]
    reserved_tokens: Sequence[str]
    lstrip_tokens: Sequence[str]
    rstrip_tokens: Sequence[str]
    single_word_tokens: Sequence[str]
    normalized_tokens: Sequence[str]
    unknown_token: str | None
    ties: Literal["first-seen", "lowest-id"]


def train(
    corpus: str | os.PathLike[str] | Iterable[str] | Iterable[os.PathLike[str]],
    *,
    preset: str | None = None,
    recipe: str | os.PathLike[str] | Mapping[str, Any] | Recipe | None = None,
    vocab_size: int | None = None,
    documents: Literal["file", "line"] = "file",
    encoding: str | None = None,
    replace_errors: bool = False,
    json_field: str = "text",
    progress: bool | Progress = False,
    **changes: Unpack[RecipeKeys],
) -> Tokenizer:
    """Train a tokenizer.

    corpus: a str or PathLike is the path of a file or folder, a str such as "https://..." its URL;
        an iterable of PathLikes is several of them; an iterable of str is texts, each of them a
        document.
    preset: the name of an included recipe; "gpt2" if there is no `recipe` either.
    recipe: instead of a preset, the path of a recipe file, its content, or a Recipe.
    vocab_size: the vocabulary size at which training stops, special tokens and single symbols
        included; the same as the key `vocabulary_size`.
    changes: keys of a recipe (`RecipeKeys`) that replace those of the preset or recipe. `merges`
        removes the limit of the vocabulary size unless that is given, too.
    documents, encoding, replace_errors, json_field: how files are read, see `CorpusOptions`; only
        `replace_errors` applies to texts.
    progress: True for a bar, or a function, see `Progress`. An exception in it ends the training.

    The first corpus of more than 100 kB compiles the loops of training, which takes half a minute
    and is reported to `progress`, or else logged; until then smaller ones are interpreted.

    Raises CorpusError, RecipeError, OSError if a file is missing or unreadable, and TypeError if
    `corpus` is something else: a set, whose texts have no order, or strings that are the names of
    files or nothing but URLs.

    >>> texts = ["low low low low low lower lower", "newest newest newest newest newest newest"]
    >>> tokenizer = train([*texts, "widest widest widest"], preset="whitespace", merges=4)
    >>> tokenizer.merges
    [('e', 's'), ('es', 't'), ('est', '</w>'), ('l', 'o')]
    """
    wanted = recipe_with(_recipe(preset, recipe), _changes(vocab_size, changes))
    with _errors_for_callers(corpus), _reporting(progress) as tell:
        source = _corpus(corpus, CorpusOptions(documents, encoding, replace_errors, json_field))
        history = train_corpus(source, wanted, tell)
    return Tokenizer(Run(history, wanted.name), source)


def load(
    source: str | os.PathLike[str],
    *,
    special_tokens: Mapping[str, int] | str | None = None,
    progress: bool | Progress = False,
) -> Tokenizer:
    """Load a tokenizer of any format; the format is detected from the content.

    source: a file or folder; "ranks.tiktoken@SPLIT", where the split is a known name (gpt2,
        cl100k_base, ...) or a regular expression, which is guessed for the files of GPT, Llama,
        Qwen and Whisper; "tiktoken:NAME", or "hub:NAME" of the Hugging Face hub, which are
        downloaded if necessary.
    special_tokens: those of a rank file with their ids, or the name of an encoding of tiktoken
        that has them. Other formats name their special tokens themselves.
    progress: as for `train`.

    Raises EncodingError if it is not an encoding, OSError if a file is missing or unreadable, and
    TypeError for arguments of other types.
    """
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"a source is a str or a path, not {type(source).__name__}")
    spec = source if isinstance(source, str) else Path(source)
    specials = _special_tokens(special_tokens)
    with _reporting(progress) as tell:
        try:
            if specials is not None and not takes_special_tokens(str(spec)):
                raise EncodingError(f"special_tokens {ONLY_FOR_RANKS}")
            return Tokenizer(open_encoding(spec, special_tokens=specials, progress=tell))
        except FileNotFoundError as error:
            if isinstance(source, str):
                error.add_note(
                    "A str without a prefix is a path; write tiktoken:NAME for an encoding of "
                    "tiktoken, and hub:NAME for one of the Hugging Face hub."
                )
            raise


# -- arguments -----------------------------------------------------------------------------------


def _recipe(
    preset: str | None, recipe: str | os.PathLike[str] | Mapping[str, Any] | Recipe | None
) -> Recipe:
    if recipe is None:
        return preset_named(preset or "gpt2")
    if preset is not None:
        raise RecipeError("both a preset and a recipe are given; leave one of them out")
    if isinstance(recipe, Recipe):
        return recipe
    if isinstance(recipe, Mapping):
        return recipe_io.from_object({"recipe": recipe_io.VERSION, **_as_json(recipe)})
    return recipe_io.load(os.fspath(recipe))


def _changes(vocab_size: int | None, keys: Mapping[str, Any]) -> dict[str, object]:
    """Parse the fields of a recipe to change. Raises RecipeError."""
    given = _as_json(keys)
    for key, value in {"vocab_size": vocab_size, **given}.items():
        is_number = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if key in _NUMBERS and value is not None and not is_number:
            raise RecipeError(f"{key} must be a whole number, not {value!r:.40}")
    if vocab_size is not None:
        if "vocabulary_size" in given:
            raise RecipeError(
                "vocab_size and vocabulary_size are the same; leave one of them out"
            )
        given.update(_as_json({"vocabulary_size": vocab_size}))
    return recipe_io.fields_from_json(given)


def _as_json(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Turn tuples into lists, and numpy's numbers into Python's. Raises RecipeError for a set.

    >>> _as_json({"special_tokens": ("<end>",), "merges": np.int64(5)})
    {'special_tokens': ['<end>'], 'merges': 5}
    """
    found = dict(keys)
    for key, value in keys.items():
        if isinstance(value, tuple):
            found[key] = list(value)
        elif isinstance(value, np.integer):
            found[key] = int(value)
        elif isinstance(value, set | frozenset):
            raise RecipeError(f"the value of {key!r} must be a list, because a set has no order")
    return found


def _corpus(corpus: object, options: CorpusOptions) -> Corpus | Texts:
    """Tell paths from texts by their types. Raises CorpusError, TypeError."""
    if isinstance(corpus, str | os.PathLike):
        return Corpus([_source(corpus)], options)
    if isinstance(corpus, bytes | Mapping | Set) or not isinstance(corpus, Iterable):
        raise TypeError(
            f"a corpus is a path, several paths or several texts, not {type(corpus).__name__}"
        )
    items = iter(corpus)
    first = next(items, "")
    if isinstance(first, os.PathLike):
        return Corpus([_source(path) for path in chain([first], items)], options)
    tried = [first, *islice(items, _TRIED - 1)]
    for text in tried:
        if isinstance(text, str) and os.path.isfile(text[:_MAX_PATH]):
            raise TypeError(
                f"the text {text[:_MAX_PATH]} is the name of a file; give its path as "
                "Path(...) to train on what it holds"
            )
    if all(isinstance(text, str) and is_url(text) for text in tried):
        raise TypeError(
            f"the text {tried[0][:_MAX_PATH]} is a URL; give it as a str, not in a list, to train "
            "on what is there, and several as one URL with a *"
        )
    if options != CorpusOptions(replace_errors=options.replace_errors):
        raise CorpusError(
            "documents, encoding and json_field are for files; leave them out, because every text "
            "is a document"
        )
    return Texts(chain(tried, items), replace_errors=options.replace_errors)


@contextmanager
def _errors_for_callers(corpus: object) -> Iterator[None]:
    """Turn a CorpusError into the OSError that caused it, or say which argument helps."""
    try:
        yield
    except CorpusError as error:
        cause = error.__cause__
        if not isinstance(cause, OSError):
            raise CorpusError(error.sentence(_ARGUMENTS)) from error
        if isinstance(corpus, str) and not (is_url(corpus) or os.path.exists(corpus)):
            cause.add_note("A str is a path; to train on a text itself, put it in a list.")
        raise cause from None


def _source(source: str | os.PathLike[str]) -> Path | Url:
    if not os.fspath(source):
        raise CorpusError("the name of a file is empty")
    return path_or_url(source) if isinstance(source, str) else Path(source)


def _special_tokens(given: object) -> dict[str, int] | str | None:
    """Check special tokens and their ids, which may be numbers of numpy. Raises TypeError.

    >>> _special_tokens({"<end>": np.int64(300)})
    {'<end>': 300}
    """
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(
            "special_tokens is a dict of texts and their ids, or the name of an encoding of "
            f"tiktoken, not {type(given).__name__}"
        )
    for text, token in given.items():
        if not isinstance(text, str) or not isinstance(token, int | np.integer):
            raise TypeError(f"special_tokens maps texts to ids, not {text!r} to {token!r}")
    return {text: int(token) for text, token in given.items()}


# -- progress ------------------------------------------------------------------------------------


@contextmanager
def _reporting(progress: bool | Progress) -> Iterator[Progress]:
    """Choose the function to call with the progress: a bar, the caller's, or the log.

    Raises TypeError for anything else.
    """
    if not isinstance(progress, bool) and not callable(progress):
        raise TypeError(f"progress is True, False or a function, not {type(progress).__name__}")
    if progress is True:
        from tqdm.auto import tqdm

        with bars(tqdm) as tell:
            yield tell
    else:
        yield progress or log_compiling
