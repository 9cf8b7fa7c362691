"""Tell the parts of a panel that they are shown to an audience, and lay them out for it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QSplitter, QWidget


class Presentable:
    """A widget that is laid out in another way for an audience: on the stage and in figures."""

    presents = False
    """Whether an audience looks on."""
    is_still = False
    """Whether a figure is made: nothing will follow for which there should be room."""
    lines_of_figure = 0
    """A figure with little text has larger letters, but room for this number of lines; 0 if it
    fills pictures by itself.
    """

    @property
    def is_cut(self) -> bool:
        """Tell whether something is out of sight that a figure is to show whole."""
        return False

    @property
    def filled(self) -> float | None:
        """Return the part of the height that is in use, if whole systems are shown."""
        return None


def present(widget: QWidget, presents: bool) -> None:
    """Set whether parts are shown to an audience; their font changes afterwards."""
    for part in (widget, *widget.findChildren(QWidget)):
        if isinstance(part, Presentable):
            part.presents = presents


def lay_out_anew(widget: QWidget) -> None:
    """Have all parts lay themselves out as if their font had changed.

    Where neither the font nor the size changes, they would not learn that an audience looks on.
    """
    for part in (widget, *widget.findChildren(QWidget)):
        QCoreApplication.sendEvent(part, QEvent(QEvent.Type.FontChange))


def own_font(widget: QWidget) -> QFont:
    """Return the font that was set for a widget, or an empty one for one that inherits its font."""
    own = widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
    return widget.font() if own else QFont()


def splitters_of(widget: QWidget) -> list[QSplitter]:
    """Return the splitters in a widget, and itself if it is one."""
    inner = widget.findChildren(QSplitter)
    return [widget, *inner] if isinstance(widget, QSplitter) else inner


def take_focus_from(widget: QWidget) -> QWidget | None:
    """Take the focus from a widget that is about to move or hide; returns what had it in there.

    Qt would pass it on from panel to panel, and lay out the docks again every time.
    """
    focus: QWidget | None = widget.window().focusWidget()
    if focus is None or not (focus is widget or widget.isAncestorOf(focus)):
        return None
    focus.clearFocus()
    return focus


def measure_anew(widget: QWidget) -> None:
    """Have all parts compute at once, from the inside out, how much room they need.

    Qt would do it a little later, and not at all while they are hidden.
    """
    for part in (*reversed(widget.findChildren(QWidget)), widget):
        layout = part.layout()
        if layout is not None:
            layout.activate()
        elif isinstance(part, QSplitter):
            part.refresh()
