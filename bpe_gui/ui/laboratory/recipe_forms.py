"""The sections of the recipe editor for the split, symbols, stops and special tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.visible import NEWLINE, TAB, visible_beginning
from bpe_gui.analysis.word_preview import MAX_TEXT, Piece, PieceKind, WordPreview
from bpe_gui.bpe.pre_tokenize import PATTERNS, matched_pattern
from bpe_gui.bpe.recipe import (
    MATCHES,
    MAX_NUMBER,
    REGEX,
    TOKEN_OPTIONS,
    Alphabet,
    EndOfWord,
    Symbols,
    is_sequence,
    own_pattern,
    prefix_of,
)
from bpe_gui.progress import counted
from bpe_gui.ui.laboratory.drafts import Drafts, RecipeDraft
from bpe_gui.ui.laboratory.escapes import EXPLAINED, escaped, unescaped
from bpe_gui.ui.laboratory.form_widgets import Bound, EscapedDelegate, RecipeSection
from bpe_gui.ui.laboratory.pattern_edit import PatternEdit
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.pipeline.recipe_words import (
    BYTE_FALLBACK_TITLE,
    NEW_CHARACTERS_OFTEN,
    NEW_CHARACTERS_TIP,
    NEW_CHARACTERS_TITLE,
    OWN_SPLITS,
    SEVERAL_SPLITS,
    SPLIT_TITLES,
    choice_title,
    split_title,
)
from bpe_gui.ui.theme.text_size import FontFollower, set_width
from bpe_gui.ui.tokens.token_chips import Chip, TokenChips
from bpe_gui.ui.widgets.boxes import ComboBox, ElidingComboBox, SpinBox
from bpe_gui.ui.widgets.layouts import STYLED, FlowLayout, filled
from bpe_gui.ui.widgets.naming import named, remark

# -- split -----------------------------------------------------------------------------------------

_SHOWN_PATTERN = 60
_LONGEST_PATTERN = 1000
"""Characters up to which the pattern of a preset split is shown, to start from."""

_STARTS = {"whitespace": r"\S+", "lines": r"[ \n]|[^ \n]+", "none": r"(?s:.+)"}
"""What to start a regex from, for splits without a pattern; for others, that of GPT-2."""

_MOST_ROWS = 4
"""Rows of words at most."""

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
        tip = "How the text is split into words"
        self._box = named(ElidingComboBox(), "splitBox", "Split", tip)
        for split, (title, tip) in (*SPLIT_TITLES.items(), *OWN_SPLITS.items()):
            self._box.addItem(title, split)
            self._box.setItemData(self._box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self._box.setPlaceholderText(SEVERAL_SPLITS[0])
        self._description = remark(name="splitDescription")
        tip = "Each match is a word. The dialect is that of the regex module"
        self.pattern = named(PatternEdit(), "splitPatternEdit", "Split pattern", tip)
        self.pattern.setPlaceholderText("Write a regular expression here to split by it")
        self._count = remark(name="splitPreviewCount")
        self.words = TokenChips("splitPreview", "Words of the sample text")
        note = self.add_note("split", "splitProblem")
        for widget in (self._box, self._description, self.pattern, note, self._count, self.words):
            self.column.addWidget(widget)
        self._box.activated.connect(self._on_box)
        self.pattern.textChanged.connect(self._on_pattern)

    def fill(self, draft: RecipeDraft) -> None:
        split = draft.value("split")
        self._box.setCurrentIndex(self._box.findData(prefix_of(split) or split))
        self._description.setText(_description(split))
        shown = pattern_of(split)
        self.pattern.set_text(shown or "")
        self.pattern.setVisible(shown is not None)

    def summary(self, draft: RecipeDraft) -> str:
        split = draft.value("split")
        pattern = own_pattern(split)
        if pattern is None:
            return split_title(split)
        return f"{OWN_SPLITS[prefix_of(split)][0]}: {in_a_line(pattern[:_SHOWN_PATTERN])}"

    def show_problems(self, found: Sequence[Problem]) -> None:
        super().show_problems(found)
        positions = [problem.position for problem in found if problem.field == "split"]
        self.pattern.show_error(positions[0] if positions else None)

    def show_preview(self, preview: WordPreview | None, problem: str) -> None:
        """Show the words of the sample text, or why there are none."""
        self.words.setVisible(preview is not None)
        self._count.setVisible(preview is not None)
        if problem:
            self.notes["split"].show_sentences([problem])
        if preview is None:
            return
        self._count.setText(_counted(preview))
        chips = [_chip(number, piece) for number, piece in enumerate(preview.pieces)]
        self.words.set_tokens("", chips, max(preview.words, len(chips)))
        self._fit_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()

    def _fit_rows(self) -> None:
        for rows in range(1, _MOST_ROWS + 1):
            self.words.set_rows(rows)
            if self.words.shows_all:
                return

    @Slot()
    def _on_box(self) -> None:
        chosen = self._box.currentData()
        if chosen in OWN_SPLITS:
            start = self.pattern.text() or _STARTS.get(self.drafts.current.value("split"))
            self.drafts.change({"split": chosen + (start or PATTERNS["gpt2"])})
            self.pattern.setFocus()
        else:
            self.drafts.change({"split": chosen})

    @Slot()
    def _on_pattern(self) -> None:
        text, base = self.pattern.text(), self.drafts.current.base.split
        prefix = prefix_of(self.drafts.current.value("split"))
        drops_as_base = (prefix == MATCHES) is (prefix_of(base) == MATCHES)
        is_base = text == pattern_of(base) and drops_as_base
        self.drafts.change({"split": base if is_base else (prefix or REGEX) + text})


def _description(split: str) -> str:
    if is_sequence(split):
        return f"{split_title(split)}. {SEVERAL_SPLITS[1]}"
    prefix = prefix_of(split)
    return OWN_SPLITS[prefix][1] if prefix else SPLIT_TITLES[split][1]


def pattern_of(split: str) -> str | None:
    """Return the regex that describes a split, if there is one that people can read."""
    pattern = PATTERNS.get(split) or matched_pattern(split)
    if pattern is None or (own_pattern(split) is None and len(pattern) > _LONGEST_PATTERN):
        return None
    return pattern


def _counted(preview: WordPreview) -> str:
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
    """Return a pattern with marks for newlines and tabs; a backslash stays one."""
    return pattern.replace("\n", NEWLINE).replace("\t", TAB)


# -- symbols ---------------------------------------------------------------------------------------

_ALONG = {"alphabet": "the alphabet", "end_of_word": "at the end of a word"}


class SymbolsSection(RecipeSection):
    """Edits the fields `symbols`, `byte_fallback`, `alphabet` and `end_of_word`.

    Where a run goes on from an encoding that falls back to bytes, what becomes of characters that
    it lacks takes the place of the alphabet.
    """

    title, name = "Symbols", "symbols"
    fields = frozenset({"symbols", "byte_fallback", "alphabet", "end_of_word", "inherited"})

    def __init__(self, drafts: Drafts) -> None:
        super().__init__(drafts)
        self._symbols: StrEnum | None = None
        self._went_along = False
        self._note = remark(name="symbolsNote")
        self._note.hide()
        title, tip = BYTE_FALLBACK_TITLE
        self._fallback = named(QCheckBox(title), "byteFallbackCheck", title, tip)
        self._fallback.toggled.connect(self._on_fallback)
        self.add_choices("symbols").changed.connect(self._on_symbols)
        self.column.addWidget(self._fallback, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.add_note("byte_fallback", "byteFallbackProblem"))
        self.column.addWidget(self._note)
        title, often = NEW_CHARACTERS_TITLE, NEW_CHARACTERS_OFTEN
        self._new_characters = named(QCheckBox(title), "newCharactersCheck", title)
        self._often = named(SpinBox(), "newCharactersBox", *often)
        self._often.setRange(1, MAX_NUMBER)
        self._often.setKeyboardTracking(False)
        set_width(self._often, 90)
        self._new_characters.toggled.connect(self._on_new_characters)
        self._often.valueChanged.connect(self._on_new_characters)
        self._new = QWidget()
        how_often = QWidget()
        parts = (QLabel("if they occur"), self._often, QLabel("times or more"))
        filled(QHBoxLayout(how_often), *parts, spacing=6)
        in_a_row = FlowLayout(self._new, spacing=6)
        in_a_row.addWidget(self._new_characters)
        in_a_row.addWidget(how_often)
        self.column.addWidget(self._new)
        self._alphabet = self.add_choices("alphabet")
        for row in (self._alphabet, self.add_choices("end_of_word")):
            row.changed.connect(drafts.change)

    def fill(self, draft: RecipeDraft) -> None:
        """Show a draft; hide the note about changes that came with other symbols."""
        if draft.value("symbols") is not self._symbols:
            self._symbols = draft.value("symbols")
            self._note.hide()
        super().fill(draft)
        falls_back, is_bytes = draft.value("byte_fallback"), self._symbols is Symbols.BYTES
        with QSignalBlocker(self._fallback):
            self._fallback.setChecked(falls_back)
        self._fallback.setEnabled(falls_back or not is_bytes)
        tip = "For characters only: bytes spell every text" if is_bytes else BYTE_FALLBACK_TITLE[1]
        self._fallback.setToolTip(tip)
        self._fallback.setAccessibleDescription(tip)
        inherited = draft.value("inherited") if falls_back else None
        self._new.setVisible(inherited is not None)
        self._alphabet.setVisible(inherited is None)
        if inherited is not None:
            self._new_characters.setToolTip(NEW_CHARACTERS_TIP.format(inherited.name))
            become_symbols = not inherited.keeps_fallback or inherited.least_uses > 0
            with QSignalBlocker(self._new_characters), QSignalBlocker(self._often):
                self._new_characters.setChecked(become_symbols)
                if become_symbols:
                    self._often.setValue(max(inherited.least_uses, 1))
            self._often.setEnabled(become_symbols)

    def summary(self, draft: RecipeDraft) -> str:
        inherited = draft.value("inherited")
        alphabet = choice_title("alphabet", draft.value("alphabet"))
        if inherited is not None and inherited.keeps_fallback:
            alphabet = f"those of {inherited.name}"
            if inherited.least_uses:
                alphabet += f" and new ones from {inherited.least_uses:,} times"
        parts = [choice_title("symbols", draft.value("symbols")), alphabet]
        if draft.value("byte_fallback"):
            parts.append(BYTE_FALLBACK_TITLE[0].lower())
        if draft.value("end_of_word") is not EndOfWord.NONE:
            parts.append(choice_title("end_of_word", draft.value("end_of_word")))
        return ", ".join(parts)

    def _along(self, choice: StrEnum) -> dict[str, StrEnum | bool]:
        """Return the changes of other fields without which other symbols make no recipe."""
        if choice is Symbols.CHARACTERS and self.value("alphabet") is Alphabet.BYTES:
            return {"alphabet": Alphabet.OBSERVED}
        if choice is not Symbols.BYTES:
            return {}
        along: dict[str, StrEnum | bool] = {}
        if self._went_along:
            along["alphabet"] = Alphabet.BYTES
        if self.value("end_of_word") is EndOfWord.OWN:
            along["end_of_word"] = EndOfWord.NONE
        if self.value("byte_fallback"):
            along["byte_fallback"] = False
        return along

    @Slot(bool)
    def _on_fallback(self, falls_back: bool) -> None:
        self.drafts.change({"byte_fallback": falls_back})

    @Slot()
    def _on_new_characters(self) -> None:
        become_symbols, least = self._new_characters.isChecked(), self._often.value()
        some = become_symbols and least > 1
        inherited = replace(
            self.value("inherited"),
            keeps_fallback=some or not become_symbols,
            least_uses=least if some else 0,
        )
        self.drafts.change({"inherited": inherited})

    @Slot(object)
    def _on_symbols(self, values: Mapping[str, StrEnum]) -> None:
        along = self._along(values["symbols"])
        self._went_along = along.get("alphabet") is Alphabet.OBSERVED
        self.drafts.change({**values, **along})
        symbols = choice_title("symbols", values["symbols"])
        changed = [
            f"{_ALONG[field]} “{choice_title(field, one)}”"
            if isinstance(one, StrEnum) else "no byte fallback"
            for field, one in along.items()
        ]  # fmt: skip
        self._note.setText(f"For {symbols}, {' and '.join(changed)} was chosen too.")
        self._note.setVisible(bool(changed))


# -- stops -----------------------------------------------------------------------------------------

_BOUNDS = (
    (
        "vocabulary_size", "Vocabulary size",
        "Stop at this number of entries, special tokens and alphabet included",
        (1, 30_000, 1000), None,
    ),
    ("merges", "Merges", "Stop after this number of merges", (0, 1000, 100), None),
    ("min_frequency", "Minimum frequency", "Stop when no pair occurs this often", (2, 2, 1), 1),
)  # fmt: skip
"""Field, title and tip; minimum, first value and step; the value for no bound."""


class StopsSection(RecipeSection):
    """Edits the fields `vocabulary_size`, `merges`, `min_frequency` and `ties`."""

    title, name = "Stop", "stops"
    fields = frozenset({"vocabulary_size", "merges", "min_frequency", "ties"})

    def __init__(self, drafts: Drafts) -> None:
        super().__init__(drafts)
        self._checks: list[QCheckBox] = []
        bounds = filled(QVBoxLayout(), spacing=STYLED)
        for about in _BOUNDS:
            field = about[0]
            bound = self.controls[field] = Bound(drafts, *about)
            place = QWidget()
            row = FlowLayout(place, spacing=12)
            row.addWidget(bound.check)
            row.addWidget(bound.box)
            bounds.addWidget(place)
            bounds.addWidget(self.add_note(field, f"{field}Problem"))
            self._checks.append(bound.check)
        self.column.addLayout(bounds)
        self.add_choices("ties").changed.connect(drafts.change)
        FontFollower(self, self._align)

    def _align(self) -> None:
        """Put the numbers below each other, where they are beside their titles."""
        widest = max(check.sizeHint().width() for check in self._checks)
        for check in self._checks:
            check.setMinimumWidth(widest)

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


# -- special tokens --------------------------------------------------------------------------------

_SHOWN_TOKENS = 4
"""Tokens in the summary."""
_MOST_TOKEN_ROWS = 6
"""Rows up to which the table grows with its tokens."""
_NEW = "<token>"
_NO_TOKEN = "none"
_TOKEN, _FOUND, _HOW = range(3)

_SOME_OF = ("reserved_tokens", *TOKEN_OPTIONS)
"""The fields that list some of the special tokens."""

_SHORT_OPTIONS = {
    "lstrip_tokens": "space before",
    "rstrip_tokens": "space after",
    "single_word_tokens": "no part of words",
    "normalized_tokens": "normalized",
}
"""The columns of the table."""


class TokenTable(QTableWidget):
    """Lists the tokens; Delete removes the current one, F2 or Enter edits it."""

    removeWanted = Signal()
    """The user has pressed Delete."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        editing = self.state() == QAbstractItemView.State.EditingState
        if event.key() == Qt.Key.Key_Delete and not editing:
            self.removeWanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not editing:
            if (item := self.item(self.currentRow(), _TOKEN)) is not None:
                self.editItem(item)
        else:
            super().keyPressEvent(event)


class SpecialTokensSection(RecipeSection):
    """Edits the fields `special_tokens`, `reserved_tokens` and `unknown_token`, and shows how
    tokens that come from a file are found.
    """

    title, name, spacing = "Special tokens", "specialTokens", 6
    fields = frozenset({"special_tokens", *_SOME_OF, "unknown_token"})

    def __init__(self, drafts: Drafts) -> None:
        super().__init__(drafts)
        tip = "They take the first ids, in this order. One that is not matched in a text only "
        tip += "holds its id"
        self.table = named(TokenTable(0, 3), "specialTokensTable", "Special tokens", tip)
        self.table.setHorizontalHeaderLabels(["Token", "Matched in text", "With"])
        self.add_button = named(QPushButton("Add a token"), "addSpecialTokenButton")
        tip = "Remove the current token (Delete, and back by Ctrl+Z)"
        self.remove_button = named(QPushButton("Remove"), "removeSpecialTokenButton", tip=tip)
        self._explained = remark(EXPLAINED)
        tip = "Stands for symbols that are not in the alphabet"
        self.unknown_box = named(ComboBox(), "unknownTokenBox", "Unknown token", tip)
        self._lay_out()
        self.table.itemChanged.connect(self._on_item)
        self.table.removeWanted.connect(self._on_remove)
        self.add_button.clicked.connect(self._on_add)
        self.remove_button.clicked.connect(self._on_remove)
        box = self.unknown_box
        box.activated.connect(lambda: drafts.change({"unknown_token": box.currentData()}))

    def _lay_out(self) -> None:
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(_TOKEN, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_FOUND, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_HOW, QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().hide()
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setItemDelegate(EscapedDelegate(self.table))
        label, box = QLabel("Unknown token"), self.unknown_box
        label.setBuddy(box)
        self.column.addLayout(filled(
            QVBoxLayout(), self.table, self._explained,
            self.add_note("special_tokens", "specialTokensProblem"),
            filled(QHBoxLayout(), self.add_button, self.remove_button, None, spacing=STYLED),
            filled(QHBoxLayout(), label, box, stretched=box, spacing=STYLED),
            self.add_note("unknown_token", "unknownTokenProblem"), spacing=self.spacing,
        ))  # fmt: skip

    @property
    def _tokens(self) -> tuple[str, ...]:
        tokens: tuple[str, ...] = self.value("special_tokens")
        return tokens

    def fill(self, draft: RecipeDraft) -> None:
        self._fill_table()
        self._fill_box()

    def summary(self, draft: RecipeDraft) -> str:
        tokens = draft.value("special_tokens")
        shown = [escaped(token) for token in tokens[:_SHOWN_TOKENS]]
        return ", ".join(shown) + (" …" if len(tokens) > _SHOWN_TOKENS else "") or "none"

    def _fill_table(self) -> None:
        blocked = self.table.blockSignals(True)
        self.table.setRowCount(len(self._tokens))
        for row, token in enumerate(self._tokens):
            item, found, how = self._items(row)
            item.setText(escaped(token))
            options = self._options(token)
            how.setText(", ".join(_SHORT_OPTIONS[name] for name in options))
            how.setToolTip("; ".join(TOKEN_OPTIONS[name] for name in options))
            is_reserved = token in self.value("reserved_tokens")
            state = Qt.CheckState.Unchecked if is_reserved else Qt.CheckState.Checked
            found.setCheckState(state)
        self.table.blockSignals(blocked)
        self.table.setColumnHidden(_HOW, not any(map(self._options, self._tokens)))
        self.table.setVisible(bool(self._tokens))
        self._explained.setVisible(bool(self._tokens))
        self.remove_button.setVisible(bool(self._tokens))
        rows = min(len(self._tokens), _MOST_TOKEN_ROWS)
        height = self.table.horizontalHeader().sizeHint().height() + 4
        self.table.setFixedHeight(height + sum(self.table.rowHeight(row) for row in range(rows)))

    def _options(self, token: str) -> list[str]:
        """Return the fields that tell how a token is found, if not as others are."""
        return [name for name in TOKEN_OPTIONS if token in self.value(name)]

    def _items(self, row: int) -> tuple[QTableWidgetItem, QTableWidgetItem, QTableWidgetItem]:
        """Return the three items of a row, made if it has none."""
        item, found, how = (self.table.item(row, each) for each in (_TOKEN, _FOUND, _HOW))
        if item is None or found is None or how is None:
            item, found, how = QTableWidgetItem(), QTableWidgetItem(), QTableWidgetItem()
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            found.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable)
            found.setToolTip("Look for this token in texts")
            how.setFlags(flags)
            for column, each in ((_TOKEN, item), (_FOUND, found), (_HOW, how)):
                self.table.setItem(row, column, each)
        return item, found, how

    def _fill_box(self) -> None:
        offered, unknown = [*dict.fromkeys(self._tokens)], self.value("unknown_token")
        if unknown is not None and unknown not in offered:
            offered.append(unknown)
        self.unknown_box.clear()
        self.unknown_box.addItem(_NO_TOKEN, None)
        for token in offered:
            self.unknown_box.addItem(escaped(token), token)
        self.unknown_box.setCurrentIndex(0 if unknown is None else offered.index(unknown) + 1)

    @Slot(QTableWidgetItem)
    def _on_item(self, item: QTableWidgetItem) -> None:
        token = self._tokens[item.row()]
        if item.column() == _TOKEN:
            self._replace(item.row(), unescaped(item.text()))
            self._fill_table()
            return
        reserved = [one for one in self.value("reserved_tokens") if one != token]
        if item.checkState() != Qt.CheckState.Checked:
            reserved.append(token)
        self.drafts.change({"reserved_tokens": tuple(reserved)})

    def _replace(self, row: int, after: str | None) -> None:
        """Rename a token, which is found as before, or the unknown token; None removes it."""
        before, kept = self._tokens[row], () if after is None else (after,)
        tokens = (*self._tokens[:row], *kept, *self._tokens[row + 1 :])
        changes: dict[str, object] = {"special_tokens": tokens}
        if before not in tokens:
            for name in _SOME_OF:
                some = dict.fromkeys(after if one == before else one for one in self.value(name))
                some.pop(None, None)
                changes[name] = tuple(some)
            if before == self.value("unknown_token"):
                changes["unknown_token"] = after
        self.drafts.change(changes)

    @Slot()
    def _on_add(self) -> None:
        token, number = _NEW, 2
        while token in self._tokens:
            token, number = f"<token{number}>", number + 1
        self.drafts.change({"special_tokens": (*self._tokens, token)})
        row = len(self._tokens) - 1
        self.table.setCurrentCell(row, _TOKEN)
        self.table.setFocus()
        if (item := self.table.item(row, _TOKEN)) is not None:
            self.table.editItem(item)

    @Slot()
    def _on_remove(self) -> None:
        row = self.table.currentRow()
        if not 0 <= row < len(self._tokens):
            row = len(self._tokens) - 1
        if row >= 0:
            self._replace(row, None)
