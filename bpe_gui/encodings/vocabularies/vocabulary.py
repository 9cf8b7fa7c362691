"""The vocabulary of any encoding, as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import compress

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.token_properties import SCRIPTS, TokenProperties, token_properties
from bpe_gui.encodings.base import EncodesBatches, Encoding, MarksEndsOfWords, continued

_AT_ONCE = 4096
"""Tokens or texts after which it is asked whether the answer is still wanted."""

Check = Callable[[], object]
"""Is called now and then, and may raise to give up."""


class Kind(StrEnum):
    """Name what a token is, by its text and the vocabulary around it.

    A *word* is of letters, and can be a whole word: the vocabulary has it with a space before it,
    too, or marks ends or continuations of words, and this is none. A *piece* is any other token of
    letters. A space behind the letters makes no difference.
    """

    WORD = "word"
    PIECE = "piece"
    SPACE_INITIAL = "space-initial"
    DIGITS = "digits"
    CODE = "code"
    BYTE = "byte"
    SPECIAL = "special"
    MARKER = "marker"

    @property
    def description(self) -> str:
        """Say in a few words which tokens are of the kind."""
        return _DESCRIPTIONS[self]


_DESCRIPTIONS = {
    Kind.WORD: "letters that can be a whole word",
    Kind.PIECE: "letters that are only a part of words",
    Kind.SPACE_INITIAL: "a space and letters",
    Kind.DIGITS: "digits, with or without spaces around them",
    Kind.CODE: "signs and white space, also with letters",
    Kind.BYTE: "bytes that are no whole characters",
    Kind.SPECIAL: "special tokens and the unknown token",
    Kind.MARKER: "only a marker of words, such as </w>, without text",
}

KINDS = tuple(Kind)
"""In the order of the numbers in `Vocabulary.kinds`."""


class Vocabulary(Struct, frozen=True, eq=False, dict=True):
    """Hold all tokens of an encoding, ascending by id; a *row* is the place of a token in it.

    contents: the bytes of text of each token, without markers of words.
    marked_contents: the bytes of the tokens that have such a marker, with it, and the names of
            special tokens that are no text, by row.
    special: whether it is special or the unknown token. fallback: whether it is a byte that stands
            for a part of a character without a token.
    kinds: the kind of each, as its place in `KINDS`.
    """

    encoding: Encoding
    ids: NDArray[np.int64]
    contents: list[bytes]
    marked_contents: dict[int, bytes]
    special: NDArray[np.bool_]
    fallback: NDArray[np.bool_]
    properties: TokenProperties
    kinds: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.contents)

    @property
    def name(self) -> str:
        """Return the name of the encoding."""
        return self.encoding.name

    def row_of(self, token: int) -> int | None:
        """Find the row of an id; None if there is no such token."""
        row = int(np.searchsorted(self.ids, token))
        return row if row < len(self) and self.ids[row] == token else None

    def marked(self, row: int) -> bytes:
        """Return the bytes of a token with its marker: WordPiece's "##est" is not its "est".

        A special token without text, such as SentencePiece's "<s>", is written by its name.
        """
        return self.marked_contents.get(row, self.contents[row])

    def uses(self, ids: NDArray[np.int32]) -> NDArray[np.int64]:
        """Count how often each token is among the ids of a text, by its row."""
        return np.bincount(np.searchsorted(self.ids, ids[ids >= 0]), minlength=len(self))

    @cached_property
    def ordinary(self) -> dict[bytes, int]:
        """Map the bytes of the ordinary tokens to their rows.

        Of several with the same bytes it is the first, but a fallback byte only if there is no
        other. Tokens without bytes are left out.
        """
        rows = np.flatnonzero(~self.special & (self.properties.lengths > 0))
        first = rows[np.argsort(self.fallback[rows], kind="stable")]
        contents = self.contents
        return {contents[row]: row for row in first[::-1].tolist()}

    def length_histogram(self) -> NDArray[np.int64]:
        """Count the ordinary tokens of each length in bytes, from 0."""
        return np.bincount(self.properties.lengths[~self.special])

    def kind_counts(self) -> dict[Kind, int]:
        """Count the tokens of each kind."""
        counts = np.bincount(self.kinds, minlength=len(KINDS))
        return dict(zip(KINDS, counts.tolist(), strict=True))

    def script_counts(self) -> dict[str, int]:
        """Count the ordinary tokens with characters of each script, the most frequent first.

        A token of several scripts counts for each. Scripts without tokens are left out.
        """
        found = {
            name: int(np.count_nonzero(self.properties.has_script(name) & ~self.special))
            for name in SCRIPTS
        }
        return {name: n for name, n in sorted(found.items(), key=lambda pair: -pair[1]) if n}

    @property
    def scripts(self) -> list[str]:
        """List the scripts that ordinary tokens have characters of."""
        bits = int(np.bitwise_or.reduce(self.properties.scripts[~self.special], initial=0))
        return [name for bit, name in enumerate(SCRIPTS) if bits >> bit & 1]

    def longest(self, number: int) -> NDArray[np.int64]:
        """Find the rows of the ordinary tokens with most bytes, the longest first."""
        rows = np.flatnonzero(~self.special)
        order = np.argsort(-self.properties.lengths[rows], kind="stable")
        return rows[order[:number]]

    @cached_property
    def forms(self) -> dict[bytes, list[int]]:
        """Group the rows of ordinary tokens that differ in case and space alone.

        The keys are the bytes in lower case without spaces around them; groups of one are left out,
        and fallback bytes: those of ASCII have the same text as another token.
        """
        found: dict[bytes, list[int]] = {}
        for row in np.flatnonzero(~self.special & ~self.fallback).tolist():
            found.setdefault(_form(self.contents[row]), []).append(row)
        return {form: rows for form, rows in found.items() if form and len(rows) > 1}

    def variants(self, row: int) -> list[int]:
        """Find the rows of the tokens that differ from one in case and space alone; itself too."""
        found = self.forms.get(_form(self.contents[row]), [])
        return found if row in found else [row]


def _form(content: bytes) -> bytes:
    r"""Return a token in lower case, without spaces around it.

    >>> _form(b" The"), _form(b"\xff ")
    (b'the', b'\xff')
    """
    try:
        return content.decode("utf-8").strip(" ").casefold().encode("utf-8")
    except UnicodeDecodeError:
        return content.strip(b" ").lower()


def vocabulary_of(encoding: Encoding, check: Check | None = None) -> Vocabulary:
    """Read the whole vocabulary of an encoding."""
    ids = np.array(encoding.ids, np.int64)
    contents: list[bytes] = []
    special, fallback, ends, continues = (np.zeros(len(ids), np.bool_) for _ in range(4))
    marked_contents: dict[int, bytes] = {}
    marks = encoding if isinstance(encoding, MarksEndsOfWords) else None
    for row, token in enumerate(ids.tolist()):
        if check is not None and row % _AT_ONCE == 0:
            check()
        content = encoding.token_bytes(token)
        contents.append(content)
        special[row] = encoding.is_special(token) or encoding.is_unknown(token)
        fallback[row] = encoding.is_fallback_byte(token)
        if special[row]:
            name = encoding.id_to_token(token).encode()
            if name != content:
                marked_contents[row] = name
        elif marks is not None and not fallback[row]:
            marked = marks.marked_token_bytes(token)
            if marked != content:
                marked_contents[row] = marked
                ends[row] = marked.startswith(content)
                continues[row] = not ends[row]
    found = token_properties(contents)
    is_word = ends if ends.any() else ~continues if continues.any() else None
    kinds = _kinds(contents, special, fallback, is_word, found)
    return Vocabulary(encoding, ids, contents, marked_contents, special, fallback, found, kinds)


def _kinds(
    contents: Sequence[bytes],
    special: NDArray[np.bool_],
    fallback: NDArray[np.bool_],
    is_word: NDArray[np.bool_] | None,
    found: TokenProperties,
) -> NDArray[np.int8]:
    """Find the kind of each token, as its place in `KINDS`.

    is_word: which tokens of letters can be a whole word; None if no markers tell.
    """
    kinds = np.full(len(contents), KINDS.index(Kind.CODE), np.int8)
    # Encodings that do not split text have spaces behind words, too.
    ends_with_space = np.fromiter((content[1:].endswith(b" ") for content in contents), np.bool_)
    text = found.characters - found.starts_with_space - ends_with_space
    letters = (found.letters == text) & (text > 0)
    if is_word is None:
        with_space = set(compress(contents, letters & found.starts_with_space))
        is_word = np.fromiter((b" " + content in with_space for content in contents), np.bool_)
    kinds[letters] = np.where(
        found.starts_with_space[letters],
        KINDS.index(Kind.SPACE_INITIAL),
        np.where(is_word[letters], KINDS.index(Kind.WORD), KINDS.index(Kind.PIECE)),
    )
    kinds[(found.digits == text) & (text > 0)] = KINDS.index(Kind.DIGITS)
    kinds[found.broken | fallback] = KINDS.index(Kind.BYTE)
    kinds[found.lengths == 0] = KINDS.index(Kind.MARKER)
    kinds[special] = KINDS.index(Kind.SPECIAL)
    return kinds


# -- Tokenizing many texts ----------------------------------------------------------------------


def encode_each(
    encoding: Encoding, texts: Sequence[str], check: Check | None = None
) -> list[list[int]]:
    """Tokenize texts one by one, special tokens read as text; return the ids of each."""
    found: list[list[int]] = []
    for start in range(0, len(texts), _AT_ONCE):
        if check is not None:
            check()
        some = texts[start : start + _AT_ONCE]
        if isinstance(encoding, EncodesBatches):
            found += encoding.encode_batch(some)
        else:
            found += [encoding.encode(t, specials_as_text=True).ids.tolist() for t in some]
    return found


def encode_each_within(
    encoding: Encoding, texts: Sequence[str], check: Check | None = None
) -> list[list[int]]:
    """Tokenize texts as `encode_each`, but without the space that an encoding puts before a text:
    within a text a token has only its own.
    """
    if not _adds_space(encoding):
        return encode_each(encoding, texts, check)
    # The space that is added is that of a text that begins with one.
    is_own = [text.startswith(" ") and bool(text.strip(" ")) for text in texts]
    shorter = [text[own:] for text, own in zip(texts, is_own, strict=True)]
    found = encode_each(encoding, shorter, check)
    return [
        ids if own or not _is_space(encoding, ids) else ids[1:]
        for own, ids in zip(is_own, found, strict=True)
    ]


def _adds_space(encoding: Encoding) -> bool:
    """Tell whether the first token of a text has a space that the text does not have."""
    tried = encode_each(encoding, list("aex"))
    return any(ids and ids[0] >= 0 and encoding.token_bytes(ids[0])[:1] == b" " for ids in tried)


def _is_space(encoding: Encoding, ids: list[int]) -> bool:
    """Tell whether the first of several tokens is a space and nothing else."""
    return len(ids) > 1 and ids[0] >= 0 and encoding.token_bytes(ids[0]) == b" "


def count_uses(
    vocabulary: Vocabulary, texts: Iterable[str], *, of_one_text: bool = False
) -> NDArray[np.int64]:
    """Count how often each token is used in texts, by its row. Unknown characters are left out.

    of_one_text: whether the texts are pieces of one; see `measure.pieces`. Special tokens are read
    as text.
    """
    counts = np.zeros(len(vocabulary), np.int64)
    encoding = vocabulary.encoding
    for text in texts:
        ids = encoding.encode(text, specials_as_text=True).ids
        if of_one_text:
            encoding = continued(vocabulary.encoding)
        counts += vocabulary.uses(ids)
    return counts
