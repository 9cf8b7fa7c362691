"""The panels of the window, each in a dock, and how they stand and speak to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QByteArray, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QWidget

from bpe_gui.analysis.derivation import WordDerivation
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.actions.action_words import set_disabled_reason
from bpe_gui.ui.context.dock_title import DockTitle
from bpe_gui.ui.context.frame_scheduler import FrameScheduler, Panel, RefreshInterval
from bpe_gui.ui.panels.branches.panel import BranchesPanel
from bpe_gui.ui.panels.curves.panel import Curves
from bpe_gui.ui.panels.derivation.panel import DerivationPanel
from bpe_gui.ui.panels.guess.panel import GuessPanel
from bpe_gui.ui.panels.pairs.panel import PairChart
from bpe_gui.ui.panels.text.panel import CutText, TextPanel
from bpe_gui.ui.panels.token.panel import TokenTree
from bpe_gui.ui.panels.vocabulary.panel import Vocabulary
from bpe_gui.ui.panels.why.panel import WhyPanel
from bpe_gui.ui.panels.words.panel import WordsPanel
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.theme.theme import Theme


class ExploreView(QObject):
    """Makes the panels and their docks, and passes on what is selected in one of them."""

    positionSelected = Signal(int)
    """A place to which the cursor is to go."""
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
        self.on_stage = False
        """Whether the stage is up: the docks behind it stay as they stand."""
        self.clock = FrameScheduler(window, player)
        self.storyteller = CorpusQueries(self)
        self._cutting = BackgroundTask("cutting text", self)
        self._deriving = BackgroundTask("deriving words", self)
        self._make_panels(window, sample_text)
        patience = self._patience(others)
        self.panels = list(patience)
        self.clock.set_panels(self.panels, patience)
        self._make_docks(window)
        self._arrange(window)
        self.token = NO_TOKEN
        """The token that was selected last, in this run; NO_TOKEN if none was."""
        self._first_state = QByteArray()
        self._connect()

    def _make_panels(self, window: QMainWindow, sample_text: SampleText) -> None:
        self.pair_chart = PairChart(window)
        self.pair_chart.setObjectName("pairChart")
        self.guess = GuessPanel(window)
        self.pairs = QStackedWidget(window)
        self.pairs.addWidget(self.pair_chart)
        self.pairs.addWidget(self.guess)
        self.why = WhyPanel(window)
        self.text_panel = TextPanel(sample_text, window)
        self.words = WordsPanel(window)
        self.curves = Curves(window)
        self.vocabulary = Vocabulary(window)
        self.token_tree = TokenTree(window)
        self.derivation = DerivationPanel(window)
        self.branches = BranchesPanel(window)

    def _patience(self, others: Sequence[Panel]) -> dict[Panel, RefreshInterval]:
        """The panels in the order in which they are drawn, and how often that is.

        What is read more slowly, or costs more to draw, follows a training in larger steps.
        """
        often, seldom = RefreshInterval(0.05, 0.05), RefreshInterval(0.2, 0.2)
        return cast(
            "dict[Panel, RefreshInterval]",
            {
                self.pair_chart: often,
                self.guess: often,
                self.text_panel: often,
                # The words are the quicker answer: they must not wait behind an explanation.
                self.words: RefreshInterval(2.0, 2.0),
                # As soon as merges come, what is to come next is another one.
                self.why: RefreshInterval(0.0, 2.0),
                self.curves: RefreshInterval(0.1, 0.1),
                self.vocabulary: seldom,
                self.token_tree: seldom,
                self.derivation: seldom,
                self.branches: RefreshInterval(0.5, 0.5),
                **dict.fromkeys(others, often),
            },
        )

    def _make_docks(self, window: QMainWindow) -> None:
        self.docks = {
            name: self._dock(window, title, name, panel)
            for title, name, panel in (
                ("Pair frequencies", "pairDock", self.pairs),
                ("Why this pair", "whyDock", self.why),
                ("Text", "textDock", self.text_panel),
                ("Words", "wordsDock", self.words),
                ("Curves", "curvesDock", self.curves),
                ("How a word is cut", "derivationDock", self.derivation),
                ("Vocabulary", "vocabularyDock", self.vocabulary),
                ("What if", "branchesDock", self.branches),
                ("The selected token", "treeDock", self.token_tree),
            )
        }

    def remember_arrangement(self) -> None:
        """Take down where panels and toolbars stand, for `arrange_anew`."""
        self._first_state = self._window.saveState()

    @Slot()
    def arrange_anew(self) -> None:
        """Put all panels back where they stood at first."""
        self._window.restoreState(self._first_state)

    def set_run(self, words: WordCounts | None, history: History | None) -> None:
        """Let the questions of the panels be about another run from now on, or none."""
        self.token = NO_TOKEN
        self.storyteller.set_run(words if history is not None else None, history)

    def set_theme(self, theme: Theme) -> None:
        """Change the colours of all panels."""
        for panel in self.panels:
            panel.set_theme(theme)

    @Slot(int)
    def select_token(self, token: int) -> None:
        """Show a token wherever it can be shown."""
        self.token = token
        self.clock.catch_up()
        for panel in self.panels:
            panel.select_token(token)

    @property
    def at_rest(self) -> bool:
        """Whether no panel waits for an answer from the background."""
        works = (self._cutting, self._deriving)
        return self.storyteller.at_rest and all(work.at_rest for work in works)

    def raise_dock(self, name: str) -> None:
        """Let a dock stand before those that share its place; behind a stage all stay."""
        if not self.on_stage:
            self.docks[name].raise_()

    def show_words(self, left: int, right: int) -> None:
        """Show the words that hold a pair."""
        self.raise_dock("wordsDock")
        self.words.filter_pair(left, right)

    def close(self) -> None:
        """End the work in the background."""
        self.storyteller.close()
        self._cutting.close()
        self._deriving.close()

    def _dock(self, window: QMainWindow, title: str, name: str, panel: QWidget) -> QDockWidget:
        dock = QDockWidget(title, window)
        dock.setObjectName(name)
        DockTitle(dock)
        dock.setWidget(panel)
        dock.visibilityChanged.connect(self.clock.request)
        toggle = dock.toggleViewAction()
        toggle.setObjectName(f"{name}Action")
        toggle.setStatusTip("Show this panel, or hide it")
        set_disabled_reason(toggle, "It is a panel of Explore, which is not in view.")
        return dock

    def _arrange(self, window: QMainWindow) -> None:
        """Pairs over their reason, the text over words and curves, vocabulary or branches right."""
        docks = self.docks
        window.setDockNestingEnabled(True)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["pairDock"])
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        window.splitDockWidget(docks["pairDock"], docks["textDock"], across)
        window.splitDockWidget(docks["textDock"], docks["vocabularyDock"], across)
        window.splitDockWidget(docks["pairDock"], docks["whyDock"], down)
        window.splitDockWidget(docks["textDock"], docks["wordsDock"], down)
        window.tabifyDockWidget(docks["wordsDock"], docks["curvesDock"])
        window.tabifyDockWidget(docks["curvesDock"], docks["derivationDock"])
        docks["wordsDock"].raise_()
        window.splitDockWidget(docks["vocabularyDock"], docks["treeDock"], down)
        # There both the chart, where branches are made, and the token clicked stay in view.
        window.tabifyDockWidget(docks["vocabularyDock"], docks["branchesDock"])
        docks["vocabularyDock"].raise_()
        columns = [docks["pairDock"], docks["textDock"], docks["vocabularyDock"]]
        window.resizeDocks(columns, [345, 515, 420], across)
        window.resizeDocks([docks["pairDock"], docks["whyDock"]], [375, 285], down)
        window.resizeDocks([docks["textDock"], docks["wordsDock"]], [360, 300], down)
        window.resizeDocks([docks["vocabularyDock"], docks["treeDock"]], [360, 300], down)

    def _connect(self) -> None:
        for panel in (
            self.pair_chart,
            self.guess,
            self.why,
            self.text_panel,
            self.words,
            self.curves,
            self.vocabulary,
            self.token_tree,
            self.derivation,
        ):
            panel.tokenSelected.connect(self.select_token)
        for panel in (self.curves, self.token_tree, self.derivation):
            panel.positionSelected.connect(self.positionSelected)
        self.text_panel.wordSelected.connect(self.derivation.set_word)
        self.text_panel.lateCutWanted.connect(self._cut_late)
        self.derivation.lateDerivationWanted.connect(self._derive_late)
        self.token_tree.scaffoldingWanted.connect(self.storyteller.find_scaffolding)
        self.storyteller.scaffolding_found.connect(self.token_tree.set_scaffolding)
        self.words.wordsWanted.connect(self.storyteller.cut_words)
        self.storyteller.words_cut.connect(self.words.set_words)
        self.why.explanationWanted.connect(self.storyteller.explain)
        self.storyteller.explained.connect(self.why.set_explanation)
        self.branches.comparisonWanted.connect(self.storyteller.compare)
        self.storyteller.compared.connect(self.branches.set_comparison)
        self.storyteller.failed.connect(self.why.set_problem)
        self.storyteller.failed.connect(self.words.set_problem)
        self.storyteller.rested.connect(self.rested)
        for work in (self._cutting, self._deriving):
            work.rested.connect(self.rested)

    @Slot(object)
    def _cut_late(self, cut: Callable[[], CutText]) -> None:
        text = self.text_panel
        self._cutting.ask(lambda job: cut(), text.set_late_cut, text.set_problem)

    @Slot(object)
    def _derive_late(self, derive: Callable[[], WordDerivation]) -> None:
        panel = self.derivation
        self._deriving.ask(lambda job: derive(), panel.set_late_derivation, panel.set_problem)
