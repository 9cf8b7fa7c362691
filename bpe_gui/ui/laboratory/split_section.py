"""How a recipe splits: a known way or a regular expression, and the words that come of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from bpe_gui.analysis.visible import visible_beginning
from bpe_gui.analysis.word_preview import MAX_TEXT, Piece, PieceKind, WordPreview
from bpe_gui.bpe.pre_tokenize import PATTERNS, matched_pattern
from bpe_gui.bpe.recipe import REGEX, own_pattern
from bpe_gui.ui.laboratory.form_widgets import ProblemNote
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.pipeline.recipe_words import OWN_SPLIT, SPLIT_TITLES
from bpe_gui.ui.tokens.token_chips import Chip, TokenChips

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


class SplitSection(QWidget):
    """Edits the field `split`."""

    changed = Signal(object)
    """The user has changed fields: a mapping from their names to values."""

    def __init__(self) -> None:
        super().__init__()
        self._box = QComboBox()
        self._box.setObjectName("splitBox")
        self._box.setAccessibleName("Split")
        self._box.setToolTip("How the text is cut into words")
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
        self.note = ProblemNote("splitProblem")
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
        self.note.fixWanted.connect(self.changed)

    def show_draft(self, draft: RecipeDraft) -> None:
        """Show another draft."""
        split = draft.value("split")
        own = own_pattern(split)
        self._box.setCurrentIndex(self._box.findData(split if own is None else REGEX))
        self._says.setText(OWN_SPLIT[1] if own is not None else SPLIT_TITLES[split][1])
        shown = pattern_of(split)
        self.pattern.set_text(shown or "")
        self.pattern.setVisible(shown is not None)

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Say what is wrong with the split, or nothing."""
        self.note.show_problems(found)
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
        """Find out anew how many rows the words take."""
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
        self.changed.emit({"split": REGEX + self.pattern.text()})


def pattern_of(split: str) -> str | None:
    """The regex by which a split can be described, if there is one that people can read."""
    pattern = PATTERNS.get(split) or matched_pattern(split)
    if pattern is None or (own_pattern(split) is None and len(pattern) > _LONGEST_PATTERN):
        return None
    return pattern


def _counted(preview: WordPreview) -> str:
    """How many words there are, and what the brackets are."""
    text = "1 word" if preview.words == 1 else f"{preview.words:,} words"
    text += f" in the first {MAX_TEXT:,} characters" if preview.shortened else " in the sample text"
    kinds = {piece.kind for piece in preview.pieces}
    if PieceKind.SKIPPED in kinds:
        text += "; what stands in brackets is skipped, and never merges"
    elif PieceKind.DROPPED in kinds:
        text += "; what stands in brackets is dropped"
    return text


def _chip(number: int, piece: Piece) -> Chip:
    label = visible_beginning(piece.text.encode("utf-8"))
    if piece.kind in (PieceKind.SKIPPED, PieceKind.DROPPED):
        label = f"({label})"
    return Chip(number, label, f"{label}: {_TIPS[piece.kind]}")
