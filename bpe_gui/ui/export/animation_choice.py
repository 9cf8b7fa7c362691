"""What can be chosen for an animation, and the state of the window that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from PySide6.QtCore import QByteArray

from bpe_gui.analysis.branches import Branch, BranchState
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.exporting.animation import KINDS, AnimationError, FrameRange, check, kind_of
from bpe_gui.exporting.player_page import part_text
from bpe_gui.progress import counted
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.panels import WINDOW, animated
from bpe_gui.ui.run.player import Bookmark
from bpe_gui.ui.settings.view_state import shown_in

PAGE = ".html"
"""The ending of a page that plays a run in a browser."""
FORMATS = {
    **{kind.ending: kind.title for kind in KINDS},
    PAGE: "Web page with a slider",
}
"""The formats by the endings of their files."""


@dataclass(frozen=True, eq=False)
class RenderState:
    """What an animation shows.

    words: of the corpus, without which panels that explain are empty.
    word: the word of *How a word is tokenized*; token: the selected one, or NO_TOKEN for the
        newest at each position.
    arrangement: of the panels in the window, as QMainWindow.saveState returns it.
    chosen: the entries that are chosen in boxes and tabs of panels; see `view_state.shown_in`.
    branches: the original run and its branches; states: the state of each.
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

    @classmethod
    def of(cls, context: Context) -> RenderState | None:
        """Return what a window shows now; None if it shows no run."""
        history, branches, explore = context.player.history, context.branches, context.explore
        if history is None:
            return None
        shown = branches.shown
        # All of them may go on growing while pictures are made.
        until = {each.history: each.history.until(len(each.history)) for each in branches.all}
        return cls(
            until[history] if history in until else history.until(len(history)),
            shown.words if shown is not None else None,
            context.sample_text.text,
            explore.derivation.word,
            explore.token,
            context.workspaces.arrangement(),
            shown_in(explore),
            tuple(Branch(each.name, each.words, until[each.history]) for each in branches.all),
            tuple(branches.state(each) for each in branches.all),
            tuple(context.player.bookmarks),
        )

    @property
    def shown(self) -> Branch | None:
        """The branch of the run; None if it is none of them."""
        return next((each for each in self.branches if each.history is self.history), None)


@dataclass(frozen=True)
class AnimationChoice:
    """All that can be chosen for an animation or a page.

    ending: one of `FORMATS`. start, stop: the first and the last position.
    panels: the names of `animated` panels, shown side by side in rows; or `WINDOW` alone.
    merges: the merges per frame, at least: more where there would be more than `most_frames`.
    frames_a_second, hold: as in `FrameRange`.
    width, height: in pixels of the window; scale: pixels of the file for each of these.
    text: the size of text relative to that of the desktop; None for one in proportion to the
        panels, to be read from the back row, and 1 in the layout of the window.
    dark: dark or light colours; None for those of the window.
    caption: whether the timeline and the merge are shown below.
    motion: whether each merge is seen under way, where they are slow enough; see `with_motion`.
    """

    start: int = 0
    stop: int = 0
    ending: str = ".gif"
    panels: tuple[str, ...] = (WINDOW,)
    merges: int = 1
    most_frames: int = 300
    frames_a_second: Fraction = Fraction(5)
    hold: Fraction = Fraction(2)
    loop: bool = True
    width: int = 1280
    height: int = 720
    scale: int = 1
    text: float | None = None
    dark: bool | None = None
    caption: bool = True
    motion: bool = True

    @property
    def is_page(self) -> bool:
        """Whether it is a page that plays the run, and not an animation."""
        return self.ending == PAGE

    def stretch(self) -> FrameRange:
        """Return the positions of the frames. Raises AnimationError if it cannot be made."""
        fewest = FrameRange.of_at_most(self.start, self.stop, self.most_frames).merges
        merges = max(self.merges, fewest)
        stretch = FrameRange(self.start, self.stop, merges, self.frames_a_second, self.hold)
        stretch = stretch.with_motion() if self.motion else stretch
        check(kind_of(f"x{self.ending}"), self.width * self.scale, self.height * self.scale)
        unknown = [name for name in self.panels if name not in animated()]
        if not self.panels:
            raise AnimationError("choose a panel that is to be seen")
        if unknown and self.panels != (WINDOW,):
            raise AnimationError(
                f"{unknown[0]!r} is no panel that follows the merges; these do: "
                f"{', '.join((*animated(), WINDOW))}"
            )
        return stretch

    def summary(self) -> str:
        """Say what will be made, in a few words. Raises AnimationError if nothing can."""
        if self.is_page:
            return self._page_summary()
        stretch = self.stretch()
        width, height = self.width * self.scale, self.height * self.scale
        seconds = sum(stretch.durations(1000)) / 1000
        each = "" if stretch.merges == 1 else f", {stretch.merges:,} merges per frame"
        if stretch.merges > self.merges:
            each += f" (raised from {self.merges:,} to stay within {self.most_frames:,} frames)"
        time = f"{seconds:,.1f} seconds" if seconds < 90 else f"{seconds / 60:,.1f} minutes"
        return f"{counted(len(stretch), 'frame')}{each}, {time}, {width:,} × {height:,} pixels."

    def _page_summary(self) -> str:
        if self.stop < self.start:
            raise AnimationError(
                f"a page goes from one merge to a later one, and not from {self.start:,} to "
                f"{self.stop:,}"
            )
        told = f"plays {counted(self.stop - self.start, 'merge')}"
        if self.start == self.stop:
            told = f"shows the run {part_text(self.start, self.stop)}, and nothing else,"
        return f"One file that {told} in any browser, without a network."
