"""The interface of every encoding, whichever program or library made it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from threading import Condition, Lock
from typing import Protocol, TypeGuard, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens

# -- Encodings ----------------------------------------------------------------------------------
#
# The window and the command line need no more than this of any encoding. What a library does
# not tell is None, never a guess.


class EncodingError(ValueError):
    """Report an encoding that cannot be read or used, in one sentence for the user."""


class ExportError(ValueError):
    """Report something that a file format cannot hold, in one sentence for the user."""


class Model(StrEnum):
    """Name the algorithm by which an encoding finds its tokens within a word."""

    BPE = "byte-pair encoding"
    WORDPIECE = "WordPiece"
    UNIGRAM = "Unigram"
    WORD_LEVEL = "whole words"
    LONGEST_MATCH = "longest match"


class RankedMerge(Struct, frozen=True):
    """Describe how a token was made: `rank` is the merge, from 0, of the ids `left` and `right`."""

    rank: int
    left: int
    right: int


class Encoding(Protocol):
    """Encode a text into numbered tokens, and decode them again.

    Ids are not negative, except `NO_TOKEN`, which stands for a character without a token in
    encodings that drop it. Texts are valid Unicode: a lone surrogate raises UnicodeEncodeError.
    Any thread may use an encoding, but only one at a time; see `lock_of`.
    """

    name: str
    """Its name in the window: "gpt2", "tokenizer.json", "the run at 500 merges"."""

    @property
    def model(self) -> Model:
        """Name the algorithm that finds the tokens."""

    @property
    def vocabulary_size(self) -> int:
        """Count the tokens; ids may have gaps, so the largest id can be greater."""

    @property
    def ids(self) -> Sequence[int]:
        """List the ids of all tokens, ascending."""

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Tokenize a text.

        Every special token in the text becomes one token, unless `specials_as_text` asks to read
        it like any other text. Text that the encoding drops by design (white space, accents) is
        covered by no token.
        """

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids to text; bytes that are not UTF-8 become U+FFFD.

        Raises EncodingError for an unknown id.
        """

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Decode ids to bytes, which need not form whole characters.

        Raises EncodingError for an unknown id.
        """

    def id_to_token(self, token: int) -> str:
        """Spell a token as its vocabulary does. Raises EncodingError for an unknown id."""

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of text that a token stands for.

        Markers of the end of a word or of its continuation are not text and are left out.
        Raises EncodingError for an unknown id.
        """

    def is_special(self, token: int) -> bool:
        """Tell whether a token is special: no merge makes it."""

    def is_unknown(self, token: int) -> bool:
        """Tell whether a token stands for text that the vocabulary has no token for."""

    def is_fallback_byte(self, token: int) -> bool:
        """Tell whether a token is one byte of a character that the vocabulary does not have.

        False for tokens of byte-level vocabularies, for merged tokens, and for unknown ids.
        """

    # -- what explanations of differences need --------------------------------------------------

    def token_to_id(self, content: bytes) -> int | None:
        """Find the ordinary token with these bytes; None if there is none.

        Of several the one with the lowest id, but a fallback byte only if there is no other:
        text that has another token never falls back.
        """

    def merge(self, token: int) -> RankedMerge | None:
        """Find the merge that made a token; None if none did, or if the file does not say."""

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        """Find where pre-tokenization begins a word: ascending byte offsets in the text's UTF-8.

        No token crosses such an offset. None if the encoding does not tell.
        """

    def normalized(self, text: str) -> str:
        """Normalize a text; an encoding without normalization returns it unchanged."""


@runtime_checkable
class MarksEndsOfWords(Protocol):
    """Tell tokens with a marker of a word's end from those without: "low</w>" from "low".

    `Encoding.token_bytes` and `token_to_id` leave the marker out, for it is not text. Exact
    explanations of differences need it.
    """

    def marked_token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token with its marker, as merges see it."""

    def marked_token_to_id(self, content: bytes) -> int | None:
        """Find the token with these bytes, the marker included; None if there is none."""


def marks_ends_of_words(encoding: Encoding) -> TypeGuard[MarksEndsOfWords]:
    """Tell whether an encoding marks ends of words; `isinstance` takes 50 times as long."""
    return hasattr(encoding, "marked_token_bytes")


@runtime_checkable
class NormalizesParts(Protocol):
    """Finds special tokens in a text as it is, and normalizes what is between them part by part.

    Some special tokens may be found in a normalized part.
    """

    def is_found_normalized(self, token: int) -> bool:
        """Tell whether a special or added token is found in a normalized part."""

    def normalized_part(self, text: str) -> str:
        """Normalize a part that does not begin the text, as `normalized` does with one that does.
        """


def normalizes_parts(encoding: Encoding) -> TypeGuard[NormalizesParts]:
    """Tell whether an encoding normalizes part by part; see `marks_ends_of_words`."""
    return hasattr(encoding, "normalized_part")


@runtime_checkable
class FindsAddedTokens(Protocol):
    """Finds tokens that are not special in a text before it is split, as special ones."""

    def is_added(self, token: int) -> bool:
        """Tell whether a token is not special, and is found so wherever the text spells it."""


def finds_added_tokens(encoding: Encoding) -> TypeGuard[FindsAddedTokens]:
    """Tell whether an encoding finds added tokens; see `marks_ends_of_words`."""
    return hasattr(encoding, "is_added")


@runtime_checkable
class HidesSpecialTokens(Protocol):
    """An encoding that finds some special tokens in no text, while what a chat template makes has
    them.
    """

    @property
    def finding_all_specials(self) -> Encoding:
        """Return the encoding, with the same tokens, that finds all of them."""


def finding_all_specials(encoding: Encoding) -> Encoding:
    """Return what finds all special tokens of an encoding in a text."""
    if isinstance(encoding, HidesSpecialTokens):
        return encoding.finding_all_specials
    return encoding


@runtime_checkable
class SplitsMergedPieces(Protocol):
    """Merge neighbours to pieces that are split again in the end, as SentencePiece does."""

    def merged_starts(self, text: str) -> list[int]:
        """Return where the pieces of a text begin before any is split again, in characters.

        The text is merged as it is: nothing is normalized, and no special token is found in it.
        """


def splits_merged_pieces(encoding: Encoding) -> TypeGuard[SplitsMergedPieces]:
    """Tell whether an encoding splits pieces again; see `marks_ends_of_words`."""
    return hasattr(encoding, "merged_starts")


@runtime_checkable
class KnowsSafeCuts(Protocol):
    """An encoding that knows places where cutting a text changes no token."""

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Return the last byte before which the tokens do not depend on what comes after it, and
        from which on they do not depend on what comes before; 0 if none is certain.

        `data` is the beginning of a document in UTF-8, and may go on. The place is not
        within a word between white space. What comes after it is encoded by `continued`.
        """


@runtime_checkable
class ContinuesTexts(Protocol):
    """An encoding that encodes the beginning of a text in another way than the rest."""

    @property
    def continued(self) -> Encoding:
        """Return the encoding, with the same tokens, of what comes after a safe cut."""


def continued(encoding: Encoding) -> Encoding:
    """Return what encodes the rest of a text after a safe cut; see `KnowsSafeCuts`."""
    return encoding.continued if isinstance(encoding, ContinuesTexts) else encoding


@runtime_checkable
class EncodesBatches(Protocol):
    """An encoding that tokenizes many short texts faster than one by one."""

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Tokenize texts, special tokens read as text; return the ids of each, as `encode` does.

        Characters without a token may be left out.
        """


@runtime_checkable
class EncodesTexts(Protocol):
    """An encoding that tokenizes many texts at once, on all processors."""

    def encode_all(
        self, texts: Sequence[str], *, specials_as_text: bool = False
    ) -> Iterator[Tokens]:
        """Tokenize texts as `encode` does, in their order."""


@runtime_checkable
class Guessed(Protocol):
    """An encoding of which some parts may not be in its file, but were guessed by its content."""

    guess: str
    """What it was taken for, in one clause: "read as GPT-2's ranks: 50,256 entries"; or empty."""


@runtime_checkable
class OfFamily(Protocol):
    """An encoding that may have been recognised by its content."""

    family: str
    """What people call it: "Llama 3"; or empty."""


def family_name(encoding: Encoding) -> str:
    """Return what people call an encoding that was recognised by its content; or ""."""
    return encoding.family if isinstance(encoding, OfFamily) else ""


@runtime_checkable
class LeavesOut(Protocol):
    """An encoding whose own library changes texts in a way that is left out here."""

    left_out: str
    """What is left out, in one clause; or empty."""


GUESSED = " · guess"
"""What follows the shown name of an encoding of which a part was guessed."""

REMARK_ON_GUESS = ", guessed"
"""How a remark on what was guessed ends."""


def is_guessed(encoding: Encoding) -> bool:
    """Tell whether a part of an encoding was guessed."""
    return isinstance(encoding, Guessed) and bool(encoding.guess)


def remark_about(encoding: Encoding | None) -> str:
    """Say in a clause what of an encoding was guessed, or what is left out; or "".

    Of a guess it is "read as GPT-2's ranks: 50,256 entries, guessed".
    """
    guess = encoding.guess if isinstance(encoding, Guessed) else ""
    left_out = encoding.left_out if isinstance(encoding, LeavesOut) else ""
    return f"{guess}{REMARK_ON_GUESS}" if guess else left_out


def join_token_bytes(ids: Sequence[int], token_bytes: Callable[[int], bytes]) -> bytes:
    """Concatenate the bytes of tokens, asking for every distinct token once.

    >>> join_token_bytes([1, 2, 1], {1: b"lo", 2: b"w"}.__getitem__)
    b'lowlo'
    """
    contents = {token: token_bytes(token) for token in dict.fromkeys(ids)}
    return b"".join(map(contents.__getitem__, ids))


class JoinsTokenBytes:
    """Decode by joining the bytes of tokens: the base of encodings without byte fallback.

    Nothing is normalized, and no token stands for unknown text; see `Encoding`.
    """

    name: str
    decodes_apart = True

    @property
    def vocabulary_size(self) -> int:
        """Count the tokens."""
        raise NotImplementedError

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token. Raises EncodingError for an unknown id."""
        raise NotImplementedError

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids to text. Raises EncodingError for an unknown id."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Decode ids to bytes. Raises EncodingError for an unknown id."""
        return join_token_bytes(ids, self.token_bytes)

    def is_unknown(self, token: int) -> bool:
        """Tell whether it is NO_TOKEN."""
        return token == NO_TOKEN

    def is_fallback_byte(self, token: int) -> bool:
        """Return False: bytes are tokens like all others."""
        return False

    def normalized(self, text: str) -> str:
        """Return the text unchanged."""
        return text


def no_such_token(encoding: Encoding | JoinsTokenBytes, token: int) -> EncodingError:
    """Make the error for an id that an encoding does not have."""
    return EncodingError(
        f"{encoding.name} has no token with the id {token}; its vocabulary has "
        f"{encoding.vocabulary_size:,} tokens"
    )


# -- Taking turns -------------------------------------------------------------------------------
#
# An encoding may cache its last result, or change a setting for a moment, so two threads must not
# use it at once. A thread that uses it for long lets others go first every now and then.


class FairLock:
    """Lock for one thread at a time, in the order in which the threads came."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._next = 0
        self._served = 0

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Wait for the lock, and hold it until the end of the block."""
        self._acquire()
        try:
            yield
        finally:
            self._release()

    def yield_turn(self) -> None:
        """Let the threads that wait now go first, and return when they are done.

        Only the thread that holds the lock may call this.
        """
        if self.waiting:
            self._release()
            self._acquire()

    @property
    def waiting(self) -> int:
        """Count the threads that wait, without the one that holds the lock."""
        with self._changed:
            return max(self._next - self._served - 1, 0)

    def _acquire(self) -> None:
        with self._changed:
            mine = self._next
            self._next += 1
            self._changed.wait_for(lambda: self._served == mine)

    def _release(self) -> None:
        with self._changed:
            self._served += 1
            self._changed.notify_all()


@contextmanager
def turn_of_all(encodings: Iterable[Encoding]) -> Iterator[None]:
    """Hold the locks of several encodings, in an order that two threads cannot block each other."""
    with ExitStack() as turns:
        for encoding in sorted(set(encodings), key=id):
            turns.enter_context(lock_of(encoding).hold())
        yield


_locks: WeakKeyDictionary[Encoding, FairLock] = WeakKeyDictionary()
_locks_guard = Lock()


def lock_of(encoding: Encoding) -> FairLock:
    """Return the lock of an encoding, the same one for every caller."""
    with _locks_guard:
        return _locks.setdefault(encoding, FairLock())


# -- Errors of libraries in Rust ----------------------------------------------------------------

_MAX_REASON = 300
"""Characters of a library's message that are quoted."""


def is_panic(error: BaseException) -> bool:
    """Tell whether an exception is a panic of a library that is written in Rust."""
    return type(error).__name__ == "PanicException"


@contextmanager
def wrap_rust_errors(what: str) -> Iterator[None]:
    """Turn any error of a library, panics included, into an EncodingError that begins with `what`.

    Our own errors, UnicodeEncodeError, MemoryError and interrupts pass through unchanged.
    """
    try:
        yield
    except (EncodingError, ExportError, UnicodeEncodeError, MemoryError):
        raise
    except BaseException as error:  # the library raises nothing more precise
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        lines = str(error).strip().splitlines()
        reason = lines[0] if lines else type(error).__name__
        # The message may quote the file at any length, with the reason at either end.
        if len(reason) > _MAX_REASON:
            reason = f"{reason[: _MAX_REASON // 2]} ... {reason[-_MAX_REASON // 2 :]}"
        raise EncodingError(f"{what} (the library says: {reason})") from None
