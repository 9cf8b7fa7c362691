"""The section of the recipe editor for the normalizers: a row for every step."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
)

from bpe_gui.analysis.visible import SPACE
from bpe_gui.bpe.recipe import MAX_STEPS, Normalizer, Prepend, PrependOnce, Replace
from bpe_gui.ui.laboratory.drafts import Drafts, RecipeDraft
from bpe_gui.ui.laboratory.escapes import EXPLAINED, escaped
from bpe_gui.ui.laboratory.form_widgets import EscapedEdit, ProblemNote, RecipeSection
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit, fixed_font
from bpe_gui.ui.laboratory.recipe_forms import in_a_line
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.pipeline.recipe_words import (
    NORMALIZER_TITLES,
    PREPEND_ONCE_TITLE,
    PREPEND_TITLE,
    REPLACE_TITLE,
    normalizer_title,
)
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named, remark

_LONGEST = 1000
"""Characters of the text that a step puts in, with its escapes."""
_SHOWN_STEPS = 4
"""Steps in the summary."""


class NormalizerRow(QFrame):
    """Edits a step: its title, its fields if it has any, and buttons to move and remove it."""

    def __init__(self, step: Normalizer, section: NormalizersSection) -> None:
        super().__init__()
        self.setObjectName("normalizerRow")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.step = step
        self._section = section
        self._place = 0
        self._title = QLabel()
        self.pattern = named(PatternEdit(most_lines=3), "replacePatternEdit", "Pattern to replace")
        self.text = named(EscapedEdit(), "normalizerTextEdit")
        self.note = ProblemNote("stepProblem", self)
        self._up = self._button("Earlier", -1, "Do this step earlier (Alt+Up)")
        self._up.setArrowType(Qt.ArrowType.UpArrow)
        self._down = self._button("Later", 1, "Do this step later (Alt+Down)")
        self._down.setArrowType(Qt.ArrowType.DownArrow)
        self._remove = self._button("Remove", 0, "Remove this step (Delete, and back by Ctrl+Z)")
        self._remove.setText("✕")
        self._lay_out()
        self.pattern.textChanged.connect(self._on_edited)
        self.text.edited.connect(self._on_edited)

    def _button(self, spoken: str, by: int, tip: str) -> QToolButton:
        button = named(QToolButton(), "", spoken, tip)
        button.setProperty("small", True)
        button.clicked.connect(lambda: self._section.move_step(self._place, by))
        return button

    def _lay_out(self) -> None:
        self.text.setMaxLength(_LONGEST)
        self.text.setFont(fixed_font())
        parts = (self._title, self._up, self._down, self._remove)
        top = filled(QHBoxLayout(), *parts, stretched=self._title, spacing=2)
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 2, 2, 2)
        grid.setVerticalSpacing(2)
        grid.addLayout(top, 0, 0, 1, 3)
        replaces = isinstance(self.step, Replace)
        has_text = isinstance(self.step, Replace | Prepend)
        arrow = QLabel("→")
        explained = remark(EXPLAINED, "escapesExplained")
        grid.addWidget(self.pattern, 1, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(arrow, 1, 1)
        grid.addWidget(self.text, 1, 2, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(0, 3 if replaces else 0)
        grid.setColumnStretch(2, 1)
        grid.addWidget(explained, 2, 0, 1, 3)
        grid.addWidget(self.note, 3, 0, 1, 3)
        for widget, visible in (
            (self.pattern, replaces),
            (arrow, replaces),
            (self.text, has_text),
            (explained, has_text),
        ):
            widget.setVisible(visible)
        self.text.setAccessibleName("Replaced by" if replaces else "Text to prepend")
        self.text.setPlaceholderText("nothing" if replaces else "a text")

    def show_step(self, step: Normalizer, place: int, total: int) -> None:
        """Show a step of the same kind, with its place among all steps."""
        self.step, self._place = step, place
        title = normalizer_title(step)
        self._title.setText(f"{place + 1}  {title}")
        tip = NORMALIZER_TITLES[step][1] if isinstance(step, str) else ""
        self._title.setToolTip(tip)
        self.setAccessibleName(f"Step {place + 1} of {total}: {title}")
        self.setAccessibleDescription(tip)
        if isinstance(step, Replace):
            self.pattern.set_text(step.pattern)
            self.text.set_value(step.by)
        elif isinstance(step, Prepend):
            self.text.set_value(step.text)
        self._up.setEnabled(place > 0)
        self._down.setEnabled(place < total - 1)

    def show_problems(self, found: Sequence[Problem]) -> None:
        self.note.show_problems(found)
        self.pattern.show_error(found[0].position if found else None)

    def begin(self) -> None:
        """Focus the first field of the step, or the step if it has none."""
        self.setFocus()
        if isinstance(self.step, Replace):
            self.pattern.setFocus()
            self.pattern.selectAll()
        elif isinstance(self.step, Prepend):
            self.text.setFocus()
            self.text.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the step by Alt+Up and Alt+Down, from a field too; remove it by Delete."""
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        if alt and event.key() == Qt.Key.Key_Up:
            self._section.move_step(self._place, -1)
        elif alt and event.key() == Qt.Key.Key_Down:
            self._section.move_step(self._place, 1)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.hasFocus():
            self._section.move_step(self._place, 0)
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_edited(self) -> None:
        if isinstance(self.step, Replace):
            self._section.replace_step(self._place, Replace(self.pattern.text(), self.text.value()))
        else:
            self._section.replace_step(self._place, type(self.step)(self.text.value()))


class NormalizersSection(RecipeSection):
    """Edits the field `normalizers`.

    Alt+Up and Alt+Down move the step with the focus, Delete removes it.
    """

    title, name, spacing = "Normalize", "normalize", 6
    fields = frozenset({"normalizers"})

    def __init__(self, drafts: Drafts) -> None:
        super().__init__(drafts)
        self.rows: list[NormalizerRow] = []
        # So that Ctrl+Z works after a click beside the steps, too.
        self.form.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(4)
        self.add_button = named(QPushButton("Add a step"), "addNormalizerButton")
        self.add_button.setMenu(self._menu())
        self.column.addLayout(self._rows)
        self.column.addWidget(self.add_note("normalizers", "normalizersProblem"))
        self.column.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _menu(self) -> QMenu:
        menu = named(QMenu(self, toolTipsVisible=True), "addNormalizerMenu")
        for step, (title, tip) in (
            *NORMALIZER_TITLES.items(),
            (Replace(r"\s+", " "), REPLACE_TITLE),
            (Prepend(" "), PREPEND_TITLE),
            (PrependOnce(" "), PREPEND_ONCE_TITLE),
        ):
            action = menu.addAction(title)
            action.setToolTip(tip)
            action.setData(step)
        menu.triggered.connect(self._on_add)
        return menu

    def fill(self, draft: RecipeDraft) -> None:
        steps = draft.value("normalizers")
        if [type(step) for step in steps] != [type(row.step) for row in self.rows]:
            self._make_rows(steps)
        full = len(steps) >= MAX_STEPS
        self.add_button.setEnabled(not full)
        self.add_button.setText(
            f"{MAX_STEPS} steps: there is no room for another" if full else "Add a step"
        )
        for place, (row, step) in enumerate(zip(self.rows, steps, strict=True)):
            row.show_step(step, place, len(steps))

    def summary(self, draft: RecipeDraft) -> str:
        steps = draft.value("normalizers")
        if not steps:
            return "the text stays as it is"
        names = [_in_words(step) for step in steps[:_SHOWN_STEPS]]
        more = len(steps) - len(names)
        return ", ".join(names) + (f" and {more} more" if more else "")

    def show_problems(self, found: Sequence[Problem]) -> None:
        super().show_problems(found)
        for place, row in enumerate(self.rows):
            row.show_problems([problem for problem in found if problem.step == place])

    def _make_rows(self, steps: Sequence[Normalizer]) -> None:
        for row in self.rows:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [NormalizerRow(step, self) for step in steps]
        for row in self.rows:
            self._rows.addWidget(row)
            row.show()

    def replace_step(self, place: int, step: Normalizer) -> None:
        steps = list(self.value("normalizers"))
        steps[place] = step
        self.drafts.change({"normalizers": tuple(steps)})

    def move_step(self, place: int, by: int) -> None:
        """Move the step at a place earlier (-1) or later (1), or remove it (0)."""
        steps = list(self.value("normalizers"))
        if 0 <= place + by < len(steps):
            step = steps.pop(place)
            if by:
                steps.insert(place + by, step)
            self.drafts.change({"normalizers": tuple(steps)})
            # Without the last step the one before it has the focus, without any the button.
            rows = self.rows[: place + by + 1]
            (rows[-1] if rows else self.add_button).setFocus()

    @Slot(QAction)
    def _on_add(self, action: QAction) -> None:
        steps = self.value("normalizers")
        self.drafts.change({"normalizers": (*steps, action.data())})
        self.rows[-1].begin()


def _in_words(step: Normalizer) -> str:
    if isinstance(step, Replace):
        return f"replace {in_a_line(step.pattern).replace(' ', SPACE)}"
    if isinstance(step, Prepend):
        once = " once" if isinstance(step, PrependOnce) else ""
        return f"prepend {escaped(step.text)}{once}"
    return normalizer_title(step)
