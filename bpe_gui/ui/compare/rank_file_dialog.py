"""Asks for the split pattern and the special tokens of a rank file, which are not in the file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats.rank_families import KNOWN_SPECIAL_TOKENS, RankFamily, family_of
from bpe_gui.encodings.formats.split_patterns import NAMED_PATTERNS
from bpe_gui.encodings.formats.untrusted_files import MAX_ID, read_bounded, to_number
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.naming import named

SpecialTokens = Mapping[str, int] | str | None
"""Texts and ids, a known name, or None: those of the encoding that the file is."""

_OWN = "of your own"
_THOSE_OF_IT = "those that belong to it"
_THOSE_BESIDE = "those in tokenizer_config.json beside it, if any"
_NONE = "none"

_PATTERN_WIDTH = 320
"""The least width of a pattern in pixels, at usual text size: those in use have a hundred letters.
"""

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s=,]+')
"""A typed token or id: in quotation marks, or up to a space."""


class RankFileDialog(QDialog):
    """Asks for a known split or a pattern, and for known special tokens or a list of them."""

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rankFileDialog")
        self.setWindowTitle(path.name)
        self.splits = named(ComboBox(), "rankFileSplit")
        for name in NAMED_PATTERNS:
            self.splits.addItem(name, name)
        self.splits.addItem(_OWN, None)
        family = _family_of(path)
        guesses = [name for name in NAMED_PATTERNS if name in path.stem]
        guess = family.split if family is not None else max(guesses, key=len, default="")
        self.splits.setCurrentIndex(max(self.splits.findData(guess), 0))
        self._guess = _said_of(family, by_name=bool(guess))
        self.pattern = named(QLineEdit(), "rankFilePattern")
        self.pattern.setMinimumWidth(scaled(_PATTERN_WIDTH, self.font()))
        self.pattern.setPlaceholderText(r"\p{L}+|\p{N}+|[^\p{L}\p{N}]+")
        self.specials = named(ComboBox(), "rankFileSpecials")
        self._fill_specials(_THOSE_OF_IT if family is not None else _THOSE_BESIDE)
        self.tokens = named(QLineEdit(), "rankFileTokens")
        self.tokens.setPlaceholderText('<|endoftext|> 50256  "with a space" 50257')
        plain = Qt.TextFormat.PlainText
        self._wrong = named(QLabel(textFormat=plain, wordWrap=True), "rankFileProblem")
        self._wrong.setProperty("problem", True)
        self._buttons = QDialogButtonBox()
        self._build()
        self.splits.currentIndexChanged.connect(self._check)
        self.pattern.textChanged.connect(self._check)
        self.specials.currentIndexChanged.connect(self._check)
        self.tokens.textChanged.connect(self._check)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._check()

    def _fill_specials(self, own: str) -> None:
        self.specials.addItem(own, None)
        self.specials.addItem(_NONE, _NONE)
        for name in KNOWN_SPECIAL_TOKENS:
            self.specials.addItem(f"those of {name}", name)
        self.specials.addItem(_OWN, _OWN)

    def _build(self) -> None:
        explanation = QLabel(
            "A rank file holds tokens, but neither the pattern that splits a text into words "
            "before any merge, nor special tokens. Which ones belong to it?",
            wordWrap=True,
        )
        guess = named(QLabel(self._guess, wordWrap=True), "rankFileGuess")
        form = QFormLayout()
        form.addRow("&Split", self.splits)
        form.addRow("&Pattern", self.pattern)
        form.addRow("Special &tokens", self.specials)
        form.addRow("With their &ids", self.tokens)
        asked = filled(QVBoxLayout(), explanation, guess, form, self._wrong, spacing=STYLED)
        layout = QVBoxLayout(self)
        layout.addLayout(asked)
        layout.addWidget(self._buttons)
        self._buttons.setStandardButtons(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )

    @property
    def split(self) -> str:
        """The name of a known split, or the pattern."""
        return self.splits.currentData() or self.pattern.text()

    @property
    def special_tokens(self) -> SpecialTokens:
        """The chosen special tokens. Raises ValueError as `written_tokens`."""
        chosen = self.specials.currentData()
        if chosen == _OWN:
            return written_tokens(self.tokens.text())
        return {} if chosen == _NONE else chosen

    @Slot()
    def _check(self) -> None:
        """Enable OK for a valid pattern and valid tokens, and say what is wrong with others."""
        own_pattern = self.splits.currentData() is None
        own_tokens = self.specials.currentData() == _OWN
        self.pattern.setEnabled(own_pattern)
        self.tokens.setEnabled(own_tokens)
        missing = own_pattern and not self.pattern.text()
        problem = _problem_of(self.pattern.text()) if own_pattern and not missing else ""
        if own_tokens and not problem:
            try:
                written_tokens(self.tokens.text())
            except ValueError as error:
                problem = str(error)
        self._wrong.setText(problem)
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(not problem and not missing)


def _family_of(path: Path) -> RankFamily | None:
    """Guess whose rank file it is; None for a file that cannot be read, too: its lane says why."""
    try:
        return family_of(read_bounded(path))
    except (EncodingError, OSError):
        return None


def _said_of(family: RankFamily | None, *, by_name: bool) -> str:
    """Say whose rank file it is, or that this is not known."""
    if family is not None:
        return f"This looks like {family.description}."
    why = "; the split is chosen by its name" if by_name else ""
    return f"It is none of the known rank files{why}. A wrong split gives wrong tokens."


def written_tokens(text: str) -> dict[str, int]:
    """Parse special tokens and their ids, typed one after another.

    Tokens with spaces, commas or equals signs are in quotation marks, with backslashes as in
    JSON. Raises ValueError with one sentence for anything else.

    >>> written_tokens('<|a|> 100  "b c" 101')
    {'<|a|>': 100, 'b c': 101}
    """
    words = _WORD.findall(text)
    written = zip(words[::2], words[1::2], strict=False)
    pairs = [(_token(word), _id(number)) for word, number in written]
    if len(words) % 2:
        raise ValueError(f"“{words[-1]}” has no id: write each token, and then its id.")
    tokens = dict(pairs)
    if len(tokens) < len(pairs):
        raise ValueError("A special token is given twice.")
    return tokens


def _token(word: str) -> str:
    if not word.startswith('"'):
        return word
    try:
        return str(json.loads(word, strict=False))
    except ValueError:
        raise ValueError(
            f"{word} is no text in quotation marks: close them, and put a backslash before each "
            "quotation mark and backslash within."
        ) from None


def _id(word: str) -> int:
    number = to_number(word)
    if number is None and word.isdecimal():
        raise ValueError(f"“{word}” is no id that a token can have: they go up to {MAX_ID:,}.")
    if number is None:
        raise ValueError(f"“{word}” should be the id of the token before it, a whole number.")
    return number


def _problem_of(pattern: str) -> str:
    from bpe_gui.encodings.formats.tiktoken_ranks import check_pattern

    try:
        check_pattern(pattern)
    except EncodingError as error:
        sentence = str(error)
        return f"{sentence[0].upper()}{sentence[1:]}."
    return ""


def ask_beside(path: Path, parent: QWidget | None) -> tuple[str, SpecialTokens] | None:
    """Ask for the split and special tokens of a rank file; None if the user cancels."""
    dialog = RankFileDialog(path, parent)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    beside = (dialog.split, dialog.special_tokens) if accepted else None
    dialog.deleteLater()
    return beside
