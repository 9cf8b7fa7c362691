"""The special tokens of a recipe, as a table to edit, and which of them is the unknown token."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
)

from bpe_gui.ui.laboratory.drafts import Drafts
from bpe_gui.ui.laboratory.escapes import EXPLAINED, escaped, unescaped
from bpe_gui.ui.laboratory.form_widgets import EscapedDelegate, RecipeSection
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.widgets.boxes import ComboBox

_SHOWN_TOKENS = 4
"""In the line that sums up."""
_MOST_ROWS = 6
"""Rows up to which the table grows with its tokens."""
_NEW = "<token>"
_NO_TOKEN = "none"
_TOKEN, _FOUND = range(2)
"""The columns of the table."""


class TokenTable(QTableWidget):
    """One row for each token; Delete removes the current one, F2 or Enter edits it."""

    removeWanted = Signal()
    """The user wants to be rid of the current token."""

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
    """Edits the fields `special_tokens`, `reserved_tokens` and `unknown_token`."""

    title, name, spacing = "Special tokens", "specialTokens", 6
    fields = frozenset({"special_tokens", "reserved_tokens", "unknown_token"})

    def __init__(self, drafts: Drafts) -> None:
        super().__init__(drafts)
        self.table = TokenTable(0, 2)
        self.add_button = QPushButton("Add a token")
        self.remove_button = QPushButton("Remove")
        self._explained = QLabel(EXPLAINED)
        self.unknown_box = ComboBox()
        self._name_parts()
        self._lay_out()
        self.table.itemChanged.connect(self._on_item)
        self.table.removeWanted.connect(self._on_remove)
        self.add_button.clicked.connect(self._on_add)
        self.remove_button.clicked.connect(self._on_remove)
        self.unknown_box.activated.connect(self._on_unknown)

    def _name_parts(self) -> None:
        self.table.setObjectName("specialTokensTable")
        self.table.setAccessibleName("Special tokens")
        self.table.setHorizontalHeaderLabels(["Token", "Matched in text"])
        self.table.setToolTip(
            "They take the first ids, in this order. One that is not matched in a text only "
            "holds its id"
        )
        self.add_button.setObjectName("addSpecialTokenButton")
        self.remove_button.setObjectName("removeSpecialTokenButton")
        self.remove_button.setToolTip("Remove the current token (Delete, and back by Ctrl+Z)")
        self.unknown_box.setObjectName("unknownTokenBox")
        self.unknown_box.setAccessibleName("Unknown token")
        self.unknown_box.setToolTip("Stands for what the alphabet does not have")

    def _lay_out(self) -> None:
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(_TOKEN, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_FOUND, QHeaderView.ResizeMode.ResizeToContents)
        self.table.verticalHeader().hide()
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setItemDelegate(EscapedDelegate(self.table))
        self._explained.setProperty("quiet", True)
        self._explained.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add_button)
        buttons.addWidget(self.remove_button)
        buttons.addStretch(1)
        unknown = QHBoxLayout()
        label = QLabel("Unknown token")
        label.setBuddy(self.unknown_box)
        unknown.addWidget(label)
        unknown.addWidget(self.unknown_box, 1)
        column = self.column
        column.addWidget(self.table)
        column.addWidget(self._explained)
        column.addWidget(self.add_note("special_tokens", "specialTokensProblem"))
        column.addLayout(buttons)
        column.addLayout(unknown)
        column.addWidget(self.add_note("unknown_token", "unknownTokenProblem"))

    @property
    def _tokens(self) -> tuple[str, ...]:
        tokens: tuple[str, ...] = self.value("special_tokens")
        return tokens

    @property
    def _reserved(self) -> tuple[str, ...]:
        tokens: tuple[str, ...] = self.value("reserved_tokens")
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
            item, found = self._items(row)
            item.setText(escaped(token))
            state = Qt.CheckState.Unchecked if token in self._reserved else Qt.CheckState.Checked
            found.setCheckState(state)
        self.table.blockSignals(blocked)
        self.table.setVisible(bool(self._tokens))
        self._explained.setVisible(bool(self._tokens))
        self.remove_button.setVisible(bool(self._tokens))
        rows = min(len(self._tokens), _MOST_ROWS)
        height = self.table.horizontalHeader().sizeHint().height() + 4
        self.table.setFixedHeight(height + sum(self.table.rowHeight(row) for row in range(rows)))

    def _items(self, row: int) -> tuple[QTableWidgetItem, QTableWidgetItem]:
        """The two items of a row, made if it has none."""
        item, found = self.table.item(row, _TOKEN), self.table.item(row, _FOUND)
        if item is None or found is None:
            item, found = QTableWidgetItem(), QTableWidgetItem()
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            found.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable)
            found.setToolTip("Look for this token in texts")
            self.table.setItem(row, _TOKEN, item)
            self.table.setItem(row, _FOUND, found)
        return item, found

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
            self._rename(item.row(), token, unescaped(item.text()))
            self._fill_table()
            return
        reserved = [one for one in self._reserved if one != token]
        if item.checkState() != Qt.CheckState.Checked:
            reserved.append(token)
        self.drafts.change({"reserved_tokens": tuple(reserved)})

    def _rename(self, row: int, before: str, after: str) -> None:
        """Take a token as it was written; it is still reserved, or the unknown token."""
        tokens = list(self._tokens)
        tokens[row] = after
        changes: dict[str, object] = {"special_tokens": tuple(tokens)}
        if before not in tokens:
            renamed = {before: after}
            reserved = dict.fromkeys(renamed.get(one, one) for one in self._reserved)
            changes["reserved_tokens"] = tuple(reserved)
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
        if row < 0:
            return
        removed = self._tokens[row]
        left = (*self._tokens[:row], *self._tokens[row + 1 :])
        changes: dict[str, object] = {"special_tokens": left}
        if removed not in left:
            changes["reserved_tokens"] = tuple(one for one in self._reserved if one != removed)
            if removed == self.value("unknown_token"):
                changes["unknown_token"] = None
        self.drafts.change(changes)

    @Slot()
    def _on_unknown(self) -> None:
        self.drafts.change({"unknown_token": self.unknown_box.currentData()})
