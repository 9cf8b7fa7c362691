"""Labels whose text is longer than their room."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.labels import ElidingLabel, SteadyLabel

WORDS = "The lead changes again and again, and no run is ahead of the others for long. " * 3


def inked_rows(label: ElidingLabel) -> NDArray[np.bool_]:
    """The rows of pixels with something written in them."""
    image = label.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    width, height = image.width(), image.height()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(height, -1)[:, :width]
    return (rows != rows[0, 0]).any(axis=1)


def test_no_line_of_a_text_that_wraps_is_cut_through(qtbot: QtBot) -> None:
    label = ElidingLabel()
    label.setWordWrap(True)
    qtbot.addWidget(label)
    label.setText(WORDS)
    line = label.fontMetrics().lineSpacing()
    label.resize(200, 3 * line + line // 2)
    label.show()
    rows = inked_rows(label)
    assert not rows[0]
    assert not rows[-1], "nothing hangs over the lower edge"
    assert rows[: len(rows) // 3].any()
    assert rows[-len(rows) // 3 :].any(), "as many lines as have room"
    assert label.text() == WORDS
    label.resize(200, label.heightForWidth(200))
    assert inked_rows(label).sum() > 5 * line // 2, "and all of them where there is room"


class Counted(ElidingLabel):
    """Counts how often it is painted."""

    paints = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.paints += 1


def test_a_text_that_wraps_and_can_be_selected_is_painted_once(qtbot: QtBot) -> None:
    """To measure it while it was painted had it painted again, for as long as it was in view."""
    window = QWidget()
    qtbot.addWidget(window)
    label, beside = Counted(WORDS, window), Counted("beside", window)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setWordWrap(True)
    window.resize(400, 400)
    window.show()
    height = label.heightForWidth(200)
    for room in (height, height // 2):
        label.setGeometry(0, 40, 200, room)
        for _ in range(2):  # once to have done what is still to be painted
            before, label.paints = beside.paints, 0
            label.update()
            beside.update()
            qtbot.waitUntil(lambda: beside.paints > before)  # noqa: B023
        assert label.paints == 1


def test_a_few_letters_around_an_ellipsis_are_not_drawn(qtbot: QtBot) -> None:
    label = ElidingLabel("Jaccard 0.200, by use in the text 0.300")
    label.elide = Qt.TextElideMode.ElideMiddle
    qtbot.addWidget(label)
    width = label.fontMetrics().horizontalAdvance
    for text, drawn in (("Ja…00", False), ("Jaccard 0.…he text 0.300", True)):
        label.resize(width(text) + 2, label.sizeHint().height())
        label.show()
        assert inked_rows(label).any() == drawn


def test_a_line_with_what_looks_like_a_tag_ends_with_an_ellipsis(qtbot: QtBot) -> None:
    text = "without est + </w> at merge 3: Done in 0.1 s: no pair is left to merge."
    label, elided = SteadyLabel(), QLabel()
    elided.setTextFormat(Qt.TextFormat.PlainText)
    metrics = label.label.fontMetrics()
    width = metrics.horizontalAdvance(text) // 2
    label.set_text(text)
    elided.setText(metrics.elidedText(text, Qt.TextElideMode.ElideRight, width))
    for each in (label, elided):
        qtbot.addWidget(each)
        each.resize(width, 20)
    assert label.grab().toImage() == elided.grab().toImage()
