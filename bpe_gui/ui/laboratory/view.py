"""What there is to see in the laboratory, side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QSplitter, QTabWidget, QVBoxLayout, QWidget

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.laboratory.boundary_panel import BoundaryPanel
from bpe_gui.ui.laboratory.lockstep_panel import LockstepPanel
from bpe_gui.ui.laboratory.lockstep_runs import LockstepRuns
from bpe_gui.ui.laboratory.pipeline_view import PipelineView
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.theme.text_size import FontFollower, Zoom
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.text_editor import TextEditor

_TEXT_LINES = 2
"""Of the sample text that are in sight at least, and at first."""
_ROOM = 12
"""Pixels that the style sheet puts around the text, above and below together."""


class LaboratoryView(QWidget):
    """The recipe editor at the left; at the right the text, its pipeline, and tabs below."""

    def __init__(
        self,
        actions: Actions,
        files: RecipeFiles,
        runs: LockstepRuns,
        sample_text: SampleText,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._sample_text = sample_text
        self._active = False
        self._stale = QLabel()
        buttons = (actions.train_recipe, actions.save_recipe, actions.load_recipe)
        self.editor = RecipeEditor(buttons, files.drafts)
        self.text_edit = TextEditor()
        self.pipeline = PipelineView()
        self.boundaries = BoundaryPanel()
        self.lockstep = LockstepPanel(runs, files.own_recipes)
        self.tabs = QTabWidget()
        self.tabs.addTab(self.pipeline, "Pipeline")
        self.tabs.addTab(self.boundaries, "What the wall forbids")
        self.tabs.addTab(self.lockstep, "Two recipes in lockstep")
        self._build()
        self._show_text()
        self.pipeline.zoomed.connect(Zoom("pipelineZoom", self, self.pipeline).zoom)
        self.text_edit.textChanged.connect(self._on_text)
        sample_text.changed.connect(self._on_sample_text)
        stack = files.drafts.undo_stack
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for keys, do in (
            (QKeySequence.StandardKey.Undo, stack.undo),
            (QKeySequence.StandardKey.Redo, stack.redo),
        ):
            shortcut = QShortcut(keys, self)
            shortcut.setContext(within)
            shortcut.activated.connect(do)
        self.editor.usableChanged.connect(self._on_usable)
        for panel in (self.pipeline, self.boundaries, self.lockstep):
            self.editor.recipeChanged.connect(panel.set_recipe)

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

    def set_run(self, run: Run | None) -> None:
        """Look at another run together with what it was trained on, or at none."""
        self.boundaries.set_run(run)
        self.lockstep.set_run(run)

    def set_reading(self, corpus: str) -> None:
        """Say that a corpus of that name is being read; empty for none."""
        self.boundaries.set_reading(corpus)
        self.lockstep.set_reading(corpus)

    def set_size(self, size: int | None) -> None:
        """Compare recipes at the size that is chosen in the toolbar, None for no bound."""
        self.lockstep.set_size(size)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Work with another corpus, or with none."""
        self.editor.set_corpus(corpus)

    def set_history(self, history: History | None) -> None:
        """Follow another run, or none."""
        self.pipeline.set_history(history)

    def show_position(self, position: int, live: bool) -> None:
        """Go to where the cursor is."""
        self.pipeline.show_position(position, live)
        self.boundaries.show_position(position, live)

    def select_token(self, token: int) -> None:
        """Mark a token of the run in view."""
        self.pipeline.select_token(token)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for part in (self.editor, self.pipeline, self.boundaries, self.lockstep):
            part.set_theme(theme)

    def set_active(self, active: bool) -> None:
        """Work while somebody looks on, and else not."""
        self._active = active
        if active:
            self._show_text()
        self.editor.set_active(active)
        self.pipeline.set_active(active)

    def close_threads(self) -> None:
        """End what goes on in the background."""
        for part in (self.editor, self.pipeline, self.boundaries, self.lockstep):
            part.close_threads()

    def _show_text(self) -> None:
        text = self._sample_text.text
        if text != self.text_edit.text():
            blocked = self.text_edit.blockSignals(True)
            self.text_edit.setPlainText(text)
            self.text_edit.blockSignals(blocked)
        for part in (self.editor, self.pipeline, self.lockstep):
            part.set_text(text)

    @Slot()
    def _on_sample_text(self) -> None:
        if self._active:
            self._show_text()

    @Slot()
    def _on_text(self) -> None:
        self._sample_text.set(self.text_edit.text())

    @Slot(str)
    def _on_usable(self, problem: str) -> None:
        """Say that what stands below is of an earlier recipe, while there is no other."""
        self._stale.setText(f"▲ Below is the last recipe that could be used. {problem}")
        self._stale.setVisible(bool(problem))
