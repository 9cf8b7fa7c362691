"""Turn a panel into a figure for a while: no controls, and text as large as its picture is.

The screen does not show it: the panel has another size only while it is painted, without an event
in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTableView,
    QTextEdit,
    QToolButton,
    QWidget,
)

from bpe_gui.ui.export.picture import PictureError
from bpe_gui.ui.theme.text_size import LARGEST, SMALLEST, resized, text_scale
from bpe_gui.ui.widgets.presenting import (
    Presentable,
    lay_out_anew,
    measure_anew,
    own_font,
    present,
    splitters_of,
    take_focus_from,
)

PLAIN_SIZE = QSize(480, 270)
"""The size of a figure in which text is as large as the desktop asks for."""
_LARGEST_FILL = 4.0
"""How many times as large as in the window text becomes where there is little of it."""
_LINES_OF_TEXT = 12
"""The lines for which a figure of sentences has room: with fewer, panels leave out a part."""
_STEP = 0.9
"""By how much text is made smaller until the panel fits."""
_SMALLER = (1.0, _STEP, _STEP**2, _STEP**3)
"""The sizes that text may have where only whole systems are shown."""
_CONTROLS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QTabBar)


@contextmanager
def as_figure(
    widget: QWidget, size: QSize | None = None, text: float | None = None
) -> Iterator[None]:
    """Give a panel another size, hide its controls and enlarge its text, as for an audience.

    size: that of the figure, by default of the panel. text: the factor of `set_text_scale`; by
    default it is in proportion to the size, and never smaller than in the window. It is lowered as
    far as the panel would not fit. Raises PictureError if a table does not fit in the smallest.
    """
    size = widget.size() if size is None else size
    before, font = own_font(widget), widget.font()
    with ExitStack() as undo:
        if (focus := take_focus_from(widget)) is not None:
            undo.callback(focus.setFocus)
        for splitter in splitters_of(widget):
            undo.callback(splitter.restoreState, splitter.saveState())
        undo.callback(measure_anew, widget)
        undo.callback(lay_out_anew, widget)
        present(widget, True)
        undo.callback(widget.setFont, before)
        exact = QFont(font)
        exact.setPointSizeF(font.pointSizeF())  # what inherits it would keep the large one
        undo.callback(widget.setFont, exact)
        undo.callback(present, widget, False)
        for area in _areas(widget):
            _without_bars(area, undo)
            if isinstance(area, QTableView):
                # Painted first, as a PDF or SVG is copied and read aloud.
                area.horizontalHeader().lower()
        for each in presentable(widget):
            undo.callback(setattr, each, "is_still", each.is_still)
            each.is_still = True
        for part in widget.findChildren(QWidget):
            _without_arrow(part, undo)
        hiding = _Hiding()
        for control in _controls(widget):
            if not control.isHidden():
                undo.callback(control.show)
            hiding.hide(control)
            undo.callback(control.removeEventFilter, hiding)
        present_scale = text_scale(font)
        factor = present_scale if text is None else text
        if text is None:
            fits = min(size.width() / PLAIN_SIZE.width(), size.height() / PLAIN_SIZE.height())
            factor = min(max(factor, fits), LARGEST)
        _resize(widget, size, undo)
        lay_out_anew(widget)
        _write(widget, size, resized(font, factor / present_scale))
        while text is None and factor > SMALLEST and not _fits(widget, size):
            factor = max(SMALLEST, factor * _STEP)
            _write(widget, size, resized(font, factor / present_scale))
        if text is None:
            _check_tables(widget)
            factor *= _fit_systems(widget, size, font, factor / present_scale)
            _fill(widget, size, font, factor / present_scale)
        yield


def _resize(widget: QWidget, size: QSize, undo: ExitStack) -> None:
    undo.callback(widget.setGeometry, widget.geometry())
    undo.callback(_enable_layout_around, widget, True)
    # The layout around it would give it its place again when a part of it is shown.
    _enable_layout_around(widget, False)
    give_size(widget, size)


def give_size(widget: QWidget, size: QSize) -> None:
    """Give a panel a size, or its least one, and lay out what is within it."""
    widget.resize(size.expandedTo(widget.minimumSizeHint()))
    # A new size may change what is shown; without this it would be laid out a turn later.
    for each in (widget, *widget.findChildren(QWidget)):
        if (layout := each.layout()) is not None:
            layout.activate()


def _enable_layout_around(widget: QWidget, enabled: bool) -> None:
    parent = widget.parentWidget()
    if parent is not None and (layout := parent.layout()) is not None:
        layout.setEnabled(enabled)


def become_figure(widget: QWidget) -> None:
    """Show a panel to an audience, without its controls and scroll bars, from now on."""
    present(widget, True)
    for area in _areas(widget):
        _without_bars(area, ExitStack())
    for part in widget.findChildren(QWidget):
        _without_arrow(part, ExitStack())
    hiding = _Hiding(widget)
    for control in _controls(widget):
        hiding.hide(control)


class _Hiding(QObject):
    """Keeps controls hidden that a panel shows again when it has another size."""

    def hide(self, control: QWidget) -> None:
        """Hide a control, and keep it hidden."""
        control.hide()
        control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShowToParent and isinstance(watched, QWidget):
            watched.hide()
        return False


def _write(widget: QWidget, size: QSize, font: QFont) -> None:
    widget.setFont(font)
    measure_anew(widget)
    widget.resize(size.expandedTo(widget.minimumSizeHint()))
    measure_anew(widget)


def _fill(widget: QWidget, size: QSize, font: QFont, factor: float) -> None:
    """Enlarge text of which there is little, until it fills the picture."""
    areas = [each for each in _areas(widget) if each.isVisible()]
    least = [_least_lines(each) for each in areas]
    if not all(least):
        return
    while areas and not _scrolls(areas) and factor < _LARGEST_FILL:
        lines = size.height() / QFontMetrics(resized(font, factor / _STEP)).lineSpacing()
        if lines < max(least):
            return
        _write(widget, size, resized(font, factor / _STEP))
        if _scrolls(areas) or not _fits(widget, size):
            _write(widget, size, resized(font, factor))
            return
        factor /= _STEP


def _fit_systems(widget: QWidget, size: QSize, font: QFont, factor: float) -> float:
    """Write what is shown in whole systems smaller, if more of the picture is filled so.

    Return how many times as large it is.
    """
    shown = [each for each in _areas(widget) if each.isVisible() and isinstance(each, Presentable)]
    parts = [each for each in shown if each.filled is not None]
    if not parts or not _scrolls(parts):
        return 1.0
    filled = {}
    for share in _SMALLER:
        _write(widget, size, resized(font, factor * share))
        filled[share] = sum(part.filled or 0.0 for part in parts)
    best = max(filled, key=filled.__getitem__)
    _write(widget, size, resized(font, factor * best))
    return best


def _least_lines(area: QAbstractScrollArea) -> int:
    """Return how many lines a figure of an area has at least; 0 if it fills pictures by itself."""
    if isinstance(area, Presentable):
        return area.lines_of_figure
    return _LINES_OF_TEXT if isinstance(area, QTextEdit) else 0


def _scrolls(areas: Sequence[QAbstractScrollArea]) -> bool:
    return any(each.verticalScrollBar().maximum() for each in areas)


def _fits(widget: QWidget, size: QSize) -> bool:
    """Whether a panel has room, and no table in it is wider than what is seen of it."""
    cut = any(each.is_cut for each in presentable(widget, seen=True))
    room = size.expandedTo(widget.minimumSizeHint()) == size
    return room and not cut and _lacking(widget) <= 0


def _lacking(widget: QWidget) -> int:
    """Return by how many pixels the columns of a table are wider than what is seen of it."""
    tables = [each for each in _areas(widget) if isinstance(each, QTableView)]
    # Scroll bars learn of the columns later.
    return max(
        (each.horizontalHeader().length() - each.viewport().width()
         for each in tables if each.isVisible()),
        default=0,
    )  # fmt: skip


def _check_tables(widget: QWidget) -> None:
    if (lacking := _lacking(widget)) > 0:
        raise PictureError(
            "The last columns of the table would be cut off; make the picture at least "
            f"{lacking:,} pixels wider."
        )


def presentable(widget: QWidget, *, seen: bool = False) -> list[Presentable]:
    """Return the parts that are laid out for an audience, or those of them that are in view."""
    return [
        part for part in (widget, *widget.findChildren(QWidget))
        if isinstance(part, Presentable) and (part.isVisible() or not seen)
    ]  # fmt: skip


def _areas(widget: QWidget) -> list[QAbstractScrollArea]:
    inner = widget.findChildren(QAbstractScrollArea)
    return [widget, *inner] if isinstance(widget, QAbstractScrollArea) else inner


def _without_bars(area: QAbstractScrollArea, undo: ExitStack) -> None:
    for policy, set_policy in (
        (area.horizontalScrollBarPolicy(), area.setHorizontalScrollBarPolicy),
        (area.verticalScrollBarPolicy(), area.setVerticalScrollBarPolicy),
    ):
        set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        undo.callback(set_policy, policy)


def _without_arrow(part: QWidget, undo: ExitStack) -> None:
    """Hide what is pressed to sort a table, or to open and close a section with a title."""
    if isinstance(part, QToolButton) and part.property("sectionTitle"):
        undo.callback(part.setArrowType, part.arrowType())
        part.setArrowType(Qt.ArrowType.NoArrow)
    elif isinstance(part, QHeaderView) and part.isSortIndicatorShown():
        undo.callback(part.setSortIndicatorShown, True)
        part.setSortIndicatorShown(False)


def _controls(widget: QWidget) -> list[QWidget]:
    """Return the controls within a panel, with the labels that name them, and what is for the user
    alone.

    Those that are hidden now may be shown when the panel has another size.
    """
    parts = widget.findChildren(QWidget)
    labels = [(each, each.buddy()) for each in parts if isinstance(each, QLabel)]
    controls = [each for each in parts if _is_control(each)]
    return [*controls, *(label for label, buddy in labels if buddy in controls)]


def _is_control(part: QWidget) -> bool:
    if part.property("forTheUser"):
        return True
    if isinstance(part, QPlainTextEdit | QTextEdit):
        return not part.isReadOnly()
    # The titles of sections say what is below them.
    return isinstance(part, _CONTROLS) and not part.property("sectionTitle")
