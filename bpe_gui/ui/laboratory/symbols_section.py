"""What words are made of: symbols, their alphabet, and the marker at the end of a word."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from bpe_gui.bpe.recipe import Alphabet, EndOfWord, Symbols
from bpe_gui.ui.laboratory.form_widgets import ChoiceRow, ProblemNote
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.pipeline.recipe_words import ALPHABETS, ENDS_OF_WORD, SYMBOLS

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

_ALONG = {"alphabet": "the alphabet", "end_of_word": "at the end of a word"}


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
        self._taken_along = False
        self._note = QLabel()
        self._note.setObjectName("symbolsNote")
        self._note.setProperty("quiet", True)
        self._note.setWordWrap(True)
        self._note.hide()
        self._add("symbols", "Symbols", SYMBOLS, _SYMBOL_TIPS)
        self._column.addWidget(self._note)
        self._add("alphabet", "Alphabet", ALPHABETS, _ALPHABET_TIPS)
        self._add("end_of_word", "End of a word", ENDS_OF_WORD, _END_TIPS)

    def show_draft(self, draft: RecipeDraft) -> None:
        """Show another draft; one of other symbols says nothing of what went along with them."""
        if draft.value("symbols") is not self._rows["symbols"].choice():
            self._tell(draft.value("symbols"), {})
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

    def _along(self, choice: StrEnum) -> dict[str, StrEnum]:
        """What has to go along with other symbols, or else there would be no recipe."""
        if choice is Symbols.CHARACTERS and self._rows["alphabet"].choice() is Alphabet.BYTES:
            return {"alphabet": Alphabet.OBSERVED}
        if choice is not Symbols.BYTES:
            return {}
        along: dict[str, StrEnum] = {}
        if self._taken_along:
            along["alphabet"] = Alphabet.BYTES
        if self._rows["end_of_word"].choice() is not EndOfWord.NONE:
            along["end_of_word"] = EndOfWord.NONE
        return along

    def _tell(self, choice: StrEnum, along: dict[str, StrEnum]) -> None:
        titles = {**ALPHABETS, **ENDS_OF_WORD}
        told = [f"{_ALONG[field]} “{titles[value]}”" for field, value in along.items()]
        self._note.setText(
            f"For {SYMBOLS[choice]}, {' and '.join(told)} was chosen too." if told else ""
        )
        self._note.setVisible(bool(told))

    @Slot(object)
    def _on_chosen(self, choice: StrEnum) -> None:
        if isinstance(choice, Symbols):
            along = self._along(choice)
            self._taken_along = along.get("alphabet") is Alphabet.OBSERVED
            self._tell(choice, along)
            self.changed.emit({"symbols": choice, **along})
            return
        for field, row in self._rows.items():
            if isinstance(choice, type(row.choice())):
                self.changed.emit({field: choice})
