"""Export of a trained history to Hugging Face's tokenizer.json, and the steps of a recipe."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import History
from bpe_gui.bpe.normalize import ALL_MARKS, marks, normalize
from bpe_gui.bpe.pre_tokenize import matched_pattern
from bpe_gui.bpe.recipe import (
    END_OF_WORD,
    MATCHES,
    EndOfWord,
    Normalizer,
    Prepend,
    PrependOnce,
    Recipe,
    Replace,
    is_sequence,
    own_pattern,
    steps_of_split,
)
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.formats.regex_dialects import split_to_oniguruma, to_oniguruma
from bpe_gui.files import write_atomically

# -- The steps of a recipe ----------------------------------------------------------------------
#
# The library's steps equal ours, except for characters that are new or changed in Unicode: its
# tables are older. `bpe_gui.encodings.save.verify` finds those that a text has.


def _bert_normalizer(
    *, clean_text: bool = False, handle_chinese_chars: bool = False
) -> normalizers.BertNormalizer:
    return normalizers.BertNormalizer(
        clean_text=clean_text,
        handle_chinese_chars=handle_chinese_chars,
        strip_accents=False,
        lowercase=False,
    )


def code_point_class(points: Iterable[int]) -> str:
    r"""Write code points, of which there is at least one, as the inside of a character class.

    >>> print(code_point_class([0x61, 0x63, 0x62, 0xE9]))
    \x{61}-\x{63}\x{e9}
    """
    runs: list[tuple[int, int]] = []
    for point in sorted(points):
        if runs and runs[-1][1] == point - 1:
            runs[-1] = runs[-1][0], point
        else:
            runs.append((point, point))
    return "".join(
        rf"\x{{{first:x}}}" + (rf"-\x{{{last:x}}}" if last > first else "") for first, last in runs
    )


@cache
def marks_pattern(categories: tuple[str, ...]) -> str:
    """Write the marks of these categories as a character class, one by one.

    The library's `\\p{M}` is of a newer Unicode than ours, its StripAccents of an older one.
    """
    return f"[{code_point_class(marks(categories))}]"


def _without_marks(categories: tuple[str, ...]) -> normalizers.Replace:
    return normalizers.Replace(Regex(marks_pattern(categories)), "")


NORMALIZERS: Mapping[str, Callable[[], normalizers.Normalizer]] = MappingProxyType(
    {
        "bert-clean": lambda: _bert_normalizer(clean_text=True),
        "bert-chinese": lambda: _bert_normalizer(handle_chinese_chars=True),
        "nfc": normalizers.NFC,
        "nfd": normalizers.NFD,
        "nfkc": normalizers.NFKC,
        "nfkd": normalizers.NFKD,
        "remove-mn": lambda: _without_marks(("Mn",)),
        "strip-accents": lambda: _without_marks(ALL_MARKS),
        "lowercase": normalizers.Lowercase,
        "strip": normalizers.Strip,
    }
)


def normalizer_steps(recipe: Recipe) -> list[normalizers.Normalizer]:
    """Translate a recipe's normalizers, in order.

    Raises ExportError for a step that the format cannot hold.
    """
    if recipe.normalizers == ("bert-clean", "bert-chinese"):
        return [_bert_normalizer(clean_text=True, handle_chinese_chars=True)]
    steps = recipe.normalizers
    if _metaspace(recipe) is not None:
        steps = steps[:-2]
    return [_normalizer(step) for step in steps]


def _metaspace(recipe: Recipe) -> pre_tokenizers.Metaspace | None:
    """Translate the last two normalizers if they mark spaces and the first word of a text."""
    match recipe.normalizers:
        case (*_, Replace(" ", marked), PrependOnce(mark)) if marked == mark and len(mark) == 1:
            if recipe.end_of_word is not EndOfWord.OWN:  # see _Marker: it looks for spaces
                return pre_tokenizers.Metaspace(mark, prepend_scheme="first", split=False)
    return None


def _normalizer(step: Normalizer) -> normalizers.Normalizer:
    if isinstance(step, Replace):
        return normalizers.Replace(Regex(to_oniguruma(step.pattern)), step.by)
    if isinstance(step, PrependOnce):
        raise ExportError(
            "tokenizer.json can prepend a text once only if that is one character, by which the "
            "step before replaces spaces; use such steps as the last, or prepend"
        )
    if isinstance(step, Prepend):
        return normalizers.Prepend(step.text)
    return NORMALIZERS[step]()


def matched_split_steps(recipe: Recipe) -> list[pre_tokenizers.PreTokenizer] | None:
    """Translate a recipe's split if it matches a regex or has several steps; None if it does not.

    Raises ExportError for a regex that the format cannot hold.
    """
    if is_sequence(recipe.split):
        return [
            step for split in steps_of_split(recipe.split) for step in _steps_of_sequence(split)
        ]
    if recipe.split == "punctuation":
        return [pre_tokenizers.Punctuation("isolated")]
    pattern = matched_pattern(recipe.split)
    if pattern is None:
        return None
    if recipe.split.startswith(MATCHES):
        return [pre_tokenizers.Split(Regex(to_oniguruma(pattern)), "removed", invert=True)]
    if own_pattern(recipe.split) is not None:
        pattern = split_to_oniguruma(pattern, by_bytes=recipe.byte_level)
    return [pre_tokenizers.Split(Regex(pattern), "isolated")]


def _steps_of_sequence(split: str) -> list[pre_tokenizers.PreTokenizer]:
    """Translate one of several steps: the library makes words of what it skips, as a recipe does.
    """
    if split == "punctuation":
        return [pre_tokenizers.Punctuation("isolated")]
    own = own_pattern(split)
    if own is not None:
        return split_steps(to_oniguruma(own))
    return split_steps(matched_pattern(split) or split)


def matched_split(pattern: str) -> str | None:
    """Find the name of the split that is exported as this regex; None if there is none.

    >>> matched_split(matched_pattern("digits")), matched_split("[a-z]+")
    ('digits', None)
    """
    names = ("digits", "digits-3", "scripts")  # the library's Digits has other numbers
    return next((name for name in names if matched_pattern(name) == pattern), None)


# -- The file -----------------------------------------------------------------------------------
#
# The library that defines the format writes the file, but for its vocabulary and merges. Its
# regexes are Oniguruma's, where `$` matches before any newline and `{1,3}+` repeats a repetition,
# so the patterns here use only what both dialects share.
#
# Characters outside the alphabet of a recipe without an unknown token are NO_TOKEN here; the
# library drops them.

_CONTRACTION = r"'(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])"
_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
ONIGURUMA_PATTERNS = MappingProxyType(
    {
        "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        "cl100k": (
            rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+\z|\s*[\r\n]|\s+(?!\S)|\s+"
        ),
        "o200k": (
            rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+(?:{_CONTRACTION})?"
            rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*(?:{_CONTRACTION})?"
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
        # The newlines that our pattern skips are named here, because the library would make a run
        # of skipped characters one word.
        "categories": r"\p{Z}?(?:\p{L}+|\p{N}+)|\p{Z}+|.|\n",
        "lines": r"[ \n]",
    }
)
"""The splits that are regexes, as Oniguruma reads them."""

WHITE_SPACE = (
    r"\x{9}-\x{d}\x{1c}-\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}"
    r"\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
)
"""What `str.split` splits at, as the inside of a character class; `\\s` lacks U+001C..1F."""

ENDS_OF_WORDS = rf"(?<=[^{WHITE_SPACE}])(?![^{WHITE_SPACE}])"
"""Where words between white space end."""


def write(history: History, path: str | Path, position: int | None = None) -> None:
    """Write the vocabulary at a position (None: the last) as tokenizer.json.

    Raises ExportError if the format cannot hold it, OSError if the file cannot be written; the
    file stays as it was.
    """
    write_atomically(path, _content(history, position))


def to_json(history: History, position: int | None = None) -> str:
    """Build the text of the tokenizer.json with the ids, tokens and merges at a position.

    Raises ExportError if the library cannot split or mark words as the recipe does, or if two
    tokens are spelled alike.
    """
    return _content(history, position).decode("utf-8")


def _content(history: History, position: int | None) -> bytes:
    """Do as `to_json`, in UTF-8."""
    _check_special_tokens(history)
    if position is None:
        position = len(history)
    texts = history.texts(position)
    numbers = history.own_ids(np.arange(len(texts), dtype=np.int32)).tolist()
    vocabulary = dict(zip(texts, numbers, strict=True))
    if len(vocabulary) < len(texts):
        _check_spellings(texts, numbers)
    if history.recipe.inherited is not None:
        content = json.loads(history.recipe.inherited.notation)
        special = {texts[token] for token in range(history.base.special)}
        ordinary = {text: token for text, token in vocabulary.items() if text not in special}
        vocabulary = content["model"]["vocab"] | ordinary
        vocabulary = dict(sorted(vocabulary.items(), key=itemgetter(1)))
        _keep_characters(content, history)
    else:
        content = json.loads(_around_the_tokens(history, vocabulary).to_str())
    # Of 50,000 merges the library needs 100 ms to make a model and its text.
    content["model"]["vocab"] = vocabulary
    sides = (side[:position].tolist() for side in (history.left, history.right))
    content["model"]["merges"] = list(
        zip(*(map(texts.__getitem__, side) for side in sides), strict=True)
    )
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def _check_spellings(texts: Sequence[str], numbers: Sequence[int]) -> None:
    """Raise ExportError if two ids are spelled alike; of one id there may be several entries."""
    different = Counter(text for text, _ in set(zip(texts, numbers, strict=True)))
    twice = next((text for text in texts if different[text] > 1), None)
    if twice is not None:
        raise ExportError(
            f"tokenizer.json cannot hold two tokens that are spelled alike, {twice!r}; train "
            "with fewer merges or on a corpus without that text"
        )


def _keep_characters(content: dict[str, Any], history: History) -> None:
    """Let the step that drops unknown characters, which saved runs have, drop no new ones."""
    inherited = history.recipe.inherited
    assert inherited is not None
    if history.recipe.end_of_word is EndOfWord.OWN and END_OF_WORD in history.base.texts:
        content["model"]["unk_token"] = END_OF_WORD  # see _Marker
    new = _single_characters(history).difference(inherited.symbols)
    step = content["pre_tokenizer"]
    if step is not None and step["type"] == "Sequence":
        step = step["pretokenizers"][-1]
    if new and step is not None and drops_unknown(step):
        former = str(step["pattern"]["Regex"]).removesuffix("]+")
        added = code_point_class(map(ord, new))
        step["pattern"]["Regex"] = f"{former}{added}]+" if former[1] == "^" else f"[^{added}]+"


def drops_unknown(step: Mapping[str, Any]) -> bool:
    """Tell whether a step drops characters outside the alphabet, as saved runs do."""
    if step["type"] != "Split" or step["behavior"] != "Removed":
        return False
    return str(step["pattern"].get("Regex", "")).startswith(("[^", r"[\s\S]"))


def _around_the_tokens(history: History, vocabulary: Mapping[str, int]) -> Tokenizer:
    """Build a tokenizer of the library that is whole but for its vocabulary and merges."""
    recipe = history.recipe
    specials = {token: vocabulary[token] for token in recipe.matched_special_tokens}
    tokenizer = Tokenizer(models.BPE(vocab=specials, merges=[], **_model_options(history)))
    marker = _Marker.of(history) if recipe.end_of_word is EndOfWord.OWN else None
    steps = [*normalizer_steps(recipe), *(marker.normalizers() if marker else ())]
    if steps:
        tokenizer.normalizer = steps[0] if len(steps) == 1 else normalizers.Sequence(steps)
    parts = _pre_tokenizers(history, marker)
    if parts:
        tokenizer.pre_tokenizer = parts[0] if len(parts) == 1 else pre_tokenizers.Sequence(parts)
    tokenizer.decoder = _decoder(recipe)
    check_found_apart(recipe)
    if recipe.normalized_tokens and _metaspace(recipe) is not None:
        raise ExportError(
            "tokenizer.json looks for special tokens before it marks spaces, and "
            f"{shown(recipe.normalized_tokens[0])} of {recipe.name!r} is found after it"
        )
    tokenizer.add_special_tokens(
        [
            AddedToken(
                token,
                special=True,
                normalized=token in recipe.normalized_tokens,
                lstrip=token in recipe.lstrip_tokens,
                rstrip=token in recipe.rstrip_tokens,
                single_word=token in recipe.single_word_tokens,
            )
            for token in specials
        ]
    )
    return tokenizer


def _check_special_tokens(history: History) -> None:
    """Check that the library does not take a special token for other text. Raises ExportError.

    Its special tokens are entries of the vocabulary too: text may become one of them if it is not
    found as special first, or if normalization makes it.
    """
    recipe, base = history.recipe, history.base
    symbols = {base.texts[token] for token in base.symbol_ids}
    for token in recipe.special_tokens:
        if token not in recipe.reserved_tokens and not _is_made(token, recipe):
            continue
        is_symbol = len(token) == 1 and token not in symbols
        if is_symbol and recipe.unknown_token is not None:
            taken = "the symbol"
        elif token not in recipe.reserved_tokens:
            continue
        elif recipe.byte_level and not token.isascii() and set(token) <= set(CHARACTER_OF_BYTE):
            taken = "the bytes"
        elif recipe.end_of_word is not EndOfWord.NONE and END_OF_WORD in token:
            taken = "the end of a word"
        else:
            continue
        raise ExportError(
            f"tokenizer.json would take the special token {token!r} for {taken} spelled like it; "
            "choose another special token"
        )


def check_found_apart(recipe: Recipe) -> None:
    """Check that no two tokens become one when they are normalized: which of them is found is left
    to chance by the library. Raises ExportError.
    """
    tokens: dict[str, str] = {}
    for token in recipe.normalized_tokens:
        other = tokens.setdefault(normalize(token, recipe.normalizers), token)
        if other != token:
            raise ExportError(
                f"{recipe.name} looks for {shown(other)} and {shown(token)} in normalized text, "
                "where both are the same, and the tokenizers library finds either"
            )


def _is_made(token: str, recipe: Recipe) -> bool:
    """Tell whether normalization may turn other text into a token."""
    steps = [step for step in recipe.normalizers if step not in ("bert-clean", "bert-chinese")]
    return bool(steps) and token in normalize(token, tuple(steps))


def _model_options(history: History) -> dict[str, str | bool]:
    recipe = history.recipe
    options: dict[str, str | bool] = {"byte_fallback": True} if recipe.byte_fallback else {}
    if history.base.whole_words(recipe):
        options["ignore_merges"] = True
    if recipe.unknown_token is not None:
        options["unk_token"] = recipe.unknown_token
    if recipe.end_of_word is EndOfWord.OWN and END_OF_WORD in history.base.texts:
        options["unk_token"] = END_OF_WORD  # see _Marker
    if recipe.end_of_word is EndOfWord.JOINED:
        if recipe.unknown_token is None and not _has_all_bytes(history):
            raise ExportError(
                "tokenizer.json cannot join an end-of-word marker to the last character of a "
                "word unless the recipe has an unknown token, or all bytes"
            )
        options["end_of_word_suffix"] = END_OF_WORD
    return options


def _pre_tokenizers(
    history: History, marker: _Marker | None
) -> list[pre_tokenizers.PreTokenizer]:
    recipe = history.recipe
    parts: list[pre_tokenizers.PreTokenizer] = []
    marks = _metaspace(recipe)
    if marks is not None:
        parts.append(marks)
    if recipe.split == "gpt2" and recipe.byte_level:
        parts.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True))
    else:
        matched = matched_split_steps(recipe)
        parts += split_steps(recipe.split) if matched is None else matched
        if recipe.byte_level:
            parts.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False))
    known = _single_characters(history)
    if marker is not None:
        known.add(marker.character)
    # Without an unknown token the library drops unknown characters, and would merge across the
    # gap; so the gap has to end the word.
    complete = recipe.byte_fallback or _has_all_bytes(history)
    if (marker is not None or recipe.unknown_token is None) and not complete:
        unknown = rf"[^{code_point_class(map(ord, known))}]+" if known else r"[\s\S]+"
        parts.append(_split(unknown, "removed"))
    return parts


def split_steps(split: str) -> list[pre_tokenizers.PreTokenizer]:
    """Translate a pre-tokenization of ours, or a regular expression, to steps of the library."""
    if split == "none":
        return []
    if split == "bert":
        return [pre_tokenizers.BertPreTokenizer()]
    if split == "whitespace":
        return [_split(f"[{WHITE_SPACE}]+", "removed")]
    return [_split(ONIGURUMA_PATTERNS.get(split, split), "isolated")]


def _split(pattern: str, behaviour: str) -> pre_tokenizers.Split:
    return pre_tokenizers.Split(Regex(pattern), behaviour)


def _decoder(recipe: Recipe) -> decoders.Decoder:
    if recipe.byte_level and recipe.end_of_word is EndOfWord.JOINED:
        # Ġ is how byte-level tokens spell a space.
        return decoders.Sequence([decoders.Replace(END_OF_WORD, "Ġ"), decoders.ByteLevel()])
    if recipe.byte_level:
        return decoders.ByteLevel()
    if recipe.byte_fallback:
        return decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    if recipe.end_of_word is not EndOfWord.NONE:
        return decoders.BPEDecoder(suffix=END_OF_WORD)
    return decoders.Fuse()


def _has_all_bytes(history: History) -> bool:
    """Tell whether the symbols of a vocabulary are all bytes, so that none is unknown."""
    recipe, base = history.recipe, history.base
    single = len(base.symbol_ids) - len(base.whole_words(recipe))
    return recipe.byte_level and single >= recipe.number_of_all_symbols


def _single_characters(history: History) -> set[str]:
    """Collect the symbols that are single characters, without end-of-word markers."""
    texts = (history.base.texts[token] for token in history.base.symbol_ids)
    return {text for text in texts if len(text) == 1}


class _Marker(Struct, frozen=True):
    """Make the end of a word a separate symbol in a library that has no such thing.

    A normalizer puts a private-use character at the end of every word. The vocabulary does not
    have it, and it is the only unknown character that is not dropped, so the model gives it the
    unknown token: `</w>`. If the text holds that character, `stand_in`, which is unknown too,
    replaces it first.
    """

    character: str
    stand_in: str

    @classmethod
    def of(cls, history: History) -> _Marker:
        """Choose two private-use characters that the alphabet does not have.

        Raises ExportError if there are none, or if the recipe's words end anywhere but at white
        space.
        """
        recipe = history.recipe
        if recipe.split != "whitespace" or recipe.unknown_token is not None:
            raise ExportError(
                "tokenizer.json can hold a separate end-of-word marker only if words are split at "
                "white space and the recipe has no unknown token"
            )
        known = _single_characters(history)
        free = (chr(point) for point in range(0xE000, 0xF900) if chr(point) not in known)
        try:
            return cls(next(free), next(free))
        except StopIteration:
            raise ExportError(
                "tokenizer.json cannot mark the ends of words, because the corpus uses all "
                "private-use characters from U+E000 to U+F8FF"
            ) from None

    def normalizers(self) -> tuple[normalizers.Normalizer, ...]:
        """Make the steps that put the character after every run of non-space characters."""
        return (
            normalizers.Replace(self.character, self.stand_in),
            normalizers.Replace(Regex(ENDS_OF_WORDS), self.character),
        )
