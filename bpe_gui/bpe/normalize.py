"""Normalization: a text before it is split, and where each of its characters came from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from io import StringIO
from types import MappingProxyType
from typing import Literal, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.errors import PatternError, shown
from bpe_gui.bpe.recipe import Normalizer, Prepend, PrependOnce, Replace
from bpe_gui.bpe.regexes import compiled, spans

# -- Where characters came from -----------------------------------------------------------------

CODE_POINTS = 0x110000


class Normalized(Struct, frozen=True):
    """A normalized text, and where its characters came from.

    Character i came from the source characters from `starts[i]` to `ends[i]`, half-open:
    from one, if it was left alone; from those that it was composed of; from the whole match
    that a regex replaced, each of the characters that it was replaced by; from the whole
    stretch, marks that changed places.

    What was put in where nothing was came from no character: its start and its end are its
    place, which is before the character that follows it, or after the last one. Put within
    what one source character was made into (between a letter and its accent, say), it came
    from that character.

    Both columns have `len(text) + 1` entries, the last is the length of the source, and
    neither ever descends: what is earlier in the text came from no later place. `starts`
    is None if nothing changed, `ends` if every character came from exactly one.
    """

    text: str
    starts: NDArray[np.int64] | None
    ends: NDArray[np.int64] | None = None

    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return starts and ends, also where they need not have been written down."""
        starts = np.arange(len(self.text) + 1) if self.starts is None else self.starts
        if self.ends is not None:
            return starts, self.ends
        ends = starts + 1
        ends[-1] = starts[-1]
        return starts, ends

    def after(self, before: Normalized) -> Normalized:
        """Combine this step with the step before it."""
        if before.starts is None:
            return self
        if self.starts is None:
            return Normalized(self.text, before.starts, before.ends)
        starts = before.starts[self.starts]
        if self.ends is None:
            ends = None if before.ends is None else before.ends[self.starts]
            return Normalized(self.text, starts, ends)
        last = self.ends - 1
        ends = before.starts[last] + 1 if before.ends is None else before.ends[last]
        put_in = np.flatnonzero(self.starts == self.ends)
        # Before the character that follows, or after the last; or from the character within
        # whose outcome it is put.
        end_before = np.where(self.ends[put_in] > 0, ends[put_in], 0)
        at_the_end = self.starts[put_in] == len(before.text)
        starts[put_in] = np.where(at_the_end, end_before, starts[put_in])
        ends[put_in] = np.maximum(starts[put_in], end_before)
        starts[-1] = ends[-1] = before.starts[-1]
        return Normalized(self.text, starts, ends)


def points_of(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(
        np.uint32, copy=False
    )


def text_of(points: NDArray[np.uint32]) -> str:
    """Invert `points_of`."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def kinds_of(points: NDArray[np.uint32]) -> tuple[list[int], NDArray[np.int64]]:
    """Return the distinct code points in order, and for each character the index of its own.

    As `np.unique` with its inverse, but without sorting: many times faster here.
    """
    present = np.zeros(CODE_POINTS, np.bool_)
    present[points] = True
    kinds = np.flatnonzero(present)
    index = np.empty(CODE_POINTS, np.int64)
    index[kinds] = np.arange(len(kinds))
    return kinds.tolist(), index[points]


def spelled_out(
    points: NDArray[np.uint32], made: list[str], kind: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Replace each character by what its kind makes; also return the source of each made one.

    `made` has a text for each of the kinds that `kinds_of` found.
    """
    lengths = np.array([len(text) for text in made], np.int64)[kind]
    starts = np.repeat(np.arange(len(points)), lengths)
    # The made characters, kind by kind in one row; each source character takes its slice.
    row = points_of("".join(made))
    row_starts = np.cumsum([0, *map(len, made)])[kind]
    made_starts = np.cumsum(lengths) - lengths
    return row[np.arange(len(starts)) + np.repeat(row_starts - made_starts, lengths)], starts


# -- Unicode normalization forms ----------------------------------------------------------------
#
# `aligned` tells in addition where each character came from. Decomposed, a text and its
# composed form are equal, mark for mark: so each composed character knows the decomposed ones
# that it stands for, and these the source.

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

PART = 1 << 16
"""Characters changed in one call: short enough that other threads hardly wait for it."""

_ASCII = re.compile("[\\x00-\\x7f]")


def normal_form(text: str, form: Form) -> str:
    """Apply `unicodedata.normalize`, in parts: no form looks across the start of an ASCII
    character.
    """
    if len(text) <= PART:
        return unicodedata.normalize(form, text)
    return "".join([unicodedata.normalize(form, part) for part in _parts(text)])


def aligned(text: str, form: Form) -> Normalized:
    """Do as `normal_form`, and say where each character came from."""
    if unicodedata.is_normalized(form, text):
        return Normalized(text, None)
    size = len(text)
    decomposed, starts = _decomposed(text, "NFKD" if "K" in form else "NFD")
    if form in ("NFD", "NFKD"):
        made = text_of(decomposed)
        first, last = np.append(starts, size), np.append(starts + 1, size)
    else:
        made = normal_form(text, form)
        _, places = _decomposed(made, "NFD")
        first, last = np.full(len(made) + 1, size), np.zeros(len(made) + 1, np.int64)
        np.minimum.at(first, places, starts)
        np.maximum.at(last, places, starts + 1)
    # Marks that changed places share the stretch in which they did.
    first = np.minimum.accumulate(first[::-1])[::-1]
    last = np.maximum.accumulate(last)
    last[-1] = size
    return Normalized(made, first, last)


def _decomposed(text: str, form: Form) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Decompose character by character, then order the marks as Unicode's algorithm does."""
    points = points_of(text)
    kinds, kind = kinds_of(points)
    parts = [unicodedata.normalize(form, chr(point)) for point in kinds]
    made, starts = spelled_out(points, parts, kind)
    order = _canonical_order(made)
    return made[order], starts[order]


def _canonical_order(points: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Find the order that sorts runs of combining marks by class and keeps equals in place."""
    kinds, kind = kinds_of(points)
    classes = np.array([unicodedata.combining(chr(point)) for point in kinds], np.int64)[kind]
    if not ((classes[:-1] > classes[1:]) & (classes[1:] > 0)).any():
        return np.arange(len(points))
    # A starter (class 0) begins a run, is its smallest and so stays at its head.
    runs = np.cumsum(classes == 0)
    return np.lexsort((classes, runs))


def _parts(text: str) -> Iterator[str]:
    """Cut a text before ASCII characters into parts of `PART` characters or a bit more."""
    start = 0
    while start < len(text):
        found = _ASCII.search(text, start + PART)
        end = found.start() if found else len(text)
        yield text[start:end]
        start = end


# -- Replacing and prepending -------------------------------------------------------------------
#
# - `lowercase`: each character as `str.lower` makes it alone, as Hugging Face's Lowercase
#   does: a capital sigma is a small one also at the end of a word;
# - `strip`: white space (Unicode's property White_Space) at both ends of a document vanishes,
#   as Hugging Face's Strip does; `str.strip` would take U+001C to U+001F too;
# - `Prepend`: a text before a document that is not empty, as Hugging Face's Prepend does;
# - `PrependOnce`: likewise, unless the document begins with that text or with a special token, as
#   Hugging Face's Metaspace does with its `first`;
# - `Replace`: every match of a regex, one after another as `finditer` has them, also a match
#   of no characters, becomes a text that is taken as it is, without `\1` or the like.
#
# An empty document stays empty.

_REPLACED = "pattern to replace"
"""What sentences call the regex of a `Replace`."""

_MAX_LENGTH = 1 << 26
"""Characters that a text may have after its matches are replaced."""

AT_ONCE = 1 << 16
"""Places that are taken from an array at once; an even number."""

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters with Unicode's property White_Space."""


def lowercase(text: str) -> str:
    """Turn a text into lower case, character by character."""
    # Of all characters only the capital sigma looks at its neighbours.
    return "σ".join([part.lower() for part in text.split("Σ")])


def lowercase_aligned(text: str) -> Normalized:
    """Do as `lowercase`, and say where each character came from."""
    if lowercase(text) == text:
        return Normalized(text, None)
    points = points_of(text)
    kinds, kind = kinds_of(points)
    made, starts = spelled_out(points, [chr(point).lower() for point in kinds], kind)
    return Normalized(text_of(made), np.append(starts, len(points)))


def strip(text: str) -> str:
    """Strip white space at the ends."""
    return text.strip(WHITE_SPACE)


def strip_aligned(text: str) -> Normalized:
    """Do as `strip`, and say where each character came from."""
    stripped = strip(text)
    if len(stripped) == len(text):
        return Normalized(text, None)
    begin = len(text) - len(text.lstrip(WHITE_SPACE)) if stripped else 0
    kept = np.arange(begin, begin + len(stripped))
    return Normalized(stripped, np.append(kept, len(text)))


def prepend(text: str, before: str) -> str:
    """Put another text before a text, unless that is empty."""
    return before + text if text else text


def prepend_aligned(text: str, before: str) -> Normalized:
    """Do as `prepend`, and say where each character came from."""
    if not text or not before:
        return Normalized(text, None)
    put_in = np.zeros(len(before), np.int64)
    places = np.arange(len(text) + 1)
    ends = np.append(places[1:], len(text))
    return Normalized(
        before + text, np.concatenate((put_in, places)), np.concatenate((put_in, ends))
    )


def prepend_once(text: str, before: str, is_first: bool) -> str:
    """Put another text before the first text of a document, unless that is empty or begins so."""
    return prepend(text, before) if is_first and not text.startswith(before) else text


def prepend_once_aligned(text: str, before: str, is_first: bool) -> Normalized:
    """Do as `prepend_once`, and say where each character came from."""
    if not is_first or text.startswith(before):
        return Normalized(text, None)
    return prepend_aligned(text, before)


def replace(text: str, pattern: str, by: str) -> str:
    """Replace every match of a regex.

    Raises PatternError if a match takes too long, or if far too much is made of the text.
    """
    return _replaced(text, _found(text, pattern, by), by)


def replace_aligned(text: str, pattern: str, by: str) -> Normalized:
    """Do as `replace`, and say where each character came from.

    >>> made = replace_aligned("a  b", " +", "-")
    >>> made.text, made.starts.tolist(), made.ends.tolist()
    ('a-b', [0, 1, 3, 4], [1, 3, 4, 4])
    """
    found = _found(text, pattern, by)
    made = _replaced(text, found, by)
    if made == text:
        return Normalized(text, None)
    # What is kept and what is put in take turns, the kept first and last.
    begins = np.append(0, found)
    matched_ends = np.append(begins[1:], len(text))
    kept = np.arange(len(begins)) % 2 == 0
    lengths = np.where(kept, matched_ends - begins, len(by))
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    is_kept = np.repeat(kept, lengths)
    starts = np.repeat(begins, lengths) + within * is_kept
    ends = np.where(is_kept, starts + 1, np.repeat(matched_ends, lengths))
    return Normalized(made, np.append(starts, len(text)), np.append(ends, len(text)))


def _found(text: str, pattern: str, by: str) -> NDArray[np.int64]:
    """Tell where the matches of a regex begin and end, in turns; nowhere in an empty text."""
    if not text:
        return np.empty(0, np.int64)
    found = spans(compiled(pattern, _REPLACED), text, _REPLACED).ravel()
    kept = len(text) - int((found[1::2] - found[::2]).sum())
    if kept + len(found) // 2 * len(by) > max(_MAX_LENGTH, len(text)):
        raise PatternError(
            f"replacing the pattern {shown(pattern)} would make more than {_MAX_LENGTH:,} "
            "characters of one text; replace it by something shorter"
        )
    return found


def _replaced(text: str, found: NDArray[np.int64], by: str) -> str:
    made = StringIO(newline="")
    done = 0
    for first in range(0, len(found), AT_ONCE):
        places = found[first : first + AT_ONCE].tolist()
        for begin, end in zip(places[::2], places[1::2], strict=True):
            made.write(text[done:begin])
            made.write(by)
            done = end
    made.write(text[done:])
    return made.getvalue()


# -- A recipe's steps ---------------------------------------------------------------------------
#
# A recipe lists its steps, and `normalize` runs them, one after the other. Those that have a
# name do the same to each document wherever it is cut (see `bpe_gui.bpe.pre_tokenize`):
#
# - `bert-clean`: what `clean_text` of Hugging Face's BertNormalizer does. Control and
#   format characters, private use and U+FFFD vanish, each white space becomes a space;
# - `bert-chinese`: what its `handle_chinese_chars` does: a space before and after each
#   CJK ideograph;
# - `nfc`, `nfd`, `nfkc`, `nfkd`: Unicode's normalization forms, as `unicodedata` of the running
#   Python has them;
# - `remove-mn`: nonspacing marks (category Mn, as `unicodedata` has it) vanish, those that
#   stand alone: do `nfd` first to take the accents off composed letters;
# - `strip-accents`: all marks (categories Mn, Mc and Me) vanish, those that stand alone. Hugging
#   Face's StripAccents does the same with the marks of an older Unicode;
# - `lowercase`, and `strip`, which looks for the ends of a document: see `bpe_gui.bpe.normalize`,
#   as for the three that are no names, `Prepend`, `PrependOnce` and `Replace`.
#
# `normalize_aligned` tells in addition which source characters each character came from.
#
# A stream may be normalized piece by piece, but for `strip` and the steps that are no names. If
# each piece begins with an ASCII character, the results join up to what the whole text gives: no
# step looks across the start of an ASCII character. So it is exact to cut before an ASCII white
# space and between two ASCII characters. A cut anywhere else may keep marks from being ordered,
# or from being composed with what is before them.
#
# Every step takes any str, also one with lone surrogates (they stay as they are).

_REMOVED_BY_BERT = (
    # Control characters (Cc), but for tab, newline and carriage return.
    *((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F)),
    # Format characters (Cf) as the library's tables have them: those that Unicode took in
    # later (U+08E2, U+0890, U+110CD, U+13430...) are not among them.
    *((0xAD, 0xAD), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD), (0x70F, 0x70F)),
    *((0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2064)),
    *((0x2066, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F)),
    # Private use (Co), and the replacement character.
    *((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD), (0xFFFD, 0xFFFD)),
)
"""First and last code points of the ranges that `bert-clean` drops."""

_SPACES_OF_BERT = (
    *((0x09, 0x0A), (0x0D, 0x0D), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
)
"""The ranges that `bert-clean` turns into a space."""

_IDEOGRAPHS_OF_BERT = (
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF)),
    # The gap U+2B820..U+2B91F is the library's.
    *((0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F)),
)
"""The ranges that `bert-chinese` puts spaces around."""

_MAY_BE_MARKS = (range(0x20000), range(0xE0000, 0xF0000))
"""Where marks can be: the other planes hold ideographs, private use, nothing."""

ALL_MARKS = ("Mn", "Mc", "Me")
"""Unicode's categories of marks."""

_KEEP, _REMOVE, _TO_SPACE, _SURROUND = range(4)
"""What is done to one character; the tables below hold one of these per code point."""


def normalize(text: str, steps: tuple[Normalizer, ...], *, is_first: bool = True) -> str:
    """Run the steps, in that order.

    A text is what a document has between special tokens; `is_first` tells that it begins the
    document. Raises ValueError for an unknown name, PatternError for a regex that takes too long.

    >>> normalize("naïve", ("nfd", "remove-mn"))
    'naive'
    """
    for step in steps:
        text = _change(step, is_first)(text)
    return text


def normalize_aligned(
    text: str, steps: tuple[Normalizer, ...], *, is_first: bool = True
) -> Normalized:
    """Do as `normalize`, and say where each character came from.

    >>> normalize_aligned("naïve", ("nfd",)).starts.tolist()
    [0, 1, 2, 2, 3, 4, 5]
    """
    done = Normalized(text, None)
    for made in aligned_steps(text, steps, is_first=is_first):
        done = made.after(done)
    return done


def aligned_steps(
    text: str, steps: tuple[Normalizer, ...], *, is_first: bool = True
) -> Iterator[Normalized]:
    """Tell what the steps make one after another, each told of what the step before it made.

    >>> [made.text for made in aligned_steps(" Naïve", ("strip", "lowercase"))]
    ['Naïve', 'naïve']
    """
    for step in steps:
        made = _aligned_change(step, is_first)(text)
        yield made
        text = made.text


def _change(step: Normalizer, is_first: bool) -> Callable[[str], str]:
    if isinstance(step, Replace):
        return partial(replace, pattern=step.pattern, by=step.by)
    if isinstance(step, PrependOnce):
        return partial(prepend_once, before=step.text, is_first=is_first)
    if isinstance(step, Prepend):
        return partial(prepend, before=step.text)
    return _known(STEPS, step)


def _aligned_change(step: Normalizer, is_first: bool) -> Callable[[str], Normalized]:
    if isinstance(step, Replace):
        return partial(replace_aligned, pattern=step.pattern, by=step.by)
    if isinstance(step, PrependOnce):
        return partial(prepend_once_aligned, before=step.text, is_first=is_first)
    if isinstance(step, Prepend):
        return partial(prepend_aligned, before=step.text)
    return _known(_ALIGNED, step)


def bert_clean(text: str) -> str:
    """Drop control characters, make each white space a space; as Hugging Face does it."""
    if text.isascii():
        return text.translate(_ascii_cleaning())
    points = points_of(text)
    actions = _cleaning()[points]
    return text_of(_clean(points, actions, actions != _REMOVE))


def bert_chinese(text: str) -> str:
    """Put a space before and after each CJK ideograph; as Hugging Face does it."""
    if text.isascii():
        return text
    points = points_of(text)
    surrounded = _surrounding()[points] == _SURROUND
    return text_of(_surround(points, surrounded)[0]) if surrounded.any() else text


def remove_mn(text: str) -> str:
    """Drop the nonspacing marks, category Mn."""
    return _without_marks(text, ("Mn",))


def strip_accents(text: str) -> str:
    """Drop all marks, categories Mn, Mc and Me."""
    return _without_marks(text, ALL_MARKS)


def marks(categories: tuple[str, ...] = ALL_MARKS) -> list[int]:
    """Return the code points of all marks of some categories, as `unicodedata` has them."""
    return np.flatnonzero(_marks(categories) == _REMOVE).tolist()


def _without_marks(text: str, categories: tuple[str, ...]) -> str:
    if text.isascii():
        return text
    points = points_of(text)
    kept = _marks(categories)[points] == _KEEP
    return text if kept.all() else text_of(points[kept])


STEPS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "bert-clean": bert_clean,
        "bert-chinese": bert_chinese,
        "nfc": partial(normal_form, form="NFC"),
        "nfd": partial(normal_form, form="NFD"),
        "nfkc": partial(normal_form, form="NFKC"),
        "nfkd": partial(normal_form, form="NFKD"),
        "remove-mn": remove_mn,
        "strip-accents": strip_accents,
        "lowercase": lowercase,
        "strip": strip,
    }
)
"""The steps by the names that recipes use."""

_T = TypeVar("_T")


def _known(steps: Mapping[str, _T], name: str) -> _T:
    try:
        return steps[name]
    except KeyError:
        raise ValueError(
            f"unknown normalizer {name!r}; the known ones are {', '.join(STEPS)}"
        ) from None


# -- the same steps with starts ---------------------------------------------------------


def _bert_clean_aligned(text: str) -> Normalized:
    points = points_of(text)
    actions = _cleaning()[points]
    if not actions.any():
        return Normalized(text, None)
    kept = actions != _REMOVE
    return Normalized(text_of(_clean(points, actions, kept)), _kept_origins(kept))


def _bert_chinese_aligned(text: str) -> Normalized:
    points = points_of(text)
    surrounded = _surrounding()[points] == _SURROUND
    if not surrounded.any():
        return Normalized(text, None)
    made, starts = _surround(points, surrounded)
    ends = starts + 1
    # The spaces are put in: one is before the ideograph, one after it.
    middles = np.flatnonzero(surrounded[starts])[1::3]
    ends[middles - 1] -= 1
    starts[middles + 1] += 1
    size = len(points)
    return Normalized(text_of(made), np.append(starts, size), np.append(ends, size))


def _without_marks_aligned(text: str, categories: tuple[str, ...]) -> Normalized:
    kept = _marks(categories)[points_of(text)] == _KEEP
    if kept.all():
        return Normalized(text, None)
    return Normalized(_without_marks(text, categories), _kept_origins(kept))


_ALIGNED: Mapping[str, Callable[[str], Normalized]] = {
    "bert-clean": _bert_clean_aligned,
    "bert-chinese": _bert_chinese_aligned,
    "nfc": partial(aligned, form="NFC"),
    "nfd": partial(aligned, form="NFD"),
    "nfkc": partial(aligned, form="NFKC"),
    "nfkd": partial(aligned, form="NFKD"),
    "remove-mn": partial(_without_marks_aligned, categories=("Mn",)),
    "strip-accents": partial(_without_marks_aligned, categories=ALL_MARKS),
    "lowercase": lowercase_aligned,
    "strip": strip_aligned,
}


# -- on arrays of code points ------------------------------------------------------------


def _clean(
    points: NDArray[np.uint32], actions: NDArray[np.uint8], kept: NDArray[np.bool_]
) -> NDArray[np.uint32]:
    """Return the code points that are kept, with a space for those whose action says so."""
    spaced = np.where(actions == _TO_SPACE, np.uint32(0x20), points)
    return spaced if kept.all() else spaced[kept]


def _surround(
    points: NDArray[np.uint32], surrounded: NDArray[np.bool_]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Put spaces around some of the characters; the result and its starts (no last entry)."""
    lengths = np.where(surrounded, 3, 1)
    starts = np.repeat(np.arange(len(points)), lengths)
    made = points[starts]
    middles = (np.cumsum(lengths) - 2)[surrounded]
    made[middles - 1] = 0x20
    made[middles + 1] = 0x20
    return made, starts


def _kept_origins(kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the starts when only some of the characters stay."""
    return np.append(np.flatnonzero(kept), len(kept))


# -- tables, made when first needed --------------------------------------------------------


def _table(ranges: tuple[tuple[int, int], ...], action: int) -> NDArray[np.uint8]:
    table = np.full(CODE_POINTS, _KEEP, np.uint8)
    for first, last in ranges:
        table[first : last + 1] = action
    return table


@cache
def _cleaning() -> NDArray[np.uint8]:
    return _table(_REMOVED_BY_BERT, _REMOVE) | _table(_SPACES_OF_BERT, _TO_SPACE)


@cache
def _ascii_cleaning() -> dict[int, str | None]:
    changes: dict[int, str | None] = {_REMOVE: None, _TO_SPACE: " "}
    actions = _cleaning()[:0x80].tolist()
    return {point: changes[action] for point, action in enumerate(actions) if action != _KEEP}


@cache
def _surrounding() -> NDArray[np.uint8]:
    return _table(_IDEOGRAPHS_OF_BERT, _SURROUND)


@cache
def _marks(categories: tuple[str, ...]) -> NDArray[np.uint8]:
    table = np.full(CODE_POINTS, _KEEP, np.uint8)
    for points in _MAY_BE_MARKS:
        marks = [point for point in points if unicodedata.category(chr(point)) in categories]
        table[marks] = _REMOVE
    return table
