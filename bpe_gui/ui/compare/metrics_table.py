"""The table of numbers with what one can do with it: sort, copy, export, move, remove."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.actions.action_words import set_keywords
from bpe_gui.ui.compare.headings import PADDING, NumberHeader
from bpe_gui.ui.compare.metrics_model import MetricsModel, MetricsRow
from bpe_gui.ui.compare.tables import NumbersTable
from bpe_gui.ui.theme.text_size import FontFollower, scaled, set_width

_CELL_PADDING = 20
_NARROW_BUTTON = 32
_FRAME = 2
_NARROWEST_NAME, _USUAL_NAME = 110, 240
_SHARE_OF_NAMES = 2 / 3
"""What names take at most of the width where one has to scroll to the last number anyway."""
_USUAL = ("99,999", "9.99", "9.99", "9.99", "100.0%", "9,999", "999,999", "99.99%", "0.999")
"""What the columns of numbers have room for at least, in the order of `COLUMNS`."""


class MetricsTable(QWidget):
    """Sorts by a click on a heading; a second click turns the order around.

    Ctrl+C copies the table, Delete takes the current lane away, Alt+Up and Alt+Down move it.
    """

    removeWanted = Signal(int)
    """The key of a lane that is to go."""
    moveWanted = Signal(int, int)
    """The key of a lane, and by how many places it is to move."""
    saveWanted = Signal(int)
    """The key of a lane, a run of ours, that is to be saved."""
    laneSelected = Signal(int)
    """The key of the lane that is current now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = MetricsModel(self)
        self.table = NumbersTable(self.model, "Metrics", "encodings.csv", NumberHeader(self))
        self._least: list[int] = []
        self._build()
        add = self.table.add_action
        self.remove = add("Remove this lane", "removeLaneAction", "Del")
        set_keywords(self.remove, "delete encoding close")
        self.up = add("Move this lane up", "moveLaneUpAction", "Alt+Up")
        self.down = add("Move this lane down", "moveLaneDownAction", "Alt+Down")
        self.save = add("Save this tokenizer…", "saveLaneAction", "Ctrl+Shift+N")
        self._connect()
        self._enable()

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show lanes."""
        self.model.set_rows(rows)
        self._span_statuses()
        self._make_room()
        self._enable()

    def buttons(self) -> list[QToolButton]:
        """Buttons for what can be done with the current lane, and with the whole table."""
        made = []
        copy, export = self.table.copy, self.table.export
        for action, text in (
            (self.up, "↑"), (self.down, "↓"), (self.remove, "×"),
            (copy, "Copy"), (export, "Export…"),
        ):  # fmt: skip
            action.setIconText(text)
            button = QToolButton()
            button.setObjectName(action.objectName().replace("Action", "Button"))
            button.setDefaultAction(action)
            button.setAccessibleName(action.text())
            if len(text) == 1:
                set_width(button, _NARROW_BUTTON)
            made.append(button)
        return made

    def current_key(self) -> int | None:
        """The lane of the current row."""
        index = self.table.sorted.mapToSource(self.table.currentIndex())
        return self.model.rows[index.row()].key if index.isValid() else None

    def _build(self) -> None:
        table = self.table
        table.setObjectName("metricsTable")
        table.setAccessibleName("The numbers of each encoding")
        # What tells a name from others is at its ends.
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        columns = table.horizontalHeader()
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        columns.setStretchLastSection(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(table)
        FontFollower(self, self._fit_to_font)

    def _fit_to_font(self) -> None:
        """Columns that have room for usual numbers."""
        metrics = self.fontMetrics()
        self._least = []
        for number in range(self.model.columnCount()):
            title = self.model.headerData(number, Qt.Orientation.Horizontal)
            written = _USUAL[number - 1] if 0 < number <= len(_USUAL) else ""
            heading = max(map(metrics.horizontalAdvance, title.split("\n"))) + PADDING
            cell = metrics.horizontalAdvance(written) + _CELL_PADDING
            self._least.append(max(heading, cell))
            self.table.horizontalHeader().resizeSection(number, self._least[-1])
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def _make_room(self) -> None:
        """Give the columns the room that their numbers need, and never less than usual."""
        columns, advance = self.table.horizontalHeader(), self.fontMetrics().horizontalAdvance
        cells = [self.model.cells(row) for row in self.model.rows if row.metrics is not None]
        for number in range(1, columns.count() - 1):
            widest = max((advance(row[number]) for row in cells), default=0)
            columns.resizeSection(number, max(widest + _CELL_PADDING, self._least[number]))
        self._fit_names()

    @Slot()
    def _fit_names(self) -> None:
        """Give the names what the numbers leave; no number is seen by half."""
        columns = self.table.horizontalHeader()
        taken = sum(columns.sectionSize(n) for n in range(1, columns.count() - 1))
        bar = self.table.verticalScrollBar().sizeHint().width()
        left = self.width() - taken - self._least[-1] - bar - _FRAME
        names = [row.name for row in self.model.rows if row.metrics is not None]
        longest = max(map(self.fontMetrics().horizontalAdvance, names), default=0)
        narrowest, usual = (scaled(room, self.font()) for room in (_NARROWEST_NAME, _USUAL_NAME))
        if left >= narrowest:
            columns.resizeSection(0, min(left, max(longest + _CELL_PADDING, usual)))
            return
        room = self.width() - _FRAME - (bar if self.table.verticalScrollBar().maximum() else 0)
        name = max(narrowest, min(longest + _CELL_PADDING, int(room * _SHARE_OF_NAMES)))
        columns.resizeSection(0, name + self._left_over(room - name))

    def _left_over(self, room: int) -> int:
        """What the columns of numbers that are seen whole leave of the room beside the names."""
        columns = self.table.horizontalHeader()
        for place in range(1, columns.count()):
            width = columns.sectionSize(columns.logicalIndex(place))
            if width > room:
                return room if place > 1 else 0
            room -= width
        return 0

    def _connect(self) -> None:
        self.remove.triggered.connect(self._on_remove)
        self.up.triggered.connect(self._on_up)
        self.down.triggered.connect(self._on_down)
        self.save.triggered.connect(self._on_save)
        self.table.sorted.layoutChanged.connect(self._span_statuses)
        self.table.horizontalHeader().sectionMoved.connect(self._fit_names)
        self.table.verticalScrollBar().rangeChanged.connect(self._fit_names)
        self.table.customContextMenuRequested.connect(self._on_menu)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)

    @Slot()
    def _span_statuses(self) -> None:
        """A lane without numbers has the room of all of them, to say why."""
        self.table.clearSpans()
        for row in range(self.table.sorted.rowCount()):
            source = self.table.sorted.mapToSource(self.table.sorted.index(row, 0))
            if self.model.rows[source.row()].metrics is None:
                self.table.setSpan(row, 0, 1, self.model.columnCount())

    @Slot(QModelIndex)
    def _on_current(self) -> None:
        self._enable()
        key = self.current_key()
        if key is not None:
            self.laneSelected.emit(key)

    def _enable(self) -> None:
        key = self.current_key()
        for action in (self.remove, self.up, self.down):
            action.setEnabled(key is not None)
        self.save.setEnabled(any(row.key == key and row.run is not None for row in self.model.rows))

    @Slot()
    def _on_remove(self) -> None:
        key, place = self.current_key(), self.table.currentIndex().row()
        if key is not None:
            self.removeWanted.emit(key)
            # The lane that has come to its place is the next one to be looked at.
            last = self.table.sorted.rowCount() - 1
            self.table.setCurrentIndex(self.table.sorted.index(min(place, last), 0))

    @Slot()
    def _on_up(self) -> None:
        self._move(-1)

    @Slot()
    def _on_down(self) -> None:
        self._move(1)

    @Slot()
    def _on_save(self) -> None:
        key = self.current_key()
        if key is not None:
            self.saveWanted.emit(key)

    def _move(self, by: int) -> None:
        key = self.current_key()
        if key is not None:
            self.moveWanted.emit(key, by)
            self._make_current(key)

    def _make_current(self, key: int) -> None:
        place = next((n for n, row in enumerate(self.model.rows) if row.key == key), None)
        if place is not None:
            self.table.setCurrentIndex(self.table.row_of(place))

    def select_lane(self, key: int) -> None:
        """Make a lane current, wherever the order has put it."""
        if key != self.current_key():
            self._make_current(key)

    def show_menu(self, where: QPoint, copying: Sequence[QAction]) -> None:
        """Offer what can be done with the current lane, and to copy, at a place of the screen."""
        menu = QMenu(self)
        menu.setObjectName("laneMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.lane_actions)
        menu.addSeparator()
        menu.addActions(list(copying))
        menu.popup(where)

    @property
    def lane_actions(self) -> list[QAction]:
        """What can be done with the current lane."""
        return [self.up, self.down, self.remove, self.save]

    @Slot(QPoint)
    def _on_menu(self, where: QPoint) -> None:
        copying = [self.table.copy, self.table.export]
        self.show_menu(self.table.viewport().mapToGlobal(where), copying)
