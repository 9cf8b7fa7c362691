"""The parts of a session: a corpus by its word counts, the runs on it, and what a window shows.

The bounds keep a file from asking for more memory than there is. They apply when a session is
saved, too: one that cannot be opened is worse than none, above all if it replaces a good one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from bpe_gui.bpe.corpus import CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import MAX_NUMBER, Recipe
from bpe_gui.bpe.words import WordCounts

Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
"""An id, a position or a length."""

MAX_PAST = 9
"""How many runs that have made way are kept."""

_MAX_LENGTH = Meta(max_length=40_000)

Text = Annotated[str, _MAX_LENGTH, Meta(pattern=r"^[^\ud800-\udfff]*\Z")]
"""A name: valid Unicode, no longer than the fields of the window accept."""

PathText = Annotated[str, _MAX_LENGTH, Meta(pattern=r"^[^\0\ud800-\udc7f\udd00-\udfff]+\Z")]
"""A path; bytes that are not UTF-8 are U+DC80 to U+DCFF, as Python decodes them."""

AbsolutePath = Annotated[
    str, _MAX_LENGTH, Meta(pattern=r"^(?:/|\\\\|[A-Za-z]:)[^\0\ud800-\udc7f\udd00-\udfff]*\Z")
]
"""An absolute path, of any system: a session may have been saved elsewhere."""


class CorpusReference(Struct, frozen=True, forbid_unknown_fields=True):
    """Tell where the words come from. The files need not exist any more.

    name: the name of the corpus in titles.
    sources: paths of files and folders, absolute; "-" is standard input. Empty for a sample.
    sample: one of `SAMPLES`, else None.
    """

    name: Text
    sources: Annotated[tuple[PathText, ...], Meta(max_length=100_000)] = ()
    sample: str | None = None
    options: CorpusOptions = msgspec.field(default_factory=CorpusOptions)


Guess = tuple[int, tuple[int, int] | None]
"""A position at which the next merge was guessed, and the pair of ids; None if the answer was
revealed without a guess."""


class SavedBranch(Struct, frozen=True, eq=False):
    """Hold one of the runs on the corpus with its name, its bookmarks and its guesses.

    bookmarks: positions and names; a position may be beyond the present end of the run.
    guesses: in the order in which they were made; the run tells which of them are right.
    """

    name: str
    history: History
    bookmarks: tuple[tuple[int, str], ...] = ()
    guesses: tuple[Guess, ...] = ()


class FollowingLane(Struct, frozen=True, forbid_unknown_fields=True):
    """Show the run in view at a part of the cursor's position: 1 for all merges, 10 for a tenth."""

    part: Annotated[int, Meta(ge=1, le=10)] = msgspec.field(default=1, name="follows")


class RunLane(Struct, frozen=True, eq=False):
    """Show a run at a position; it may be one of the branches, or an earlier run.

    step: whether it was added as a step of the run in view, not as a whole run.
    """

    name: str
    history: History
    position: int
    step: bool = False


class NamedLane(Struct, frozen=True, forbid_unknown_fields=True):
    """Show an encoding that `open_encoding` loads from `spec`."""

    name: Text
    spec: Text = msgspec.field(name="encoding")
    special_tokens: Annotated[Mapping[Text, Number], Meta(max_length=10_000)] | Text | None = None


LaneReference = FollowingLane | RunLane | NamedLane
"""What a lane shows."""


class PastRun(Struct, eq=False):
    """Hold a past run, which another has replaced, as a session.

    name: the name that the user gave it; empty for none. packed: its file, once it is saved: a
        past run no longer changes.
    """

    name: str
    session: Session
    packed: bytes | None = None


class Session(Struct, frozen=True, eq=False):
    """Hold everything that a window shows, or the data to compute it.

    words: the words of the corpus with their counts, which all branches are trained on.
    recipe: the chosen recipe. The branches have the same, except that every branch has the
        vocabulary size that was chosen for it.
    branches: the original run first; at least that one.
    shown: which of the branches is in view. position: the cursor in it.
    live: whether the cursor follows the end of a run that may grow until the session is saved;
        False in a session that was loaded.
    text: the text that is shown as tokens.
    lanes: the compared encodings, in order; None for those of a new window.
    lockstep: the runs side by side, in order; none, or two or more. They may be branches, or runs
        of other recipes.
    past: the runs that have made way for others, the newest first; they have none themselves.
    saved_as: for an autosave the path of the file that the window has saved or opened, else None.
    layout: the look of the window: JSON that only the window understands.
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
    past: tuple[PastRun, ...] = ()
    saved_as: str | None = None
    layout: Mapping[str, Any] = {}
