"""What a session is: a corpus by its word counts, the runs on it, and what is shown of them.

The bounds here keep a file from asking for more memory than there is. They hold when a session is
saved, too: one that cannot be opened would be worse than none, and worse still in the place of a
good one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from bpe_gui.bpe.corpus import CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import MAX_NUMBER, Recipe
from bpe_gui.bpe.words import WordCounts

ENDING = ".bpesession"
"""What the name of a session's file ends with."""

MAX_COUNT = 1 << 60
"""Of bytes or tokens in a corpus."""

Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
"""An id, a position or a length."""

_MAX_LENGTH = Meta(max_length=40_000)

Text = Annotated[str, _MAX_LENGTH, Meta(pattern=r"^[^\ud800-\udfff]*\Z")]
"""A name: valid Unicode, and no longer than a field of the window takes."""

PathText = Annotated[str, _MAX_LENGTH, Meta(pattern=r"^[^\0\ud800-\udc7f\udd00-\udfff]+\Z")]
"""What names a file: its bytes that are not UTF-8 are U+DC80 to U+DCFF, as in `os.fsdecode`."""

AbsolutePath = Annotated[
    str, _MAX_LENGTH, Meta(pattern=r"^(?:/|\\\\|[A-Za-z]:)[^\0\ud800-\udc7f\udd00-\udfff]*\Z")
]
"""On this system or on another, for a session may have been saved elsewhere."""


class SessionError(ValueError):
    """A file that is no session that can be opened; the message is one sentence for the user."""


class CorpusReference(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the words come from. What it names need not be there any more.

    name: what the corpus is called in titles.
    sources: paths of files and folders, absolute; "-" is standard input. Empty for a sample.
    sample: one of `SAMPLES`, else None.
    """

    name: Text
    sources: Annotated[tuple[PathText, ...], Meta(max_length=100_000)] = ()
    sample: str | None = None
    options: CorpusOptions = msgspec.field(default_factory=CorpusOptions)


Guess = tuple[int, tuple[int, int] | None]
"""A position at which the next merge was guessed, and the pair of tokens that was; None where it
was revealed without a guess."""


@dataclass(frozen=True, slots=True, eq=False)
class SavedBranch:
    """One of the runs on the corpus, under its name, with its bookmarks: positions and names.

    A bookmark may stand beyond the end of a run that has not got so far yet. The guesses are
    in the order in which they were made; which of them are right is known from the run.
    """

    name: str
    history: History
    bookmarks: tuple[tuple[int, str], ...] = ()
    guesses: tuple[Guess, ...] = ()


class FollowingLane(Struct, frozen=True, forbid_unknown_fields=True):
    """The run in view with a part of the cursor's merges: 1 for all of them, 10 for a tenth."""

    part: Annotated[int, Meta(ge=1, le=10)] = msgspec.field(default=1, name="follows")


@dataclass(frozen=True, slots=True, eq=False)
class RunLane:
    """A run of ours at a position. It may be one of the branches, or one from before.

    step: whether it was added as a step of the run that was in view, not as a whole run.
    """

    name: str
    history: History
    position: int
    step: bool = False


class NamedLane(Struct, frozen=True, forbid_unknown_fields=True):
    """An encoding that is read or fetched by what names it, as `open_encoding` takes it."""

    name: Text
    spec: Text = msgspec.field(name="encoding")
    special_tokens: Annotated[Mapping[Text, Number], Meta(max_length=10_000)] | Text | None = None


LaneReference = FollowingLane | RunLane | NamedLane
"""How one of the encodings that are compared came to be there."""


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """All that a window shows, or what it is made from.

    words: the words of the corpus with their counts, which all branches are trained on, and with
        what the files of the corpus were when they were counted.
    recipe: the one that is chosen, which is that of the branches but for the size of its
        vocabulary: each branch was trained to the size that was chosen then.
    branches: the original run first; at least that one.
    shown: which of the branches is in view. position: the cursor in it.
    live: whether the cursor follows the end of a run that may grow until the session is saved;
        what is loaded stands still.
    text: the text that is cut into tokens.
    lanes: the encodings that are compared, in their order; None for those that a new window
        begins with.
    lockstep: the runs that are put side by side, in their order; none, or two and more. They
        may be branches, or runs of other recipes.
    saved_as: the path of the file that the window has saved it in, or opened; None in a file
        that the user has asked for.
    layout: how the window looks: JSON that only the window understands.
    """

    corpus: CorpusReference
    words: WordCounts
    recipe: Recipe
    branches: tuple[SavedBranch, ...]
    shown: int = 0
    position: int = 0
    live: bool = False
    text: str = ""
    lanes: tuple[LaneReference, ...] | None = None
    lockstep: tuple[History, ...] = ()
    saved_as: str | None = None
    layout: Mapping[str, Any] = field(default_factory=dict)
