"""Which difference is looked at, how many there are, and the way to the next one."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from bpe_gui.ui.theme.text_size import FontFollower, scaled
from bpe_gui.ui.widgets.steady_label import SteadyLabel

_ICON = 14


class DifferenceBar(QWidget):
    """Buttons for the difference before and the next, and where one is among them."""

    def __init__(self, previous: QAction, following: QAction) -> None:
        super().__init__()
        self._count = SteadyLabel()
        self._count.label.setObjectName("differenceCount")
        self._count.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        FontFollower(self._count, self._fit)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for widget in (_button(previous), self._count, _button(following)):
            row.addWidget(widget)

    def _fit(self) -> None:
        metrics = self._count.fontMetrics()
        self._count.setFixedWidth(metrics.horizontalAdvance(" difference 99,999 of 99,999 "))

    @property
    def text(self) -> str:
        """What is told of the differences."""
        return self._count.text()

    def show_place(self, number: int, total: int | None) -> None:
        """Tell which difference is looked at, counted from 0 (-1: none yet), of how many.

        None: there is no text, or there are no two lanes, to be compared.
        """
        if total is None:
            text = "nothing to compare"
        elif not total:
            text = "no difference"
        elif number < 0:
            text = "1 difference" if total == 1 else f"{total:,} differences"
        else:
            text = f"difference {number + 1:,} of {total:,}"
        self._count.set_text(text)

    def show_busy(self) -> None:
        """Tell that a text is still being cut; the next place or total ends it."""
        self._count.set_text("comparing…")


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    FontFollower(button, lambda: _fit_icon(button))
    button.setAccessibleName(action.text().replace("&", ""))
    return button


def _fit_icon(button: QToolButton) -> None:
    size = scaled(_ICON, button.font())
    button.setIconSize(QSize(size, size))
