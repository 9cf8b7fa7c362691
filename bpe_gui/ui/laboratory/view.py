"""The view of the laboratory: editor, sample text, and tabs."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QSplitter, QTabWidget, QVBoxLayout, QWidget

from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.bpe.history import History
from bpe_gui.ui.laboratory.boundary_panel import BoundaryPanel
from bpe_gui.ui.laboratory.lockstep_panel import LockstepPanel
from bpe_gui.ui.laboratory.lockstep_runs import LockstepRuns
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.laboratory.recipe_problems import CheckResult
from bpe_gui.ui.pipeline.view import PipelineView
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.theme.text_size import FontFollower, Zoom
from bpe_gui.ui.tokens.text_editor import TextEditor
from bpe_gui.ui.widgets.layouts import STYLED, column, filled
from bpe_gui.ui.widgets.naming import named, remark
from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea

_TEXT_LINES = 2
"""Lines of the sample text at least, and at first."""
_TEXT_PADDING = 12
"""Pixels of the style sheet above and below the text, together."""


_LEGEND = (
    "Struck out: dropped. Dashed: added. Underlined: changed. Coloured: tokens, as in Explore."
)
"""What the signs of the pipeline mean."""
_LEGEND_MARGIN = 10
_STALE = "▲ Below is the last recipe that could be used."


class LaboratoryView(QWidget):
    """The recipe editor at the left; at the right the text, its pipeline, and tabs below."""

    def __init__(
        self, run: RunContext, files: RecipeFiles, runs: LockstepRuns, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._sample_text, self._controls = run.sample_text, run.controls
        self._player = run.player
        self._active = False
        self.editor = RecipeEditor(run, files)
        self.text_edit = named(TextEditor(self), "laboratoryText", "Sample text")
        self.pipeline = PipelineView(run.sample_text)
        self.boundaries = BoundaryPanel(run)
        self.lockstep = LockstepPanel(run, runs, files)
        self.tabs = named(QTabWidget(documentMode=True), "laboratoryTabs", "What the recipe does")
        legend = remark(_LEGEND, "pipelineLegend")
        legend.setMargin(_LEGEND_MARGIN)
        self.tabs.addTab(column(self.pipeline, legend, stretched=self.pipeline), "Pipeline")
        for panel, title in (
            (self.boundaries, "Merges blocked by the split"),
            (self.lockstep, "Recipes in lockstep"),
        ):
            self.tabs.addTab(ShrinkableScrollArea(panel), title)
        self._build()
        Zoom("pipelineZoom", self, self.pipeline)
        self.text_edit.textChanged.connect(self._on_text)
        run.sample_text.changed.connect(self._show_text)
        run.controls.changed.connect(self._on_choice)
        self.editor.checked.connect(self._on_checked)
        undo_stack = files.drafts.undo_stack
        keys = QKeySequence.StandardKey
        for key, do in ((keys.Undo, undo_stack.undo), (keys.Redo, undo_stack.redo)):
            shortcut = QShortcut(key, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(do)
        self._on_choice()
        self.show_position(run.player.position, False)

    def _build(self) -> None:
        self.text_edit.setPlaceholderText("Type or paste any text to try the recipe on")
        self.text_edit.setTabChangesFocus(True)
        self.text_edit.ensurePolished()
        FontFollower(self.text_edit, self._fit_text)
        stale = QLabel(_STALE, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._stale = named(stale, "laboratoryStale")
        self._stale.setProperty("problem", True)
        self._stale.hide()
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName("What the recipe does")
        below = column(self._stale, self.tabs, stretched=self.tabs, spacing=STYLED)
        least = self.text_edit.minimumHeight()
        right = named(QSplitter(Qt.Orientation.Vertical), "laboratoryTextSplitter")
        across = named(QSplitter(Qt.Orientation.Horizontal), "laboratorySplitter")
        for splitter, parts, sizes in (
            (right, (self.text_edit, below), [least, 10 * least]),
            (across, (self.editor, right), [430, 830]),
        ):
            splitter.setChildrenCollapsible(False)
            for part in parts:
                splitter.addWidget(part)
            splitter.setStretchFactor(1, 1)
            splitter.setSizes(sizes)
        filled(QVBoxLayout(self), across)

    def _fit_text(self) -> None:
        margins = self.text_edit.document().documentMargin() + self.text_edit.frameWidth()
        around = self.text_edit.contentsMargins()
        lines = _TEXT_LINES * self.text_edit.fontMetrics().lineSpacing()
        height = round(lines + 2 * margins) + around.top() + around.bottom() + _TEXT_PADDING
        self.text_edit.setMinimumHeight(height)

    def set_history(self, history: History | None) -> None:
        self.pipeline.set_history(history)

    def show_position(self, position: int, moving: bool) -> None:
        self.pipeline.show_position(position, moving)
        self.boundaries.show_position(position, moving)

    def select_token(self, token: int) -> None:
        """Mark a token of the run in view."""
        self.pipeline.mark_token(token)

    def set_active(self, active: bool) -> None:
        """Work while the view is in sight, and not else."""
        self._active = active
        if active:
            self._on_choice()
            self._show_text()
            # A view that is out of sight has no run, or it would keep that in memory.
            self.set_history(self._player.history)
            self.show_position(self._player.position, False)
        self.editor.set_active(active)
        self.pipeline.set_active(active)

    @Slot()
    def _show_text(self) -> None:
        text = self._sample_text.text
        if self._active and text != self.text_edit.text():
            with QSignalBlocker(self.text_edit):
                self.text_edit.setPlainText(text)

    @Slot()
    def _on_text(self) -> None:
        self._sample_text.set(self.text_edit.text())

    @Slot()
    def _on_choice(self) -> None:
        """Follow the toolbar, which itself says if the corpus cannot be read."""
        self.lockstep.common_size.follow(self._controls.vocabulary_size)
        try:
            self.editor.measuring.set_corpus(self._controls.corpus())
        except CorpusError:
            self.editor.measuring.set_corpus(None)

    @Slot(object)
    def _on_checked(self, result: CheckResult) -> None:
        """Show the recipe in the panels; while the draft is none they show the one before."""
        for panel in (self.pipeline, self.boundaries, self.lockstep):
            if result.recipe is not None:
                panel.set_recipe(result.recipe)
        self._stale.setVisible(bool(result.problems))
