"""The recipe editor: start from a recipe, change any part of it, save it, train with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.bpe.recipe import PRESETS, Recipe
from bpe_gui.bpe.recipe_io import MAX_NAME
from bpe_gui.ui.laboratory.drafts import RecipeDraft
from bpe_gui.ui.laboratory.estimate import EstimateView
from bpe_gui.ui.laboratory.form_widgets import ActionButton, ProblemNote
from bpe_gui.ui.laboratory.normalizers_section import NormalizersSection
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.laboratory.recipe_forms import (
    SpecialTokensSection,
    SplitSection,
    StopsSection,
    SymbolsSection,
)
from bpe_gui.ui.laboratory.recipe_problems import CheckResult, Problem, check
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.run.run_control import Edited
from bpe_gui.ui.theme.text_size import RoomFollower, application
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.labels import LinkLabel
from bpe_gui.ui.widgets.layouts import FlowLayout, column, filled, scrolled
from bpe_gui.ui.widgets.naming import named, quiet

# -- the top ---------------------------------------------------------------------------------------

_ALL = "all"
"""The link that resets all parts."""


class EditorHeader(QWidget):
    """Starts from another recipe, names this one, and resets changes."""

    def __init__(self, files: RecipeFiles) -> None:
        super().__init__()
        self._files = files
        self._drafts = files.drafts
        tip = "Start from another recipe; Ctrl+Z goes back to what you have written"
        self.base_box = named(ComboBox(), "recipeBaseBox", "Start from", tip)
        tip = "Delete one of your recipes"
        self.delete_button = named(QToolButton(), "recipeDeleteButton", "Delete a recipe", tip)
        self.delete_button.setText("✕")
        self.delete_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.delete_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._delete_menu = named(QMenu(self), "recipeDeleteMenu")
        self.delete_button.setMenu(self._delete_menu)
        self.name_edit = named(QLineEdit(maxLength=MAX_NAME), "recipeNameEdit", "Name")
        self.name_note = ProblemNote("recipeNameProblem", self)
        self.status = quiet(LinkLabel("recipeStatus", self))
        self._lay_out()
        self.base_box.activated.connect(
            lambda place: self._drafts.begin(self.base_box.itemData(place))
        )
        self._delete_menu.triggered.connect(lambda action: files.delete(action.data()))
        self.name_edit.textEdited.connect(self._on_name)
        self.name_edit.editingFinished.connect(self._show_name)
        self.status.linkActivated.connect(self._on_link)
        self._drafts.changed.connect(self._show_draft)
        files.keptChanged.connect(self._offer)
        self._offer()
        self._show_draft()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 2, 8, 4)
        grid.setVerticalSpacing(6)
        base, name = QLabel("&Start from"), QLabel("&Name")
        base.setBuddy(self.base_box)
        name.setBuddy(self.name_edit)
        grid.addWidget(base, 0, 0)
        grid.addWidget(self.base_box, 0, 1)
        grid.addWidget(self.delete_button, 0, 2)
        grid.addWidget(name, 1, 0)
        grid.addWidget(self.name_edit, 1, 1, 1, 2)
        grid.addWidget(self.name_note, 2, 0, 1, 3)
        grid.addWidget(self.status, 3, 0, 1, 3)
        grid.setColumnStretch(1, 1)

    @Slot()
    def _offer(self) -> None:
        kept = tuple(self._files.own_recipes())
        model = QStandardItemModel(self.base_box)
        self._delete_menu.clear()
        for heading, recipes in (("Presets", PRESETS.values()), ("My recipes", kept)):
            if recipes:
                item = QStandardItem(heading)
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                model.appendRow(item)
            for recipe in recipes:
                item = QStandardItem(recipe.name)
                item.setToolTip(recipe.description)
                item.setData(recipe, Qt.ItemDataRole.UserRole)
                model.appendRow(item)
        for recipe in kept:
            self._delete_menu.addAction(f"Delete {recipe.name}…").setData(recipe)
        self.delete_button.setEnabled(bool(kept))
        self.base_box.setModel(model)
        self._point()

    @Slot()
    def _show_draft(self) -> None:
        draft = self._drafts.current
        self._point()
        # An empty field with the focus is being rewritten.
        if self.name_edit.text() or not self.name_edit.hasFocus():
            self._show_name()
        self.status.setText(_status(draft))
        self.status.setVisible(bool(self.status.text()))

    def show_problems(self, found: Sequence[Problem]) -> None:
        self.name_note.show_problems([problem for problem in found if problem.field == "name"])

    def _point(self) -> None:
        """Show in the box which recipe the draft began as, even if it is not offered."""
        base, places = self._drafts.current.base, range(self.base_box.count())
        self.base_box.setPlaceholderText(base.name)
        found = (place for place in places if self.base_box.itemData(place) == base)
        self.base_box.setCurrentIndex(next(found, -1))

    @Slot()
    def _show_name(self) -> None:
        """Show the name of the draft, which has one even if none was written."""
        if self.name_edit.text() != self._drafts.current.name:
            self.name_edit.setText(self._drafts.current.name)

    @Slot(str)
    def _on_name(self, name: str) -> None:
        self._drafts.change({"name": name or self._drafts.current.base.name})

    @Slot(str)
    def _on_link(self, link: str) -> None:
        draft = self._drafts.current
        for part in draft.changed_parts if link == _ALL else (link,):
            draft = draft.reset(part)
        self._drafts.begin(draft)


def _status(draft: RecipeDraft) -> str:
    """Return which parts were changed, each with a link to reset it."""
    name = escape(draft.base.name)
    parts = draft.changed_parts
    if not parts:
        description = escape(draft.base.description)
        return description if draft.name == draft.base.name else f"{name} under another name"
    links = [f"{part} (<a href='{part}'>reset</a>)" for part in parts]
    text = f"No longer {name}: {', '.join(links)} changed."
    if len(parts) > 1:
        text += f" <a href='{_ALL}'>Reset all</a>"
    return text


# -- the editor ------------------------------------------------------------------------------------

_LOW = 30
"""Lines of text; in less height the form would have less than half of it."""


class RecipeEditor(QWidget):
    """Edits a draft, which may be no recipe while it is being written."""

    checked = Signal(object)
    """The draft has been checked: a CheckResult."""

    def __init__(self, run: RunContext, files: RecipeFiles) -> None:
        super().__init__()
        self._actions = run.actions
        self.setObjectName("recipeEditor")
        self._files = files
        self.drafts = drafts = files.drafts
        self._sample_text, self._message_bar = run.sample_text, run.message_bar
        self._checking = BackgroundTask(
            "checking recipes", self, failure="The recipe could not be checked"
        )
        self.header = EditorHeader(files)
        self.normalizers = NormalizersSection(drafts)
        self.split = SplitSection(drafts)
        self.measuring = EstimateView()
        self._result: CheckResult | None = None
        self._then: Callable[[Recipe], object] | None = None
        self._refused = ""
        self._active = False
        self._sections = (
            self.normalizers,
            self.split,
            SymbolsSection(drafts),
            SpecialTokensSection(drafts),
            StopsSection(drafts),
        )
        self._lay_out()
        self._connect()
        self._show()

    # -- building ------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        sections = self._form = named(QWidget(), "recipeSections")
        self._inner = filled(QVBoxLayout(sections), *self._sections, None, spacing=2)
        self._scroll = scroll = named(QScrollArea(), "recipeScroll")
        scrolled(scroll, sections)
        actions = self._actions
        train = named(ActionButton(actions.train), "trainRecipeButton")
        train.setDefault(True)
        buttons = train, ActionButton(actions.save_recipe), ActionButton(actions.load_recipe)
        row = QWidget()
        flow = FlowLayout(row, spacing=6)
        flow.setContentsMargins(8, 4, 8, 6)
        for button in buttons:
            flow.addWidget(button)
        told = filled(QVBoxLayout(), self.measuring, margins=(8, 4, 8, 0))
        self._below = below = column(told, row, spacing=4)
        self._column = filled(
            QVBoxLayout(self), self.header, scroll, below, stretched=scroll, spacing=4
        )
        self.split.open()
        RoomFollower(self, self._relayout)

    def _relayout(self) -> None:
        """Where there is little height, let the estimate and the buttons scroll with the form."""
        low = self.height() < _LOW * self.fontMetrics().lineSpacing()
        wanted = self._inner if low else self._column
        if wanted.indexOf(self._below) < 0:
            wanted.addWidget(self._below)

    def _connect(self) -> None:
        self.drafts.changed.connect(self._on_draft)
        self._sample_text.changed.connect(self._check)
        self.measuring.warnings.linkActivated.connect(self._open)
        application().focusObjectChanged.connect(self._on_focus)

    @Slot(QObject)
    def _on_focus(self, focused: QObject | None) -> None:
        if isinstance(focused, QWidget) and self._form.isAncestorOf(focused):
            self._scroll.ensureWidgetVisible(focused)
        fields = QLineEdit | QPlainTextEdit | QAbstractSpinBox
        if isinstance(focused, fields) and self.isAncestorOf(focused):
            parent = focused.parentWidget()
            # The text of a cell changes the recipe only when it is finished.
            if not isinstance(parent and parent.parentWidget(), QAbstractItemView):
                focused.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep fields from undoing their text: the whole recipe is undone."""
        keys = QKeySequence.StandardKey
        if isinstance(event, QKeyEvent) and (event.matches(keys.Undo) or event.matches(keys.Redo)):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    # -- for others ----------------------------------------------------------------------------

    @property
    def draft(self) -> RecipeDraft:
        return self.drafts.current

    @property
    def edited(self) -> Edited:
        """The draft as it was checked last."""
        result = self._result
        return Edited() if result is None else Edited(result.recipe, result.sentence)

    @property
    def up_to_date(self) -> bool:
        """Whether the draft has been checked as it is now."""
        return self._result is not None and self._checking.at_rest

    def set_active(self, active: bool) -> None:
        """Check and measure while the editor is in view."""
        self._active = active
        self.measuring.set_active(active)
        if active:
            self._check()

    def when_checked(self, then: Callable[[Recipe], object]) -> None:
        """Do something with the recipe once it has been checked, or show why it is none."""
        self._then = then
        if self.up_to_date:
            self._go_on()
        elif self._checking.at_rest:
            self._ask()

    # -- checking ------------------------------------------------------------------------------

    def _go_on(self) -> None:
        then, self._then, result = self._then, None, self._result
        if then is None or result is None:
            return
        if result.recipe is not None:
            then(result.recipe)
            return
        self._refused = result.sentence
        self._message_bar.show_message(self._refused)
        self._open(result.problems[0].field)

    @Slot(str)
    def _open(self, field: str) -> None:
        for section in self._sections:
            if field in section.fields:
                section.open()
                self._scroll.ensureWidgetVisible(section)

    @Slot()
    def _check(self) -> None:
        if self._active:
            self._ask()

    def _ask(self) -> None:
        work = partial(check, self.draft, self._sample_text.text)
        self._checking.ask(work, self._on_checked, self._on_failed)

    def _show(self) -> None:
        for section in self._sections:
            section.show_draft()

    @Slot()
    def _on_draft(self) -> None:
        self._result = None
        if self._refused:
            self._message_bar.retract(self._refused)
            self._refused = ""
        self._show()
        self._check()

    @Slot(object)
    def _on_checked(self, result: CheckResult) -> None:
        self._result = result
        for part in (self.header, self.measuring, *self._sections):
            part.show_problems(result.problems)
        self.measuring.set_recipe(result.recipe)
        self.split.show_preview(result.preview, result.preview_problem)
        self.checked.emit(result)
        self._go_on()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._on_checked(CheckResult(self.draft, None, (Problem("", sentence),), None))
