"""What the bytes of a token tell: its scripts, its length, whether they are whole characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

OTHER_SCRIPT = "Other"
"""All letters of scripts that are not listed here."""

SCRIPTS = (
    "Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Arabic", "Devanagari",
    "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala",
    "Thai", "Lao", "Tibetan", "Myanmar", "Khmer", "Ethiopic", "Hangul", "Hiragana", "Katakana",
    "Bopomofo", "Han", OTHER_SCRIPT,
)  # fmt: skip
"""Names of scripts as Unicode has them; the place of each is its bit in `TokenProperties`."""

_NAMED = "".join(rf"\p{{Script={name}}}" for name in SCRIPTS[:-1])
_PATTERNS = {name: rf"\p{{Script={name}}}" for name in SCRIPTS[:-1]} | {
    OTHER_SCRIPT: rf"[[\p{{L}}]--[{_NAMED}\p{{Script=Common}}\p{{Script=Inherited}}]]"
}

_MIXABLE = (
    ("Han", "Hiragana", "Katakana"),
    ("Han", "Bopomofo"),
    ("Han", "Hangul"),
)
"""Scripts that one language writes together, after "highly restrictive" of Unicode's UTS 39."""

_LETTER, _DIGIT, _SPACE, _ODD_SPACE = 1, 2, 4, 8
_CLASSES = {
    _LETTER: r"[\p{L}\p{M}]",
    _DIGIT: r"\p{Nd}",
    _SPACE: r"\s",
    # White space other than what keyboards write (East Asian ones write wide spaces), and what is
    # not seen at all; not the joiners, which many scripts and emoji need, nor the tags of flags.
    _ODD_SPACE: r"[[\p{Z}\p{Cc}\p{Cf}]--[\ \u3000\t\n\r\u200c\u200d\U000e0020-\U000e007f]]",
}


def has_script(name: str) -> Callable[[bytes], bool]:
    """Return a function that tells whether a token has a character of a script of `SCRIPTS`.

    Bytes of parts of characters have none.

    >>> has_script("Greek")("αb".encode()), has_script("Greek")(b"b")
    (True, False)
    """
    return lambda content: _holds(_PATTERNS[name], content)


def has_digit(content: bytes) -> bool:
    """Tell whether a token has a digit of any script.

    >>> has_digit(b"a1"), has_digit("٣".encode()), has_digit(b"a")
    (True, True, False)
    """
    return _holds(_CLASSES[_DIGIT], content)


def is_broken(content: bytes) -> bool:
    """Tell whether a token holds a part of a character only.

    >>> is_broken(b"\\xe2\\x80"), is_broken(b"the")
    (True, False)
    """
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _holds(pattern: str, content: bytes) -> bool:
    """Tell whether a token has a match of a pattern."""
    return _search(pattern)(content.decode("utf-8", "ignore")) is not None


@cache
def _search(pattern: str) -> Callable[[str], object]:
    import regex  # loaded when it is needed, see `bpe_gui.bpe.regexes`

    search: Callable[[str], object] = regex.compile(pattern, regex.V1).search
    return search


class TokenProperties(Struct, frozen=True, eq=False):
    """Properties of many tokens, as columns with an entry for each.

    lengths: bytes. characters: whole characters.
    broken: whether a token has a part of a character.
    scripts: a bit for each script of `SCRIPTS` that it has a character of.
    letters, digits, spaces, odd_spaces: how many of its characters are such; marks upon letters
        count as letters, and odd spaces are all white space and invisible characters but space,
        wide space, tab, newline, carriage return, and what joins letters or emoji.
    starts_with_space: whether its first byte is a plain space.
    inner_space: whether a plain or wide space or a tab follows a character that is no white space.
    """

    lengths: NDArray[np.int64]
    characters: NDArray[np.int64]
    broken: NDArray[np.bool_]
    scripts: NDArray[np.int64]
    letters: NDArray[np.int64]
    digits: NDArray[np.int64]
    spaces: NDArray[np.int64]
    odd_spaces: NDArray[np.int64]
    starts_with_space: NDArray[np.bool_]
    inner_space: NDArray[np.bool_]

    def has_script(self, name: str) -> NDArray[np.bool_]:
        """Tell which tokens have a character of a script of `SCRIPTS`."""
        found: NDArray[np.bool_] = self.scripts & (1 << SCRIPTS.index(name)) != 0
        return found

    def script_names(self, row: int) -> list[str]:
        """List the scripts that a token has characters of, by its row."""
        bits = int(self.scripts[row])
        return [name for bit, name in enumerate(SCRIPTS) if bits >> bit & 1]

    @property
    def mixed(self) -> NDArray[np.bool_]:
        """Tell which tokens have characters of scripts that no language writes together."""
        found: NDArray[np.bool_] = self.scripts & (self.scripts - 1) != 0
        for names in _MIXABLE:
            allowed = sum(1 << SCRIPTS.index(name) for name in names)
            found &= self.scripts & ~allowed != 0
        return found


def token_properties(contents: Sequence[bytes]) -> TokenProperties:
    """Find the properties of tokens, given as bytes.

    >>> found = token_properties([b" the", "аb".encode(), b"\\xe2\\x80", b"", b"1 2"])
    >>> found.lengths.tolist(), found.characters.tolist(), found.broken.tolist()
    ([4, 3, 2, 0, 3], [4, 2, 0, 0, 3], [False, False, True, False, False])
    >>> found.letters.tolist(), found.digits.tolist(), found.mixed.nonzero()[0].tolist()
    ([3, 2, 0, 0, 0], [0, 0, 0, 0, 2], [1])
    >>> found.starts_with_space.nonzero()[0].tolist(), found.inner_space.nonzero()[0].tolist()
    ([0], [4])
    """
    size = len(contents)
    texts = [content.decode("utf-8", "ignore") for content in contents]
    lengths = np.fromiter(map(len, contents), np.int64, size)
    characters = np.fromiter(map(len, texts), np.int64, size)
    joined = "".join(texts)
    codes = np.frombuffer(joined.encode("utf-32-le"), np.uint32)
    # What is left after decoding is shorter where bytes are no characters.
    widths = 1 + (codes >= 0x80).astype(np.int64) + (codes >= 0x800) + (codes >= 0x10000)
    scripts, classes = _of_characters(codes)
    owners = np.repeat(np.arange(size), characters)
    is_space = classes & _SPACE != 0
    # A plain or wide space or a tab after a visible character of the same token.
    plain = np.isin(codes, [*map(ord, " \t\u3000")])
    after = np.flatnonzero(plain[1:] & ~is_space[:-1] & (owners[1:] == owners[:-1])) + 1

    def count(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(owners[which], minlength=size)

    inner = np.zeros(size, np.bool_)
    inner[owners[after]] = True
    decoded = np.bincount(owners, widths, minlength=size).astype(np.int64)
    return TokenProperties(
        lengths,
        characters,
        decoded != lengths,
        _joined_bits(scripts, characters),
        count(classes & _LETTER != 0),
        count(classes & _DIGIT != 0),
        count(is_space),
        count(classes & _ODD_SPACE != 0),
        np.fromiter((content[:1] == b" " for content in contents), np.bool_, size),
        inner,
    )


def _of_characters(
    codes: NDArray[np.uint32],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the bits of the script and of the classes of each character."""
    import regex

    kinds, which = np.unique(codes, return_inverse=True)
    text = kinds.astype("<u4").tobytes().decode("utf-32-le")
    scripts, classes = np.zeros(len(kinds), np.int64), np.zeros(len(kinds), np.int64)
    for bit, name in enumerate(SCRIPTS):
        for found in regex.finditer(rf"(?V1)(?:{_PATTERNS[name]})+", text):
            scripts[slice(*found.span())] = 1 << bit
    for bit, pattern in _CLASSES.items():
        for found in regex.finditer(rf"(?V1)(?:{pattern})+", text):
            classes[slice(*found.span())] |= bit
    return scripts[which], classes[which]


def _joined_bits(bits: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Join the bits of the characters of each token."""
    joined = np.zeros(len(sizes), np.int64)
    # An empty segment would take the bits of the one that follows.
    filled = np.flatnonzero(sizes)
    if len(filled):
        starts = np.cumsum(sizes[filled]) - sizes[filled]
        joined[filled] = np.bitwise_or.reduceat(bits, starts)
    return joined
