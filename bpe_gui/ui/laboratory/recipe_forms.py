"""Split, symbols and stops: the forms of a recipe that are made of a few fields each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QVBoxLayout,
)

from bpe_gui.analysis.visible import NEWLINE, TAB, visible_beginning
from bpe_gui.analysis.word_preview import MAX_TEXT, Piece, PieceKind, WordPreview
from bpe_gui.bpe.pre_tokenize import PATTERNS, matched_pattern
from bpe_gui.bpe.recipe import (
    MAX_NUMBER,
    REGEX,
    Alphabet,
    EndOfWord,
    Symbols,
    Ties,
    own_pattern,
)
from bpe_gui.progress import counted
from bpe_gui.ui.laboratory.form_widgets import Bound, RecipeForm
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_draft import Part, RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.pipeline.recipe_words import (
    ALPHABETS,
    ENDS_OF_WORD,
    OWN_SPLIT,
    SPLIT_TITLES,
    SYMBOLS,
    TIES,
)
from bpe_gui.ui.tokens.token_chips import Chip, TokenChips

# -- split -----------------------------------------------------------------------------------------

_SHOWN_PATTERN = 60
_LONGEST_PATTERN = 1000
"""Characters of a split's own pattern up to which it is shown, to start from."""

_MOST_ROWS = 4
"""Rows of words that are shown."""

_TIPS = {
    PieceKind.WORD: "a word: merges stay within it",
    PieceKind.SKIPPED: "skipped by the pattern: kept as single symbols that never merge",
    PieceKind.DROPPED: "dropped: in no token at all",
    PieceKind.SPECIAL: "a special token, found before the text is split",
}


class SplitSection(RecipeForm):
    """Edits the field `split`."""

    title, name = "Split", "split"
    parts = frozenset({Part.SPLIT})

    def __init__(self) -> None:
        super().__init__()
        self._base_split = ""
        """What the recipe began with."""
        self._box = QComboBox()
        self._box.setObjectName("splitBox")
        self._box.setAccessibleName("Split")
        self._box.setToolTip("How the text is split into words")
        for name, (title, tip) in SPLIT_TITLES.items():
            self._box.addItem(title, name)
            self._box.setItemData(self._box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self._box.addItem(OWN_SPLIT[0], REGEX)
        self._says = QLabel()
        self._says.setProperty("quiet", True)
        self._says.setWordWrap(True)
        self.pattern = PatternEdit()
        self.pattern.setObjectName("splitPatternEdit")
        self.pattern.setAccessibleName("Split pattern")
        self.pattern.setPlaceholderText("Write a regular expression here to split by it")
        self.pattern.setToolTip("Each match is a word. The dialect is that of the regex module")
        self.note = self.add_note("split", "splitProblem")
        self._count = QLabel()
        self._count.setObjectName("splitPreviewCount")
        self._count.setProperty("quiet", True)
        self._count.setWordWrap(True)
        self.words = TokenChips()
        self.words.setObjectName("splitPreview")
        self.words.setAccessibleName("Words of the sample text")
        column = QVBoxLayout(self)
        column.setSpacing(6)
        for widget in (self._box, self._says, self.pattern, self.note, self._count, self.words):
            column.addWidget(widget)
        self._box.activated.connect(self._on_box)
        self.pattern.textChanged.connect(self._on_pattern)

    def show_draft(self, draft: RecipeDraft) -> None:
        split, self._base_split = draft.value("split"), draft.base.split
        own = own_pattern(split)
        self._box.setCurrentIndex(self._box.findData(split if own is None else REGEX))
        self._says.setText(OWN_SPLIT[1] if own is not None else SPLIT_TITLES[split][1])
        shown = pattern_of(split)
        self.pattern.set_text(shown or "")
        self.pattern.setVisible(shown is not None)

    def summary(self, draft: RecipeDraft) -> str:
        split = draft.value("split")
        pattern = own_pattern(split)
        if pattern is None:
            return SPLIT_TITLES[split][0] if split in SPLIT_TITLES else split
        return f"{OWN_SPLIT[0]}: {in_a_line(pattern[:_SHOWN_PATTERN])}"

    def show_problems(self, found: Sequence[Problem]) -> None:
        super().show_problems(found)
        self.pattern.show_error(found[0].position if found else None)

    def show_preview(self, preview: WordPreview | None, problem: str) -> None:
        """Show the words of the sample text, or why there are none."""
        self.words.setVisible(preview is not None)
        if preview is None:
            self._count.setText("")
            if problem:
                self.note.show_sentences([problem])
            self._count.setVisible(False)
            return
        self._count.setText(_counted(preview))
        self._count.setVisible(True)
        chips = [_chip(number, piece) for number, piece in enumerate(preview.pieces)]
        self.words.set_tokens("", chips, max(preview.words, len(chips)))
        self._fit_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Have as many rows as the words need, up to a few."""
        for rows in range(1, _MOST_ROWS + 1):
            self.words.set_rows(rows)
            if self.words.shows_all:
                return

    @Slot()
    def _on_box(self) -> None:
        chosen = self._box.currentData()
        if chosen == REGEX:
            self.changed.emit({"split": REGEX + self.pattern.text()})
            self.pattern.setFocus()
        else:
            self.changed.emit({"split": chosen})

    @Slot()
    def _on_pattern(self) -> None:
        text = self.pattern.text()
        is_base = text == pattern_of(self._base_split)
        self.changed.emit({"split": self._base_split if is_base else REGEX + text})


def pattern_of(split: str) -> str | None:
    """The regex by which a split can be described, if there is one that people can read."""
    pattern = PATTERNS.get(split) or matched_pattern(split)
    if pattern is None or (own_pattern(split) is None and len(pattern) > _LONGEST_PATTERN):
        return None
    return pattern


def _counted(preview: WordPreview) -> str:
    """How many words there are, and what the brackets are."""
    text = counted(preview.words, "word")
    text += f" in the first {MAX_TEXT:,} characters" if preview.shortened else " in the sample text"
    kinds = {piece.kind for piece in preview.pieces}
    if PieceKind.SKIPPED in kinds:
        text += "; bracketed text is skipped and never merges"
    elif PieceKind.DROPPED in kinds:
        text += "; bracketed text is dropped"
    return text


def _chip(number: int, piece: Piece) -> Chip:
    label = visible_beginning(piece.text.encode("utf-8"))
    if piece.kind in (PieceKind.SKIPPED, PieceKind.DROPPED):
        label = f"({label})"
    return Chip(number, label, f"{label}: {_TIPS[piece.kind]}")


def in_a_line(pattern: str) -> str:
    """A pattern with marks for what would break the line; a backslash in it is its own."""
    return pattern.replace("\n", NEWLINE).replace("\t", TAB)


# -- symbols ---------------------------------------------------------------------------------------

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


class SymbolsSection(RecipeForm):
    """Edits the fields `symbols`, `alphabet` and `end_of_word`."""

    title, name = "Symbols", "symbols"
    parts = frozenset({Part.SYMBOLS, Part.ALPHABET, Part.END_OF_WORD})

    def __init__(self) -> None:
        super().__init__()
        self._chosen: dict[str, StrEnum] = {}
        self._went_along = False
        self._note = QLabel()
        self._note.setObjectName("symbolsNote")
        self._note.setProperty("quiet", True)
        self._note.setWordWrap(True)
        self._note.hide()
        column = QVBoxLayout(self)
        column.setSpacing(8)
        symbols = self.add_choices(column, "symbols", "Symbols", SYMBOLS, _SYMBOL_TIPS)
        column.addWidget(self._note)
        alphabet = self.add_choices(column, "alphabet", "Alphabet", ALPHABETS, _ALPHABET_TIPS)
        end = self.add_choices(column, "end_of_word", "End of a word", ENDS_OF_WORD, _END_TIPS)
        symbols.changed.connect(self._on_symbols)
        alphabet.changed.connect(self.changed)
        end.changed.connect(self.changed)

    def show_draft(self, draft: RecipeDraft) -> None:
        """Show another draft; one of other symbols says nothing of what went along with them."""
        if draft.value("symbols") is not self._chosen.get("symbols"):
            self._update_note(draft.value("symbols"), {})
        self._chosen = {field: draft.value(field) for field in self.controls}
        super().show_draft(draft)

    def summary(self, draft: RecipeDraft) -> str:
        parts = [SYMBOLS[draft.value("symbols")], ALPHABETS[draft.value("alphabet")]]
        if draft.value("end_of_word") is not EndOfWord.NONE:
            parts.append(ENDS_OF_WORD[draft.value("end_of_word")])
        return ", ".join(parts)

    def _along(self, choice: StrEnum) -> dict[str, StrEnum]:
        """What has to go along with other symbols, or else there would be no recipe."""
        if choice is Symbols.CHARACTERS and self._chosen["alphabet"] is Alphabet.BYTES:
            return {"alphabet": Alphabet.OBSERVED}
        if choice is not Symbols.BYTES:
            return {}
        along: dict[str, StrEnum] = {}
        if self._went_along:
            along["alphabet"] = Alphabet.BYTES
        if self._chosen["end_of_word"] is not EndOfWord.NONE:
            along["end_of_word"] = EndOfWord.NONE
        return along

    def _update_note(self, choice: StrEnum, along: dict[str, StrEnum]) -> None:
        titles = {**ALPHABETS, **ENDS_OF_WORD}
        told = [f"{_ALONG[field]} “{titles[value]}”" for field, value in along.items()]
        self._note.setText(
            f"For {SYMBOLS[choice]}, {' and '.join(told)} was chosen too." if told else ""
        )
        self._note.setVisible(bool(told))

    @Slot(object)
    def _on_symbols(self, values: Mapping[str, StrEnum]) -> None:
        choice = values["symbols"]
        along = self._along(choice)
        self._went_along = along.get("alphabet") is Alphabet.OBSERVED
        self._chosen["symbols"] = choice
        self._update_note(choice, along)
        self.changed.emit({"symbols": choice, **along})


# -- stops -----------------------------------------------------------------------------------------

_BOUNDS = (
    (
        "vocabulary_size", "Vocabulary size",
        "Stop at this number of entries, special tokens and alphabet included",
        1, 30_000, 1000, None,
    ),
    ("merges", "Merges", "Stop after this number of merges", 0, 1000, 100, None),
    ("min_frequency", "Minimum frequency", "Stop when no pair occurs this often", 2, 2, 1, 1),
)  # fmt: skip
"""Field, title and tip; the least, the one that is offered at first, and the step; what stands for
no bound."""
_TIE_TIPS: dict[StrEnum, str] = {
    Ties.FIRST_SEEN: "The pair that comes first in the corpus, as in the classic tutorials",
    Ties.LOWEST_ID: "The pair with the lowest ids, as in Hugging Face’s trainer",
}


class StopsSection(RecipeForm):
    """Edits the fields `vocabulary_size`, `merges`, `min_frequency` and `ties`."""

    title, name = "Stop", "stops"
    parts = frozenset({Part.VOCABULARY_SIZE, Part.MERGES, Part.MIN_FREQUENCY, Part.TIES})

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setColumnStretch(2, 1)
        for row, (field, title, tip, least, first, step, unbound) in enumerate(_BOUNDS):
            bound = self.controls[field] = Bound(field, title, tip, unbound, self)
            bound.box.setRange(least, MAX_NUMBER)
            bound.box.setSingleStep(step)
            bound.box.setValue(first)
            bound.changed.connect(self.changed)
            grid.addWidget(bound.check, 2 * row, 0)
            grid.addWidget(bound.box, 2 * row, 1)
            grid.addWidget(self.add_note(field, f"{field}Problem"), 2 * row + 1, 0, 1, 3)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addLayout(grid)
        heading = "Among equally frequent pairs wins"
        self.add_choices(column, "ties", heading, TIES, _TIE_TIPS).changed.connect(self.changed)

    def summary(self, draft: RecipeDraft) -> str:
        size, merges = draft.value("vocabulary_size"), draft.value("merges")
        least = draft.value("min_frequency")
        parts = []
        if size is not None:
            parts.append(f"at {size:,} entries")
        if merges is not None:
            parts.append(f"after {merges:,} merges")
        if least > 1:
            parts.append(f"below {least:,} times")
        stops = " or ".join(parts) or "when no pair is left"
        return f"{stops}; ties: {TIES[draft.value('ties')]}"
