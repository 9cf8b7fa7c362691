"""The normalizers of a recipe, as a list to add to, to reorder and to remove from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton, QVBoxLayout, QWidget

from bpe_gui.bpe.recipe import MAX_STEPS, Normalizer, Prepend, Replace
from bpe_gui.ui.laboratory.normalizer_row import NormalizerRow
from bpe_gui.ui.laboratory.notes import ProblemNote
from bpe_gui.ui.laboratory.put_back import PutBack
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.laboratory.recipe_summaries import normalizer_in_words
from bpe_gui.ui.pipeline.recipe_words import NORMALIZER_TITLES, PREPEND_TITLE, REPLACE_TITLE
from bpe_gui.ui.theme.theme import DARK, Theme

_NEW_REPLACE = Replace(r"\s+", " ")
_NEW_PREPEND = Prepend(" ")


class NormalizersSection(QWidget):
    """Edits the field `normalizers`.

    Alt+Up and Alt+Down move the step with the focus, Delete removes it, Ctrl+Z puts it back.
    """

    changed = Signal(object)
    """The user has changed fields: a mapping from their names to values."""

    def __init__(self) -> None:
        super().__init__()
        self._steps: tuple[Normalizer, ...] = ()
        self._theme = DARK
        self.rows: list[NormalizerRow] = []
        self._column = QVBoxLayout()
        self._column.setSpacing(4)
        self.removed = PutBack("removedNormalizer", self)
        self.removed.wanted.connect(self.changed)
        self.note = ProblemNote("normalizersProblem")
        # After a click beside the steps Ctrl+Z puts one back, too.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.add_button = QPushButton("Add a step")
        self.add_button.setObjectName("addNormalizerButton")
        self.add_button.setMenu(self._menu())
        column = QVBoxLayout(self)
        column.setSpacing(6)
        column.addLayout(self._column)
        column.addWidget(self.removed)
        column.addWidget(self.note)
        column.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setObjectName("addNormalizerMenu")
        menu.setToolTipsVisible(True)
        for step, (title, tip) in (
            *NORMALIZER_TITLES.items(),
            (_NEW_REPLACE, REPLACE_TITLE),
            (_NEW_PREPEND, PREPEND_TITLE),
        ):
            action = menu.addAction(title)
            action.setToolTip(tip)
            action.setData(step)
        menu.triggered.connect(self._on_add)
        return menu

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for row in self.rows:
            row.set_theme(theme)

    def show_draft(self, draft: RecipeDraft) -> None:
        """Show another draft."""
        steps = draft.value("normalizers")
        if [type(step) for step in steps] != [type(row.step) for row in self.rows]:
            self._make_rows(steps)
        self._steps = steps
        self.removed.follow(draft)
        full = len(steps) >= MAX_STEPS
        self.add_button.setEnabled(not full)
        self.add_button.setText(
            f"{MAX_STEPS} steps: there is no room for another" if full else "Add a step"
        )
        for place, (row, step) in enumerate(zip(self.rows, steps, strict=True)):
            row.show_step(step, place, len(steps))

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Say what is wrong, each at its step."""
        for place, row in enumerate(self.rows):
            row.show_problems([problem for problem in found if problem.step == place])
        self.note.show_problems([problem for problem in found if problem.step is None])

    def _make_rows(self, steps: Sequence[Normalizer]) -> None:
        while len(self.rows) > len(steps):
            row = self.rows.pop()
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, step in enumerate(steps):
            if place < len(self.rows) and type(self.rows[place].step) is type(step):
                continue
            row = NormalizerRow(step)
            row.set_theme(self._theme)
            row.edited.connect(self._on_edited)
            row.moved.connect(self._on_moved)
            row.removed.connect(self._on_removed)
            if place < len(self.rows):
                old = self.rows[place]
                self._column.replaceWidget(old, row)
                old.hide()
                old.deleteLater()
                self.rows[place] = row
            else:
                self._column.addWidget(row)
                self.rows.append(row)
            row.show()

    def _put(self, steps: Sequence[Normalizer], focus: int) -> None:
        """Have other steps, and give one of them the keyboard."""
        self.changed.emit({"normalizers": tuple(steps)})
        if self.rows:
            self.rows[min(max(focus, 0), len(self.rows) - 1)].setFocus()
        else:
            self.add_button.setFocus()

    @Slot(QAction)
    def _on_add(self, action: QAction) -> None:
        self._put((*self._steps, action.data()), len(self._steps))
        self.rows[-1].begin()

    @Slot(int, object)
    def _on_edited(self, place: int, step: Normalizer) -> None:
        steps = list(self._steps)
        steps[place] = step
        self.changed.emit({"normalizers": tuple(steps)})

    @Slot(int, int)
    def _on_moved(self, place: int, by: int) -> None:
        if 0 <= place + by < len(self._steps):
            steps = list(self._steps)
            steps.insert(place + by, steps.pop(place))
            self._put(steps, place + by)

    @Slot(int)
    def _on_removed(self, place: int) -> None:
        steps = self._steps
        left = (*steps[:place], *steps[place + 1 :])
        what = normalizer_in_words(steps[place])
        self.removed.offer(what, {"normalizers": steps}, {"normalizers": left})
        self._put(left, place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Put back what was removed last."""
        if event.matches(QKeySequence.StandardKey.Undo):
            self.removed.put_back()
        else:
            super().keyPressEvent(event)
