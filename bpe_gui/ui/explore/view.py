"""Explore: its panels in docks, their first places, and what is selected in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any, TypeVar, cast

from PySide6.QtCore import QByteArray, QObject, Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.actions.action_words import set_disabled_reason
from bpe_gui.ui.explore import registry
from bpe_gui.ui.panels.branches.panel import BranchesPanel
from bpe_gui.ui.panels.concordance.panel import ConcordancePanel
from bpe_gui.ui.panels.curves.panel import Curves
from bpe_gui.ui.panels.derivation.panel import DerivationPanel
from bpe_gui.ui.panels.guess.panel import GuessPanel
from bpe_gui.ui.panels.pairs.panel import PairChart
from bpe_gui.ui.panels.space_time.panel import SpaceTimePanel
from bpe_gui.ui.panels.text.panel import TextPanel
from bpe_gui.ui.panels.token.panel import TokenTree
from bpe_gui.ui.panels.vocabulary.panel import Vocabulary
from bpe_gui.ui.panels.why.panel import WhyPanel
from bpe_gui.ui.panels.words.panel import WordsPanel
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.run.token_frequencies import TokenFrequencies
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea
from bpe_gui.ui.widgets.veil import Veil
from bpe_gui.ui.workspaces.frame_scheduler import FrameScheduler
from bpe_gui.ui.workspaces.panel_spec import Panel, PanelParts, PanelSpec, RefreshInterval
from bpe_gui.ui.workspaces.workspaces import DockTitle

_OFTEN = RefreshInterval(0.05, 0.05)
_COLUMN_WIDTHS = (780, 500)
_ROW_HEIGHTS = ((340, 320), (205, 185, 270))
"""Pixels of the rows of the columns, from the top."""

QUESTION = "pairs"
"""The panel that the question replaces."""

PanelType = TypeVar("PanelType")


class ExploreView(QObject):
    """Makes the panels and their docks, and shows what is selected in one in all others."""

    rested = Signal()
    """Work in the background has ended; see `at_rest`."""

    def __init__(
        self,
        window: QMainWindow,
        player: Player,
        sample_text: SampleText,
        others: Sequence[Panel] = (),
    ) -> None:
        """`others` are drawn as the panels are, but are in no dock."""
        super().__init__(window)
        self._window = window
        self._player = player
        self.clock = FrameScheduler(window, player)
        self.queries = CorpusQueries(self)
        self.frequencies = TokenFrequencies(self.queries, self)
        self._make_panels(PanelParts(window, sample_text, self.queries, self.frequencies))
        intervals = self._refresh_intervals(others)
        self.panels = list(intervals)
        self.clock.set_panels(self.panels, intervals)
        self.docks = {
            spec.dock: self._dock(window, spec.title, spec.dock, self.in_dock(spec))
            for spec in registry.PANELS
        }
        self._veils = [Veil(dock.widget()) for dock in self.docks.values()]
        self._tells_last = self._covers = False
        self.token = NO_TOKEN
        """The token that was selected last, in this run; NO_TOKEN if none was."""
        self._first_state = QByteArray()
        self._connect()

    def panel(self, kind: type[PanelType]) -> PanelType:
        """Return the panel of that kind, which must be there."""
        return next(panel for panel in self.by_name.values() if isinstance(panel, kind))

    def _make_panels(self, parts: PanelParts) -> None:
        self.by_name: dict[str, Any] = {spec.name: spec.load()(parts) for spec in registry.PANELS}
        self.pair_chart = self.panel(PairChart)
        self.why = self.panel(WhyPanel)
        self.text_panel = self.panel(TextPanel)
        self.words = self.panel(WordsPanel)
        self.curves = self.panel(Curves)
        self.vocabulary = self.panel(Vocabulary)
        self.token_tree = self.panel(TokenTree)
        self.derivation = self.panel(DerivationPanel)
        self.branches = self.panel(BranchesPanel)
        self.guess = GuessPanel(parts.parent)
        self._pages = {
            spec.name: _Pages(parts.parent) for spec in registry.PANELS if spec.tells_next
        }
        for name, pages in self._pages.items():
            pages.addWidget(self.by_name[name])
            pages.addWidget(self.guess if name == QUESTION else _cover())
            pages.currentChanged.connect(self.clock.request)

    def in_dock(self, spec: PanelSpec) -> QWidget:
        """Return the widget in the dock of a panel.

        If the panel shows the next merge, it holds the panel, and what covers it while one guesses.
        """
        return self._pages.get(spec.name) or self.by_name[spec.name]

    def show_question(self, asks: bool) -> None:
        """Show the question instead of the pair chart, or the chart itself."""
        shown: QWidget = self.guess if asks else self.pair_chart
        self._pages[QUESTION].setCurrentWidget(shown)
        shown.setFocus()

    def cover(self, covers: bool) -> None:
        """Cover the panels that tell the next merge, or show them again."""
        self._covers = covers
        self._choose_merge()
        for name, pages in self._pages.items():
            if name != QUESTION:
                pages.setCurrentIndex(int(covers))
        self.words.mark_next(not covers)

    @Slot(bool)
    def tell_last(self, tells: bool) -> None:
        """Explain the merge that led to the cursor instead of the one that comes next."""
        self._tells_last = tells
        self._choose_merge()

    @property
    def told_position(self) -> int:
        """The position before the merge that is explained."""
        behind = self._tells_last and not self._covers
        return max(0, self._player.position - behind)

    def _choose_merge(self) -> None:
        last = self._tells_last and not self._covers
        explaining = [self.by_name[spec.name] for spec in registry.PANELS if spec.explains]
        self.clock.draw_behind(explaining if last else ())
        self.why.tell_last(last)
        self.text_panel.mark_next(not last and not self._covers)

    @Slot(bool)
    def dim(self, dims: bool) -> None:
        """Dim all panels, because what they show will make way for another run, or no more."""
        for veil in self._veils:
            veil.lay(dims)

    def _take_colours(self, theme: Theme) -> None:
        self.frequencies.set_wanted(theme.colour_by is ColourBy.FREQUENCY)

    @Slot()
    def count_tokens(self) -> None:
        """Count the tokens at the cursor, if their colours tell how often they occur."""
        self.frequencies.show_position(self._player.history, self._player.position)

    def _refresh_intervals(self, others: Sequence[Panel]) -> dict[Panel, RefreshInterval]:
        """Return all panels, and how often they are drawn while the cursor follows a training."""
        return {
            cast(Panel, self.guess): _OFTEN,
            # Nothing waits behind an explanation: that is the slowest answer.
            **{
                self.by_name[spec.name]: spec.refresh
                for spec in sorted(registry.PANELS, key=lambda spec: spec.refresh.first == 0)
            },
            **dict.fromkeys(others, _OFTEN),
        }

    def arrange(self) -> None:
        """Put the docks into their first places, to which `arrange_anew` brings them back.

        They share the room by what their panels ask for, so the style sheet comes before it.
        """
        self._put_side_by_side(self._window)
        self._first_state = self._window.saveState()

    @Slot()
    def arrange_anew(self) -> None:
        """Put all panels back to their first places."""
        self._window.restoreState(self._first_state)

    def set_run(
        self, words: WordCounts | None, history: History | None, corpus: Corpus | None = None
    ) -> None:
        """Answer the questions of the panels for another run, or for none."""
        self.token = NO_TOKEN
        self.queries.set_run(words if history is not None else None, history, corpus)

    @Slot(int)
    def select_token(self, token: int) -> None:
        """Show a token wherever it can be shown.

        A panel that is still to be drawn may name one of the run before: then none is selected.
        """
        history = self._player.history
        known = history is not None and token < history.vocabulary_size(len(history))
        self.token = token if known else NO_TOKEN
        self.clock.catch_up()
        for panel in self.panels:
            panel.select_token(self.token)

    @property
    def at_rest(self) -> bool:
        """Whether no panel waits for an answer from the background."""
        tasks = all(task.at_rest for task in self._tasks)
        return self.queries.at_rest and self.words.at_rest and tasks

    def raise_dock(self, name: str) -> None:
        """Raise a dock before others in its place; behind a stage nothing is raised."""
        if not self.clock.on_stage:
            self.docks[name].raise_()

    def show_words(self, left: int, right: int) -> None:
        """Show the words that contain a pair."""
        self.raise_dock("wordsDock")
        # Out of view, the words are still those of a run before.
        self.clock.catch_up()
        self.words.set_filter(left, right)

    @Slot()
    def show_places(self) -> None:
        """Show where the selected token or pair occurs."""
        self.docks["concordanceDock"].show()
        self.raise_dock("concordanceDock")

    def close(self) -> None:
        """End the work in the background."""
        self.queries.close()
        for task in self._tasks:
            task.close()

    def _dock(self, window: QMainWindow, title: str, name: str, panel: QWidget) -> QDockWidget:
        dock = QDockWidget(title, window)
        dock.setObjectName(name)
        DockTitle(dock)
        dock.setWidget(ShrinkableScrollArea(panel))
        dock.visibilityChanged.connect(self.clock.request)
        toggle = dock.toggleViewAction()
        toggle.setObjectName(f"{name}Action")
        toggle.setStatusTip("Show this panel, or hide it")
        set_disabled_reason(toggle, "It is a panel of Explore, which is not in view.")
        return dock

    def _put_side_by_side(self, window: QMainWindow) -> None:
        """Put the areas of the registry beside and below each other, with their docks as tabs."""
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        window.setDockNestingEnabled(True)
        in_order = sorted(registry.PANELS, key=lambda spec: spec.area)
        areas = {
            area: [self.docks[spec.dock] for spec in specs]
            for area, specs in groupby(in_order, key=lambda spec: spec.area)
        }
        columns = [docks[0] for (_, row), docks in areas.items() if row == 0]
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, columns[0])
        for before, dock in pairwise(columns):
            window.splitDockWidget(before, dock, across)
        for (column, row), docks in areas.items():
            if row > 0:
                window.splitDockWidget(areas[column, row - 1][0], docks[0], down)
        for docks in areas.values():
            for before, dock in pairwise(docks):
                window.tabifyDockWidget(before, dock)
            docks[0].raise_()
        window.resizeDocks(columns, _COLUMN_WIDTHS, across)
        for column, heights in enumerate(_ROW_HEIGHTS):
            rows = [docks[0] for (at, _), docks in areas.items() if at == column]
            window.resizeDocks(rows, heights, down)

    def _connect(self) -> None:
        panels = self.by_name.values()
        self._tasks = [panel.task for panel in panels if hasattr(panel, "task")]
        presets = self.panel(SpaceTimePanel).recipes
        self._tasks += [self.frequencies.task, presets.task]
        self.clock.drawing.connect(self.count_tokens)
        self.pair_chart.frameWanted.connect(self.clock.request)
        self.clock.drew.connect(self.pair_chart.advance)
        ThemeFollower(self._window, self._take_colours)
        for task in self._tasks:
            task.rested.connect(self.rested)
        for panel in (self.guess, *self.by_name.values()):
            if hasattr(panel, "tokenSelected"):
                panel.tokenSelected.connect(self.select_token)
            if hasattr(panel, "positionSelected"):
                panel.positionSelected.connect(self._player.scrub)
        self.text_panel.wordSelected.connect(self.derivation.set_word)
        self.pair_chart.pairSelected.connect(self.panel(ConcordancePanel).select_pair)
        self.token_tree.placesWanted.connect(self.show_places)
        self.queries.rested.connect(self.rested)
        self.words.rested.connect(self.rested)


class _Pages(QStackedWidget):
    """Shows one of several widgets, and needs no more room than that one does."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self._fit)

    @Slot(int)
    def _fit(self, current: int) -> None:
        for number in range(self.count()):
            page, shown = self.widget(number), number == current
            policy = QSizePolicy.Policy.Preferred if shown else QSizePolicy.Policy.Ignored
            assert page is not None
            page.setSizePolicy(policy, policy)

    def addWidget(self, page: QWidget) -> int:
        place = super().addWidget(page)
        self._fit(self.currentIndex())
        return place


def _cover() -> QWidget:
    cover = QLabel("Hidden while guessing.")
    cover.setProperty("quiet", True)
    cover.setAlignment(Qt.AlignmentFlag.AlignCenter)
    cover.setWordWrap(True)
    cover.setBackgroundRole(QPalette.ColorRole.Base)
    cover.setAutoFillBackground(True)
    return cover
