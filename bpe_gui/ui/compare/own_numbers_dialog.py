"""Asks for one's own numbers: what tokens cost, what fits a model, how wide its embeddings are."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from bpe_gui.analysis.own_columns import MAX_CONTEXT, MAX_PRICE, MAX_WIDTH, OwnNumbers
from bpe_gui.ui.widgets.boxes import DoubleSpinBox, SpinBox
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.naming import named

_NOT_ASKED = "not asked"


class OwnNumbersDialog(QDialog):
    """Three numbers, each of which adds a column; at its least value it adds none."""

    def __init__(self, numbers: OwnNumbers, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("ownNumbersDialog")
        self.setWindowTitle("Costs by your own numbers")
        self.price = named(DoubleSpinBox(), "ownPrice", "Price of a million tokens")
        self.price.setRange(0, MAX_PRICE)
        self.price.setDecimals(4)
        self.price.setValue(numbers.price or 0)
        self.context = named(SpinBox(), "ownContext", "Tokens that a model takes at once")
        self.context.setRange(0, MAX_CONTEXT)
        self.context.setValue(numbers.context or 0)
        self.embedding = named(SpinBox(), "ownWidth", "Numbers in the embedding of a token")
        self.embedding.setRange(0, MAX_WIDTH)
        self.embedding.setValue(numbers.width or 0)
        for box in (self.price, self.context, self.embedding):
            box.setSpecialValueText(_NOT_ASKED)
            box.setGroupSeparatorShown(True)
        said = "Each number adds a column to the table. 0 takes the column away."
        told = QLabel(said, wordWrap=True)
        form = QFormLayout()
        form.addRow("&Price of a million tokens", self.price)
        form.addRow("Tokens of a &context", self.context)
        form.addRow("&Width of the embeddings", self.embedding)
        buttons = QDialogButtonBox()
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(filled(QVBoxLayout(), told, form, spacing=STYLED))
        layout.addWidget(buttons)
        buttons.setStandardButtons(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )

    @property
    def numbers(self) -> OwnNumbers:
        """The numbers that are asked about."""
        return OwnNumbers(
            self.price.value() or None, self.context.value() or None, self.embedding.value() or None
        )
