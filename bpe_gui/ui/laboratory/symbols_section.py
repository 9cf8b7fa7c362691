"""What words are made of: symbols, their alphabet, and the marker at the end of a word."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.bpe.recipe import Alphabet, EndOfWord, Symbols
from bpe_gui.bpe.recipe_draft import RecipeDraft
from bpe_gui.bpe.recipe_problems import Problem
from bpe_gui.ui.laboratory.choice_row import ChoiceRow
from bpe_gui.ui.laboratory.notes import ProblemNote
from bpe_gui.ui.laboratory.recipe_words import ALPHABETS, ENDS_OF_WORD, SYMBOLS

_SYMBOL_TIPS: dict[StrEnum, str] = {
    Symbols.BYTES: "256 of them spell every text there is",
    Symbols.CHARACTERS: "A text with a character that training has not seen has unknown tokens",
}
_ALPHABET_TIPS: dict[StrEnum, str] = {
    Alphabet.BYTES: "Whether the corpus has them or not: every text can be encoded",
    Alphabet.OBSERVED: "Those that occur in the corpus",
}
_END_TIPS: dict[StrEnum, str] = {
    EndOfWord.NONE: "Nothing tells where a word ends",
    EndOfWord.OWN: "A symbol after the last character: l o w </w>",
    EndOfWord.JOINED: "Part of the last character: l o w</w>",
}


class SymbolsSection(QWidget):
    """Edits the fields `symbols`, `alphabet` and `end_of_word`."""

    changed = Signal(object)
    """The user has changed fields: a mapping from their names to values."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[str, ChoiceRow] = {}
        self._notes: dict[str, ProblemNote] = {}
        self._column = QVBoxLayout(self)
        self._column.setSpacing(8)
        self._add("symbols", "Symbols", SYMBOLS, _SYMBOL_TIPS)
        self._add("alphabet", "Alphabet", ALPHABETS, _ALPHABET_TIPS)
        self._add("end_of_word", "End of a word", ENDS_OF_WORD, _END_TIPS)

    def show_draft(self, draft: RecipeDraft) -> None:
        """Show another draft."""
        for field, row in self._rows.items():
            row.choose(draft.value(field))

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Say which choices exclude each other, where the later of them is made."""
        for field, note in self._notes.items():
            note.show_problems([problem for problem in found if problem.field == field])

    def _add(
        self, field: str, heading: str, titles: dict[StrEnum, str], tips: dict[StrEnum, str]
    ) -> None:
        row = ChoiceRow(heading, field, {c: (titles[c], tips[c]) for c in titles})
        note = ProblemNote(f"{field}Problem")
        self._rows[field], self._notes[field] = row, note
        self._column.addWidget(row)
        self._column.addWidget(note)
        row.chosen.connect(self._on_chosen)
        note.fixWanted.connect(self.changed)

    @Slot(object)
    def _on_chosen(self, choice: StrEnum) -> None:
        for field, row in self._rows.items():
            if isinstance(choice, type(row.choice())):
                self.changed.emit({field: choice})
