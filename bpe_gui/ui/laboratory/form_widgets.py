"""The widgets of the sections of the recipe editor."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from html import escape
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QObject,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QFont, QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.bpe.recipe import MAX_NUMBER
from bpe_gui.ui.actions.action_words import disabled_reason
from bpe_gui.ui.laboratory.drafts import Drafts, RecipeDraft
from bpe_gui.ui.laboratory.escapes import EXPLAINED, escaped, unescaped
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.pipeline.recipe_words import CHOICES
from bpe_gui.ui.theme.text_size import set_width
from bpe_gui.ui.widgets.boxes import SpinBox
from bpe_gui.ui.widgets.labels import ElidingLabel, LinkLabel
from bpe_gui.ui.widgets.layouts import STYLED, FlowLayout, filled
from bpe_gui.ui.widgets.naming import mark, named, quiet, remark
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.widgets.tables import AnyIndex

_INDENT = 22


class ProblemNote(LinkLabel):
    """Shows the problems of a field; hidden if there are none."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self.setProperty("problem", True)
        self.setContentsMargins(0, 2, 0, 2)
        self.hide()

    def show_problems(self, found: Sequence[Problem]) -> None:
        self.show_sentences([as_sentence(problem.sentence) for problem in found])

    def show_sentences(self, sentences: Sequence[str]) -> None:
        text = "<br>".join(escape(sentence) for sentence in sentences)
        if text != self.text():
            self.setText(text)
        self.setAccessibleName(" ".join(sentences))
        self.setVisible(bool(sentences))


class RecipeSection(QWidget):
    """Edits some fields of a recipe, below a title to open and close and a summary.

    A subclass puts its controls into `column`, with a note for every field.
    """

    title = ""
    name = ""
    fields: frozenset[str] = frozenset()
    spacing = 8

    def __init__(self, drafts: Drafts) -> None:
        super().__init__()
        self.drafts = drafts
        self.notes: dict[str, ProblemNote] = {}
        self.controls: dict[str, ChoiceRow | Bound] = {}
        """Controls that show the value of a field."""
        self._button = named(QToolButton(), f"{self.name}Section")
        self._button.setProperty("sectionTitle", True)
        # Not by the style sheet: a font from there keeps its size when the text grows.
        bold = QFont()
        bold.setBold(True)
        self._button.setFont(bold)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setText(self.title)
        self._button.setCheckable(True)
        summary = ElidingLabel(textFormat=Qt.TextFormat.PlainText)
        self._summary = quiet(named(summary, f"{self.name}Summary"))
        self._summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        parts, margins = (self._button, self._summary), (0, 0, 8, 0)
        header = filled(
            QHBoxLayout(), *parts, stretched=self._summary, spacing=8, margins=margins
        )
        self.form = QWidget()
        named(self.form, f"{self.name}Form", self.title)
        self.form.setContentsMargins(_INDENT, 0, 8, 10)
        self.column = QVBoxLayout(self.form)
        self.column.setSpacing(self.spacing)
        filled(QVBoxLayout(self), header, self.form, spacing=2)
        self._button.toggled.connect(self._on_toggled)
        self._on_toggled(False)

    def add_note(self, field: str, name: str) -> ProblemNote:
        """Make the note for the problems of a field."""
        self.notes[field] = ProblemNote(name, self)
        return self.notes[field]

    def add_choices(self, field: str) -> ChoiceRow:
        """Put the choices of a field into the column, and its note."""
        row = self.controls[field] = ChoiceRow(field)
        self.column.addWidget(row)
        self.column.addWidget(self.add_note(field, f"{field}Problem"))
        return row

    def value(self, field: str) -> Any:
        return self.drafts.current.value(field)

    def fill(self, draft: RecipeDraft) -> None:
        """Show a draft in the controls."""
        for field, control in self.controls.items():
            control.show_value(draft.value(field))

    def summary(self, draft: RecipeDraft) -> str:
        """Return the fields in a few words."""
        raise NotImplementedError

    def show_draft(self) -> None:
        """Show the draft, which is still to be checked."""
        self.fill(self.drafts.current)
        self._sum_up(wrong=False)

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Show the problems of every field, or none."""
        for field, note in self.notes.items():
            note.show_problems([one for one in found if one.field == field and one.step is None])
        self._sum_up(wrong=any(problem.field in self.fields for problem in found))

    def _sum_up(self, *, wrong: bool) -> None:
        draft = self.drafts.current
        self._summary.setText(self.summary(draft))
        self._summary.setToolTip(self._summary.text())
        changed = not self.fields.isdisjoint(draft.changes)
        for key, value in (("changed", changed), ("problem", wrong)):
            mark(self._summary, key, value)
        self._button.setAccessibleName(f"{self.title}: {self._summary.text()}")

    def open(self) -> None:
        """Show the controls."""
        self._button.setChecked(True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and event.position().y() <= (
            self._button.geometry().bottom()
        ):
            self._button.toggle()
            return
        super().mousePressEvent(event)

    @Slot(bool)
    def _on_toggled(self, opened: bool) -> None:
        self._button.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self.form.setVisible(opened)


class ChoiceRow(QWidget):
    """A heading, and a radio button for every choice; the arrow keys go through them."""

    changed = Signal(object)
    """The user has made another choice: a mapping of the field to it."""

    def __init__(self, field: str) -> None:
        super().__init__()
        heading, choices = CHOICES[field]
        self._field = field
        self.setObjectName(field)
        self._choices = list(choices)
        self._group = QButtonGroup(self)
        buttons = QWidget()
        row = FlowLayout(buttons, spacing=14)
        filled(QVBoxLayout(self), remark(heading), buttons, spacing=STYLED)
        for number, (choice, (title, tip)) in enumerate(choices.items()):
            button = named(QRadioButton(title), f"{field}_{choice}", f"{heading}: {title}", tip)
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.idToggled.connect(self._on_toggled)

    def show_value(self, choice: StrEnum) -> None:
        with QSignalBlocker(self._group):
            self._group.button(self._choices.index(choice)).setChecked(True)

    @Slot(int, bool)
    def _on_toggled(self, number: int, checked: bool) -> None:
        if checked:
            self.changed.emit({self._field: self._choices[number]})


class Bound(QObject):
    """Edits a number of the draft that may be no bound at all."""

    def __init__(
        self,
        drafts: Drafts,
        field: str,
        title: str,
        tip: str,
        numbers: tuple[int, int, int],
        unbound: int | None,
    ) -> None:
        """`numbers` are the minimum, the first value and the step; `unbound` is no bound."""
        super().__init__()
        minimum, first, step = numbers
        self._drafts, self._field, self._unbound = drafts, field, unbound
        first_word, *words = field.split("_")
        name = first_word + "".join(word.capitalize() for word in words)
        self.check = named(QCheckBox(title), f"{name}Check", f"{title}: set a bound", tip)
        self.box = named(SpinBox(), f"{name}Box", title, tip)
        self.box.setRange(minimum, MAX_NUMBER)
        self.box.setSingleStep(step)
        self.box.setValue(first)
        self.box.setKeyboardTracking(False)
        set_width(self.box, 130)
        self.check.toggled.connect(self._on_edited)
        self.box.valueChanged.connect(self._on_edited)

    def show_value(self, bound: int | None) -> None:
        with QSignalBlocker(self.check), QSignalBlocker(self.box):
            self.check.setChecked(bound != self._unbound)
            if bound is not None and bound != self._unbound:
                self.box.setMinimum(min(self.box.minimum(), bound))
                self.box.setValue(bound)
        self.box.setEnabled(bound != self._unbound)

    @Slot()
    def _on_edited(self) -> None:
        bound = self.box.value() if self.check.isChecked() else self._unbound
        self._drafts.change({self._field: bound})


class ActionButton(QPushButton):
    """Triggers an action; while that is disabled, the tooltip and description say why."""

    def __init__(self, action: QAction) -> None:
        super().__init__(action.text().replace("&", ""))
        self._action = action
        self.setObjectName(action.objectName().replace("Action", "Button"))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        action.installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DynamicPropertyChange:
            self._follow()
        return False

    @Slot()
    def _follow(self) -> None:
        possible = self._action.isEnabled()
        tip = self._action.toolTip() if possible else disabled_reason(self._action)
        self.setEnabled(possible)
        self.setToolTip(tip)
        self.setAccessibleDescription("" if possible else tip)


_SPACE = "␣"


class EscapedEdit(QLineEdit):
    """Edits a text as `escaped` writes it; a space that is typed becomes its mark at once."""

    edited = Signal()
    """The user has written another text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(EXPLAINED)
        self.textEdited.connect(self._on_edited)

    def value(self) -> str:
        """Return the text that is meant."""
        return unescaped(self.text())

    def set_value(self, text: str) -> None:
        """Show a text; the same text stays as it was written."""
        if self.value() != text:
            self.setText(escaped(text))

    @Slot()
    def _on_edited(self) -> None:
        if " " in self.text():
            caret = self.cursorPosition()
            self.setText(self.text().replace(" ", _SPACE))
            self.setCursorPosition(caret)
        self.edited.emit()


class EscapedDelegate(QStyledItemDelegate):
    """Edits the cells of a table as texts with escapes."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex
    ) -> QWidget:
        return EscapedEdit(parent)
