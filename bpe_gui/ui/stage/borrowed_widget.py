"""Takes a widget from where it stands for the stage, and puts it back."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QLabel, QSplitter, QWidget

_NOTE = "On the stage"



class BorrowedWidget:
    """A widget that is lent to the stage, and what keeps its place meanwhile.

    It may be the widget of a dock, a part of a splitter, or stand in any layout. The same
    widget moves: there is no second one that would have to be told of everything.
    """

    def __init__(self, widget: QWidget) -> None:
        self.widget = widget
        home = widget.parentWidget()
        assert home is not None
        self.home = home
        self._area = widget.geometry()
        self._around = home.geometry()
        self._shown = not widget.isHidden()
        # A font of its own, or the one that it has from where it stands.
        own = widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
        self._font = widget.font() if own else QFont()
        self._size = widget.font()
        self._size.setPointSizeF(self._size.pointSizeF())  # said outright, it is not inherited
        self._splitters: list[tuple[QSplitter, QByteArray]] = [
            (splitter, splitter.saveState()) for splitter in _splitters(widget)
        ]
        self._asking = [button for button in _asking(widget) if not button.isHidden()]
        self._stand_in = _StandIn(widget)
        self._exchange(widget, self._stand_in)
        self._stand_in.setVisible(self._shown)
        _present(widget, True)
        for button in self._asking:
            button.hide()

    def shrink(self) -> None:
        """Write in the size of before, where it still stands.

        Or what is around its place would make room for the text of the stage.
        """
        _present(self.widget, False)
        for button in self._asking:
            button.show()
        self.widget.setFont(self._size)
        _measure_anew(self.widget)

    def end(self) -> None:
        """Put the widget back to where it stood, as large as it was there."""
        self._exchange(self._stand_in, self.widget)
        self.widget.setFont(self._font)
        self.widget.setGeometry(self._area)
        self.widget.setVisible(self._shown)
        self._stand_in.setParent(None)
        # The layout that it was in may yet have it shown, as a window of its own.
        self._stand_in.hide()
        self._stand_in.deleteLater()

    def settle(self) -> None:
        """Give all its parts the sizes they had, now that all is laid out."""
        if self.home.isWindow():
            self.home.setGeometry(self._around)
        for splitter, state in self._splitters:
            splitter.restoreState(state)

    def _exchange(self, old: QWidget, new: QWidget) -> None:
        _let_go(self.widget)
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
    """As large as what is lent, wherever it stands, so that nothing around it moves."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(_NOTE)
        self.setProperty("quiet", True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint = widget.sizeHint()
        self._least = widget.minimumSizeHint().expandedTo(widget.minimumSize())
        self.setSizePolicy(widget.sizePolicy())

    def sizeHint(self) -> QSize:
        """The size that the widget wants."""
        return self._hint

    def minimumSizeHint(self) -> QSize:
        """The size that the widget needs."""
        return self._least


def _present(widget: QWidget, presents: bool) -> None:
    """Tell parts that show something else to an audience; their font changes afterwards."""
    for part in (widget, *widget.findChildren(QWidget)):
        if hasattr(part, "presents"):
            part.presents = presents


def _let_go(widget: QWidget) -> None:
    """Take the focus from a widget that is about to move.

    Qt would pass it on from panel to panel, and the docks would be laid out anew on its way.
    """
    focus: QWidget | None = widget.window().focusWidget()
    if focus is not None and (focus is widget or widget.isAncestorOf(focus)):
        focus.clearFocus()


def _measure_anew(widget: QWidget) -> None:
    """Have all parts know at once, from the inside out, how much room they need.

    Left to itself this would be done a little later, and not at all while it is unseen.
    """
    for part in (*reversed(widget.findChildren(QWidget)), widget):
        layout = part.layout()
        if layout is not None:
            layout.activate()
        elif isinstance(part, QSplitter):
            part.refresh()


def _asking(widget: QWidget) -> list[QAbstractButton]:
    """The buttons in it that would open a window over the stage."""
    return [b for b in widget.findChildren(QAbstractButton) if asks_in_a_window(b.text())]


def _splitters(widget: QWidget) -> list[QSplitter]:
    inner = widget.findChildren(QSplitter)
    return [widget, *inner] if isinstance(widget, QSplitter) else inner


def asks_in_a_window(text: str) -> bool:
    """Tell whether what is called so opens a dialog: its name ends with an ellipsis then.

    >>> asks_in_a_window("Export…"), asks_in_a_window("Copy")
    (True, False)
    """
    return text.endswith("…")
