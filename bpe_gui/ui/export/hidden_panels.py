"""What an animation shows, and panels off the screen that are drawn position after position."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import (
    QByteArray,
    QCoreApplication,
    QEvent,
    QObject,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from bpe_gui.analysis.branches import Branch, BranchState
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.exporting.animation import (
    KINDS,
    AcceleratingRange,
    AnimationError,
    FrameRange,
    check,
    kind_of,
    readable_rate,
)
from bpe_gui.exporting.player_page import part_text
from bpe_gui.progress import counted
from bpe_gui.render_arguments import FIRST_PANELS
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.export.figure import PLAIN_SIZE, become_figure, presentable
from bpe_gui.ui.export.panels import WINDOW, animated
from bpe_gui.ui.export.picture import picture_of
from bpe_gui.ui.export.schemes import own_sheet
from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.run.player import Bookmark, Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.settings.view_state import show_in, shown_in
from bpe_gui.ui.theme.text_size import LARGEST, set_text_scale
from bpe_gui.ui.theme.theme import Theme, palette
from bpe_gui.ui.timeline.timeline import Timeline
from bpe_gui.ui.tokens.token_words import told_merge
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.workspaces.workspaces import LAYOUT_VERSION

PAGE = ".html"
"""The ending of a page that plays a run in a browser."""
ANIMATION_FORMATS = {
    **{kind.ending: kind.title for kind in KINDS},
    PAGE: "Web page with a slider",
}
"""The formats by the endings of their files."""


class RenderState(Struct, frozen=True, eq=False):
    """What an animation shows.

    words: of the corpus, without which panels that explain are empty.
    word: the word of *How a word is tokenized*; token: the selected one, or NO_TOKEN for the
        newest at each position; pair: the one that is selected, if one is.
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
    pair: tuple[int, int] | None = None
    arrangement: QByteArray = QByteArray()
    chosen: Mapping[str, object] = {}
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
            explore.word,
            explore.token,
            explore.pair,
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


class AnimationChoice(Struct, frozen=True):
    """All that can be chosen for an animation or a page.

    ending: one of `ANIMATION_FORMATS`. start, stop: the first and the last position.
    panels: the names of `animated` panels, shown side by side in rows; or `WINDOW` alone.
    merges: the merges per frame, at least: more where there would be more than `most_frames`.
    frames_a_second, hold: as in `FrameRange`; None for what begins slowly and gets ever faster.
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
    panels: tuple[str, ...] = FIRST_PANELS
    merges: int = 1
    most_frames: int = 300
    frames_a_second: Fraction | None = None
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
        stretch = self._accelerating() or self._steady()
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

    def _accelerating(self) -> FrameRange | None:
        """Return a range that begins slowly and gets ever faster.

        None if a speed or steps are chosen, or if it needs more frames than are allowed.
        """
        if self.frames_a_second is not None or self.merges > 1 or self.stop < self.start:
            return None
        stretch = AcceleratingRange(self.start, self.stop, hold=self.hold, motion=self.motion)
        states = len(replace(stretch, motion=False))
        return stretch if states <= self.most_frames else None

    def _steady(self) -> FrameRange:
        fewest = FrameRange.of_at_most(self.start, self.stop, self.most_frames).merges
        merges = max(self.merges, fewest)
        rate = self.frames_a_second
        if rate is None:
            rate = readable_rate(ceil((self.stop - self.start) / merges))
        stretch = FrameRange(self.start, self.stop, merges, rate, self.hold)
        return stretch.with_motion() if self.motion else stretch

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
        told = f"{counted(len(stretch), 'frame')}{each}, {time}, {width:,} × {height:,} pixels."
        fast = self.motion and not stretch.shows_motion
        return f"{told} Merges are too fast to be shown under way." if fast else told

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


_STEP = 0.9
"""By how much text is made smaller until the panels have room."""
_FROM_THE_BACK = 330
"""The height of a picture whose text is legible from the back row in the desktop's size."""
_TURNS = 2
"""Turns of the event loop that a panel takes to lay out something new."""


class HiddenPanels(QObject):
    """Panels in a window that is never shown on the screen.

    They are made by the same class as the window's panels, with another player and another
    thread for queries, so that they and the user do not disturb each other. Ask for a position,
    wait for `drawn`, take the `picture`.
    """

    drawn = Signal()
    """The panels show everything about the position that was asked for."""

    def __init__(
        self,
        scene: RenderState,
        choice: AnimationChoice,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        """Raises AnimationError if the chosen size is too small for the panels, or Qt refuses the
        layout of the window.
        """
        super().__init__(parent)
        self._choice = choice
        self._window = _hidden_window(theme)
        self._player = Player(self)
        self._sample_text = SampleText(self._window)
        self._workspace = ExploreView(self._window, self._player, self._sample_text)
        if choice.panels == (WINDOW,):
            self._workspace.make_all()
        else:
            for name in choice.panels:
                self._workspace.panel(name)
        self._workspace.motion.hold(1.0)
        self._workspace.rested.connect(self._go_on)
        self._caption = Caption(self._window)
        self._asked: int | None = None
        self._turns = 0
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._on_turn)
        try:
            self._arrange(scene)
        except AnimationError:
            self.close()
            raise
        self._sample_text.set(scene.text)
        self._load_run(scene)
        self._window.setPalette(palette(theme))

    def ask(self, position: int, share: float = 1.0) -> None:
        """Draw a position, then emit `drawn`. One at a time.

        With a `share` below 1, draw the merge before it as far as that under way; the position
        before was drawn last, or a smaller share of the same merge.
        """
        self._workspace.motion.hold(share)
        if position != self._asked:
            self._asked = position
            self._show(position)
        under_way = self._workspace.motion.shows(position)
        told = position - 1 if under_way else self._workspace.told_position
        apart = self._workspace.motion.precedes(position)
        self._caption.show_position(position, told, under_way=under_way, apart=apart)
        self._turns = _TURNS
        self._turn.start()

    def _show(self, position: int) -> None:
        workspace = self._workspace
        self._player.scrub(position)
        workspace.motion.go_to(position, False)
        workspace.count_tokens()
        # The clock would take the cursor for moving, and draw everything twice.
        workspace.scheduler.stop()
        for panel in workspace.panels:
            if not panel.visibleRegion().isEmpty():
                panel.show_position(position, False)

    def picture(self) -> QImage:
        """Paint what the panels show now."""
        return picture_of(self._window, self._choice.scale)

    def close(self) -> None:
        """End the work in the background, and delete the panels."""
        self._turn.stop()
        self._workspace.scheduler.stop()
        end_tasks(self._window)
        self._window.close()
        self._window.deleteLater()
        self.deleteLater()

    # -- building --------------------------------------------------------------------------

    def _arrange(self, scene: RenderState) -> None:
        window, choice = self._window, self._choice
        if choice.panels == (WINDOW,):
            layout = scene.arrangement
            if not layout.isEmpty() and not window.restoreState(layout, LAYOUT_VERSION):
                raise AnimationError("the layout of the window cannot be copied; choose panels")
        else:
            self._set_side_by_side(choice.panels)
        bar = window.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setVisible(choice.caption)
        bar.addWidget(self._caption, 1)
        window.show()
        # Only now: widgets take the font of their parent when they have been polished.
        factor = self._largest_text() if choice.text is None else choice.text
        least = self._write(factor)
        page = QSize(choice.width, choice.height)
        while choice.text is None and factor > 1 and least.expandedTo(page) != page:
            factor = max(1.0, factor * _STEP)
            least = self._write(factor)
        if choice.width < least.width() or choice.height < least.height():
            raise AnimationError(
                f"these panels need {least.width():,} by {least.height():,} at least, and have "
                f"{choice.width:,} by {choice.height:,}; make the picture larger or take fewer "
                "panels"
            )
        window.setFixedSize(choice.width, choice.height)
        while choice.text is None and factor > 1 and self._is_cut:
            factor = max(1.0, factor * _STEP)
            # The caption stays as large as it is.
            set_text_scale(self._workspace.docks[animated()[choice.panels[0]].dock], factor)

    @property
    def _is_cut(self) -> bool:
        """Whether a panel that is alone lacks a part that smaller text would let it show.

        Beside others it would make their text smaller, too.
        """
        if self._choice.panels == (WINDOW,) or len(self._choice.panels) > 1:
            return False
        return any(part.is_cut for part in presentable(self._window, seen=True))

    def _write(self, factor: float) -> QSize:
        """Write in text of another size, and return the size that the panels need then."""
        set_text_scale(self._window, factor)
        # Layouts learn the sizes in larger text when they are next laid out.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        return self._window.minimumSizeHint()

    def _largest_text(self) -> float:
        """Return how large text is where it is in proportion to the height of its panel.

        In more than one row it is as large as the back row of an audience needs.
        """
        panels, height = self._choice.panels, self._choice.height
        if panels == (WINDOW,):
            return 1.0
        rows = ceil(len(panels) / _columns(panels))
        fills = max(height / rows / PLAIN_SIZE.height(), height / _FROM_THE_BACK)
        return min(max(1.0, fills), LARGEST)

    def _set_side_by_side(self, panels: tuple[str, ...]) -> None:
        """Arrange panels in rows: two side by side, three or four in two rows."""
        window = self._window
        docks = [self._workspace.docks[animated()[name].dock] for name in panels]
        for dock in self._workspace.docks.values():
            window.removeDockWidget(dock)
        columns = _columns(panels)
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        for number, dock in enumerate(docks):
            if number == 0:
                window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
            elif number < columns:
                window.splitDockWidget(docks[number - 1], dock, across)
            else:
                window.splitDockWidget(docks[number - columns], dock, down)
            dock.show()
            become_figure(dock.widget())
        window.resizeDocks(docks, [self._choice.width // columns] * len(docks), across)
        window.resizeDocks(docks, [self._choice.height] * len(docks), down)
        if len(docks) == 1:
            docks[0].setTitleBarWidget(QWidget())

    def _load_run(self, scene: RenderState) -> None:
        workspace = self._workspace
        workspace.set_run(scene.words, scene.history)
        self._player.load(scene.history, 0)
        workspace.scheduler.catch_up()
        if workspace.has_panel("branches"):
            workspace.branches.set_branches(scene.branches, scene.shown)
            workspace.branches.model.set_states(scene.states)
        show_in(self._workspace, scene.chosen)
        if scene.word and workspace.has_panel("derivation"):
            workspace.derivation.set_word(scene.word)
        if scene.token != NO_TOKEN:
            workspace.select_token(scene.token)
        if scene.pair is not None:
            workspace.select_pair(*scene.pair)
        self._caption.set_run(scene)

    # -- waiting ---------------------------------------------------------------------------

    @Slot()
    def _go_on(self) -> None:
        if self._turns:
            self._turns = _TURNS
            self._turn.start()

    @Slot()
    def _on_turn(self) -> None:
        if not self._workspace.at_rest:
            self._turn.stop()  # until it has rested
            return
        self._turns -= 1
        if self._turns == 0:
            self._turn.stop()
            self._workspace.scheduler.stop()
            self.drawn.emit()


class Caption(QWidget):
    """The merge that the panels show at a position, and the timeline below it.

    In a branch, its name comes before the merge.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._branch = ""
        self._merge = SteadyLabel(self)
        self._merge.label.setObjectName("captionMerge")
        self._timeline = Timeline(self)
        column, parts = QVBoxLayout(self), (self._merge, self._timeline)
        filled(column, *parts, spacing=2, margins=(8, 2, 8, 4))

    def set_run(self, scene: RenderState) -> None:
        self._history = scene.history
        decided = scene.shown if scene.history.interventions else None
        self._branch = decided.name if decided is not None else ""
        self._timeline.set_history(scene.history)
        self._timeline.set_bookmarks(scene.bookmarks)

    def show_position(self, position: int, told: int, *, under_way: bool, apart: bool) -> None:
        """Show a position of the run, and name the merge after the position `told`.

        under_way: whether that merge is seen to happen; apart: whether its tokens are still two.
        """
        assert self._history is not None, "a position is one of a run"
        text = told_merge(self._history, told, last=told < position, now=under_way)
        in_branch = f"“{self._branch}”, {text[:1].lower()}{text[1:]}"
        self._merge.set_text(in_branch if self._branch else text)
        self._timeline.set_position(position, apart=apart)


def _columns(panels: tuple[str, ...]) -> int:
    return len(panels) if len(panels) < 3 else ceil(sqrt(len(panels)))


def _hidden_window(theme: Theme) -> QMainWindow:
    window = QMainWindow()
    window.setObjectName("hiddenWindow")
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
    window.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    window.setStyleSheet(own_sheet(theme))
    return window
