"""Explore: its panels in docks, and what is selected in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.actions.action_words import set_disabled_reason
from bpe_gui.ui.explore import registry
from bpe_gui.ui.explore.coverable_panel import COVERED, CoverablePanel, cover_label
from bpe_gui.ui.explore.first_layout import FirstLayout
from bpe_gui.ui.panels.guess.panel import GuessPanel
from bpe_gui.ui.panels.guess.wording import HELD
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.run.corpus_queries import CorpusQueries, TokenFrequencies
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.widgets.motion import MergeMotion
from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea
from bpe_gui.ui.widgets.veil import Veil
from bpe_gui.ui.workspaces.frame_scheduler import FrameScheduler
from bpe_gui.ui.workspaces.panel_spec import Panel, PanelParts, PanelSpec, RefreshInterval
from bpe_gui.ui.workspaces.workspaces import DockTitle

if TYPE_CHECKING:
    # A panel is loaded when it is made.
    from bpe_gui.ui.panels.branches.panel import BranchesPanel
    from bpe_gui.ui.panels.curves.panel import CurvesPanel
    from bpe_gui.ui.panels.derivation.panel import DerivationPanel
    from bpe_gui.ui.panels.pairs.panel import PairChart
    from bpe_gui.ui.panels.text.panel import TextPanel
    from bpe_gui.ui.panels.vocabulary.panel import VocabularyPanel
    from bpe_gui.ui.panels.why.panel import WhyPanel
    from bpe_gui.ui.panels.words.panel import WordsPanel

_OFTEN = RefreshInterval(0.05, 0.05)

QUESTION = "pairs"
"""The panel that the question replaces."""
EFFECT = "why"
"""The panel that tells what a merge changes."""


class ExploreView(QObject):
    """Makes the docks and their panels, and shows what is selected in one panel in all others.

    Panels that are tabs behind others at first are made when they come into view, or when they
    are asked for.
    """

    made = Signal(str)
    """The name of a panel that was made later than the docks."""
    rested = Signal()
    """Work in the background or a motion has ended; see `at_rest`."""

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
        self.scheduler = FrameScheduler(window, player)
        self.queries = CorpusQueries(self)
        self.frequencies = TokenFrequencies(self.queries, self)
        self._tasks: list[BackgroundTask] = []
        self.motion = MergeMotion(window, self)
        """The merge that has just been done, as all panels show it."""
        self._panels: dict[str, Any] = {}
        parts = window, sample_text, self.queries, self.frequencies, self.motion
        self._make_panels(PanelParts(*parts))
        intervals = self._refresh_intervals(others)
        self.panels = list(intervals)
        """All that have been made."""
        self.scheduler.set_panels(self.panels, intervals)
        self.docks = {
            spec.dock: self._dock(window, spec.title, spec.dock, self._held(spec.name))
            for spec in registry.PANELS
        }
        self.layout = FirstLayout(window, self.docks)
        self._veils = {
            spec.name: Veil(self.docks[spec.dock].widget()) for spec in registry.PANELS
        }
        self._tells_last = self._covers = self._covers_effect = self._dims = False
        self.token = NO_TOKEN
        """The token that was selected last, in this run; NO_TOKEN if none was."""
        self.pair: tuple[int, int] | None = None
        """The pair that is selected, unless a token has been since."""
        self._connect()

    def panel(self, name: str) -> Any:
        """Return the panel with that name; it is made if need be."""
        if name in self._behind:
            self._make_late(self._behind.pop(name))
        return self._panels[name]

    def has_panel(self, name: str) -> bool:
        """Whether that panel has been made."""
        return name in self._panels

    def make_all(self) -> None:
        """Make the panels that have not been made."""
        for name in list(self._behind):
            self.panel(name)

    @property
    def branches(self) -> BranchesPanel:
        return cast("BranchesPanel", self.panel("branches"))

    @property
    def curves(self) -> CurvesPanel:
        return cast("CurvesPanel", self.panel("curves"))

    @property
    def derivation(self) -> DerivationPanel:
        """The panel that shows how a word is tokenized."""
        return cast("DerivationPanel", self.panel("derivation"))

    @property
    def word(self) -> str:
        """The word whose tokenization is shown; empty if none is."""
        return self.derivation.word if self.has_panel("derivation") else ""

    def _make_panels(self, parts: PanelParts) -> None:
        """Make the panels that are in front, and the places of all others."""
        self._parts = parts
        in_order = sorted(registry.PANELS, key=lambda spec: spec.area)
        in_front = {next(specs).name for _, specs in groupby(in_order, lambda spec: spec.area)}
        self._behind = {spec.name: spec for spec in registry.PANELS if spec.name not in in_front}
        for spec in registry.PANELS:
            if spec.name in in_front:
                self._panels[spec.name] = spec.load()(parts)
        self.pair_chart: PairChart = self._panels[QUESTION]
        self.why: WhyPanel = self._panels["why"]
        self.text_panel: TextPanel = self._panels["text"]
        self.words: WordsPanel = self._panels["words"]
        self.vocabulary: VocabularyPanel = self._panels["vocabulary"]
        self.guess = GuessPanel(parts.parent)
        self._pages: dict[str, CoverablePanel] = {}
        for spec in registry.PANELS:
            if spec.tells_next or spec.name in self._behind:
                pages = self._pages[spec.name] = CoverablePanel(parts.parent)
                pages.currentChanged.connect(self.scheduler.request)
                if spec.name in in_front:
                    cover = self.guess if spec.name == QUESTION else cover_label()
                    pages.hold(self._panels[spec.name], cover)

    def _make_late(self, spec: PanelSpec) -> None:
        """Make a panel that was behind others, and tell it what they know."""
        panel = self._panels[spec.name] = spec.load()(self._parts)
        self._connect_panel(panel)
        self._pages[spec.name].hold(panel, cover_label() if spec.tells_next else None)
        # What is within a scroll area does not tell it.
        self.docks[spec.dock].widget().updateGeometry()
        self.panels.append(panel)
        self.scheduler.add_panel(panel, spec.refresh)
        if spec.explains:
            self._choose_merge()
        if self.token != NO_TOKEN:
            self.scheduler.catch_up()
            panel.select_token(self.token)
        if self.pair is not None and hasattr(panel, "select_pair"):
            self.scheduler.catch_up()
            panel.select_pair(*self.pair)
        self.made.emit(spec.name)

    @Slot()
    def _make_seen(self) -> None:
        """Make the panels that have come into view."""
        for name in list(self._behind):
            if not self._pages[name].visibleRegion().isEmpty():
                self.panel(name)

    def _held(self, name: str) -> QWidget:
        """Return what a dock holds: the panel, or what holds the panel and its cover."""
        return self._pages.get(name) or self._panels[name]

    def in_dock(self, spec: PanelSpec) -> QWidget:
        """Return the widget in the dock of a panel, which is made if need be.

        If the panel shows the next merge, it holds the panel, and what covers it while one guesses.
        """
        self.panel(spec.name)
        return self._held(spec.name)

    def show_question(self, asks: bool) -> None:
        """Show the question instead of the pair chart, or the chart itself."""
        pages = self._pages[QUESTION]
        pages.cover(asks)
        (self.guess if asks else self.pair_chart).setFocus()

    def cover(self, covers: bool) -> None:
        """Cover the panels that tell the next merge, or show them again."""
        self._covers = covers
        self._choose_merge()
        self._cover_panels()
        self.words.mark_next(not covers)

    def cover_effect(self, covers: bool) -> None:
        """Cover the panel that tells what the next merge changes, or show it again."""
        self._covers_effect = covers
        self._cover_panels()

    def _cover_panels(self) -> None:
        asks = self._covers and not self.guess.is_held
        for name, pages in self._pages.items():
            if name != QUESTION:
                covers = self._covers or (self._covers_effect and name == EFFECT)
                pages.cover(covers, COVERED if asks else HELD)

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
        explaining = [
            self._panels[spec.name] for spec in registry.PANELS
            if spec.explains and spec.name in self._panels
        ]  # fmt: skip
        self.scheduler.draw_behind(explaining if last else ())
        self.why.tell_last(last)
        self.pair_chart.tell_last(last)
        self.words.tell_last(last)
        self.text_panel.tell_last(last)
        self.text_panel.mark_next(not last and not self._covers)

    @Slot(bool)
    def dim(self, dims: bool) -> None:
        """Dim all panels, because what they show will make way for another run, or no more."""
        self._dims = dims
        self.scheduler.request()

    @property
    def _wrongly_veiled(self) -> list[Veil]:
        """The veils to lay, or to lift once their panel has the run."""
        return [
            veil for name, veil in self._veils.items()
            if veil.isHidden() == self._dims
            and (self._dims or name in self._behind or self.scheduler.is_given(self._panels[name]))
        ]  # fmt: skip

    @Slot()
    def _move_veil(self) -> None:
        """Lay or lift one veil in view: a panel is painted anew, and all at once take too long."""
        waiting = self._wrongly_veiled
        for veil in waiting:
            veil.lay(self._dims)
            if veil.isVisible():
                break
        if self._wrongly_veiled:
            self.scheduler.request()
        elif waiting:
            self.rested.emit()

    def _is_shown(self) -> bool:
        """Whether the panels in view show the position, so that all tell one merge."""
        return self.scheduler.up_to_date and self.queries.task.at_rest

    @Slot(int, bool)
    def _move(self, position: int, moving: bool) -> None:
        """Show a merge under way if a panel is in view: nothing waits for what nobody sees."""
        seen = any(panel.isVisible() for panel in self._panels.values())
        self.motion.go_to(position, moving or not seen)

    @Slot()
    def count_tokens(self) -> None:
        """Count the tokens at the cursor, if their colours tell how often they occur."""
        self.frequencies.show_position(self._player.history, self._player.position)

    def _refresh_intervals(self, others: Sequence[Panel]) -> dict[Panel, RefreshInterval]:
        """Return all panels that there are, and how often they are drawn while the cursor follows
        a training.
        """
        return {
            cast(Panel, self.guess): _OFTEN,
            # Nothing waits behind an explanation: that is the slowest answer.
            **{
                self._panels[spec.name]: spec.refresh
                for spec in sorted(registry.PANELS, key=lambda spec: spec.refresh.first == 0)
                if spec.name in self._panels
            },
            **dict.fromkeys(others, _OFTEN),
        }

    def set_run(
        self, words: WordCounts | None, history: History | None, corpus: Corpus | None = None
    ) -> None:
        """Answer the questions of the panels for another run, or for none."""
        self.token, self.pair = NO_TOKEN, None
        self.queries.set_run(words if history is not None else None, history, corpus)
        if words is not None:
            self.layout.set_words(len(words))

    @Slot(int)
    def select_token(self, token: int) -> None:
        """Show a token wherever it can be shown.

        A panel that is still to be drawn may name one of the run before: then none is selected.
        """
        history = self._player.history
        known = history is not None and token < history.vocabulary_size(len(history))
        self.token, self.pair = token if known else NO_TOKEN, None
        self.scheduler.catch_up()
        for panel in self.panels:
            panel.select_token(self.token)

    @Slot(int, int)
    def select_pair(self, left: int, right: int) -> None:
        """Show where a pair occurs, in panels that would show a token instead.

        The token stays selected in the others.
        """
        self.pair = left, right
        # They would forget the pair when they get the run.
        self.scheduler.catch_up()
        for panel in self.panels:
            if hasattr(panel, "select_pair"):
                panel.select_pair(left, right)

    @property
    def at_rest(self) -> bool:
        """Whether no panel waits for an answer from the background, or moves by itself."""
        tasks = all(task.at_rest for task in self._tasks)
        moves = self.motion.goes_on and not self.motion.is_held
        still = not moves and not self.pair_chart.slides and not self._wrongly_veiled
        return tasks and still

    def raise_dock(self, name: str) -> None:
        """Raise a dock before others in its place; behind a stage nothing is raised."""
        if not self.scheduler.on_stage:
            self.docks[name].raise_()

    def show_words(self, left: int, right: int) -> None:
        """Show the words that contain a pair."""
        self.raise_dock("wordsDock")
        # Out of view, the words are still those of a run before.
        self.scheduler.catch_up()
        self.words.set_filter(left, right)

    @Slot()
    def show_places(self) -> None:
        """Show where the selected token or pair occurs."""
        self.docks["concordanceDock"].show()
        self.raise_dock("concordanceDock")

    def _dock(self, window: QMainWindow, title: str, name: str, panel: QWidget) -> QDockWidget:
        dock = QDockWidget(title, window)
        dock.setObjectName(name)
        DockTitle(dock)
        dock.setWidget(ShrinkableScrollArea(panel))
        dock.visibilityChanged.connect(self.scheduler.request)
        toggle = dock.toggleViewAction()
        toggle.setObjectName(f"{name}Action")
        toggle.setStatusTip("Show this panel, or hide it")
        set_disabled_reason(toggle, "It is a panel of Explore, which is not in view.")
        return dock

    def _connect(self) -> None:
        self._player.wait_until(self._is_shown)
        self._player.loaded.connect(self.motion.reset)
        self.scheduler.drawing.connect(self._move)
        self.scheduler.drawing.connect(self.count_tokens)
        self.scheduler.drew.connect(self._make_seen)
        self.scheduler.drew.connect(self._move_veil)
        ThemeFollower(
            self._window,
            lambda theme: self.frequencies.set_wanted(theme.colour_by is ColourBy.FREQUENCY),
        )
        for counts in (self.queries, self.frequencies):
            self._connect_task(counts.task)
        explains = self.docks["derivationDock"].visibilityChanged
        explains.connect(self.text_panel.mark_word)
        for panel in (self.guess, *self._panels.values()):
            self._connect_panel(panel)
        self.pair_chart.pairSelected.connect(self.select_pair)
        self.text_panel.idsShown.connect(self.layout.set_ids_shown)
        self.motion.ended.connect(self.rested)
        self.pair_chart.slid.connect(self.rested)

    def _connect_panel(self, panel: Any) -> None:
        """Connect a panel's tasks, and what it has of these signals and slots."""
        for task in panel.findChildren(BackgroundTask):
            self._connect_task(task)
        if hasattr(panel, "tokenSelected"):
            panel.tokenSelected.connect(self.select_token)
        if hasattr(panel, "positionSelected"):
            panel.positionSelected.connect(self._player.scrub)
        if hasattr(panel, "placesWanted"):
            panel.placesWanted.connect(self.show_places)
        if hasattr(panel, "set_word"):
            panel.set_word(self.text_panel.word)
            self.text_panel.wordSelected.connect(panel.set_word)

    def _connect_task(self, task: BackgroundTask) -> None:
        self._tasks.append(task)
        task.rested.connect(self.rested)
