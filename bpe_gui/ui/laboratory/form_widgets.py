"""The parts that the forms of the recipe editor are made of."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from html import escape
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
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

from bpe_gui.ui.actions.action_words import disabled_reason
from bpe_gui.ui.laboratory.drafts import Drafts
from bpe_gui.ui.laboratory.escapes import EXPLAINED, escaped, unescaped
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Fix, Problem
from bpe_gui.ui.pipeline.recipe_words import CHOICES
from bpe_gui.ui.theme.text_size import set_width
from bpe_gui.ui.widgets.boxes import SpinBox
from bpe_gui.ui.widgets.labels import ElidingLabel, LinkLabel
from bpe_gui.ui.widgets.sentences import as_sentence

_INDENT = 22


class ProblemNote(QWidget):
    """Shows the problems of a field; takes no room if there are none."""

    fixWanted = Signal(object)
    """The values of fields (a mapping) that the user has chosen as the way out."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._fixes: tuple[Fix, ...] = ()
        self._label = LinkLabel(name, self)
        self._label.setProperty("problem", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.addWidget(self._label)
        self._label.linkActivated.connect(self._on_link)
        self.hide()

    def text(self) -> str:
        """What is shown, with its markup; empty if nothing is."""
        return "" if self.isHidden() else self._label.text()

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Show other problems, or none."""
        self.show_sentences(
            [as_sentence(problem.sentence) for problem in found],
            tuple(fix for problem in found for fix in problem.fixes),
        )

    def show_sentences(self, sentences: Sequence[str], fixes: tuple[Fix, ...] = ()) -> None:
        """Show sentences, and links for the ways out."""
        self._fixes = fixes
        text = "<br>".join(escape(sentence) for sentence in sentences)
        if fixes:
            links = " · ".join(
                f'<a href="{number}">{escape(fix.label)}</a>' for number, fix in enumerate(fixes)
            )
            text += f"<br>Take {links}"
        if text != self._label.text():
            self._label.setText(text)
        self._label.setAccessibleName(" ".join(sentences))
        self.setVisible(bool(sentences))

    @Slot(str)
    def _on_link(self, link: str) -> None:
        self.fixWanted.emit(self._fixes[int(link)].changes)


class RecipeSection(QWidget):
    """Edits some fields of a recipe, below a title to open and close and a line that sums up.

    What derives from it puts its controls into `column`, with a note for each field.
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
        """What shows the value of a field, and is changed with it."""
        self._shown: dict[str, object] = {}
        self._button = QToolButton()
        self._button.setObjectName(f"{self.name}Section")
        self._button.setProperty("sectionTitle", True)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setText(self.title)
        self._button.setCheckable(True)
        self._summary = ElidingLabel()
        self._summary.setTextFormat(Qt.TextFormat.PlainText)
        self._summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._summary.setObjectName(f"{self.name}Summary")
        self._summary.setProperty("quiet", True)
        header = QHBoxLayout()
        header.setContentsMargins(0, 0, 8, 0)
        header.setSpacing(8)
        header.addWidget(self._button)
        header.addWidget(self._summary, 1)
        self.form = QWidget()
        self.form.setObjectName(f"{self.name}Form")
        self.form.setAccessibleName(self.title)
        self.form.setContentsMargins(_INDENT, 0, 8, 10)
        self.column = QVBoxLayout(self.form)
        self.column.setSpacing(self.spacing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(header)
        column.addWidget(self.form)
        self._button.toggled.connect(self._on_toggled)
        self._on_toggled(False)

    def add_note(self, field: str, name: str) -> ProblemNote:
        """Make the place for what is wrong with a field."""
        note = self.notes[field] = ProblemNote(name)
        note.fixWanted.connect(self.drafts.change)
        return note

    def add_choices(self, field: str) -> ChoiceRow:
        """Put the choices of a field into the column, and the place for what is wrong with it."""
        row = self.controls[field] = ChoiceRow(field)
        self.column.addWidget(row)
        self.column.addWidget(self.add_note(field, f"{field}Problem"))
        return row

    def value(self, field: str) -> Any:
        """What a field of the draft holds."""
        return self.drafts.current.value(field)

    def fill(self, draft: RecipeDraft) -> None:
        """Show another draft in the controls."""
        for field, control in self.controls.items():
            control.show_value(draft.value(field))

    def summary(self, draft: RecipeDraft) -> str:
        """Return the fields in a few words."""
        raise NotImplementedError

    def show_draft(self) -> None:
        """Show the draft, of which it is not known yet what is wrong with it."""
        values = {field: self.value(field) for field in self.fields}
        if values != self._shown:
            self._shown = values
            self.fill(self.drafts.current)
        self._sum_up(wrong=False)

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Say what is wrong with each field, or nothing."""
        for field, note in self.notes.items():
            note.show_problems([one for one in found if one.field == field and one.step is None])
        self._sum_up(wrong=any(problem.field in self.fields for problem in found))

    def _sum_up(self, *, wrong: bool) -> None:
        """Show the fields in a few words, and whether they were changed or are wrong."""
        draft = self.drafts.current
        self._summary.setText(self.summary(draft))
        self._summary.setToolTip(self._summary.text())
        changed = not self.fields.isdisjoint(draft.changes)
        for key, value in (("changed", changed), ("problem", wrong)):
            if bool(self._summary.property(key)) != value:
                self._summary.setProperty(key, value)
                self._summary.style().unpolish(self._summary)
                self._summary.style().polish(self._summary)
        self._button.setAccessibleName(f"{self.title}: {self._summary.text()}")

    def set_open(self, opened: bool) -> None:
        """Show the controls, or only the line that sums up."""
        self._button.setChecked(opened)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The whole line of the title opens and closes, not only its words."""
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
    """A heading and a radio button for each choice; the arrow keys go through them."""

    changed = Signal(object)
    """The user has made another choice: a mapping from the field to it."""

    def __init__(self, field: str) -> None:
        super().__init__()
        heading, choices = CHOICES[field]
        self._field = field
        self.setObjectName(field)
        self._choices = list(choices)
        self._group = QButtonGroup(self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        label = QLabel(heading)
        label.setProperty("quiet", True)
        grid.addWidget(label, 0, 0, 1, len(choices) + 1)
        for number, (choice, (title, tip)) in enumerate(choices.items()):
            button = QRadioButton(title)
            button.setObjectName(f"{field}_{choice}")
            button.setAccessibleName(f"{heading}: {title}")
            button.setToolTip(tip)
            self._group.addButton(button, number)
            grid.addWidget(button, 1, number)
        grid.setColumnStretch(len(choices), 1)
        self._group.idToggled.connect(self._on_toggled)

    def show_value(self, choice: StrEnum) -> None:
        """Show another choice."""
        blocked = self._group.blockSignals(True)
        self._group.button(self._choices.index(choice)).setChecked(True)
        self._group.blockSignals(blocked)

    @Slot(int, bool)
    def _on_toggled(self, number: int, checked: bool) -> None:
        if checked:
            self.changed.emit({self._field: self._choices[number]})


class Bound(QObject):
    """A number of a recipe that may be no bound at all."""

    changed = Signal(object)
    """The user has set another bound: a mapping from the field to it."""

    def __init__(
        self, field: str, title: str, tip: str, unbound: int | None, parent: QWidget
    ) -> None:
        """`unbound` stands for none; see `_BOUNDS` of `recipe_forms`."""
        super().__init__(parent)
        self._field, self._unbound = field, unbound
        first_word, *words = field.split("_")
        name = first_word + "".join(word.capitalize() for word in words)
        self.check = QCheckBox(title)
        self.check.setObjectName(f"{name}Check")
        self.check.setToolTip(tip)
        self.check.setAccessibleName(f"{title}: set a bound")
        self.box = SpinBox()
        self.box.setObjectName(f"{name}Box")
        self.box.setAccessibleName(title)
        self.box.setToolTip(tip)
        self.box.setGroupSeparatorShown(True)
        self.box.setAccelerated(True)
        self.box.setKeyboardTracking(False)
        set_width(self.box, 130)
        self.check.toggled.connect(self._on_edited)
        self.box.valueChanged.connect(self._on_edited)

    def show_value(self, bound: int | None) -> None:
        """Show another bound, or that there is none."""
        blockers = [QSignalBlocker(part) for part in (self.check, self.box)]
        self.check.setChecked(bound != self._unbound)
        if bound is not None and bound != self._unbound:
            self.box.setMinimum(min(self.box.minimum(), bound))
            self.box.setValue(bound)
        self.box.setEnabled(bound != self._unbound)
        for blocker in blockers:
            blocker.unblock()

    @Slot()
    def _on_edited(self) -> None:
        bound = self.box.value() if self.check.isChecked() else self._unbound
        self.changed.emit({self._field: bound})


class ActionButton(QPushButton):
    """Does what the action does, and while that is not possible says why in its tooltip.

    Screen readers are told the same, as its description.
    """

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
        told = self._action.toolTip() if possible else disabled_reason(self._action)
        self.setEnabled(possible)
        self.setToolTip(told)
        self.setAccessibleDescription("" if possible else told)


_SPACE = "␣"


class EscapedEdit(QLineEdit):
    """Shows a text as `escaped` writes it; a space that is typed becomes its mark at once."""

    edited = Signal()
    """The user has written another text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(EXPLAINED)
        self.textEdited.connect(self._on_edited)

    def value(self) -> str:
        """The text that is meant."""
        return unescaped(self.text())

    def set_value(self, text: str) -> None:
        """Show another text; one that is written already stays as it was written."""
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
    """Has the cells of a table edited in such a line."""

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        return EscapedEdit(parent)
