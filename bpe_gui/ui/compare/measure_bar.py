"""What the numbers are of, beside the tabs; and how far the measuring of a file is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTabWidget, QToolButton, QWidget

from bpe_gui.ui.compare.file_measuring import MeasureProgress
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

    arranged = Signal()
    """Other buttons or controls stand in it now."""

    def __init__(self, controls: Sequence[QWidget] = (), parent: QWidget | None = None) -> None:
        """One of `controls` stands there while nothing is measured; see `show_controls`."""
        super().__init__(parent)
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
        self._make_actions()
        self._controls = tuple(controls)
        self._shown = self._controls[0] if controls else None
        self._lay_out()
        self._busy = False
        self._of_file, self._file, self._former = False, "", False
        self._arrange()

    def _make_actions(self) -> None:
        self.cancel = QAction("Cancel", self)
        self.cancel.setObjectName("cancelMeasureAction")
        self.cancel.setToolTip(
            "Stop measuring, and keep the numbers of the encodings that are done"
        )
        self.back = QAction("Back to the text", self)
        self.back.setObjectName("backToTextAction")
        self.back.setToolTip("Show the numbers of the text instead of those of the file")
        self.again = QAction("Back to the file", self)
        self.again.setObjectName("backToFileAction")
        self.anew = QAction("Measure again", self)
        self.anew.setObjectName("measureAgainAction")
        self.anew.setToolTip("Measure the file with special tokens read as they are chosen now")

    def _lay_out(self) -> None:
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(_GAP, 0, 2, 0)
        row.setSpacing(4)
        row.addWidget(self._label, 1)
        row.addWidget(self.progress)
        actions = (self.cancel, self.anew, self.back, self.again)
        self._buttons = {action: _button(action) for action in actions}
        for widget in (*self._buttons.values(), *self._controls):
            row.addWidget(widget)

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

    def show_about(self, text: str, *, of_file: bool, file: str = "", former: bool = False) -> None:
        """Say what the numbers are of that are shown: of the text, or of a file.

        file: the name of a file that has been measured, if any has. former: whether that was with
        a setting that is another one by now.
        """
        if not self._busy:
            self._say(text)
        if (of_file, file, former) != (self._of_file, self._file, self._former):
            self._of_file, self._file, self._former = of_file, file, former
            self.again.setToolTip(f"Show the numbers of {file} instead of those of the text")
            self._arrange()

    def show_controls(self, controls: QWidget | None) -> None:
        """Show those that have to do with what is in view, None if none have."""
        self._shown = controls
        self._arrange()

    def _arrange(self) -> None:
        of_file, of_text = (seen and not self._busy for seen in (self._of_file, not self._of_file))
        for action, seen in (
            (self.cancel, self._busy),
            (self.back, of_file),
            (self.anew, of_file and self._former),
            (self.again, of_text and bool(self._file)),
        ):
            action.setEnabled(seen)
            self._buttons[action].setVisible(seen)
        self.progress.setVisible(self._busy)
        for controls in self._controls:
            controls.setVisible(controls is self._shown and not self._busy)
        self.arranged.emit()

    def _say(self, text: str) -> None:
        self._label.setText(text)
        self._label.setToolTip(text)

    def begin(self, name: str) -> None:
        """Show that something of that name is being measured, until `end`."""
        self._busy = True
        self.progress.setRange(0, 0)
        self._say(f"measuring {name}")
        self._arrange()

    def show_progress(self, progress: MeasureProgress) -> None:
        """Show how far the measuring is."""
        self._say(progress.sentence)
        share = progress.share
        self.progress.setRange(0, 0 if share is None else _STEPS)
        if share is not None:
            self.progress.setValue(round(share * _STEPS))

    def end(self) -> None:
        """Show that nothing is being measured any more."""
        self._busy = False
        self._arrange()


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    return button
