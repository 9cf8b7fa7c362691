"""Scanning UTF-8: characters and their classes, and the ends of words."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import Bytes, Integer, Kernel, Shorts, within_kernels

# -- Characters ---------------------------------------------------------------------------------
#
# The text is UTF-8, an array of bytes; `end` bounds it. `classes` has the flags of every code
# point, as `bpe_gui.bpe.pre_tokenize` makes them. Of bytes that are no UTF-8 all that is sure
# is that nothing is read beyond `end` or beside the classes.

LETTER = 1
r"""`\p{L}`"""
NUMBER = 2
r"""`\p{N}`"""
SPACE = 4
r"""`\s`"""
OTHER = 8
r"""`[^\s\p{L}\p{N}]`"""
UPPER = 16
r"""`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`: what can begin a word in o200k_base"""
LOWER = 32
r"""`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`: what can continue it"""
SEPARATOR = 64
r"""`\p{Z}`"""
STRIPPED = 128
"""`str.isspace()`: what `str.split()` splits at"""
PUNCTUATION = 256
"""What BertPreTokenizer sets apart"""
WHITE_SPACE = 512
r"""`\p{White_Space}`: what BertPreTokenizer splits at and drops"""
UNSPACED = 1024
"""Of a script that is written without spaces between words"""


REPLACEMENT = 0xFFFD
"""What a byte counts as that begins no character."""


@within_kernels
def code_point(text: Bytes, i: Integer, end: Integer) -> tuple[Integer, Integer]:
    """Find the code point that begins at byte i, before `end`, and how many bytes it takes."""
    first = np.int64(text[i])
    if first < 0x80:
        return first, 1
    left = end - i
    if first < 0xE0:
        if left < 2:
            return np.int64(REPLACEMENT), 1
        return (first & 0x1F) << 6 | (np.int64(text[i + 1]) & 0x3F), 2
    if left < 3:
        return np.int64(REPLACEMENT), 1
    second = np.int64(text[i + 1]) & 0x3F
    third = np.int64(text[i + 2]) & 0x3F
    if first < 0xF0:
        return (first & 0x0F) << 12 | second << 6 | third, 3
    if left < 4:
        return np.int64(REPLACEMENT), 1
    point = (first & 0x07) << 18 | second << 12 | third << 6 | (np.int64(text[i + 3]) & 0x3F)
    if point > 0x10FFFF:
        return np.int64(REPLACEMENT), 1
    return point, 4


@within_kernels
def class_at(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> tuple[Integer, Integer]:
    """Find the flags of the character at byte i and its width; (0, 0) at the end of the text."""
    if i >= end:
        return np.int64(0), 0
    point, width = code_point(text, i, end)
    return np.int64(classes[point]), width


@within_kernels
def run_end(text: Bytes, i: Integer, end: Integer, classes: Shorts, flags: Integer) -> Integer:
    """Tell where the run of characters that have one of the flags, from byte i on, ends."""
    while i < end:
        byte = text[i]
        if byte < 0x80:
            if np.int64(classes[byte]) & flags == 0:
                return i
            i += 1
        else:
            point, width = code_point(text, i, end)
            if np.int64(classes[point]) & flags == 0:
                return i
            i += width
    return i


@within_kernels
def outside_end(text: Bytes, i: Integer, end: Integer, classes: Shorts, flags: Integer) -> Integer:
    """Tell where the run of characters that have none of the flags, from byte i on, ends."""
    while i < end:
        found, width = class_at(text, i, end, classes)
        if found & flags:
            return i
        i += width
    return i


@within_kernels
def last_character(text: Bytes, begin: Integer, end: Integer) -> Integer:
    """Tell where the last character before `end` begins."""
    i = end - 1
    while i > begin and text[i] & 0xC0 == 0x80:
        i -= 1
    return i




# -- Words --------------------------------------------------------------------------------------
#
# Each `..._end` function answers, for one split, where the word that begins at a byte
# ends. They follow the reference patterns alternative by alternative; `bpe_gui.bpe.pre_tokenize`
# lists those. The text is UTF-8, an array of bytes; `end` bounds it. Whatever the bytes are,
# a word is at least one of them, and ends at `end` at the latest.

GPT2, CL100K, O200K, CATEGORIES, WHITESPACE, BERT, LINES, NONE = range(8)
"""Numbers of the splits, as kernels know them."""

WORD, DROPPED, UNMATCHED = 0, 1, 2
"""What a span is: a word; text that is dropped; text whose symbols are kept but never merge."""

_NEWLINE, _RETURN, _BLANK, _APOSTROPHE, _SLASH = 10, 13, 32, 39, 47


@within_kernels
def contraction_end(text: Bytes, i: Integer, end: Integer, any_case: bool) -> Integer:
    """Find the end of one of 's 't 're 've 'm 'll 'd at byte i, or -1.

    In any case includes U+017F, the long s: the `regex` module folds it to s.
    """
    if i + 1 >= end or text[i] != _APOSTROPHE:
        return -1
    first = np.int64(text[i + 1])
    if any_case:
        if first == 0xC5 and i + 2 < end and text[i + 2] == 0xBF:
            return i + 3
        if 65 <= first <= 90:
            first += 32
    if first == 115 or first == 100 or first == 109 or first == 116:
        return i + 2
    if i + 2 >= end:
        return -1
    second = np.int64(text[i + 2])
    if any_case and 65 <= second <= 90:
        second += 32
    if (first == 108 and second == 108) or ((first == 118 or first == 114) and second == 101):
        return i + 3
    return -1


@within_kernels
def blank_run(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    r"""Match `\s+(?!\S)|\s+` at byte i: all white space but the last, if something follows."""
    stop = run_end(text, i, end, classes, SPACE)
    if stop == end:
        return stop
    last = last_character(text, i, stop)
    return last if last > i else stop


@within_kernels
def last_line_end(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    r"""Match `\s*[\r\n]+` at byte i: the end of the last newline within the white space, or -1."""
    stop = run_end(text, i, end, classes, SPACE)
    while stop > i:
        byte = text[stop - 1]
        if byte == _NEWLINE or byte == _RETURN:
            return stop
        stop -= 1
    return -1


@within_kernels
def number_end(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    r"""Match `\p{N}{1,3}` at byte i."""
    for _ in range(3):
        flags, width = class_at(text, i, end, classes)
        if flags & NUMBER == 0:
            break
        i += width
    return i


@within_kernels
def gpt2_end(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    """Find the end of GPT-2's word at byte i."""
    if text[i] == _APOSTROPHE:
        stop = contraction_end(text, i, end, False)
        if stop >= 0:
            return stop
    begin = i
    if text[i] == _BLANK:
        i += 1
    flags, width = class_at(text, i, end, classes)
    if flags & LETTER:
        return run_end(text, i + width, end, classes, LETTER)
    if flags & NUMBER:
        return run_end(text, i + width, end, classes, NUMBER)
    if flags & OTHER:
        return run_end(text, i + width, end, classes, OTHER)
    return blank_run(text, begin, end, classes)


@within_kernels
def punctuation_end(text: Bytes, i: Integer, end: Integer, classes: Shorts, slash: bool) -> Integer:
    r"""Match ` ?[^\s\p{L}\p{N}]+[\r\n]*` at byte i, or -1; with slash the tail is `[\r\n/]*`."""
    if text[i] == _BLANK:
        i += 1
    stop = run_end(text, i, end, classes, OTHER)
    if stop == i:
        return -1
    while stop < end:
        byte = text[stop]
        if not (byte == _NEWLINE or byte == _RETURN or (slash and byte == _SLASH)):
            break
        stop += 1
    return stop


@within_kernels
def cl100k_end(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    """Find the end of GPT-4's word at byte i."""
    if text[i] == _APOSTROPHE:
        stop = contraction_end(text, i, end, True)
        if stop >= 0:
            return stop
    flags, width = class_at(text, i, end, classes)
    if flags & LETTER:
        return run_end(text, i + width, end, classes, LETTER)
    if flags & NUMBER:
        return number_end(text, i, end, classes)
    if text[i] != _NEWLINE and text[i] != _RETURN:
        after, _ = class_at(text, i + width, end, classes)
        if after & LETTER:
            return run_end(text, i + width, end, classes, LETTER)
    stop = punctuation_end(text, i, end, classes, False)
    if stop >= 0:
        return stop
    if run_end(text, i, end, classes, SPACE) == end:
        return end
    stop = last_line_end(text, i, end, classes)
    if stop >= 0:
        return stop
    return blank_run(text, i, end, classes)


@within_kernels
def cased_word_end(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    """Match `UPPER* LOWER+` at byte i, backtracking as a regex does, or -1."""
    stop = run_end(text, i, end, classes, UPPER)
    flags, width = class_at(text, stop, end, classes)
    if flags & LOWER:
        return run_end(text, stop + width, end, classes, LOWER)
    while stop > i:
        begin = last_character(text, i, stop)
        flags, _ = class_at(text, begin, end, classes)
        if flags & LOWER:
            return stop
        stop = begin
    return -1


@within_kernels
def o200k_letters_end(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    """Match the first two alternatives of GPT-4o's pattern at byte i, or -1."""
    flags, width = class_at(text, i, end, classes)
    prefix = flags & (LETTER | NUMBER) == 0 and text[i] != _NEWLINE and text[i] != _RETURN
    stop = -1
    if prefix:
        stop = cased_word_end(text, i + width, end, classes)
    if stop < 0:
        stop = cased_word_end(text, i, end, classes)
    if stop < 0 and prefix:
        stop = run_end(text, i + width, end, classes, UPPER)
        if stop == i + width:
            stop = -1
    if stop < 0:
        stop = run_end(text, i, end, classes, UPPER)
        if stop == i:
            return -1
    tail = contraction_end(text, stop, end, True)
    return tail if tail >= 0 else stop


@within_kernels
def o200k_end(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    """Find the end of GPT-4o's word at byte i."""
    stop = o200k_letters_end(text, i, end, classes)
    if stop >= 0:
        return stop
    flags, _ = class_at(text, i, end, classes)
    if flags & NUMBER:
        return number_end(text, i, end, classes)
    stop = punctuation_end(text, i, end, classes, True)
    if stop >= 0:
        return stop
    stop = last_line_end(text, i, end, classes)
    if stop >= 0:
        return stop
    return blank_run(text, i, end, classes)


@within_kernels
def categories_end(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> Integer:
    """Find the end of the run of one category at byte i."""
    flags, width = class_at(text, i, end, classes)
    begin = i
    if flags & SEPARATOR:
        i += width
        flags, width = class_at(text, i, end, classes)
    if flags & LETTER:
        return run_end(text, i + width, end, classes, LETTER)
    if flags & NUMBER:
        return run_end(text, i + width, end, classes, NUMBER)
    if i > begin:
        return run_end(text, i, end, classes, SEPARATOR)
    return i + width


@within_kernels
def span_end(
    split: Integer, text: Bytes, i: Integer, end: Integer, classes: Shorts
) -> tuple[Integer, Integer]:
    """Find the end of the span that begins at byte i, and its kind. i < end."""
    if split == GPT2:
        return gpt2_end(text, i, end, classes), WORD
    if split == CL100K:
        return cl100k_end(text, i, end, classes), WORD
    if split == O200K:
        return o200k_end(text, i, end, classes), WORD
    if split == CATEGORIES:
        kind = UNMATCHED if text[i] == _NEWLINE else WORD
        return categories_end(text, i, end, classes), kind
    if split == WHITESPACE:
        stop = run_end(text, i, end, classes, STRIPPED)
        if stop > i:
            return stop, DROPPED
        return outside_end(text, i, end, classes, STRIPPED), WORD
    if split == BERT:
        flags, width = class_at(text, i, end, classes)
        if flags & WHITE_SPACE:
            return run_end(text, i, end, classes, WHITE_SPACE), DROPPED
        if flags & PUNCTUATION:
            return i + width, WORD
        return outside_end(text, i, end, classes, WHITE_SPACE | PUNCTUATION), WORD
    if split == LINES:
        if text[i] == _BLANK or text[i] == _NEWLINE:
            return i + 1, WORD
        while i < end and text[i] != _BLANK and text[i] != _NEWLINE:
            i += 1
        return i, WORD
    return end, WORD


def _safe_cut_kernel(split: Integer, text: Bytes, classes: Shorts) -> Integer:
    """Find the last byte offset at which every split begins a new word, or 0 if there is none.

    After it the words do not depend on what came before, and up to it they do not depend
    on what comes after. That holds between an ASCII letter and white space, for no word
    goes on past the letter, and after a single newline that is between something that
    is no white space and a letter or a number; one that begins the text may be after white
    space that came earlier. The split `none` has no such place.
    """
    if split == NONE:
        return 0
    i = len(text) - 1
    while i > 0:
        byte = text[i]
        before = text[i - 1]
        if byte == _BLANK or byte == _NEWLINE:
            if 97 <= before <= 122 or 65 <= before <= 90:
                return i
        elif before == _NEWLINE and i > 1 and byte & 0xC0 != 0x80:
            point, _ = code_point(text, i, len(text))
            last, _ = class_at(text, last_character(text, 0, i - 1), i - 1, classes)
            if np.int64(classes[point]) & (LETTER | NUMBER) and last & SPACE == 0:
                return i
        i -= 1
    return 0


safe_cut_kernel = Kernel(_safe_cut_kernel)
