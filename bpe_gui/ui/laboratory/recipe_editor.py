"""The recipe editor: start from a recipe, change any part of it, keep it, train with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.actions.action_words import set_disabled_reason
from bpe_gui.ui.laboratory.editor_header import EditorHeader
from bpe_gui.ui.laboratory.estimate import EstimateView, other_in_toolbar
from bpe_gui.ui.laboratory.form_widgets import ActionButton
from bpe_gui.ui.laboratory.normalizers_section import NormalizersSection
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.laboratory.recipe_forms import SplitSection, StopsSection, SymbolsSection
from bpe_gui.ui.laboratory.recipe_problems import CheckResult, Problem, check
from bpe_gui.ui.laboratory.special_tokens_section import SpecialTokensSection
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.flowing_row import FlowingRow
from bpe_gui.ui.widgets.labels import LinkLabel
from bpe_gui.ui.widgets.message_bar import MessageBar
from bpe_gui.ui.widgets.sentences import as_sentence

_LOW = 30
"""Lines of text; in less height the form would have less than half of it."""


class RecipeEditor(QWidget):
    """Edits one recipe, which may be none while it is being written."""

    recipeChanged = Signal(object)
    """The Recipe is another one, and can be used."""
    usableChanged = Signal(str)
    """Why the draft is no recipe, one sentence; empty when it is one, and the last one that
    could be used is what it is now."""
    trainWanted = Signal(object)
    """The user wants to train with this Recipe."""

    def __init__(
        self,
        actions: Sequence[QAction],
        files: RecipeFiles,
        sample_text: SampleText,
        message_bar: MessageBar,
    ) -> None:
        """`actions` are to train with the recipe, to save it and to load one; see their buttons.

        The first of them is not possible while the draft is known to be no recipe.
        """
        super().__init__()
        self._train_action = actions[0]
        self.setObjectName("recipeEditor")
        self._files = files
        self.drafts = drafts = files.drafts
        self._sample_text = sample_text
        self._message_bar = message_bar
        self._checking = BackgroundTask(
            "checking recipes", self, failure="The recipe could not be checked"
        )
        self.header = EditorHeader(files)
        self.normalizers = NormalizersSection(drafts)
        self.split = SplitSection(drafts)
        self.measuring = EstimateView()
        self._toolbar_note = LinkLabel("toolbarNote", self)
        self._toolbar_note.setProperty("quiet", True)
        self._result: CheckResult | None = None
        self._recipe: Recipe | None = None
        self._then: Callable[[Recipe], object] | None = None
        self._told = ""
        self._active = False
        self._sections = (
            self.normalizers,
            self.split,
            SymbolsSection(drafts),
            SpecialTokensSection(drafts),
            StopsSection(drafts),
        )
        self._lay_out(actions)
        self._connect()
        self._show()
        self._compare_with_toolbar()

    # -- building ------------------------------------------------------------------------------

    def _lay_out(self, actions: Sequence[QAction]) -> None:
        sections = self._form = QWidget()
        sections.setObjectName("recipeSections")
        inner = self._inner = QVBoxLayout(sections)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(2)
        for section in self._sections:
            inner.addWidget(section)
        inner.addStretch(1)
        scroll = self._scroll = QScrollArea()
        scroll.setObjectName("recipeScroll")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(sections)
        buttons = [ActionButton(action) for action in actions]
        buttons[0].setDefault(True)
        row = QWidget()
        flow = FlowingRow(row, spacing=6)
        flow.setContentsMargins(8, 4, 8, 6)
        for button in buttons:
            flow.addWidget(button)
        told = QVBoxLayout()
        told.setContentsMargins(8, 4, 8, 0)
        told.addWidget(self.measuring)
        told.addWidget(self._toolbar_note)
        self._below = QWidget()
        below = QVBoxLayout(self._below)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(4)
        below.addLayout(told)
        below.addWidget(row)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.header)
        column.addWidget(scroll, 1)
        column.addWidget(self._below)
        self.split.set_open(True)
        RoomFollower(self, self._share)

    def _share(self) -> None:
        """Where there is little height, let the estimate and the buttons scroll with the form."""
        low = self.height() < _LOW * self.fontMetrics().lineSpacing()
        wanted = self._inner if low else self._column
        if wanted.indexOf(self._below) < 0:
            wanted.addWidget(self._below)

    def _connect(self) -> None:
        self.drafts.changed.connect(self._on_draft)
        self._sample_text.changed.connect(self._check)
        self._files.chosenChanged.connect(self._compare_with_toolbar)
        self._toolbar_note.linkActivated.connect(self._files.edit_chosen)
        self.measuring.fieldWanted.connect(self._open)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.focusObjectChanged.connect(self._on_focus)

    @Slot(QObject)
    def _on_focus(self, focused: QObject | None) -> None:
        if isinstance(focused, QWidget) and self._form.isAncestorOf(focused):
            self._scroll.ensureWidgetVisible(focused)
        fields = QLineEdit | QPlainTextEdit | QAbstractSpinBox
        if isinstance(focused, fields) and self.isAncestorOf(focused):
            parent = focused.parentWidget()
            # A cell has not changed the recipe while it is written.
            if not isinstance(parent and parent.parentWidget(), QAbstractItemView):
                focused.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep fields from undoing for themselves: the whole recipe is undone."""
        keys = QKeySequence.StandardKey
        if isinstance(event, QKeyEvent) and (event.matches(keys.Undo) or event.matches(keys.Redo)):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    # -- what is asked for ---------------------------------------------------------------------

    @property
    def draft(self) -> RecipeDraft:
        """What is being written."""
        return self.drafts.current

    def recipe(self) -> Recipe | None:
        """The last recipe that could be used, if there was one."""
        return self._recipe

    @property
    def up_to_date(self) -> bool:
        """Whether all that is shown is of the draft as it is now."""
        return self._result is not None and self._checking.at_rest

    def set_active(self, active: bool) -> None:
        """The editor has come into sight, or gone out of it."""
        self._active = active
        self.measuring.set_active(active)
        if active:
            self._check()

    def train(self) -> None:
        """Train with the recipe, as soon as it is known to be one."""
        self._when_checked(self.trainWanted.emit)

    def save(self) -> None:
        """Save the recipe, as soon as it is known to be one."""
        self._when_checked(self._files.ask_where)

    def close_threads(self) -> None:
        """End what goes on in the background."""
        self._active = False
        self._checking.close()
        self.measuring.close_threads()

    # -- what follows --------------------------------------------------------------------------

    def _when_checked(self, then: Callable[[Recipe], object]) -> None:
        self._then = then
        if self.up_to_date:
            self._go_on()
        elif self._checking.at_rest:
            self._ask()

    def _go_on(self) -> None:
        """Do what was waiting for the draft to be checked."""
        then, self._then, result = self._then, None, self._result
        if then is None or result is None:
            return
        if result.recipe is not None:
            then(result.recipe)
            return
        self._told = as_sentence(result.problems[0].sentence)
        self._message_bar.show_message(self._told)
        self._open(result.problems[0].field)

    @Slot(str)
    def _open(self, field: str) -> None:
        """Open the section of a field."""
        for section in self._sections:
            if field in section.fields:
                section.set_open(True)
                self._scroll.ensureWidgetVisible(section)

    @Slot()
    def _check(self) -> None:
        if self._active:
            self._ask()

    def _ask(self) -> None:
        work = partial(check, self.draft, self._sample_text.text)
        self._checking.ask(work, self._on_checked, self._on_failed)

    def _show(self) -> None:
        """Show the draft everywhere."""
        for section in self._sections:
            section.show_draft()

    @Slot()
    def _compare_with_toolbar(self) -> None:
        """Say what the toolbar would train, where that is something else.

        The editor's own button trains what is written; Train in the toolbar what is chosen there.
        """
        written = self._result.recipe if self._result is not None else None
        trained, text = self._files.trained, ""
        if trained is not None and written is not None:
            text = other_in_toolbar(trained, written)
        if text != self._toolbar_note.text():
            self._toolbar_note.setText(text)
        self._toolbar_note.setVisible(bool(text))

    @Slot()
    def _on_draft(self) -> None:
        self._result = None
        if self._told:
            self._message_bar.retract(self._told)
            self._told = ""
        if not self._active:
            self._allow_training("")  # nobody looks it over until it is seen, or trained
        self._show()
        self._check()

    @Slot(object)
    def _on_checked(self, result: CheckResult) -> None:
        self._result = result
        self.header.show_problems(result.problems)
        self.measuring.show_problems(result.problems)
        for section in self._sections:
            section.show_problems(result.problems)
        self.measuring.set_recipe(result.recipe)
        self._compare_with_toolbar()
        self.split.show_preview(result.preview, result.preview_problem)
        sentence = as_sentence(result.problems[0].sentence) if result.problems else ""
        self._allow_training(sentence)
        self.usableChanged.emit(sentence)
        if result.recipe is not None and result.recipe != self._recipe:
            self._recipe = result.recipe
            self.recipeChanged.emit(result.recipe)
        self._go_on()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._on_checked(CheckResult(self.draft, None, (Problem("", sentence),), None))

    def _allow_training(self, problem: str) -> None:
        """Let the draft be trained, unless there is a problem; one sentence."""
        set_disabled_reason(self._train_action, problem)
        self._train_action.setEnabled(not problem)
