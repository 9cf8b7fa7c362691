"""What there is to see in the laboratory, side by side; other views are plugged in here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QSplitter, QTabWidget, QVBoxLayout, QWidget

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.laboratory.draft_store import DraftStore
from bpe_gui.ui.laboratory.lockstep_panel import LockstepPanel
from bpe_gui.ui.laboratory.pipeline_view import PipelineView
from bpe_gui.ui.laboratory.recipe_desk import RecipeDesk
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.laboratory.recipe_shelf import RecipeShelf
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.laboratory.wall_panel import WallPanel
from bpe_gui.ui.theme.text_size import FontFollower, Zoom
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.text_editor import TextEditor

_TEXT_LINES = 2
"""Of the sample text that are in sight at least, and at first."""
_COVERED = "Covered while the next merge is guessed: it is named there."
_ROOM = 12
"""Pixels that the style sheet puts around the text, above and below together."""


class BenchPanel(Protocol):
    """What the bench asks of a view that stands beside the recipe editor."""

    def set_recipe(self, recipe: Recipe) -> None:
        """Show another recipe; one that is valid."""

    def set_text(self, text: str) -> None:
        """Show it on another sample text."""

    def set_history(self, history: History | None) -> None:
        """Follow another run, or none."""

    def show_position(self, position: int, live: bool) -> None:
        """Go to where the cursor is in the run."""

    def select_token(self, token: int) -> None:
        """Mark a token of the run."""

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""

    def set_active(self, active: bool) -> None:
        """The view has come into sight, or gone out of it."""

    def close_threads(self) -> None:
        """End what goes on in the background."""


class Bench(QWidget):
    """The recipe editor at the left; at the right the text, its pipeline, and tabs below."""

    textChanged = Signal(str)
    """The user has written another text."""
    tokenSelected = Signal(int)
    """A token of the run in view that the user has selected."""
    trainWanted = Signal(object)
    """The user wants to train with this Recipe."""
    divided = Signal(QWidget)
    """A part of it has more handles now."""
    keptChanged = Signal()
    """Another recipe is kept, or one no longer is."""
    succeeded = Signal(str)
    """Something was saved; a sentence that says so."""
    problem = Signal(str)
    """Something that cannot be done; one sentence for the user."""
    overcome = Signal(str)
    """That no longer holds; the same sentence."""

    def __init__(
        self, actions: Actions, shelf: RecipeShelf, store: DraftStore, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.editor = RecipeEditor(
            (actions.train_recipe, actions.save_recipe, actions.load_recipe)
        )
        self._shelf = shelf
        self.desk = RecipeDesk(self.editor, shelf, store)
        self.text_edit = TextEditor()
        self.tabs = QTabWidget()
        self._uncovered: QWidget | None = None
        self._stale = QLabel()
        self.panels: list[BenchPanel] = []
        self._build()
        self._add_panels()
        self.text_edit.textChanged.connect(self._on_text)
        self.editor.recipeChanged.connect(self._on_recipe)
        self.editor.usableChanged.connect(self._on_usable)
        self.editor.trainWanted.connect(self.trainWanted)
        self.editor.problem.connect(self.problem)
        self.editor.overcome.connect(self.overcome)
        self.desk.kept_changed.connect(self.keptChanged)
        self.desk.succeeded.connect(self.succeeded)
        self.desk.problem.connect(self.problem)

    def _add_panels(self) -> None:
        """The one place where views are plugged in."""
        self.pipeline = PipelineView()
        self.pipeline.tokenSelected.connect(self.tokenSelected)
        self.pipeline.zoomed.connect(Zoom("pipelineZoom", self, self.pipeline).zoom)
        recipe = self.editor.recipe()
        if recipe is not None:
            self.pipeline.set_recipe(recipe)
        self.add_tab(self.pipeline, self.pipeline, "Pipeline")
        self.wall = WallPanel()
        self.wall.tokenSelected.connect(self.tokenSelected)
        if recipe is not None:
            self.wall.set_recipe(recipe)
        self.add_tab(self.wall, self.wall, "What the wall forbids")
        self.lockstep = LockstepPanel()
        self.lockstep.tokenSelected.connect(self.tokenSelected)
        self.lockstep.divided.connect(self.divided)
        if recipe is not None:
            self.lockstep.set_recipe(recipe)
        self.lockstep.offer_own(self._kept)
        self.add_tab(self.lockstep, self.lockstep, "Two recipes in lockstep")

    def _kept(self) -> Iterable[Recipe]:
        return self._shelf.kept().recipes.values()

    def add_tab(self, panel: BenchPanel, widget: QWidget, title: str) -> None:
        """Show a view in a tab below the text."""
        self.panels.append(panel)
        self.tabs.addTab(widget, title)

    def _build(self) -> None:
        self.text_edit.setObjectName("laboratoryText")
        self.text_edit.setAccessibleName("Sample text")
        self.text_edit.setPlaceholderText("Type or paste any text to try the recipe on")
        self.text_edit.setTabChangesFocus(True)
        self.text_edit.ensurePolished()
        FontFollower(self.text_edit, self._fit_text)
        self._stale.setObjectName("laboratoryStale")
        self._stale.setProperty("problem", True)
        self._stale.setTextFormat(Qt.TextFormat.PlainText)
        self._stale.setWordWrap(True)
        self._stale.hide()
        self.tabs.setObjectName("laboratoryTabs")
        self.tabs.setAccessibleName("What the recipe does")
        self.tabs.tabBar().setAccessibleName("What the recipe does")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName("What becomes of the text")
        self._right = QSplitter(Qt.Orientation.Vertical)
        self._right.setObjectName("laboratoryTextSplitter")
        self._right.setChildrenCollapsible(False)
        self._right.addWidget(self.text_edit)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stale)
        column.addWidget(self.tabs, 1)
        self._right.addWidget(below)
        self._right.setStretchFactor(1, 1)
        least = self.text_edit.minimumHeight()
        self._right.setSizes([least, 10 * least])
        across = QSplitter(Qt.Orientation.Horizontal)
        across.setObjectName("laboratorySplitter")
        across.setChildrenCollapsible(False)
        across.addWidget(self.editor)
        across.addWidget(self._right)
        across.setStretchFactor(1, 1)
        across.setSizes([430, 830])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(across)

    # -- what is passed on ---------------------------------------------------------------------

    def _fit_text(self) -> None:
        """Some lines of text, at least."""
        margins = self.text_edit.document().documentMargin() + self.text_edit.frameWidth()
        around = self.text_edit.contentsMargins()
        lines = _TEXT_LINES * self.text_edit.fontMetrics().lineSpacing()
        height = round(lines + 2 * margins) + around.top() + around.bottom() + _ROOM
        self.text_edit.setMinimumHeight(height)

    def set_text(self, text: str) -> None:
        """Work on another sample text."""
        if text == self.text_edit.text():
            return
        blocked = self.text_edit.blockSignals(True)
        self.text_edit.setPlainText(text)
        self.text_edit.blockSignals(blocked)
        self._pass_on_text(text)

    def set_run(self, run: Run | None) -> None:
        """Look at another run together with what it was trained on, or at none."""
        self.wall.set_run(run)
        self.lockstep.set_run(run)

    def set_reading(self, corpus: str) -> None:
        """Say that a corpus of that name is being read; empty for none."""
        self.wall.set_reading(corpus)
        self.lockstep.set_reading(corpus)

    def set_size(self, size: int | None) -> None:
        """Compare recipes at the size that is chosen in the toolbar, None for no bound."""
        self.lockstep.set_size(size)

    def set_covered(self, covered: bool) -> None:
        """Keep out of sight what names merges to come, while these are guessed."""
        if covered and self.tabs.currentWidget() in (self.wall, self.lockstep):
            self._uncovered = self.tabs.currentWidget()
            self.tabs.setCurrentIndex(0)
        for panel in (self.wall, self.lockstep):
            place = self.tabs.indexOf(panel)
            self.tabs.setTabEnabled(place, not covered)
            self.tabs.setTabToolTip(place, _COVERED if covered else "")
        if not covered and self._uncovered is not None:
            self.tabs.setCurrentWidget(self._uncovered)
            self._uncovered = None

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Work with another corpus, or with none."""
        self.editor.set_corpus(corpus)

    def set_history(self, history: History | None) -> None:
        """Follow another run, or none."""
        for panel in self.panels:
            panel.set_history(history)

    def show_position(self, position: int, live: bool) -> None:
        """Go to where the cursor is."""
        for panel in self.panels:
            panel.show_position(position, live)

    def select_token(self, token: int) -> None:
        """Mark a token of the run in view."""
        for panel in self.panels:
            panel.select_token(token)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.editor.set_theme(theme)
        for panel in self.panels:
            panel.set_theme(theme)

    def set_active(self, active: bool) -> None:
        """The bench has come into sight, or gone out of it."""
        self.editor.set_active(active)
        for panel in self.panels:
            panel.set_active(active)

    def close_threads(self) -> None:
        """End what goes on in the background."""
        self.editor.close_threads()
        self.desk.close()
        for panel in self.panels:
            panel.close_threads()

    def _pass_on_text(self, text: str) -> None:
        self.editor.set_text(text)
        for panel in self.panels:
            panel.set_text(text)

    @Slot()
    def _on_text(self) -> None:
        text = self.text_edit.text()
        self._pass_on_text(text)
        self.textChanged.emit(text)

    @Slot(object)
    def _on_recipe(self, recipe: Recipe) -> None:
        for panel in self.panels:
            panel.set_recipe(recipe)

    @Slot(str)
    def _on_usable(self, problem: str) -> None:
        """Say that what stands below is of an earlier recipe, while there is no other."""
        self._stale.setText(f"▲ Below is the last recipe that could be used. {problem}")
        self._stale.setVisible(bool(problem))
