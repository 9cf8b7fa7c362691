"""Byte-pair encodings from elsewhere as runs of ours, of which every position can be asked for.

What was saved here and opened again has its merges, and so have most encodings of others; what
is missing is the recipe that they belong to. It is found, or the encoding is refused. Whether
the run cuts a text as the encoding does is for the caller to see: a regex may mean something
else to the library that reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import BaseVocabulary, History
from bpe_gui.bpe.recipe import REGEX, SPLITS, Alphabet, Recipe
from bpe_gui.bpe.recipe_error import RecipeError
from bpe_gui.encodings.base import Encoding, ExportError, Model
from bpe_gui.encodings.byte_merges import ByteMerges, merges_of
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.huggingface_recipe import recipe_of
from bpe_gui.encodings.reading import shown
from bpe_gui.encodings.split_patterns import NAMED_PATTERNS, SPLIT_PATTERNS


def as_run(encoding: Encoding) -> History:
    """The merges of an encoding as a history, with a recipe that reads texts as it does.

    Its ids are those that training would give. Raises ExportError if the merges are not known,
    or go with steps that no recipe has. It may take a second; an encoding is asked by one
    thread at a time.
    """
    if encoding.model is not Model.BPE:
        raise ExportError(f"{encoding.name} has no merges, for it is {encoding.model}")
    try:
        if isinstance(encoding, HuggingFaceEncoding):
            return _of_huggingface(encoding)
        return _of_bytes(merges_of(encoding))
    except RecipeError as error:
        raise ExportError(f"{encoding.name} reads texts as no recipe does: {error}") from None


def _of_bytes(parts: ByteMerges) -> History:
    parts.check_all_made()
    recipe = Recipe(
        name=parts.name,
        split=_split(parts.split),
        alphabet=Alphabet.BYTES,
        special_tokens=tuple(sorted(parts.special_tokens, key=parts.special_tokens.__getitem__)),
    )
    symbols = {
        CHARACTER_OF_BYTE[content[0]]: token
        for token, content in parts.contents.items()
        if len(content) == 1
    }
    return _history(recipe, symbols, parts.merges)


def _split(split: str) -> str:
    """A split as recipes name it."""
    pattern = NAMED_PATTERNS.get(split, split)
    known = (name for name, own in SPLIT_PATTERNS.items() if own == pattern)
    return split if split in SPLITS else next(known, REGEX + pattern)


def _of_huggingface(encoding: HuggingFaceEncoding) -> History:
    added = sorted(encoding.added_tokens.items(), key=lambda row: row[0])
    recipe = recipe_of(encoding, tuple(token.content for _, token in added))
    merges = encoding.merges()
    made = {token for _, _, token in merges}
    symbols = {text: token for token, text in encoding.ordinary() if token not in made}
    suffix = encoding.notation.suffix
    for text in symbols:
        if len(text) > 1 and len(text.removesuffix(suffix)) > 1:
            raise ExportError(f"the token {shown(text)} of {encoding.name} is made by no merge")
    if encoding.taken_whole() is not None:
        raise ExportError(f"{encoding.name} takes words whole that its merges do not make")
    return _history(recipe, symbols, merges)


def _history(
    recipe: Recipe, symbols: dict[str, int], merges: Sequence[tuple[int, int, int]]
) -> History:
    """A history of merges, of symbols as a vocabulary writes them with their ids.

    Two merges may make the same token. Raises ExportError if one is of tokens that come later.
    """
    base = BaseVocabulary.of(recipe, list(symbols))
    numbers = {symbols[base.texts[number]]: number for number in base.symbol_ids}
    history = History(recipe, base, 0, 0)
    columns = history.reserve(len(merges))
    for step, (left, right, new) in enumerate(_numbered(recipe, merges, numbers, len(base))):
        columns.left[step], columns.right[step], columns.new_id[step] = left, right, new
    history.commit(len(merges))
    return history


def _numbered(
    recipe: Recipe, merges: Iterable[tuple[int, int, int]], numbers: dict[int, int], following: int
) -> Iterable[tuple[int, int, int]]:
    """Merges in other ids: those that are known, and from `following` on what is made."""
    for left, right, token in merges:
        if left not in numbers or right not in numbers:
            raise ExportError(f"{recipe.name} merges tokens before they are made")
        if token not in numbers:
            numbers[token] = following
            following += 1
        yield numbers[left], numbers[right], numbers[token]
