"""Import of byte-pair encodings from other programs as histories, with all their positions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from types import MappingProxyType

import numpy as np
import regex
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bpe_gui.bpe.byte_level import (
    BYTE_OF_CHARACTER,
    BYTE_OF_FALLBACK,
    CHARACTER_OF_BYTE,
    FALLBACK_TOKENS,
    to_printable,
)
from bpe_gui.bpe.errors import RecipeError, shown
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary, History
from bpe_gui.bpe.pre_tokenize import split_before
from bpe_gui.bpe.recipe import (
    MATCHES,
    REGEX,
    SPLITS,
    Alphabet,
    EndOfWord,
    Normalizer,
    Prepend,
    PrependOnce,
    Recipe,
    Replace,
    Symbols,
    own_pattern,
    put_before,
    sequence_of,
)
from bpe_gui.encodings.base import Encoding, ExportError, Model
from bpe_gui.encodings.byte_merges import ByteMerges, merges_of
from bpe_gui.encodings.formats import sentencepiece_export
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.huggingface_cuts import SPLIT_AT_SPACES, leaves_no_space
from bpe_gui.encodings.formats.huggingface_export import (
    NORMALIZERS,
    ONIGURUMA_PATTERNS,
    WHITE_SPACE,
    check_found_apart,
    drops_unknown,
    matched_split,
)
from bpe_gui.encodings.formats.huggingface_notation import State, steps
from bpe_gui.encodings.formats.regex_dialects import may_skip
from bpe_gui.encodings.formats.sentencepiece_export import ANY_BEGINNING
from bpe_gui.encodings.formats.sentencepiece_models import PieceType, SentencePieceEncoding
from bpe_gui.encodings.formats.split_patterns import (
    NAMED_PATTERNS,
    SPLIT_PATTERNS,
    TIKTOKEN_IN_ONIGURUMA,
)
from bpe_gui.encodings.formats.untrusted_files import MAX_TOKENS
from bpe_gui.encodings.merge_order import are_done, has_parts_first, parts_first

# -- The recipe of a tokenizer.json -------------------------------------------------------------

_END_OF_WORD = "</w>"

_REMOVED_CHARACTERS = re.compile(r"\[((?:[^\[\]\\^&~|-]|\\[nrt])+)\]\+")
"""A regex for characters that are named one by one, as codes of subword-nmt are split at."""


def recipe_of(encoding: HuggingFaceEncoding, special_tokens: tuple[str, ...]) -> Recipe:
    """Find the recipe that describes a tokenizer with these special tokens.

    Raises ExportError for steps that no recipe has, RecipeError for a regex that none can have.
    """
    notation, model = encoding.notation, encoding.state["model"]
    falls_back = bool(model.get("byte_fallback"))
    if falls_back:
        _check_falls_back_plainly(encoding)
    elif notation.byte_fallback or notation.spaces:
        raise ExportError(
            f"{encoding.name} writes spaces as models of SentencePiece do, but has no byte "
            "fallback, without which no recipe writes them so; it can be compared and converted, "
            "but neither replayed nor trained on"
        )
    if notation.prefix:
        raise ExportError(f"{encoding.name} marks the insides of words as no recipe does")
    if notation.suffix not in ("", _END_OF_WORD):
        raise ExportError(f"{encoding.name} marks the ends of words as no recipe does")
    end_of_word = EndOfWord.NONE
    if model.get("end_of_word_suffix"):
        end_of_word = EndOfWord.JOINED
    elif notation.end_mark:
        end_of_word = EndOfWord.OWN
    unknown = model.get("unk_token")
    recipe = Recipe(
        name=encoding.name,
        normalizers=(*_normalizers(encoding), *_prefix_space(encoding)),
        split=_split_recipe(encoding),
        symbols=Symbols.BYTES if notation.byte_level else Symbols.CHARACTERS,
        end_of_word=end_of_word,
        byte_fallback=falls_back,
        special_tokens=special_tokens,
        unknown_token=unknown if unknown in special_tokens else None,
    ).with_changes(**_token_options(encoding))
    check_found_apart(recipe)
    return recipe


def _check_falls_back_plainly(encoding: HuggingFaceEncoding) -> None:
    """Check that an encoding with byte fallback has all bytes, and never merges them. Raises
    ExportError.
    """
    name, model = encoding.name, encoding.state["model"]
    fallback = [each for each in encoding.ids if encoding.is_fallback_byte(each)]
    if len(fallback) < len(FALLBACK_TOKENS):
        raise ExportError(
            f"{name} has only {len(fallback)} of the 256 bytes that rare characters fall back to, "
            "as no recipe does"
        )
    if np.isin(encoding.merge_rows, fallback).any():
        raise ExportError(f"{name} merges the bytes of rare characters, as no recipe does")
    if model.get("ignore_merges"):
        raise ExportError(f"{name} looks for whole words before it merges, as no recipe does")


def _token_options(encoding: HuggingFaceEncoding) -> dict[str, tuple[str, ...]]:
    """Tell how added tokens are found, by the fields of a recipe. Raises ExportError."""
    added = [token for _, token in sorted(encoding.added_tokens.items())]
    for taking in (token for token in added if token.rstrip):
        for token in added:
            if token.content[0].isspace():
                raise ExportError(
                    f"{encoding.name} has a token, {shown(taking.content)}, that takes the white "
                    f"space after it, and another that begins with white space, "
                    f"{shown(token.content)}: both would be at one place, as no recipe has it"
                )
    options = {
        f"{name}_tokens": tuple(token.content for token in added if getattr(token, name))
        for name in ("lstrip", "rstrip", "single_word", "normalized")
    }
    if options["normalized_tokens"] == tuple(token.content for token in added) and not any(
        steps(encoding.state["normalizer"])
    ):
        options["normalized_tokens"] = ()  # all are found in the text as it is
    if options["normalized_tokens"] and _prefix_space(encoding):
        raise ExportError(
            f"{encoding.name} looks for {shown(options['normalized_tokens'][0])} after it has "
            "normalized a text and before it marks spaces, as no recipe does"
        )
    return options


def _normalizers(encoding: HuggingFaceEncoding) -> list[Normalizer]:
    found = list(steps(encoding.state["normalizer"]))
    if encoding.notation.end_mark:
        del found[-2:]  # the two steps that mark the ends of words
    made: list[Normalizer] = []
    for step in found:
        if step["type"] == "Replace":
            pattern = step["pattern"]
            written = pattern.get("Regex") or regex.escape(pattern["String"])
            known = _known_normalizers().get(_written(step))
            if written == ANY_BEGINNING:
                known = [Prepend(step["content"])]
            made += known or [Replace(written, step["content"])]
        elif step["type"] == "Prepend":
            made.append(Prepend(step["prepend"]))
        elif _written(step) in _known_normalizers():
            made += _known_normalizers()[_written(step)]
        else:
            raise ExportError(f"{encoding.name} normalizes as no recipe does ({step['type']})")
    return made


def _prefix_space(encoding: HuggingFaceEncoding) -> list[Normalizer]:
    """Return the step that puts a space before a text, if the encoding does so before it splits."""
    first = next(steps(encoding.state["pre_tokenizer"]), {})
    if first.get("type") == "Metaspace":
        return _spaces_as_marks(encoding, first)
    adds = first.get("type") == "ByteLevel" and first["add_prefix_space"]
    return [put_before(" ")] if adds else []


def _spaces_as_marks(encoding: HuggingFaceEncoding, step: State) -> list[Normalizer]:
    """Return the steps by which a mark is written for each space, and before a text."""
    mark, scheme = step["replacement"], step["prepend_scheme"]
    before: dict[str, list[Normalizer]] = {
        "always": [put_before(mark)],
        "first": [PrependOnce(mark)],
        "never": [],
    }
    return [Replace(" ", mark), *before[scheme]]


@cache
def _known_normalizers() -> dict[str, list[Normalizer]]:
    """Map steps, as JSON, to the normalizers of recipes."""
    known: dict[str, list[Normalizer]] = {
        _written(json.loads(make().__getstate__())): [name] for name, make in NORMALIZERS.items()
    }
    both = json.loads(NORMALIZERS["bert-clean"]().__getstate__())
    known[_written({**both, "handle_chinese_chars": True})] = ["bert-clean", "bert-chinese"]
    return known


def _written(step: State) -> str:
    return json.dumps(step, sort_keys=True)


def _split_recipe(encoding: HuggingFaceEncoding) -> str:
    found = list(steps(encoding.state["pre_tokenizer"]))
    if found and found[0]["type"] == "Metaspace":
        if found[0]["split"]:
            return _split_at_marks(encoding, *found)
        found.pop(0)
    if found == [SPLIT_AT_SPACES] and leaves_no_space(encoding.state):
        return "none"
    if found and drops_unknown(found[-1]):
        found.pop()
    last = []
    is_bytes = bool(found) and found[-1]["type"] == "ByteLevel"
    # Behind other steps it would put a space before every word.
    if is_bytes and (len(found) == 1 or not found[-1]["add_prefix_space"]):
        last = ["gpt2"] if found.pop()["use_regex"] else []
    splits = [*(_split_step(encoding, step) for step in found), *last]
    if not splits:
        return "none"
    pattern = own_pattern(splits[0])
    # What one step skips is a word to the library, and single symbols to a recipe.
    all_of_it = pattern in TIKTOKEN_IN_ONIGURUMA.values() or (pattern and not may_skip(pattern))
    drops = splits[0].startswith(MATCHES)
    is_one = len(splits) == 1 and (pattern is None or all_of_it or drops)
    return splits[0] if is_one else sequence_of(splits)


def _split_at_marks(encoding: HuggingFaceEncoding, step: State, *others: State) -> str:
    """Name the split before every mark that is written for a space."""
    if others:
        raise ExportError(
            f"{encoding.name} splits as no recipe does ({others[0]['type']} behind Metaspace)"
        )
    return split_before(step["replacement"])


def _split_step(encoding: HuggingFaceEncoding, step: State) -> str:
    """Name the split of one step. Raises ExportError if no recipe has it."""
    if step["type"] == "BertPreTokenizer":
        return "bert"
    if step["type"] == "Whitespace":
        return MATCHES + r"\w+|[^\w\s]+"
    if step["type"] == "WhitespaceSplit":
        return MATCHES + r"\S+"
    if step["type"] == "Punctuation" and step["behavior"] == "Isolated":
        return "punctuation"
    if step["type"] == "Digits":
        return "digits" if step["individual_digits"] else REGEX + r"\p{N}+|[^\p{N}]+"
    pattern = step.get("pattern", {}).get("Regex", "")
    if step["type"] == "Split" and "String" in step["pattern"]:
        pattern = regex.escape(step["pattern"]["String"])
    # Matches that are kept alone are all of the text, if the pattern skips nothing.
    only_matches = step.get("invert") and step["behavior"] == "Removed"
    meant = TIKTOKEN_IN_ONIGURUMA.get(pattern)
    keeps_all = only_matches and (meant is not None or not may_skip(pattern))
    if pattern and only_matches and not keeps_all:
        return MATCHES + str(pattern)
    if step["type"] != "Split" or not pattern or (step["invert"] and not keeps_all):
        raise ExportError(f"{encoding.name} splits as no recipe does ({step['type']})")
    if step["behavior"] == "Removed" and pattern == f"[{WHITE_SPACE}]+":
        return "whitespace"
    removed = _REMOVED_CHARACTERS.fullmatch(pattern)
    if step["behavior"] == "Removed" and not step["invert"] and removed:
        return f"{MATCHES}[^{removed[1]}]+"
    if step["behavior"] == "Removed" and not keeps_all:
        raise ExportError(f"{encoding.name} drops the text that it splits at, as no recipe does")
    if step["behavior"] != "Isolated" and not keeps_all:
        raise ExportError(f"{encoding.name} splits as no recipe does ({step['behavior']})")
    if meant is not None:
        return _split(meant)
    names = (name for name, known in ONIGURUMA_PATTERNS.items() if known == pattern)
    return next(names, matched_split(pattern) or REGEX + str(pattern))


# -- The history --------------------------------------------------------------------------------
#
# A file that was saved here, and most files of other programs, have the merges, but not the recipe
# that they belong to. The recipe is found, or the encoding is refused. The caller must check that
# the history tokenizes texts as the encoding does: a regex may mean something else to the library.


def history_of(encoding: Encoding) -> History:
    """Build a history of an encoding's merges; see `history_with_ids`."""
    return history_with_ids(encoding)[0]


def history_with_ids(
    encoding: Encoding, parts: ByteMerges | None = None, *, exactly: bool = True
) -> tuple[History, list[int]]:
    """Build a history of an encoding's merges, with a recipe that prepares texts as it does.

    Its ids are those that training would give; the list has the encoding's own id of each. It may
    take a second, unless its `parts` are known. If not `exactly`, a few texts may have other
    tokens: some of ranks whose order it cannot keep (see `parts_first`), those that are only a
    user-defined symbol of SentencePiece, and names of bytes (see `added_bytes`). Raises ExportError
    if the merges are not known, or if the encoding has steps that no recipe has.

    >>> from tokenizers import Tokenizer, models
    >>> vocabulary = {"l": 7, "o": 8, "w": 9, "lo": 5}
    >>> library = Tokenizer(models.BPE(vocabulary, [("l", "o")]))
    >>> history, ids = history_with_ids(HuggingFaceEncoding(library, "low.json"))
    >>> [history.id_to_token(token) for token in range(4)], ids
    (['l', 'o', 'w', 'lo'], [7, 8, 9, 5])
    """
    check_model(encoding)
    try:
        if isinstance(encoding, HuggingFaceEncoding):
            return _of_huggingface(encoding, exactly=exactly)
        if isinstance(encoding, SentencePieceEncoding):
            return _of_sentencepiece(encoding, exactly=exactly)
        return _of_bytes(parts or merges_of(encoding), exactly=exactly)
    except RecipeError as error:
        raise ExportError(f"{encoding.name} has steps that no recipe has: {error}") from None


def pairs_in_order(encoding: Encoding) -> list[tuple[int, int]]:
    """List the two ids of every merge, in the order of the merges, in the encoding's own ids.

    Merges of SentencePiece are in the order of their scores, those of ranks in the order in which
    a history does them; see `parts_first`. Raises ExportError if the merges are not known, or
    cannot be put in order.
    """
    check_model(encoding)
    if isinstance(encoding, HuggingFaceEncoding):
        return [(left, right) for left, right, _ in encoding.merges()]
    if isinstance(encoding, SentencePieceEncoding):
        found = filter(None, map(encoding.merge, encoding.ids))
        return [(merge.left, merge.right) for merge in sorted(found, key=attrgetter("rank"))]
    merges = np.array(merges_of(encoding).merges, np.int64).reshape(-1, 3)
    return [(left, right) for left, right, _ in parts_first(merges, encoding.name).tolist()]


def check_model(encoding: Encoding) -> None:
    """Check that an encoding has merges. Raises ExportError."""
    if encoding.model is not Model.BPE:
        raise ExportError(
            f"{encoding.name} has no merges, because it is {encoding.model}; only a byte-pair "
            "encoding can be replayed and trained on"
        )


def _of_bytes(parts: ByteMerges, *, exactly: bool) -> tuple[History, list[int]]:
    recipe = Recipe(
        name=parts.name,
        normalizers=parts.normalizers,
        split=_split(parts.split),
        alphabet=Alphabet.BYTES,
        special_tokens=tuple(sorted(parts.special_tokens, key=parts.special_tokens.__getitem__)),
    )
    symbols = {
        CHARACTER_OF_BYTE[content[0]]: token
        for token, content in parts.contents.items()
        if len(content) == 1
    }
    symbols |= {to_printable(parts.contents[token]): token for token in parts.whole_words}
    return _history(recipe, parts.special_tokens, symbols, parts.merges, exactly=exactly)


def _split(split: str) -> str:
    """Name a split as recipes do."""
    pattern = NAMED_PATTERNS.get(split, split)
    known = (name for name, own in SPLIT_PATTERNS.items() if own == pattern)
    return split if split in SPLITS else next(known, REGEX + pattern)


def _of_sentencepiece(
    encoding: SentencePieceEncoding, *, exactly: bool
) -> tuple[History, list[int]]:
    kinds = PieceType.UNKNOWN, PieceType.CONTROL
    reserved = {
        text: token for token, (text, kind) in enumerate(encoding.pieces()) if kind in kinds
    }
    try:
        # What that file cannot hold, no recipe can do.
        library = Tokenizer.from_str(sentencepiece_export.to_json(encoding, "a recipe"))
    except ExportError as error:
        raise ExportError(
            f"{error}, so it cannot be replayed or trained on; it can be compared, and a preset "
            "trains a new encoding"
        ) from None
    if exactly and sentencepiece_export.note(encoding):
        raise ExportError(
            f"{encoding.name} puts a space before a text that is only a user-defined symbol, as no "
            "recipe does; bpe-gui convert writes it as a tokenizer.json that does not, and can be "
            "replayed and trained on"
        )
    return _of_huggingface(HuggingFaceEncoding(library, encoding.name), reserved)


def added_bytes(encoding: HuggingFaceEncoding) -> dict[str, int]:
    """Find the bytes that rare characters fall back to among the added tokens, with their ids."""
    found = sorted(encoding.added_tokens.items())
    falls_back = encoding.state["model"].get("byte_fallback")
    return {
        token.content: number
        for number, token in found
        if falls_back and token.content in BYTE_OF_FALLBACK
    }


def _of_huggingface(
    encoding: HuggingFaceEncoding,
    reserved: Mapping[str, int] = MappingProxyType({}),
    *,
    exactly: bool = True,
) -> tuple[History, list[int]]:
    """Build a history of a tokenizer. `reserved` are tokens that no text has, with their ids.

    exactly: whether bytes that are added tokens, which a recipe does not have, are refused; else
    their names are read as text.
    """
    added = {token.content: number for number, token in sorted(encoding.added_tokens.items())}
    merges, whole = _merges_and_whole_words(encoding)
    symbols = encoding.unmerged(merges) | encoding.added_symbols()
    if not exactly:
        names = added_bytes(encoding)
        symbols |= names
        added = {text: token for text, token in added.items() if text not in names}
    falls_back = bool(encoding.state["model"].get("byte_fallback"))
    unknown = encoding.state["model"].get("unk_token")
    is_text = unknown in symbols and len(unknown) > 1 and not encoding.notation.end_mark
    if not reserved and falls_back:
        # Every character has a token, and bytes if not this: no text has the unknown token.
        reserved = {
            text: token
            for text, token in symbols.items()
            if len(text) > 1 and text not in BYTE_OF_FALLBACK and text not in added
        }
    elif not reserved and is_text:  # what unknown characters become
        reserved = {unknown: symbols[unknown]}
    recipe = recipe_of(encoding, (*added, *reserved))
    if reserved:
        recipe = recipe.with_changes(
            reserved_tokens=tuple(reserved),
            unknown_token=None if falls_back and unknown in reserved else recipe.unknown_token,
        )
        added |= reserved
    for text in ("", *reserved):  # no text has an empty token
        symbols.pop(text, None)
    suffix = encoding.notation.suffix
    for text in symbols.keys() - whole:
        is_byte = recipe.byte_fallback and text in BYTE_OF_FALLBACK
        if len(text.removesuffix(suffix)) > 1 and not is_byte:
            raise ExportError(f"no merge of {encoding.name} makes its token {shown(text)}")
    return _history(recipe, added, symbols, merges)


def _merges_and_whole_words(encoding: HuggingFaceEncoding) -> tuple[NDArray[np.int64], set[str]]:
    """Return the merges, rows of (left, right, merged), and the tokens that only whole words are.

    If there are such tokens, or if merges come before those of their parts, merges that are never
    done are left out: a file that is made of ranks has one for each way to cut a token in two.
    """
    merges = encoding.merge_rows.astype(np.int64)
    takes_whole = bool(encoding.state["model"].get("ignore_merges"))
    in_order = has_parts_first(merges)
    if in_order and not takes_whole:
        return merges, set()
    notation, suffix = encoding.notation, encoding.notation.suffix
    single = {token for text, token in encoding.unmerged().items()
              if len(text) == 1 or len(text.removesuffix(suffix)) <= 1}  # fmt: skip
    done = merges[are_done(merges, single)]
    made = single.union(done[:, 2].tolist())
    never = {text for token, text in encoding.ordinary() if text and token not in made}
    if in_order and not never:
        return merges, set()
    is_plain = notation.byte_level and not notation.suffix and not notation.prefix
    whole = {text for text in never if BYTE_OF_CHARACTER.keys() >= set(text)}
    return done, whole if takes_whole and is_plain else set()


def _history(
    recipe: Recipe,
    special_tokens: Mapping[str, int],
    symbols: dict[str, int],
    merges: Sequence[tuple[int, int, int]] | NDArray[np.int64],
    *,
    exactly: bool = True,
) -> tuple[History, list[int]]:
    """Build a history from special tokens and symbols with their ids, and from (left, right,
    merged) ids; returns the id of each of its tokens, too.

    Two merges may make the same token. Raises ExportError if one uses a token that is made later.
    """
    base = BaseVocabulary.of(recipe, list(symbols))
    ids = [special_tokens[text] for text in base.texts[: base.special]]
    ids += [symbols[text] for text in base.texts[base.special :]]
    own = [symbols[base.texts[number]] for number in base.symbol_ids]
    rows = np.array(merges, np.int64).reshape(-1, 3)
    ordered = parts_first(rows, recipe.name, exactly=exactly)
    numbered, made = _numbered(recipe, ordered, own, base)
    return History.from_merges(recipe, base, numbered), ids + made


def _numbered(
    recipe: Recipe, merges: NDArray[np.int64], symbols: Sequence[int], base: BaseVocabulary
) -> tuple[NDArray[np.int32], list[int]]:
    """Renumber merges, rows of (left, right, merged), as training numbers: symbols as `base` does,
    made tokens in the order in which they are made. Returns the ids of the latter, too.
    """
    ids, places = _distinct(np.append(symbols, merges).astype(np.int64))
    numbers = np.full(len(ids), NO_TOKEN, np.int64)
    numbers[places[: len(symbols)]] = base.symbol_ids
    rows = places[len(symbols) :].reshape(-1, 3)
    # Symbols are there before the first step; what no step makes is never there.
    known_from = np.full(len(ids), len(rows))
    np.minimum.at(known_from, rows[:, 2], np.arange(len(rows)))
    known_from[places[: len(symbols)]] = -1
    is_first = known_from[rows[:, 2]] == np.arange(len(rows))
    made = rows[is_first, 2]
    numbers[made] = len(base) + np.arange(len(made))
    if (known_from[rows[:, :2]] >= np.arange(len(rows))[:, np.newaxis]).any():
        raise ExportError(f"merges of {recipe.name} use tokens before they are made")
    return numbers[rows].astype(np.int32), ids[made].tolist()


def _distinct(ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return different ids, ascending, and where among them each is: `np.unique` with a table."""
    if ids.max(initial=0) >= MAX_TOKENS:
        return np.unique(ids, return_inverse=True)
    occurs = np.zeros(int(ids.max(initial=-1)) + 1, np.bool_)
    occurs[ids] = True
    return np.flatnonzero(occurs), np.cumsum(occurs)[ids] - 1
