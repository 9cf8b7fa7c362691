"""Tokens that a vocabulary might be better without, each with the reason."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.token_life import (
    RESIDUE_SHARE,
    RESIDUE_USES,
    is_counted,
    is_residue,
    residues,
)
from bpe_gui.analysis.visible import isolated, visible_beginning
from bpe_gui.encodings.base import Model, RankedMerge, finds_added_tokens
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.vocabulary import Check, Vocabulary, encode_each

_AROUND = ("a", "q", "0", "ж", "é", "«", "中", "\n", " ")
"""What is put before and after a token's text to reach it: tokens within a word, at its beginning
and at its end are other tokens in many vocabularies, and what is put there may be unknown."""

_MAX_PARTS = 12
"""Tokens of a path that are named."""

_TRIED = 20
"""Tokens with spaces whose text is split, to see whether words go over spaces."""
_RARE = 100
"""If one token in this many ends with a space, such tokens are usual."""


class Reason(StrEnum):
    """Name why a token is suspicious, the gravest reason first."""

    UNREACHABLE = "unreachable"
    INCOMPLETE = "incomplete UTF-8"
    MIXED_SCRIPTS = "mixed scripts"
    WHITE_SPACE = "odd white space"
    RESIDUE = "residue"
    UNUSED = "never used"


class Detour(StrEnum):
    """Name why the text of a token becomes other tokens."""

    NO_TEXT = "no text has these bytes"
    DROPPED = "the encoding drops it"
    TWIN = "another token has the same bytes"
    NORMALIZATION = "normalization changes its text"
    ADDED = "an added token is found first"
    SPLIT = "its text is split first"
    MODEL = "other tokens are found first"


class Path(Struct, frozen=True):
    """Tell what becomes of the text of an unreachable token: the ids of other tokens, and why.

    added: the added token in the text that is found first, if that is why.
    """

    ids: tuple[int, ...]
    detour: Detour
    added: int | None = None


class Suspicious(Struct, frozen=True, eq=False):
    """Hold the suspicious tokens of a vocabulary.

    masks: for each reason, which tokens have it, by row; without the reasons that nothing was
        known about: use needs a text, and residues need a text or the corpus of a run.
    paths: what becomes of the text of each unreachable token, by row.
    uses: how often the text has each token, by row; None without a text.
    text: what the text is called.
    """

    vocabulary: Vocabulary
    masks: dict[Reason, NDArray[np.bool_]]
    paths: dict[int, Path]
    uses: NDArray[np.int64] | None = None
    text: str = "the text"

    @property
    def telling(self) -> dict[Reason, NDArray[np.bool_]]:
        """Return the masks without that of unused tokens: one text never has most of them."""
        return {r: mask for r, mask in self.masks.items() if r is not Reason.UNUSED}

    def rows(self) -> NDArray[np.int64]:
        """List the rows of all tokens with at least one reason that is `telling`, ascending."""
        return np.flatnonzero(np.any([*self.telling.values()], axis=0))

    def bytes_outside_utf8(self) -> list[int]:
        """List the single bytes that no UTF-8 has: every vocabulary of all bytes has them."""
        found = self.vocabulary.properties
        rows = np.flatnonzero(~self.vocabulary.special & found.broken & (found.lengths == 1))
        contents = (self.vocabulary.contents[row] for row in rows.tolist())
        return [content[0] for content in contents if not may_be_in_text(content)]

    def counts(self) -> dict[Reason, int]:
        """Count the tokens with each reason."""
        return {reason: int(np.count_nonzero(mask)) for reason, mask in self.masks.items()}

    def reasons(self, row: int) -> list[Reason]:
        """List the reasons of a token, in the order of `Reason`."""
        return [reason for reason in Reason if reason in self.masks and self.masks[reason][row]]

    def telling_reasons(self, row: int) -> list[Reason]:
        """List the reasons of a token that are `telling`."""
        telling = self.telling
        return [reason for reason in self.reasons(row) if reason in telling]

    def sentence(self, row: int, reason: Reason) -> str:
        """Say why a token is suspicious, in one sentence without a stop."""
        return _SENTENCES[reason](self, row)


def suspicious(
    vocabulary: Vocabulary,
    uses: NDArray[np.int64] | None = None,
    check: Check | None = None,
    paths: dict[int, Path] | None = None,
    text: str = "the text",
) -> Suspicious:
    """Find the suspicious tokens of a vocabulary; special tokens never are.

    uses: how often each token occurs in a text, by row; see `count_uses`. paths: those of an answer
    about the same vocabulary, which do not depend on the text. text: what the text is called.

    A token is *unreachable* if it is not among the tokens of its own text, neither alone nor with
    a few characters around. Tokens of incomplete characters are no text: of these only those with
    bytes that no UTF-8 has are known to be unreachable. A token is *incomplete* if it has several
    bytes and parts of a character. Single bytes and fallback bytes are there by design and are
    neither. A *residue* occurs nearly only within longer tokens of the text, or without a text of
    the corpus of a run: at most a tenth of its occurrences is left, and at most ten, or one per
    million tokens if that is more. Of a text it occurs at least ten times.

    White space is odd if it is rarely typed or not seen, and a space within a token or at its end
    if the encoding splits text at spaces. In others, whose tokens go over spaces, a space at the
    end is odd if fewer than one token in a hundred has one there.
    """
    found, ordinary = vocabulary.properties, ~vocabulary.special
    several = ordinary & (found.lengths > 1)
    paths = _unreachable(vocabulary, check) if paths is None else paths
    unreachable = np.zeros(len(vocabulary), np.bool_)
    unreachable[list(paths)] = True
    masks = {
        Reason.UNREACHABLE: unreachable,
        Reason.INCOMPLETE: several & found.broken,
        Reason.MIXED_SCRIPTS: ordinary & found.mixed,
        Reason.WHITE_SPACE: several & ((found.odd_spaces > 0) | _odd_places_of_spaces(vocabulary)),
    }
    left_over = _residues(vocabulary, uses)
    if left_over is not None:
        masks[Reason.RESIDUE] = left_over & ordinary
    if uses is not None:
        masks[Reason.UNUSED] = ordinary & (uses == 0)
    return Suspicious(vocabulary, masks, paths, uses, text)


# -- Unreachable tokens -------------------------------------------------------------------------


def _unreachable(vocabulary: Vocabulary, check: Check | None) -> dict[int, Path]:
    """Find the tokens that no text is known to have, by row."""
    found, contents = vocabulary.properties, vocabulary.contents
    ordinary = ~vocabulary.special & ~vocabulary.fallback & (found.lengths > 0)
    paths = {
        row: Path((), Detour.NO_TEXT)
        for row in np.flatnonzero(ordinary & found.broken & (found.lengths > 1)).tolist()
        if not may_be_in_text(contents[row])
    }
    rows = np.flatnonzero(ordinary & ~found.broken).tolist()
    own = _tokens_of_each(vocabulary, rows, "", "", check)
    tokens = vocabulary.ids.tolist()
    alone = {row: ids for row, ids in own if tokens[row] not in ids}
    left = list(alone)
    contexts = [each for c in _AROUND for each in ((c, ""), ("", c), (c, c))]
    for before, after in contexts:
        if not left:
            break
        tried = _tokens_of_each(vocabulary, left, before, after, check)
        left = [row for row, ids in tried if tokens[row] not in ids]
    for row in left:
        paths[row] = _path(vocabulary, row, alone[row])
    return dict(sorted(paths.items()))


def _tokens_of_each(
    vocabulary: Vocabulary, rows: list[int], before: str, after: str, check: Check | None
) -> Iterator[tuple[int, list[int]]]:
    """Tokenize the texts of tokens with something before and after."""
    texts = [f"{before}{vocabulary.contents[row].decode('utf-8')}{after}" for row in rows]
    yield from zip(rows, encode_each(vocabulary.encoding, texts, check), strict=True)


def _path(vocabulary: Vocabulary, row: int, ids: list[int]) -> Path:
    """Tell why the text of a token becomes other tokens."""
    content, encoding, found = vocabulary.contents[row], vocabulary.encoding, tuple(ids)
    text = content.decode("utf-8")
    if not ids:
        return Path(found, Detour.DROPPED)
    if len(ids) == 1:
        other = vocabulary.row_of(ids[0])
        if other is not None and vocabulary.contents[other] == content:
            return Path(found, Detour.TWIN)
    if text.strip(" ") not in encoding.normalized(text):
        return Path(found, Detour.NORMALIZATION)
    if finds_added_tokens(encoding):
        added = next((token for token in ids if token >= 0 and encoding.is_added(token)), None)
        if added is not None:
            return Path(found, Detour.ADDED, added)
    words = encoding.words(text, specials_as_text=True)
    split = words is not None and len(words) > 1
    return Path(found, Detour.SPLIT if split else Detour.MODEL)


def may_be_in_text(content: bytes) -> bool:
    """Tell whether some UTF-8 has these bytes, whatever is before and after them.

    >>> may_be_in_text(b"\\x80a\\xe2"), may_be_in_text(b"\\xff"), may_be_in_text(b"a\\x80")
    (True, False, False)
    """
    inner = content.lstrip(bytes(range(0x80, 0xC0)))
    if len(content) - len(inner) > 3:
        return False
    # At most three such bytes end some character, whatever they are.
    try:
        inner.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


# -- White space --------------------------------------------------------------------------------


def _odd_places_of_spaces(vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Find the tokens with a space where the encoding rarely has one: within them, or at their end.
    """
    odd = vocabulary.properties.inner_space & ~vocabulary.special
    rows = np.flatnonzero(odd)
    texts = [vocabulary.contents[row].decode("utf-8", "ignore") for row in rows.tolist()]
    tried = zip(rows[:_TRIED].tolist(), texts[:_TRIED], strict=True)
    if not any(_goes_over_spaces(vocabulary, row, text) for row, text in tried):
        return odd
    odd[rows] = [text[-1].isspace() for text in texts]
    if np.count_nonzero(odd) * _RARE >= np.count_nonzero(~vocabulary.special):
        odd[:] = False
    return odd


def _goes_over_spaces(vocabulary: Vocabulary, row: int, text: str) -> bool:
    """Tell whether the encoding takes a token's text, which has a space, for one word."""
    encoding, token = vocabulary.encoding, int(vocabulary.ids[row])
    if finds_added_tokens(encoding) and encoding.is_added(token):
        return False
    inner = text.strip()
    words = encoding.words(inner if " " in inner else f"{inner} {inner}", specials_as_text=True)
    return words is None or len(words) == 1


# -- Residues -----------------------------------------------------------------------------------


def _residues(
    vocabulary: Vocabulary, uses: NDArray[np.int64] | None
) -> NDArray[np.bool_] | None:
    """Find the tokens that are nearly only parts of longer ones; None if nothing is known."""
    encoding = vocabulary.encoding
    if uses is None:
        if not isinstance(encoding, TrainedEncoding) or not is_counted(encoding.history):
            return None
        return residues(encoding.history, encoding.position)
    made, tokens = times_made(vocabulary, uses), int(uses.sum())
    found = np.zeros(len(vocabulary), np.bool_)
    for row, number in made.items():
        # A short text has nearly every token too seldom to tell a tenth of it.
        found[row] = number >= RESIDUE_SHARE and is_residue(int(uses[row]), number, tokens)
    return found


def times_made(vocabulary: Vocabulary, uses: NDArray[np.int64]) -> dict[int, int]:
    """Count how often each merged token is made in a text, by row, also as a part of others.

    uses: how often each token is left in the text, by row. Every token is taken to be made by its
    own merge. Tokens that are never made, and those that no merge makes, are left out.
    """
    made: dict[int, int] = {}
    merges: dict[int, RankedMerge] = {}
    waiting: list[tuple[int, int, int]] = []

    def add(row: int, number: int) -> None:
        if row not in made:
            merge = vocabulary.encoding.merge(int(vocabulary.ids[row]))
            if merge is None:
                return
            made[row], merges[row] = 0, merge
            # Of equal ranks the longer token: it may have the other as a part.
            length = int(vocabulary.properties.lengths[row])
            heapq.heappush(waiting, (-merge.rank, -length, row))
        made[row] += number

    for row in np.flatnonzero((uses > 0) & ~vocabulary.special).tolist():
        add(row, int(uses[row]))
    while waiting:
        row = heapq.heappop(waiting)[2]
        for part in (merges[row].left, merges[row].right):
            place = vocabulary.row_of(part)
            if place is not None:
                add(place, made[row])
    return made


# -- Sentences ----------------------------------------------------------------------------------


def _quoted(content: bytes) -> str:
    return f"“{isolated(visible_beginning(content))}”"


def written(vocabulary: Vocabulary, ids: tuple[int, ...]) -> str:
    """Write tokens one after another as people read them, at most a dozen."""
    rows = map(vocabulary.row_of, ids[:_MAX_PARTS])
    shown = ["(unknown)" if row is None else _quoted(vocabulary.marked(row)) for row in rows]
    return " ".join([*shown, *["…"] * (len(ids) > _MAX_PARTS)])


def _say_unreachable(found: Suspicious, row: int) -> str:
    path = found.paths[row]
    if path.detour is Detour.NO_TEXT:
        return "No UTF-8 text has these bytes"
    tokens = written(found.vocabulary, path.ids) if path.ids else "nothing"
    why: str = path.detour
    if path.added is not None:
        added = written(found.vocabulary, (path.added,))
        why = f"the added token {added} is found before any merge"
    elif path.detour is Detour.MODEL and found.vocabulary.encoding.model is Model.UNIGRAM:
        why = "other tokens are more probable"
    return f"Its own text becomes {tokens}: {why}"


def _say_incomplete(found: Suspicious, row: int) -> str:
    return "It begins or ends within a character"


def _say_mixed(found: Suspicious, row: int) -> str:
    names = found.vocabulary.properties.script_names(row)
    return f"It has characters of the scripts {' and '.join(names)}"


def _say_white_space(found: Suspicious, row: int) -> str:
    if found.vocabulary.properties.odd_spaces[row]:
        return "It has white space or characters that are rarely typed and not seen"
    return "It has a space within or at its end"


def _say_unused(found: Suspicious, row: int) -> str:
    return f"It is never used in {found.text}"


def _say_residue(found: Suspicious, row: int) -> str:
    where = "the corpus" if found.uses is None else found.text
    return (
        f"At most a tenth of its occurrences in {where}, and at most {RESIDUE_USES} (of more "
        "than ten million tokens, one per million), are left outside longer tokens"
    )


_SENTENCES = {
    Reason.UNREACHABLE: _say_unreachable,
    Reason.INCOMPLETE: _say_incomplete,
    Reason.MIXED_SCRIPTS: _say_mixed,
    Reason.WHITE_SPACE: _say_white_space,
    Reason.RESIDUE: _say_residue,
    Reason.UNUSED: _say_unused,
}
