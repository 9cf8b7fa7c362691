"""What the numbers are of, beside the tabs; and how far the measuring of a file is."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTabWidget, QToolButton, QWidget

from bpe_gui.ui.widgets.labels import ElidingLabel
from bpe_gui.ui.widgets.progress_bar import ProgressBar

_STEPS = 1000
_GAP = 12
"""Between the tabs and what stands beside them, in logical pixels."""


class MeasureBar(QWidget):
    """The corner of the tabs: takes all the width that they leave.

    cancel: the action that gives up the measuring. back: the one that leads back to the numbers
    of the text. again: the one that leads from there to those of the file. anew: the one that
    measures the file once more, where its numbers are of a setting that is another one by now.
    """

    def __init__(self, controls: Sequence[QWidget]) -> None:
        """Shows one of `controls` while nothing is measured; see `arrange`."""
        super().__init__()
        self.setObjectName("measureBar")
        self.setAccessibleName("Measuring of files")
        self.progress = ProgressBar()
        self.progress.setObjectName("measureProgress")
        self.progress.setAccessibleName("How much of the file has been measured")
        self.progress.setMaximumWidth(160)
        self._label = ElidingLabel()
        self._label.elide = Qt.TextElideMode.ElideMiddle
        self._label.setObjectName("metricsAbout")
        self._label.setProperty("quiet", True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(_GAP, 0, 2, 0)
        row.setSpacing(4)
        row.addWidget(self._label, 1)
        row.addWidget(self.progress)
        self._buttons: dict[QAction, QToolButton] = {}
        self.cancel = self._add("Cancel", "cancelMeasureAction")
        self.cancel.setToolTip(
            "Stop measuring, and keep the numbers of the encodings that are done"
        )
        self.anew = self._add("Measure again", "measureAgainAction")
        self.anew.setToolTip("Measure the file with special tokens read as they are chosen now")
        self.back = self._add("Back to the text", "backToTextAction")
        self.back.setToolTip("Show the numbers of the text instead of those of the file")
        self.again = self._add("Back to the file", "backToFileAction")
        self._controls = controls
        for widget in controls:
            row.addWidget(widget)

    def _add(self, text: str, name: str) -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        button = self._buttons[action] = QToolButton()
        button.setObjectName(name.replace("Action", "Button"))
        button.setDefaultAction(action)
        self._row.addWidget(button)
        return action

    @property
    def text(self) -> str:
        """What is said of the numbers, also where there is no room for all of it."""
        return self._label.text()

    def sizeHint(self) -> QSize:
        """As wide as the tabs leave room."""
        hint = super().sizeHint()
        tabs = self.parentWidget()
        if isinstance(tabs, QTabWidget):
            beside = tabs.tabBar().sizeHint()
            hint.setWidth(max(0, tabs.width() - beside.width()))
            hint.setHeight(max(hint.height(), beside.height()))
        return hint

    def arrange(self, actions: Collection[QAction], controls: QWidget | None) -> None:
        """Offer these actions; the progress is there with `cancel`, and `controls` without."""
        for action, button in self._buttons.items():
            action.setEnabled(action in actions)
            button.setVisible(action in actions)
        self.progress.setVisible(self.cancel in actions)
        for one in self._controls:
            one.setVisible(one is controls and self.cancel not in actions)

    def say(self, text: str) -> None:
        """Say what the numbers are of that are shown, or how far the measuring is."""
        self._label.setText(text)
        self._label.setToolTip(text)

    def show_share(self, share: float | None) -> None:
        """Show how much has been measured; None if that is not known."""
        self.progress.setRange(0, 0 if share is None else _STEPS)
        if share is not None:
            self.progress.setValue(round(share * _STEPS))
