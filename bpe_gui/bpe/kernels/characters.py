"""The characters of a text in UTF-8: where they are, and of which classes.

The text is valid UTF-8, an array of bytes; `end` bounds it. `classes` has the flags of every code
point, as `bpe_gui.bpe.character_classes` makes them.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.kernel import Bytes, Integer, Ints, Kernel, Longs, Shorts, within_kernels

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


@within_kernels
def code_point(text: Bytes, i: Integer) -> tuple[Integer, Integer]:
    """The code point that begins at byte i, and how many bytes it takes."""
    first = np.int64(text[i])
    if first < 0x80:
        return first, 1
    if first < 0xE0:
        return (first & 0x1F) << 6 | (np.int64(text[i + 1]) & 0x3F), 2
    second = np.int64(text[i + 1]) & 0x3F
    third = np.int64(text[i + 2]) & 0x3F
    if first < 0xF0:
        return (first & 0x0F) << 12 | second << 6 | third, 3
    return (first & 0x07) << 18 | second << 12 | third << 6 | (np.int64(text[i + 3]) & 0x3F), 4


@within_kernels
def class_at(text: Bytes, i: Integer, end: Integer, classes: Shorts) -> tuple[Integer, Integer]:
    """The flags of the character at byte i and its width; (0, 0) at the end of the text."""
    if i >= end:
        return np.int64(0), 0
    point, width = code_point(text, i)
    return np.int64(classes[point]), width


@within_kernels
def run_end(text: Bytes, i: Integer, end: Integer, classes: Shorts, flags: Integer) -> Integer:
    """Where the run of characters that have one of the flags, from byte i on, ends."""
    while i < end:
        byte = text[i]
        if byte < 0x80:
            if np.int64(classes[byte]) & flags == 0:
                return i
            i += 1
        else:
            point, width = code_point(text, i)
            if np.int64(classes[point]) & flags == 0:
                return i
            i += width
    return i


@within_kernels
def outside_end(text: Bytes, i: Integer, end: Integer, classes: Shorts, flags: Integer) -> Integer:
    """Where the run of characters that have none of the flags, from byte i on, ends."""
    while i < end:
        found, width = class_at(text, i, end, classes)
        if found & flags:
            return i
        i += width
    return i


@within_kernels
def last_character(text: Bytes, begin: Integer, end: Integer) -> Integer:
    """Where the last character before `end` begins."""
    i = end - 1
    while i > begin and text[i] & 0xC0 == 0x80:
        i -= 1
    return i


def _decode_kernel(text: Bytes, points: Ints) -> Integer:
    """Write the code points of a text; returns how many there are."""
    found = 0
    i = 0
    while i < len(text):
        point, width = code_point(text, i)
        points[found] = point
        found += 1
        i += width
    return found


decode_kernel = Kernel(_decode_kernel)


def _character_offsets_kernel(
    text: Bytes, starts: Longs, ends: Longs, char_starts: Longs, char_ends: Longs
) -> None:
    """Write the characters that stretches of bytes belong to, each whole.

    Quick where the stretches more or less ascend: it walks from one to the next.
    """
    i = 0
    before = 0  # characters that begin before byte i
    for k in range(len(starts)):
        for side in range(2):
            # A stretch of some length begins with the character that its first byte is in.
            place = ends[k] if side else starts[k]
            if not side and place < len(text):
                place += 1
            while i < place:
                before += text[i] & 0xC0 != 0x80
                i += 1
            while i > place:
                i -= 1
                before -= text[i] & 0xC0 != 0x80
            if side:
                char_ends[k] = before if starts[k] < ends[k] else char_starts[k]
            else:
                char_starts[k] = before - 1 if starts[k] < len(text) else before


character_offsets_kernel = Kernel(_character_offsets_kernel)
