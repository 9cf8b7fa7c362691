"""Boxes and buttons that neither the wheel nor a stray key changes, and that fit into bars.

Boxes pass the wheel on to what they are in. A list is chosen from while it is open.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QMetaObject,
    QPersistentModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPalette,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QToolButton,
    QToolTip,
    QWidget,
)

from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import theme_of
from bpe_gui.ui.widgets.keyboard import goes_by_keyboard, is_typed_in
from bpe_gui.ui.widgets.tables import AnyIndex

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_OPENING = _ENTER | {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_F4}
_CHOOSING = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})


class ComboBox(QComboBox):
    """A list to choose from; after a choice the keyboard goes to the focus proxy of the window.

    Where Tab led to the box it keeps the keyboard.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # By itself the wheel takes the keyboard along.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(self._return_focus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the list; no key chooses another entry while it is closed."""
        if event.key() in _ENTER and isinstance(self.window(), QDialog):
            # It presses the button of the dialog.
            event.ignore()
        elif event.key() in _OPENING:
            self.showPopup()
        elif event.key() in _CHOOSING or (event.text().isprintable() and event.text()):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def set_letters(self, letters: int) -> None:
        """Need the width of that many letters, however long the entries are."""
        self.setMinimumContentsLength(letters)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    @Slot()
    def _return_focus(self) -> None:
        if not goes_by_keyboard():
            _give_keys_to_the_cursor(self)


class SpinBox(QSpinBox):
    """A whole number, written with commas."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGroupSeparatorShown(True)
        self.setAccelerated(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        _type_over_word(self, event)
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        _name_field(self)


class DoubleSpinBox(QDoubleSpinBox):
    """A number with decimals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        _type_over_word(self, event)
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        _name_field(self)


def _type_over_word(box: QSpinBox | QDoubleSpinBox, event: QKeyEvent) -> None:
    """Let digits replace the word for the least value: Qt takes none within or behind it."""
    typed = event.text()
    if typed and typed.isprintable() and box.text() == box.specialValueText():
        box.selectAll()


def _name_field(box: QSpinBox | QDoubleSpinBox) -> None:
    """Give the field in a box the name that a screen reader says of the box."""
    name = QAccessible.queryAccessibleInterface(box).text(QAccessible.Text.Name)
    box.lineEdit().setAccessibleName(name)


SEPARATOR = "separator"
"""What Qt calls the entries that separate others, where it would describe them."""
_DESCRIPTION = Qt.ItemDataRole.AccessibleDescriptionRole
_WIDEST = 720
"""Pixels that a description has at most."""
_ABOVE, _SIDE, _GAP = 4, 8, 18
"""Pixels above and below a line, at its sides, and between the columns."""
_SEPARATOR_HEIGHT = 7


class DescribedEntries(QStyledItemDelegate):
    """Paints the names in one column and the descriptions, muted, in another."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        area: QRect = option.rect  # type: ignore[attr-defined]
        palette: QPalette = option.palette  # type: ignore[attr-defined]
        description = _text(index, _DESCRIPTION)
        # The palette of the list has a colour that is too weak to be read.
        muted = QColor(theme_of(option.widget).muted)  # type: ignore[attr-defined]
        painter.save()
        if description == SEPARATOR:
            painter.setPen(muted)
            painter.setOpacity(0.4)
            painter.drawLine(area.left() + _SIDE, area.center().y(),
                             area.right() - _SIDE, area.center().y())  # fmt: skip
        else:
            state = option.state  # type: ignore[attr-defined]
            selected = bool(state & QStyle.StateFlag.State_Selected)
            if selected:
                painter.fillRect(area, palette.brush(QPalette.ColorRole.Highlight))
            enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
            of_selected = palette.color(QPalette.ColorRole.HighlightedText)
            own = palette.color(QPalette.ColorRole.Text) if enabled else muted
            names = self._names_width(option.fontMetrics, index.model())  # type: ignore[attr-defined]
            room = area.adjusted(_SIDE, 0, -_SIDE, 0)
            metrics = option.fontMetrics  # type: ignore[attr-defined]
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
            painter.setFont(option.font)  # type: ignore[attr-defined]
            painter.setPen(of_selected if selected else own)
            painter.drawText(room, flags, _text(index, Qt.ItemDataRole.DisplayRole))
            room.setLeft(room.left() + names + _GAP)
            painter.setPen(of_selected if selected else muted)
            elided = metrics.elidedText(description, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, flags, elided)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the height of an entry, and no width: a list asks for each, see `width`."""
        separates = _text(index, _DESCRIPTION) == SEPARATOR
        height = option.fontMetrics.height() + 2 * _ABOVE  # type: ignore[attr-defined]
        return QSize(0, _SEPARATOR_HEIGHT if separates else height)

    def width(self, metrics: QFontMetrics, model: QAbstractItemModel) -> int:
        """Return the width that a list needs for its names and descriptions, in pixels."""
        described = max(_widths(metrics, model, _DESCRIPTION), default=0)
        names = self._names_width(metrics, model)
        return names + _GAP + min(_WIDEST, described) + 2 * _SIDE

    def _names_width(self, metrics: QFontMetrics, model: QAbstractItemModel) -> int:
        return max(_widths(metrics, model, Qt.ItemDataRole.DisplayRole), default=0)


def _widths(metrics: QFontMetrics, model: QAbstractItemModel, role: int) -> Iterator[int]:
    """Measure what the entries of a model show for a role."""
    for row in range(model.rowCount()):
        yield metrics.horizontalAdvance(_text(model.index(row, 0), role))


def _text(index: AnyIndex, role: int) -> str:
    return str(index.data(role) or "")


_ICON = 16
"""The size of icons beside plain text, in pixels."""


class SteadyButton(QToolButton):
    """Keeps the size that it needs for its first text.

    Otherwise every change of an action lays out the whole window, which takes a third of a frame.
    A click takes the keyboard from the field that has it: Space pauses what was played.
    """

    def __init__(self, action: QAction, style: Qt.ToolButtonStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(action.objectName().replace("Action", "Button"))
        self.setDefaultAction(action)
        self.setToolButtonStyle(style)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        # After what it does: a field may begin other work when it loses the keyboard.
        self.clicked.connect(self._return_focus)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.ensurePolished()
        icon = scaled(_ICON, self.font())
        self.setIconSize(QSize(icon, icon))
        self.setFixedSize(self.sizeHint())

    @Slot()
    def _return_focus(self) -> None:
        leave_field(self.window())


def leave_field(window: QWidget) -> None:
    """Give the keyboard to the focus proxy of a window, if it is where text is typed."""
    if is_typed_in(window.focusWidget()):
        _give_keys_to_the_cursor(window)


def _give_keys_to_the_cursor(widget: QWidget) -> None:
    """Give the keyboard to the focus proxy of the window of a widget, if it is in sight."""
    proxy = widget.window().focusProxy()
    if proxy is not None and proxy.isVisible():
        proxy.setFocus()


_LEAST = 80
"""Its least width in pixels, for plain text."""


_FRAME = 16
"""Pixels of the frame and the padding of an open list, at both sides together."""
_FLAGS = Qt.ItemDataRole.UserRole - 1
"""The role of the flags of an entry."""


class ElidingComboBox(ComboBox):
    """Elides its text if the box is narrow; the whole text is its tooltip then.

    Entries may be actions: to choose one triggers it, and what was chosen before stays so.
    """

    entryChosen = Signal()
    """Another entry is chosen now, which is not an action."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before = QPersistentModelIndex()
        self.currentIndexChanged.connect(self._on_index)

    def add_heading(self, text: str) -> None:
        """Add an entry that cannot be chosen."""
        self.addItem(text)
        self.setItemData(self.count() - 1, 0, _FLAGS)

    def add_entry(self, text: str, data: object, tip: str, index: int = -1) -> None:
        """Add an entry at the end, or insert it.

        The open list shows the first line of its tip beside it; the rest is its tooltip.
        """
        if not isinstance(self.itemDelegate(), DescribedEntries):
            self.setItemDelegate(DescribedEntries(self))
        index = index if index >= 0 else self.count()
        self.insertItem(index, text, data)
        self.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)
        first = tip.partition("\n")[0]
        self.setItemData(index, first, Qt.ItemDataRole.AccessibleDescriptionRole)

    def add_action(self, action: QAction) -> None:
        """Add an entry that triggers an action."""
        self.add_entry(action.text().replace("&", ""), action, action.toolTip())

    def showPopup(self) -> None:
        self._before = self._current()
        entries = self.itemDelegate()
        if isinstance(entries, DescribedEntries):
            width = entries.width(self.view().fontMetrics(), self.model())
            self.view().setMinimumWidth(width + _FRAME)
        super().showPopup()

    def _current(self) -> QPersistentModelIndex:
        return QPersistentModelIndex(self.model().index(self.currentIndex(), self.modelColumn()))

    @Slot()
    def _on_index(self) -> None:
        chosen = self.currentData()
        if not isinstance(chosen, QAction):
            self._before = self._current()
            self.entryChosen.emit()
            return
        with QSignalBlocker(self):
            self.setCurrentIndex(self._before.row())
        # It may open a dialog: the list is to be closed, and the keyboard returned, before.
        QMetaObject.invokeMethod(chosen, "trigger", Qt.ConnectionType.QueuedConnection)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(_LEAST, self.font()), super().minimumSizeHint().height())

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        box, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(box, option, field, self).width()
        text, elide = self.currentText(), Qt.TextElideMode.ElideRight
        option.currentText = self.fontMetrics().elidedText(text, elide, room)  # type: ignore[attr-defined]

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            option, text = QStyleOptionComboBox(), self.currentText()
            self.initStyleOption(option)
            if option.currentText != text:  # type: ignore[attr-defined]
                tip = "\n".join(filter(None, [text, self.toolTip()]))
                QToolTip.showText(event.globalPos(), tip, self)
                return True
        return super().event(event)
