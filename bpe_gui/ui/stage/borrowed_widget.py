"""Borrow a widget of the window for the stage, and put it back."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QLabel, QSplitter, QWidget

from bpe_gui.ui.widgets.presenting import (
    measure_anew,
    own_font,
    present,
    splitters_of,
    take_focus_from,
)

_NOTE = "On the stage"



class BorrowedWidget:
    """Holds a widget that the stage has borrowed, and keeps its place.

    It may be the widget of a dock, a part of a splitter, or in any layout. The widget itself moves:
    a second one would have to follow it.
    """

    def __init__(self, widget: QWidget) -> None:
        self.widget = widget
        home = widget.parentWidget()
        assert home is not None
        self.home = home
        self._area = widget.geometry()
        self._around = home.geometry()
        self._shown = not widget.isHidden()
        self._font = own_font(widget)
        self._size = widget.font()
        self._size.setPointSizeF(self._size.pointSizeF())  # said outright, it is not inherited
        self._splitters: list[tuple[QSplitter, QByteArray]] = [
            (splitter, splitter.saveState()) for splitter in splitters_of(widget)
        ]
        self._asking = [button for button in _asking(widget) if not button.isHidden()]
        self._stand_in = _StandIn(widget)
        self._exchange(widget, self._stand_in)
        self._stand_in.setVisible(self._shown)
        present(widget, True)
        for button in self._asking:
            button.hide()

    def shrink(self) -> None:
        """Give the widget its font back while it is still on the stage.

        Otherwise the layout around its place would make room for the large text.
        """
        present(self.widget, False)
        for button in self._asking:
            button.show()
        self.widget.setFont(self._size)
        measure_anew(self.widget)

    def end(self) -> None:
        """Put the widget back to its place, with the size that it had there."""
        self._exchange(self._stand_in, self.widget)
        self.widget.setFont(self._font)
        self.widget.setGeometry(self._area)
        self.widget.setVisible(self._shown)
        self._stand_in.setParent(None)
        # The layout that it was in may still show it, as a window.
        self._stand_in.hide()
        self._stand_in.deleteLater()

    def settle(self) -> None:
        """Restore the sizes of all its parts, after everything is laid out."""
        if self.home.isWindow():
            self.home.setGeometry(self._around)
        for splitter, state in self._splitters:
            splitter.restoreState(state)

    def _exchange(self, old: QWidget, new: QWidget) -> None:
        take_focus_from(self.widget)
        home = self.home
        if isinstance(home, QDockWidget):
            home.setWidget(new)
        elif isinstance(home, QSplitter):
            home.replaceWidget(home.indexOf(old), new)
        else:
            layout = home.layout()
            assert layout is not None
            item = layout.replaceWidget(old, new, Qt.FindChildOption.FindDirectChildrenOnly)
            assert item is not None


class _StandIn(QLabel):
    """Takes the place and size of a borrowed widget, so that nothing around it moves."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(_NOTE)
        self.setProperty("quiet", True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint = widget.sizeHint()
        self._least = widget.minimumSizeHint().expandedTo(widget.minimumSize())
        self.setSizePolicy(widget.sizePolicy())

    def sizeHint(self) -> QSize:
        return self._hint

    def minimumSizeHint(self) -> QSize:
        return self._least


def _asking(widget: QWidget) -> list[QAbstractButton]:
    """Return the buttons in a widget that would open a window over the stage."""
    return [b for b in widget.findChildren(QAbstractButton) if asks_in_a_window(b.text())]


def asks_in_a_window(text: str) -> bool:
    """Tell whether a name is that of a button or action that opens a dialog.

    >>> asks_in_a_window("Export…"), asks_in_a_window("Copy")
    (True, False)
    """
    return text.endswith("…")
