"""Split, symbols and stops: the forms of a recipe that are made of a few fields each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel

from bpe_gui.analysis.visible import NEWLINE, TAB, visible_beginning
from bpe_gui.analysis.word_preview import MAX_TEXT, Piece, PieceKind, WordPreview
from bpe_gui.bpe.pre_tokenize import PATTERNS, matched_pattern
from bpe_gui.bpe.recipe import MAX_NUMBER, REGEX, Alphabet, EndOfWord, Symbols, own_pattern
from bpe_gui.progress import counted
from bpe_gui.ui.laboratory.drafts import Drafts
from bpe_gui.ui.laboratory.form_widgets import Bound, RecipeSection
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.pipeline.recipe_words import OWN_SPLIT, SPLIT_TITLES, choice_title
from bpe_gui.ui.tokens.token_chips import Chip, TokenChips
from bpe_gui.ui.widgets.boxes import ComboBox

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


class SplitSection(RecipeSection):
    """Edits the field `split`."""

    title, name, spacing = "Split", "split", 6
    fields = frozenset({"split"})

    def __init__(self, drafts: Drafts) -> None:
        super().__init__(drafts)
        self._box = ComboBox()
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
        self._count = QLabel()
        self._count.setObjectName("splitPreviewCount")
        self._count.setProperty("quiet", True)
        self._count.setWordWrap(True)
        self.words = TokenChips()
        self.words.setObjectName("splitPreview")
        self.words.setAccessibleName("Words of the sample text")
        note = self.add_note("split", "splitProblem")
        for widget in (self._box, self._says, self.pattern, note, self._count, self.words):
            self.column.addWidget(widget)
        self._box.activated.connect(self._on_box)
        self.pattern.textChanged.connect(self._on_pattern)

    def fill(self, draft: RecipeDraft) -> None:
        split = draft.value("split")
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
        positions = [problem.position for problem in found if problem.field == "split"]
        self.pattern.show_error(positions[0] if positions else None)

    def show_preview(self, preview: WordPreview | None, problem: str) -> None:
        """Show the words of the sample text, or why there are none."""
        self.words.setVisible(preview is not None)
        if preview is None:
            self._count.setText("")
            if problem:
                self.notes["split"].show_sentences([problem])
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
            self.drafts.change({"split": REGEX + self.pattern.text()})
            self.pattern.setFocus()
        else:
            self.drafts.change({"split": chosen})

    @Slot()
    def _on_pattern(self) -> None:
        text, base = self.pattern.text(), self.drafts.current.base.split
        self.drafts.change({"split": base if text == pattern_of(base) else REGEX + text})


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

_ALONG = {"alphabet": "the alphabet", "end_of_word": "at the end of a word"}


class SymbolsSection(RecipeSection):
    """Edits the fields `symbols`, `alphabet` and `end_of_word`."""

    title, name = "Symbols", "symbols"
    fields = frozenset({"symbols", "alphabet", "end_of_word"})

    def __init__(self, drafts: Drafts) -> None:
        super().__init__(drafts)
        self._symbols: StrEnum | None = None
        self._went_along = False
        self._note = QLabel()
        self._note.setObjectName("symbolsNote")
        self._note.setProperty("quiet", True)
        self._note.setWordWrap(True)
        self._note.hide()
        self.add_choices("symbols").changed.connect(self._on_symbols)
        self.column.addWidget(self._note)
        for field in ("alphabet", "end_of_word"):
            self.add_choices(field).changed.connect(drafts.change)

    def fill(self, draft: RecipeDraft) -> None:
        """Show another draft; one of other symbols says nothing of what went along with them."""
        if draft.value("symbols") is not self._symbols:
            self._symbols = draft.value("symbols")
            self._note.hide()
        super().fill(draft)

    def summary(self, draft: RecipeDraft) -> str:
        parts = [choice_title(field, draft.value(field)) for field in ("symbols", "alphabet")]
        if draft.value("end_of_word") is not EndOfWord.NONE:
            parts.append(choice_title("end_of_word", draft.value("end_of_word")))
        return ", ".join(parts)

    def _along(self, choice: StrEnum) -> dict[str, StrEnum]:
        """What has to go along with other symbols, or else there would be no recipe."""
        if choice is Symbols.CHARACTERS and self.value("alphabet") is Alphabet.BYTES:
            return {"alphabet": Alphabet.OBSERVED}
        if choice is not Symbols.BYTES:
            return {}
        along: dict[str, StrEnum] = {}
        if self._went_along:
            along["alphabet"] = Alphabet.BYTES
        if self.value("end_of_word") is not EndOfWord.NONE:
            along["end_of_word"] = EndOfWord.NONE
        return along

    @Slot(object)
    def _on_symbols(self, values: Mapping[str, StrEnum]) -> None:
        along = self._along(values["symbols"])
        self._went_along = along.get("alphabet") is Alphabet.OBSERVED
        self.drafts.change({**values, **along})
        symbols = choice_title("symbols", values["symbols"])
        told = [f"{_ALONG[field]} “{choice_title(field, one)}”" for field, one in along.items()]
        self._note.setText(f"For {symbols}, {' and '.join(told)} was chosen too.")
        self._note.setVisible(bool(told))


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


class StopsSection(RecipeSection):
    """Edits the fields `vocabulary_size`, `merges`, `min_frequency` and `ties`."""

    title, name = "Stop", "stops"
    fields = frozenset({"vocabulary_size", "merges", "min_frequency", "ties"})

    def __init__(self, drafts: Drafts) -> None:
        super().__init__(drafts)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setColumnStretch(2, 1)
        for row, (field, title, tip, least, first, step, unbound) in enumerate(_BOUNDS):
            bound = self.controls[field] = Bound(field, title, tip, unbound, self)
            bound.box.setRange(least, MAX_NUMBER)
            bound.box.setSingleStep(step)
            bound.box.setValue(first)
            bound.changed.connect(drafts.change)
            grid.addWidget(bound.check, 2 * row, 0)
            grid.addWidget(bound.box, 2 * row, 1)
            grid.addWidget(self.add_note(field, f"{field}Problem"), 2 * row + 1, 0, 1, 3)
        self.column.addLayout(grid)
        self.add_choices("ties").changed.connect(drafts.change)

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
        return f"{stops}; ties: {choice_title('ties', draft.value('ties'))}"
