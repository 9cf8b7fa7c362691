"""What an animation shows, whatever the position: a run, a text, panels and how they look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QByteArray

from bpe_gui.analysis.branches import Branch, BranchState
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.run.bookmarks import Bookmark
from bpe_gui.ui.theme.theme import Theme


@dataclass(frozen=True, eq=False)
class RenderOptions:
    """How an animation looks.

    panels: names of `animated` ones, which stand side by side in rows; or `WINDOW` alone.
    width, height: of the whole, as the window measures; scale: pixels for each of these.
    text: how many times as large letters are as the desktop asks for.
    caption: whether the timeline and the merge stand below.
    """

    panels: tuple[str, ...]
    width: int
    height: int
    scale: int
    theme: Theme
    text: float = 1.0
    caption: bool = True


@dataclass(frozen=True, eq=False)
class RenderState:
    """What an animation shows.

    words: those that the run was trained on, without which panels that explain stay empty.
    word: the one of which *How a word is tokenized* speaks; token: the one that is selected, or
        NO_TOKEN for the newest at each position.
    arrangement: where the panels stand in the window, as QMainWindow.saveState has it.
    chosen: which entry is chosen in boxes and tabs of panels; see `view_state.shown_in`.
    branches: the run and those that were decided otherwise; states: what becomes of each.
    bookmarks: of the run, for the timeline.
    """

    history: History
    words: WordCounts | None
    text: str
    word: str = ""
    token: int = NO_TOKEN
    arrangement: QByteArray = QByteArray()  # noqa: RUF009 - nobody changes it
    chosen: Mapping[str, object] = field(default_factory=dict)
    branches: tuple[Branch, ...] = ()
    states: tuple[BranchState, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()

    @property
    def shown(self) -> Branch | None:
        """Which of the branches the run is; None if it is none of them."""
        return next((each for each in self.branches if each.history is self.history), None)

