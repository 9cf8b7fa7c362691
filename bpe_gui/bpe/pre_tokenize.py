"""Pre-tokenization: where a text is split into words, and where it may be cut safely."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from importlib.util import find_spec
from types import MappingProxyType
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.kernels.registers import WINDOW
from bpe_gui.bpe.kernels.scanning import (
    BERT,
    CATEGORIES,
    CL100K,
    DROPPED,
    GPT2,
    LETTER,
    LINES,
    LOWER,
    NONE,
    NUMBER,
    O200K,
    OTHER,
    PUNCTUATION,
    SEPARATOR,
    SPACE,
    STRIPPED,
    UNMATCHED,
    UNSPACED,
    UPPER,
    WHITE_SPACE,
    WHITESPACE,
    WORD,
    safe_cut_kernel,
)
from bpe_gui.bpe.kernels.windows import scan
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import (
    MATCHES,
    NORMALIZERS,
    REGEX,
    Normalizer,
    Recipe,
    RecipeError,
    own_pattern,
    steps_of_split,
)
from bpe_gui.bpe.regexes import compiled as compiled_pattern
from bpe_gui.bpe.regexes import spans
from bpe_gui.bpe.utf8 import bytes_of_characters, is_first_byte

# -- Scripts ------------------------------------------------------------------------------------
#
# A word is a run of characters of one script (Unicode's property Script), Han, Hiragana and
# Katakana counting as one, as in Hugging Face's UnicodeScripts. Characters that belong to no
# script of their own (spaces, punctuation, digits, marks, emoji: Common and Inherited) go on with
# the word that they follow, or begin the first one. Those of the scripts that came to Unicode
# after version 15 are words by themselves.

_SHARED = r"\p{Zyyy}\p{Zinh}\p{Zzzz}"

_NAMES = """
Cyrillic Arabic Devanagari Greek Hangul Hebrew Thai Bengali Tamil Telugu Gujarati Kannada
Malayalam Gurmukhi Oriya Sinhala Khmer Lao Myanmar Tibetan Georgian Armenian Ethiopic
Bopomofo Mongolian Cherokee Canadian_Aboriginal Adlam Ahom Anatolian_Hieroglyphs Avestan
Balinese Bamum Bassa_Vah Batak Bhaiksuki Brahmi Braille Buginese Buhid Carian
Caucasian_Albanian Chakma Cham Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Deseret
Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Glagolitic Gothic Grantha
Gunjala_Gondi Hanifi_Rohingya Hanunoo Hatran Imperial_Aramaic Inscriptional_Pahlavi
Inscriptional_Parthian Javanese Kaithi Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khojki
Khudawadi Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Mandaic
Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive
Meroitic_Hieroglyphs Miao Modi Mro Multani Nabataean Nag_Mundari Nandinagari New_Tai_Lue
Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic
Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic
Old_Uyghur Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician
Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting
Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham
Tai_Viet Takri Tangsa Tangut Thaana Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho
Warang_Citi Yezidi Yi Zanabazar_Square
"""

_SCRIPTS = (
    *(r"\p{Latin}", r"\p{Han}\p{Hiragana}\p{Katakana}"),
    *(rf"\p{{{name}}}" for name in _NAMES.split()),
)

_RUNS = "|".join(f"[{script}][{script}{_SHARED}]*" for script in _SCRIPTS)

SCRIPTS_PATTERN = rf"[{_SHARED}]*(?:{_RUNS})|[{_SHARED}]+|[\s\S]"
"""Means the same to the `regex` module and to Oniguruma. Some 9,000 characters."""


# -- Classes of characters ----------------------------------------------------------------------
#
# The classes are those that the pre-tokenization patterns ask for, taken from the `regex`
# module itself, so that the scanner and the patterns speak of the same Unicode version.

CODE_POINTS = 0x110000

_NEWER_PUNCTUATION = (
    r"\u061D\u09FD\u0A76\u0C77\u0C84\u1B4E-\u1B4F\u1B7D-\u1B7F\u2E43-\u2E4F"
    r"\u2E52-\u2E5D\u2E60-\u2E63\U00010D6E\U00010EAD\U00010ED0"
    r"\U00010F55-\U00010F59\U00010F86-\U00010F89\U000113D4-\U000113D5"
    r"\U000113D7-\U000113D8\U0001144B-\U0001144F\U0001145A-\U0001145B\U0001145D"
    r"\U00011660-\U0001166C\U000116B9\U0001183B\U00011944-\U00011946\U000119E2"
    r"\U00011A3F-\U00011A46\U00011A9A-\U00011A9C\U00011A9E-\U00011AA2"
    r"\U00011B00-\U00011B09\U00011BE1\U00011C41-\U00011C45\U00011C70-\U00011C71"
    r"\U00011EF7-\U00011EF8\U00011F43-\U00011F4F\U00011FFF\U00012FF1-\U00012FF2"
    r"\U00016D6D-\U00016D6F\U00016E97-\U00016E9A\U00016FE2\U0001E5FF"
    r"\U0001E95E-\U0001E95F"
)
"""Punctuation that came to Unicode after version 8, which BertPreTokenizer does not know."""

_OLDER_PUNCTUATION = r"\u166D\U000111C9"
"""Punctuation of Unicode 8 that has been given another category since."""

_MARKS = rf"\p{{P}}!-/:-@\[-`{{-~{_OLDER_PUNCTUATION}"

PUNCTUATION_MARK = rf"(?![{_NEWER_PUNCTUATION}])[{_MARKS}]"
"""A punctuation mark, as BertPreTokenizer and Hugging Face's Punctuation have it."""

NO_PUNCTUATION_MARKS = rf"(?:[^{_MARKS}]++|[{_NEWER_PUNCTUATION}]++)++"
"""A run of characters that are none."""

_UNSPACED_SCRIPTS = (
    *("Han", "Hiragana", "Katakana", "Yi", "Tangut", "Nushu", "Khitan_Small_Script"),
    *("Tibetan", "Balinese", "Javanese"),
)
"""Scripts without spaces between words, beside those that Unicode's line breaking calls
complex (SA: Thai, Lao, Khmer, Myanmar and others), whose lines are broken by dictionaries."""

_PATTERNS = (
    (LETTER, r"\p{L}+"),
    (NUMBER, r"\p{N}+"),
    (SPACE, r"\s+"),
    (UPPER, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"),
    (LOWER, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"),
    (SEPARATOR, r"\p{Z}+"),
    (PUNCTUATION, f"(?:{PUNCTUATION_MARK})+"),
    (WHITE_SPACE, r"\p{White_Space}+"),
    (
        UNSPACED,
        "[" + "".join(rf"\p{{Script={name}}}" for name in _UNSPACED_SCRIPTS)
        + r"\p{Line_Break=SA}]+",
    ),
)


_ASSIGNED = ((0, 0x40000), (0xE0000, 0xE1000))
"""Where Unicode has any character but private ones, which have none of the classes."""


@cache
def character_classes() -> NDArray[np.uint16]:
    """Return the flags of every code point, 0x110000 entries of 16 bits.

    Surrogates have no flag but OTHER; they never occur in UTF-8. The table is made in 0.1 s and
    kept on disk as its runs: where each begins, and its flags.
    """
    made_by = repr((_installed_regex(), unicodedata.unidata_version, _PATTERNS, _ASSIGNED))
    name = f"character-classes-{crc32(made_by.encode()):08x}"
    path = kernel_cache.tables() / name
    kept = kernel_cache.find(path)
    if kept is None:
        table = _made_classes()
        begins = np.flatnonzero(np.diff(table, prepend=table[0] ^ 1))
        runs = np.stack((begins, table[begins])).astype("<u4")
        kernel_cache.keep(path, runs.tobytes())
    else:
        begins, flags = np.frombuffer(kept, "<u4").reshape(2, -1)
        lengths = np.diff(begins, append=CODE_POINTS)
        table = np.repeat(flags.astype(np.uint16), lengths)
    table.flags.writeable = False
    return table


def _installed_regex() -> tuple[int, int]:
    """Tell one installation of the `regex` module from others, without loading it: 10 ms."""
    place = find_spec("regex")
    assert place is not None
    assert place.origin is not None
    file = os.stat(place.origin)
    return file.st_mtime_ns, file.st_size


def _made_classes() -> NDArray[np.uint16]:
    import regex

    table = np.zeros(CODE_POINTS, np.uint16)
    for begin, end in _ASSIGNED:
        points = np.arange(begin, end, dtype="<u4")
        text = points.tobytes().decode("utf-32-le", "surrogatepass")
        for flag, pattern in _PATTERNS:
            for run in regex.finditer(pattern, text):
                table[begin + run.start() : begin + run.end()] |= flag
    # White space is rare: look only where `\s` or the separator controls can be.
    for point in np.flatnonzero(table & SPACE).tolist() + list(range(0x1C, 0x20)):
        if chr(point).isspace():
            table[point] |= STRIPPED
    table[(table & (LETTER | NUMBER | SPACE)) == 0] |= OTHER
    return table


# -- Where words end ----------------------------------------------------------------------------
#
# Merges never cross the border between two words. Each named split is defined by a
# reference (a regex of the `regex` module, or a function of Python or of Hugging Face's
# tokenizers); the scanner in this module is a state machine over UTF-8 that gives the same
# words some fifty times faster.
#
# | name | reference |
# |---|---|
# | `gpt2` | GPT-2's pattern |
# | `cl100k` | GPT-4's pattern, as in tiktoken |
# | `o200k` | GPT-4o's pattern, as in tiktoken |
# | `categories` | runs of letters, numbers or separators, else single characters |
# | `whitespace` | `str.split()`: the white space is dropped |
# | `bert` | BertPreTokenizer: white space dropped, each punctuation mark a word |
# | `lines` | each space and each newline a word |
# | `none` | the whole document is one word |
# | `punctuation` | Hugging Face's Punctuation: each punctuation mark a word |
# | `digits` | Hugging Face's Digits, one by one: each number (`\p{N}`) a word |
# | `digits-3` | numbers in threes from the left, what is between them a word |
# | `scripts` | runs of one script, see `bpe_gui.bpe.pre_tokenize` |
# | `regex:...` | the matches of a regex of one's own, in the `regex` module's dialect |
# | `matches:...` | the same, but what is between the matches is dropped |
# | `sequence:[...]` | the words of the first step, each split by the next one by itself |
#
# For the six before the last the `regex` module itself does the work. Every match is a word;
# matches of no characters are passed over. What a pattern skips is kept as single symbols that
# never merge, unless it is dropped; as one step of several, it is a word.

PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        "cl100k": (
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
            r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
        ),
        "o200k": (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
        "categories": r"\p{Z}?(?:\p{L}+|\p{N}+)|\p{Z}+|.",
    }
)
"""The regexes, in the `regex` module's dialect, of the splits that the scanner equals."""

_MATCHED = {
    "punctuation": f"{PUNCTUATION_MARK}|{NO_PUNCTUATION_MARKS}",
    "digits": r"\p{N}|[^\p{N}]+",
    "digits-3": r"\p{N}{1,3}|[^\p{N}]+",
    "scripts": SCRIPTS_PATTERN,
}
"""The regexes of the splits that are done by matching them."""

_SPLIT_PATTERN = "split pattern"
"""What sentences call such a regex."""

SPANS = -1
"""In place of the number of a split: the spans are known, as the scanner writes them."""

_SCANNERS = {
    "gpt2": GPT2,
    "cl100k": CL100K,
    "o200k": O200K,
    "categories": CATEGORIES,
    "whitespace": WHITESPACE,
    "bert": BERT,
    "lines": LINES,
    "none": NONE,
}


def scanner(split: str) -> int:
    """Return the number by which kernels know a named split. Raises KeyError for the others."""
    return _SCANNERS[split]


def is_scanned(split: str) -> bool:
    """Tell whether the scanner alone does a split; others need to see the whole of a document."""
    return split in _SCANNERS


def matched_pattern(split: str) -> str | None:
    """Return the regex of a split that is done by matching it; None for others, and for several
    steps.
    """
    pattern = own_pattern(split)
    return _MATCHED.get(split) if pattern is None else pattern


def split_words(
    text: NDArray[np.uint8], split: str, *, compiled: bool | None = None
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Cut a whole document.

    `text` is valid UTF-8, shape (bytes,). Returns the end of each span (byte offsets,
    ascending; a span begins where the one before it ends) and its kind. Raises PatternError
    if a regex takes too long.

    >>> ends, kinds = split_words(np.frombuffer(b"low lower", np.uint8), "gpt2")
    >>> ends.tolist(), kinds.tolist() == [WORD, WORD]
    ([3, 9], True)
    """
    if not is_scanned(split):
        return _unscanned_spans(text, split, compiled)
    ends = np.array([len(text)], np.int64)
    return _scanned_spans(text, split, ends, compiled)


def _scanned_spans(
    text: NDArray[np.uint8], split: str, document_ends: NDArray[np.int64], compiled: bool | None
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Cut concatenated documents with the scanner; see `split_words`."""
    spans = np.empty(len(text) + WINDOW, np.int64)
    kernel = scan.form(compiled)
    found, _ = kernel(scanner(split), text, document_ends, 0, character_classes(), spans)
    return spans[:found] >> 2, (spans[:found] & 3).astype(np.uint8)


def for_scanner(
    text: NDArray[np.uint8], document_ends: NDArray[np.int64], recipe: Recipe
) -> tuple[int, NDArray[np.int64]]:
    """Tell how the scanner's kernels cut concatenated documents by a recipe.

    Returns the number of a split, and where to begin anew: the ends of the documents; or,
    if the scanner does not do all, `SPANS` and the spans, single symbols that a regex skips among
    them: where each ends, shifted left by two, and its kind. Raises PatternError if a regex takes
    too long.

    >>> number, spans = for_scanner(
    ...     np.frombuffer(b"a b", np.uint8), np.array([3]), Recipe(split="matches:[a-z]")
    ... )
    >>> (spans >> 2).tolist(), ((spans & 3) == DROPPED).tolist()
    ([1, 2, 3], [False, True, False])
    """
    if is_scanned(recipe.split):
        return scanner(recipe.split), document_ends
    if (character := _split_before(recipe.split)) is not None:
        mark = character.encode("utf-8")
        found = re.finditer(re.escape(mark), text.data)
        begins = [match.start() for match in found if match.start()]
        return NONE, np.union1d(document_ends, np.array(begins, np.int64))
    begins_anew = np.zeros(len(text) + 1, np.bool_)
    skipped, dropped = np.zeros(len(text), np.bool_), np.zeros(len(text), np.bool_)
    begin = 0
    for end in document_ends.tolist():
        ends, kinds = _unscanned_spans(text[begin:end], recipe.split, None)
        begins_anew[begin + ends] = True
        sizes = np.diff(ends, prepend=0)
        skipped[begin:end] = np.repeat(kinds == UNMATCHED, sizes)
        dropped[begin:end] = np.repeat(kinds == DROPPED, sizes)
        begin = end
    symbol_begins = recipe.byte_level | is_first_byte(text)
    begins_anew[:-1] |= skipped & symbol_begins
    ends = np.flatnonzero(begins_anew[1:]) + 1
    return SPANS, ends << 2 | np.where(dropped[ends - 1], DROPPED, WORD)


def split_before(character: str) -> str:
    """Name the split that begins a word at each such character, as Hugging Face's Metaspace does.

    >>> split_before("_")
    'regex:_[^_]*|[^_]+'
    """
    written = re.escape(character)
    return REGEX + rf"{written}[^{written}]*|[^{written}]+"


@lru_cache(maxsize=16)
def _split_before(split: str) -> str | None:
    """Return the character of a split that `split_before` names; None for others."""
    pattern = (own_pattern(split) or "").removeprefix("\\")
    return pattern[0] if pattern and split == split_before(pattern[0]) else None


def _unscanned_spans(
    text: NDArray[np.uint8], split: str, compiled: bool | None
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Cut a document by a regex, or in several steps; see `split_words`."""
    pattern = matched_pattern(split)
    if pattern is not None:
        between = DROPPED if split.startswith(MATCHES) else UNMATCHED
        return _matched_spans(text.tobytes().decode("utf-8"), pattern, between)
    ends = np.array([len(text)], np.int64)[: len(text)]
    for step in steps_of_split(split):
        pattern = matched_pattern(step)
        if pattern is None:
            ends, _ = _scanned_spans(text, step, ends, compiled)
        else:
            ends = _matched_within(text.tobytes(), pattern, ends)
    return ends, np.full(len(ends), WORD, np.uint8)


def _matched_within(text: bytes, pattern: str, ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cut each word at the matches of a regex; returns the ends of all words then.

    What is between two matches is a word, too, also if one of them has no characters, as in the
    library. A regex sees one word at a time.
    """
    compiled = compiled_pattern(pattern, _SPLIT_PATTERN)
    found: list[NDArray[np.int64]] = []
    known: dict[bytes, NDArray[np.int64]] = {}  # words recur
    begin = 0
    for end in ends.tolist():
        word = text[begin:end]
        if word not in known:
            matches = spans(compiled, word.decode("utf-8"), _SPLIT_PATTERN)
            places = bytes_of_characters(word)[matches.ravel()]
            known[word] = np.unique(np.append(places[places > 0], len(word)))
        found.append(known[word] + begin)
        begin = end
    return np.concatenate(found) if found else ends


def _matched_spans(
    text: str, pattern: str, between: int
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the matches of a regex as words, and what is `between` them; see `split_words`."""
    found = spans(compiled_pattern(pattern, _SPLIT_PATTERN), text, _SPLIT_PATTERN)
    words = found[found[:, 1] > found[:, 0]]
    # Every other span is a word; those between them may be empty, and then are none.
    ends = np.append(words, len(text))
    kinds = np.full(len(ends), between, np.uint8)
    kinds[1::2] = WORD
    kept = np.diff(ends, prepend=0) > 0
    return bytes_of_characters(text.encode("utf-8"))[ends[kept]], kinds[kept]


def last_split(
    text: bytes, split: str, *, specials: Sequence[bytes] = (), compiled: bool | None = None
) -> int:
    """Find the last byte at which a word begins for certain, or 0 if there is no such place.

    The words before it do not depend on what comes after it, nor those after it on what
    comes before. It is not within a run of what is no white space, nor within one of the
    special tokens, in whichever way these are looked for. `text` is valid UTF-8, and may be
    followed by more. The split `none` has no such place, nor has one that the scanner does not
    do alone.
    """
    if not is_scanned(split):
        return 0
    view = np.frombuffer(text, np.uint8)
    kernel = safe_cut_kernel.form(compiled)

    def last_place(limit: int) -> int:
        return int(kernel(scanner(split), view[:limit], character_classes()))

    return clear_of(specials, text, last_place)


def clear_of(specials: Sequence[bytes], text: bytes, last_place: Callable[[int], int]) -> int:
    """Find the last place for a cut that is not within a special token; 0 if there is none.

    `last_place` gets a number of bytes, and tells the last place in as many at the start, or 0.
    """
    # A special token that begins further back than this is all there.
    limit = len(text) - max(map(len, specials), default=1) + 1
    while limit > 0:
        place = last_place(limit)
        across = (
            text.find(special, max(place - len(special) + 1, 0), place + len(special) - 1)
            for special in specials
        )
        begin = max(across, default=-1) if place else -1
        if begin < 0:
            return place
        limit = begin + 1
    return 0


# -- Where a text may be cut --------------------------------------------------------------------
#
# What a corpus holds streams by in blocks, and a block ends where every word ends whatever
# comes after. Which places those are depends on the recipe:
#
# - after a letter and before a space or newline every split of the scanner ends a word, and no
#   normalizer looks across, but for those that ask where a document begins or ends, or that
#   replace a regex, which may look anywhere;
# - after a newline a word begins too, provided that the normalizers leave the white space
#   around it as it is, or that the split does not care how much white space there is;
# - a split that cuts nowhere and the matches of a regex have no such place at all.
#
# What has no such place is held until its document ends, up to a bound.

MAX_HELD = 32 << 20
"""Bytes that a document may have if the recipe needs to see the whole of it at once."""

_ANYWHERE = frozenset(NORMALIZERS) - {"strip"}
"""Normalizers that look neither at the ends of a document nor across an ASCII character."""

_KEEP_WHITE_SPACE = frozenset({"nfc", "nfd", "lowercase"})
"""Those of them that leave white space, letters and numbers what and where they are."""

_WHITE_SPACE_APART = frozenset({"whitespace", "bert", "lines"})
"""Splits in which what is beside white space does not depend on how much there is."""

_DROP_WHITE_SPACE = frozenset({"whitespace", "bert"})

_CANDIDATES = 10_000
"""How many places are looked at before a piece is taken to have no place to cut at."""


class Cuts(Enum):
    """Where a document may be cut."""

    LINES = "after letters and between lines"
    LETTERS = "after letters"
    NOWHERE = "nowhere"


def cuts_of(recipe: Recipe) -> Cuts:
    """Tell where documents may be cut for a recipe."""
    steps = recipe.normalizers
    if recipe.split == "none" or not is_scanned(recipe.split):
        return Cuts.NOWHERE
    if not _ANYWHERE.issuperset(steps):
        return Cuts.NOWHERE
    if "bert-chinese" in steps and recipe.split not in _DROP_WHITE_SPACE:
        return Cuts.LETTERS  # else a space could be put in right at the cut
    if recipe.split in _WHITE_SPACE_APART or _KEEP_WHITE_SPACE.issuperset(steps):
        return Cuts.LINES
    return Cuts.LETTERS


def safe_cut(
    text: bytes, recipe: Recipe, *, specials: Sequence[bytes] = (), compiled: bool | None = None
) -> int:
    """Find the last byte at which a word begins for certain, or 0 if there is no such place.

    The words before it do not depend on what comes after it, nor those after it on what
    comes before. It is never within a word between white space, nor within a special token,
    in whichever way these are looked for. `text` is valid UTF-8, not yet normalized, and may
    be followed by more.

    >>> from bpe_gui.bpe.recipe import preset
    >>> safe_cut(b"low lower low", preset("gpt2"))  # more letters may follow the second "low"
    9
    """
    cuts = cuts_of(recipe)
    if cuts is Cuts.NOWHERE:
        return 0
    if cuts is Cuts.LINES and not (specials and recipe.takes_space):
        place = last_split(text, recipe.split, specials=specials, compiled=compiled)
        if place:
            return place

    def last_place(limit: int) -> int:
        # It has to be a letter after normalization too, wherever it is.
        return last_blank_after(text, limit, lambda c: _stays_letter(c, recipe.normalizers))

    return clear_of(specials, text, last_place)


def check_held(recipe: Recipe, size: int) -> None:
    """Raise RecipeError if a document of at least this number of bytes is too long for a recipe.

    Presets have no bound: `raw` holds a document however long it is.
    """
    if size <= MAX_HELD:
        return
    cuts = cuts_of(recipe)
    if cuts is Cuts.LINES or (recipe.split == "none" and _ANYWHERE.issuperset(recipe.normalizers)):
        return
    if cuts is Cuts.LETTERS:
        raise RecipeError(
            f"a document has no place between words within {MAX_HELD >> 20} MB where the "
            f"normalizers of {recipe.name!r} let it be divided; make each line a document"
        )
    blamed = [str(step) for step in recipe.normalizers if step not in _ANYWHERE]
    part = f"normalizer {blamed[0]!r}" if blamed else f"pre-tokenization {recipe.split!r}"
    raise RecipeError(
        f"a document is longer than {MAX_HELD >> 20} MB, and the {part} needs to see the "
        "whole of a document at once; make each line a document, or use shorter ones"
    )


def last_blank_after(
    text: bytes, limit: int, wanted: Callable[[str], bool], blanks: bytes = b" \n"
) -> int:
    """Find the last place before `limit` between a wanted character and one of the blanks, or 0."""
    is_blank = np.zeros(256, np.bool_)
    is_blank[list(blanks)] = True
    places = np.flatnonzero(is_blank[np.frombuffer(text, np.uint8)[:limit]])[-_CANDIDATES:]
    for place in places[::-1].tolist():
        begin = place
        while begin > 0 and (begin == place or text[begin] & 0xC0 == 0x80):
            begin -= 1
        if begin < place and wanted(text[begin:place].decode("utf-8", "replace")[-1]):
            return int(place)
    return 0


@lru_cache(maxsize=1 << 12)
def _stays_letter(character: str, steps: tuple[Normalizer, ...]) -> bool:
    """Tell whether a character is a letter, and ends in one when it has been normalized."""
    classes = character_classes()
    if not classes[ord(character)] & LETTER:
        return False
    made = normalize(character, steps)
    return bool(made) and bool(classes[ord(made[-1])] & LETTER)
