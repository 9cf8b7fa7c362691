r"""Where words begin, for 64 bytes at once: one bit a byte.

A text is looked at through windows of 64 bytes. A window begins where a word begins, so that
nothing before it matters. Comparing all of its bytes with a few bounds gives a bit for each, such
as "is a letter"; what begins a word is then a formula of these bits, a handful of instructions
for some ten words, where a loop over the bytes takes one wrong guess of the processor for each
word. Three examples, with `letters` as the bits of the letters:

- `letters & ~(letters << 1)`: the first byte of each run of letters;
- `spaces & (others >> 1)`: the last white space before something else;
- `(begins + run) & ~run`: the byte behind each run that begins at one of `begins`, for a carry
  goes through all ones.

The formulas do not say everything. What they leave open they mark, and `span_end`, which reads
character by character, answers for the word that begins there. Characters outside ASCII are read
one by one and get their bits so. Where a text has less than 64 bytes left in memory, and where
kernels are interpreted, `span_end` answers for every word.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import Bytes, Integer, Kernel, Longs, Shorts, within_kernels
from bpe_gui.bpe.kernels.registers import WINDOW, first_mark, has_window, marked_between
from bpe_gui.bpe.kernels.scanning import (
    BERT,
    CATEGORIES,
    CL100K,
    DROPPED,
    GPT2,
    NONE,
    O200K,
    WHITESPACE,
    WORD,
    code_point,
    span_end,
)

_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)
_NOTHING, _ALL = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)

(
    LETTER_BIT,
    NUMBER_BIT,
    SPACE_BIT,
    OTHER_BIT,
    UPPER_BIT,
    LOWER_BIT,
    SEPARATOR_BIT,
    STRIPPED_BIT,
    PUNCTUATION_BIT,
    WHITE_SPACE_BIT,
) = range(10)
"""The numbers of the flags of `scanning`."""

_TRUSTED = WINDOW - 2
"""The last byte of a window of which all is known: whether a word begins there depends on the
character behind it as well."""


@within_kernels
def _bit(k: Integer) -> Integer:
    return _ONE << np.uint64(k)


@within_kernels
def _firsts(marks: Integer) -> Integer:
    """Mark the first of each run of marks."""
    return marks & ~(marks << _ONE)


@within_kernels
def _within(left: Integer) -> Integer:
    """Mark the bytes of a window that belong to a document: `left` bytes of it remain."""
    return _ALL >> np.uint64(WINDOW - left) if left < WINDOW else _ALL


@within_kernels
def _wide(
    text: Bytes,
    i: Integer,
    end: Integer,
    classes: Shorts,
    a: Integer,
    b: Integer,
    c: Integer,
    d: Integer,
    e: Integer,
) -> tuple[Integer, Integer, Integer, Integer, Integer, Integer]:
    """Mark all bytes of the characters outside ASCII that have the flag 1 << a; 1 << b; and so on.

    The last marks are all 64 if only reading character by character tells what the bytes are, for
    they may be no UTF-8, else none.
    """
    within = _within(end - i)
    first = marked_between(text, i, 0xC0, 0xFF) & within
    following = marked_between(text, i, 0x80, 0xBF) & within
    of_three = marked_between(text, i, 0xE0, 0xFF) & within
    of_four = marked_between(text, i, 0xF0, 0xFF) & within
    expected = first << _ONE | of_three << _TWO | of_four << _THREE
    broken = _NOTHING
    if following != expected or marked_between(text, i, 0xF4, 0xFF) & within:
        broken = _ALL
    with_a = with_b = with_c = with_d = with_e = _NOTHING
    while first:
        k = first_mark(first)
        first &= first - _ONE
        point, _ = code_point(text, i + k, end)
        flags = np.uint64(classes[point])
        with_a |= (flags >> np.uint64(a) & _ONE) << np.uint64(k)
        with_b |= (flags >> np.uint64(b) & _ONE) << np.uint64(k)
        with_c |= (flags >> np.uint64(c) & _ONE) << np.uint64(k)
        with_d |= (flags >> np.uint64(d) & _ONE) << np.uint64(k)
        with_e |= (flags >> np.uint64(e) & _ONE) << np.uint64(k)
    return (
        _whole(with_a, following),
        _whole(with_b, following),
        _whole(with_c, following),
        _whole(with_d, following),
        _whole(with_e, following),
        broken,
    )


@within_kernels
def _whole(first: Integer, following: Integer) -> Integer:
    """Mark all bytes of characters of which the first byte is marked."""
    for _ in range(3):
        first |= first << _ONE & following
    return first


# Each `..._window` function answers for the window at byte i, where a word begins, in a document
# that ends at `end`, with marks of: bytes at which words begin; those at which a word begins of
# which only `span_end` knows the end; ends of words that `span_end` may know to lie further on;
# what is no word but white space that is dropped.


@within_kernels
def _ascii_letters(text: Bytes, i: Integer) -> Integer:
    return marked_between(text, i, 65, 90) | marked_between(text, i, 97, 122)


@within_kernels
def _gpt2_window(
    text: Bytes, i: Integer, end: Integer, classes: Shorts
) -> tuple[Integer, Integer, Integer, Integer]:
    within = _within(end - i)
    wide = marked_between(text, i, 0x80, 0xFF) & within
    blanks = marked_between(text, i, 32, 32)
    letters = _ascii_letters(text, i)
    numbers = marked_between(text, i, 48, 57)
    spaces = (blanks | marked_between(text, i, 9, 13)) & within
    by_character = marked_between(text, i, 39, 39)
    last_spaces = spaces
    if wide:
        more_letters, more_numbers, more_spaces, _, _, broken = _wide(
            text, i, end, classes, LETTER_BIT, NUMBER_BIT, SPACE_BIT, 0, 0
        )
        letters |= more_letters
        numbers |= more_numbers
        spaces |= more_spaces
        by_character |= broken
        if more_spaces:
            by_character |= spaces
    letters &= within
    numbers &= within
    others = ~(letters | numbers | spaces) & within
    begins = (_firsts(letters) | _firsts(numbers) | _firsts(others)) & ~(blanks << _ONE)
    begins |= _firsts(spaces) | last_spaces & ~spaces >> _ONE & within >> _ONE
    return begins, by_character, _NOTHING, _NOTHING


@within_kernels
def _gpt4_window(
    text: Bytes, i: Integer, end: Integer, classes: Shorts, cased: bool
) -> tuple[Integer, Integer, Integer, Integer]:
    """Answer for cl100k_base or, if `cased`, for o200k_base."""
    within = _within(end - i)
    wide = marked_between(text, i, 0x80, 0xFF) & within
    blanks = marked_between(text, i, 32, 32)
    newlines = (marked_between(text, i, 10, 10) | marked_between(text, i, 13, 13)) & within
    upper = marked_between(text, i, 65, 90)
    lower = marked_between(text, i, 97, 122)
    letters = upper | lower
    numbers = marked_between(text, i, 48, 57)
    spaces = (blanks | marked_between(text, i, 9, 13)) & within
    apostrophes = marked_between(text, i, 39, 39)
    by_character = _NOTHING
    continued = _NOTHING
    if wide:
        continued = marked_between(text, i, 0x80, 0xBF) & within
        more_letters, more_numbers, more_spaces, more_upper, more_lower, broken = _wide(
            text, i, end, classes, LETTER_BIT, NUMBER_BIT, SPACE_BIT, UPPER_BIT, LOWER_BIT
        )
        letters |= more_letters
        numbers |= more_numbers
        spaces |= more_spaces
        by_character |= broken
        if more_spaces:
            by_character |= spaces
        if cased:
            both = more_upper & more_lower
            one = upper | lower | more_upper ^ more_lower
            if (more_upper | more_lower) & ~more_letters or (
                (both << _ONE & one) | (one << _ONE & both)
            ):
                # Marks count as letters and as others; which letters of no case go with which
                # of their neighbours, only trying all possibilities tells.
                by_character = _ALL
            upper |= more_upper & ~more_lower
            lower |= more_lower & ~more_upper
    letters &= within
    numbers &= within
    others = ~(letters | numbers | spaces) & within
    not_newlines = spaces & ~newlines

    # Letters, with one character before them that is no letter, number or newline.
    other_begins = _firsts(others) & ~(blanks << _ONE)
    behind_single = ((other_begins << _ONE) + continued) & ~continued
    letter_begins = _firsts(letters)
    joined = letter_begins & (behind_single | not_newlines << _ONE)
    begins = letter_begins & ~joined | _firsts(numbers) | other_begins
    ends_open = _NOTHING
    if cased:
        begins |= upper & lower << _ONE & within
        ends_open = apostrophes & letters << _ONE
    else:
        by_character |= apostrophes
    # Numbers of more than three bytes are cut.
    by_character |= numbers & numbers >> _ONE & numbers >> _TWO & numbers >> _THREE

    # Newlines belong to the punctuation before them.
    run = (others << _ONE & newlines) + newlines
    absorbed = newlines & ~run
    behind = run & ~newlines
    begins |= _firsts(spaces)
    begins = begins & ~absorbed | behind & within
    if cased and behind & marked_between(text, i, 47, 47):
        by_character = _ALL
    # White space is cut behind its last newline, and before its last character.
    begins |= not_newlines & ~spaces >> _ONE & within >> _ONE
    behind_newline = newlines << _ONE & not_newlines
    run = behind_newline + not_newlines
    behind = run & ~not_newlines
    open_at_end = run < not_newlines  # the carry has left the window
    if open_at_end or behind & newlines or (not cased and behind & ~within):
        by_character |= spaces
    begins |= behind_newline
    return begins, by_character, ends_open, _NOTHING


@within_kernels
def _categories_window(
    text: Bytes, i: Integer, end: Integer, classes: Shorts
) -> tuple[Integer, Integer, Integer, Integer]:
    within = _within(end - i)
    wide = marked_between(text, i, 0x80, 0xFF) & within
    separators = marked_between(text, i, 32, 32) & within
    letters = _ascii_letters(text, i)
    numbers = marked_between(text, i, 48, 57)
    by_character = _NOTHING
    continued = _NOTHING
    if wide:
        continued = marked_between(text, i, 0x80, 0xBF)
        more_letters, more_numbers, more_separators, _, _, by_character = _wide(
            text, i, end, classes, LETTER_BIT, NUMBER_BIT, SEPARATOR_BIT, 0, 0
        )
        letters |= more_letters
        numbers |= more_numbers
        if more_separators:
            by_character = _ALL
    letters &= within
    numbers &= within
    others = ~(letters | numbers | separators | continued) & within
    joined = separators << _ONE & ~(separators << _TWO)
    begins = (_firsts(letters) | _firsts(numbers)) & ~joined | _firsts(separators) | others
    # A newline is kept although it is no word.
    by_character |= marked_between(text, i, 10, 10)
    return begins, by_character, _NOTHING, _NOTHING


@within_kernels
def _whitespace_window(
    text: Bytes, i: Integer, end: Integer, classes: Shorts
) -> tuple[Integer, Integer, Integer, Integer]:
    within = _within(end - i)
    wide = marked_between(text, i, 0x80, 0xFF) & within
    spaces = marked_between(text, i, 32, 32) | marked_between(text, i, 9, 13)
    spaces |= marked_between(text, i, 28, 31)
    by_character = _NOTHING
    if wide:
        more_spaces, _, _, _, _, by_character = _wide(
            text, i, end, classes, STRIPPED_BIT, 0, 0, 0, 0
        )
        spaces |= more_spaces
    spaces &= within
    return _firsts(spaces) | _firsts(~spaces & within), by_character, _NOTHING, spaces


@within_kernels
def _bert_window(
    text: Bytes, i: Integer, end: Integer, classes: Shorts
) -> tuple[Integer, Integer, Integer, Integer]:
    within = _within(end - i)
    wide = marked_between(text, i, 0x80, 0xFF) & within
    spaces = marked_between(text, i, 32, 32) | marked_between(text, i, 9, 13)
    marks = marked_between(text, i, 33, 47) | marked_between(text, i, 58, 64)
    marks |= marked_between(text, i, 91, 96) | marked_between(text, i, 123, 126)
    continued = by_character = _NOTHING
    if wide:
        continued = marked_between(text, i, 0x80, 0xBF)
        more_spaces, more_marks, _, _, _, by_character = _wide(
            text, i, end, classes, WHITE_SPACE_BIT, PUNCTUATION_BIT, 0, 0, 0
        )
        spaces |= more_spaces
        marks |= more_marks
    spaces &= within
    marks &= within
    rest = ~(spaces | marks) & within
    begins = _firsts(spaces) | marks & ~continued | _firsts(rest)
    return begins, by_character, _NOTHING, spaces


@within_kernels
def _lines_window(
    text: Bytes, i: Integer, end: Integer
) -> tuple[Integer, Integer, Integer, Integer]:
    alone = marked_between(text, i, 32, 32) | marked_between(text, i, 10, 10)
    return (alone | alone << _ONE) & _within(end - i), _NOTHING, _NOTHING, _NOTHING


@within_kernels
def _window(
    split: Integer, text: Bytes, i: Integer, end: Integer, classes: Shorts
) -> tuple[Integer, Integer, Integer, Integer]:
    if split == GPT2:
        return _gpt2_window(text, i, end, classes)
    if split == CL100K:
        return _gpt4_window(text, i, end, classes, False)
    if split == O200K:
        return _gpt4_window(text, i, end, classes, True)
    if split == CATEGORIES:
        return _categories_window(text, i, end, classes)
    if split == WHITESPACE:
        return _whitespace_window(text, i, end, classes)
    if split == BERT:
        return _bert_window(text, i, end, classes)
    return _lines_window(text, i, end)


@within_kernels
def _write_spans(
    split: Integer, text: Bytes, i: Integer, end: Integer, classes: Shorts, spans: Longs
) -> tuple[Integer, Integer]:
    """Write down the spans of one document from byte i on; see `_scan_kernel`."""
    found = 0
    while i < end and found + WINDOW <= len(spans):
        begins = ends_open = dropped = _NOTHING
        by_character = _ALL
        if split != NONE and has_window(text, i):
            begins, by_character, ends_open, dropped = _window(split, text, i, end, classes)
            if end - i < WINDOW:
                begins |= _bit(end - i)
            begins &= _ALL >> np.uint64(WINDOW - 1 - _TRUSTED)
        at = 0
        while at <= _TRUSTED and i + at < end:
            begins &= _ALL << np.uint64(at) << _ONE
            stop = first_mark(begins) if begins else WINDOW
            if begins == _NOTHING and at > 0 and by_character >> np.uint64(at) & _ONE == _NOTHING:
                break
            kind = DROPPED if dropped >> np.uint64(at) & _ONE else WORD
            # A word that is longer than the window is for `span_end`, too.
            if (
                begins == _NOTHING
                or by_character >> np.uint64(at) & _ONE
                or ends_open >> np.uint64(stop) & _ONE
            ):
                stop, kind = span_end(split, text, i + at, end, classes)
                stop -= i
            at = stop
            spans[found] = (i + at) << 2 | kind
            found += 1
        i += at
    return found, i


def _scan_kernel(
    split: Integer,
    text: Bytes,
    document_ends: Longs,
    begin: Integer,
    classes: Shorts,
    spans: Longs,
) -> tuple[Integer, Integer]:
    """Write down the spans of documents from byte `begin` on, where one begins.

    A span is written as its end << 2 | its kind; it begins where the one before it ends. Stops when
    there is no room for the spans of a window. Returns how many were written, and the end of the
    last.
    """
    found = 0
    i = begin
    for end in document_ends:
        more, i = _write_spans(split, text, i, end, classes, spans[found:])
        found += more
        if i < end:
            break
    return found, i


scan = Kernel(_scan_kernel)
