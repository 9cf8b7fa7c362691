"""When training stops, and which of equally frequent pairs wins."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QSpinBox, QVBoxLayout, QWidget

from bpe_gui.bpe.recipe import MAX_NUMBER, Ties
from bpe_gui.ui.laboratory.form_widgets import ChoiceRow, ProblemNote
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.pipeline.recipe_words import TIES
from bpe_gui.ui.theme.text_size import set_width

_TIE_TIPS: dict[StrEnum, str] = {
    Ties.FIRST_SEEN: "The pair that comes first in the corpus, as in the classic tutorials",
    Ties.LOWEST_ID: "The pair with the lowest ids, as in Hugging Face’s trainer",
}


class Bound(QObject):
    """A number that may be no bound at all."""

    changed = Signal(object)
    """The user has set another bound: a number, or None for none."""

    def __init__(
        self, parent: QWidget, title: str, name: str, tip: str, *, least: int, first: int, step: int
    ) -> None:
        """`first` is the bound that is offered if there was none."""
        super().__init__(parent)
        self.check = QCheckBox(title)
        self.check.setObjectName(f"{name}Check")
        self.check.setToolTip(tip)
        self.check.setAccessibleName(f"{title}: set a bound")
        self.box = QSpinBox()
        self.box.setObjectName(f"{name}Box")
        self.box.setAccessibleName(title)
        self.box.setToolTip(tip)
        self.box.setRange(least, MAX_NUMBER)
        self.box.setValue(first)
        self.box.setSingleStep(step)
        self.box.setGroupSeparatorShown(True)
        self.box.setAccelerated(True)
        self.box.setKeyboardTracking(False)
        set_width(self.box, 130)
        self.check.toggled.connect(self._on_edited)
        self.box.valueChanged.connect(self._on_edited)

    def show_bound(self, bound: int | None) -> None:
        """Show another bound, or that there is none."""
        for part in (self.check, self.box):
            part.blockSignals(True)
        self.check.setChecked(bound is not None)
        if bound is not None:
            self.box.setMinimum(min(self.box.minimum(), bound))
            self.box.setValue(bound)
        self.box.setEnabled(bound is not None)
        for part in (self.check, self.box):
            part.blockSignals(False)

    @Slot()
    def _on_edited(self) -> None:
        self.changed.emit(self.box.value() if self.check.isChecked() else None)


class StopsSection(QWidget):
    """Edits the fields `vocabulary_size`, `merges`, `min_frequency` and `ties`."""

    changed = Signal(object)
    """The user has changed fields: a mapping from their names to values."""

    def __init__(self) -> None:
        super().__init__()
        self.vocabulary = Bound(
            self,
            "Vocabulary size",
            "vocabularySize",
            "Stop when the vocabulary has so many entries, special tokens and alphabet included",
            least=1,
            first=30_000,
            step=1000,
        )
        self.merges = Bound(
            self, "Merges", "merges", "Stop after so many merges", least=0, first=1000, step=100
        )
        self.frequency = Bound(
            self,
            "Minimum frequency",
            "minFrequency",
            "Stop when no pair occurs so often",
            least=2,
            first=2,
            step=1,
        )
        self._ties = ChoiceRow("Among equally frequent pairs wins", "ties", _tie_choices())
        self._notes = {
            field: ProblemNote(f"{field}Problem")
            for field in ("vocabulary_size", "merges", "min_frequency", "ties")
        }
        self._lay_out()
        self.vocabulary.changed.connect(self._on_size)
        self.merges.changed.connect(self._on_merges)
        self.frequency.changed.connect(self._on_frequency)
        self._ties.chosen.connect(self._on_ties)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        bounds = {
            "vocabulary_size": self.vocabulary,
            "merges": self.merges,
            "min_frequency": self.frequency,
        }
        for row, (field, bound) in enumerate(bounds.items()):
            grid.addWidget(bound.check, 2 * row, 0)
            grid.addWidget(bound.box, 2 * row, 1)
            grid.addWidget(self._notes[field], 2 * row + 1, 0, 1, 3)
        grid.setColumnStretch(2, 1)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addLayout(grid)
        column.addWidget(self._ties)
        column.addWidget(self._notes["ties"])

    def show_draft(self, draft: RecipeDraft) -> None:
        """Show another draft."""
        self.vocabulary.show_bound(draft.value("vocabulary_size"))
        self.merges.show_bound(draft.value("merges"))
        least = draft.value("min_frequency")
        self.frequency.show_bound(least if least > 1 else None)
        self._ties.choose(draft.value("ties"))

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Say what is wrong with each field, or nothing."""
        for field, note in self._notes.items():
            note.show_problems([problem for problem in found if problem.field == field])

    @Slot(object)
    def _on_size(self, bound: int | None) -> None:
        self.changed.emit({"vocabulary_size": bound})

    @Slot(object)
    def _on_merges(self, bound: int | None) -> None:
        self.changed.emit({"merges": bound})

    @Slot(object)
    def _on_frequency(self, bound: int | None) -> None:
        self.changed.emit({"min_frequency": bound or 1})

    @Slot(object)
    def _on_ties(self, ties: StrEnum) -> None:
        self.changed.emit({"ties": ties})


def _tie_choices() -> dict[StrEnum, tuple[str, str]]:
    return {rule: (title, _TIE_TIPS[rule]) for rule, title in TIES.items()}
