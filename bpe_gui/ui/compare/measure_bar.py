"""The bar beside the tabs of numbers: their source, and the progress of measuring files."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTabWidget, QToolButton, QWidget

from bpe_gui.ui.widgets.box_layouts import filled
from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.progress_bar import ProgressBar

_STEPS = 1000
_GAP = 12
"""The gap between the tabs and the text, in logical pixels."""


class MeasureBar(QWidget):
    """Takes all the width that the tabs leave.

    Actions: `cancel` the measuring, go `back` to the numbers of the text, go to those of the file
    `again`, measure the file `anew` after special tokens were set to be read differently, and
    `resume` measuring after it was cancelled.
    """

    def __init__(self, controls: Sequence[QWidget]) -> None:
        """Show one of `controls` while nothing is being measured; see `arrange`."""
        super().__init__()
        self.setObjectName("measureBar")
        self.setAccessibleName("Measuring of files")
        spoken = "How much of the file has been measured"
        self.progress = named(ProgressBar(), "measureProgress", spoken)
        self.progress.setMaximumWidth(160)
        self._label = quiet(named(ElidingLabel(), "metricsAbout"))
        self._label.elide = Qt.TextElideMode.ElideMiddle
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        label, margins = self._label, (_GAP, 0, 2, 0)
        self._row = filled(
            QHBoxLayout(self), label, self.progress, stretched=label, spacing=4, margins=margins
        )
        self._buttons: dict[QAction, QToolButton] = {}
        tip = "Stop measuring, and keep the numbers of the encodings that are done"
        self.cancel = self._add("Cancel", "cancelMeasureAction", tip)
        tip = "Measure the file with special tokens read as they are chosen now"
        self.anew = self._add("Measure again", "measureAgainAction", tip)
        tip = "Measure the file with the encodings that have no numbers yet"
        self.resume = self._add("Resume", "resumeMeasureAction", tip)
        tip = "Show the numbers of the text instead of those of the file"
        self.back = self._add("Back to the text", "backToTextAction", tip)
        self.again = self._add("Back to the file", "backToFileAction")
        self._controls: list[QWidget] = []
        for widget in controls:
            self.add_controls(widget)

    def add_controls(self, widget: QWidget) -> None:
        """Add controls of a page."""
        self._controls.append(widget)
        self._row.addWidget(widget)

    def _add(self, text: str, name: str, tip: str = "") -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        action.setToolTip(tip)
        button = self._buttons[action] = QToolButton()
        button.setObjectName(name.replace("Action", "Button"))
        button.setDefaultAction(action)
        self._row.addWidget(button)
        return action

    @property
    def text(self) -> str:
        """The whole text, which may be elided."""
        return self._label.text()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        tabs = self.parentWidget()
        if isinstance(tabs, QTabWidget):
            beside = tabs.tabBar().sizeHint()
            hint.setWidth(max(0, tabs.width() - beside.width()))
            hint.setHeight(max(hint.height(), beside.height()))
        return hint

    def arrange(self, actions: Collection[QAction], controls: QWidget | None) -> None:
        """Show these actions, and the progress if `cancel` is among them, or else `controls`."""
        for action, button in self._buttons.items():
            action.setEnabled(action in actions)
            button.setVisible(action in actions)
        self.progress.setVisible(self.cancel in actions)
        for one in self._controls:
            one.setVisible(one is controls and self.cancel not in actions)

    def say(self, text: str) -> None:
        """Show the source of the numbers, or what is being measured."""
        self._label.setText(text)
        self._label.setToolTip(text)

    def show_share(self, share: float | None) -> None:
        """Show how much has been measured; None if that is unknown."""
        self.progress.setRange(0, 0 if share is None else _STEPS)
        if share is not None:
            self.progress.setValue(round(share * _STEPS))
