"""Boxes of numbers take what is typed, also where a word is written for the least value."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.boxes import DoubleSpinBox, SpinBox
from tests.ui.driving import active, shown


@pytest.mark.parametrize("kind", [SpinBox, DoubleSpinBox])
def test_digits_replace_the_word_for_the_least_value(
    qtbot: QtBot, kind: type[SpinBox | DoubleSpinBox]
) -> None:
    box = active(qtbot, shown(qtbot, kind(), 200, 40))
    box.setSpecialValueText("not asked")
    box.setMaximum(9000)
    # As a click within the word leaves it, and a dialog that has just opened.
    for place in (0, 3, 9):
        box.setValue(0)
        box.setFocus(Qt.FocusReason.OtherFocusReason)
        box.lineEdit().deselect()
        box.lineEdit().setCursorPosition(place)
        QTest.keyClicks(box, "25")
        assert box.value() == 25
