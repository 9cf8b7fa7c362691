"""The table of numbers, and the actions on its lanes: move, remove, save."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from bpe_gui.ui.actions.action_words import set_keywords
from bpe_gui.ui.compare.metrics_model import MetricsModel, MetricsRow
from bpe_gui.ui.compare.own_numbers_dialog import OwnNumbersDialog
from bpe_gui.ui.compare.tables import MARK_ROLE, MARK_WIDTH, PADDING, NumberHeader, NumbersTable
from bpe_gui.ui.theme.painting import brush
from bpe_gui.ui.theme.text_size import FontFollower, scaled, set_width
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.naming import named

_CELL_PADDING = 19
_NARROW_BUTTON = 32
_FRAME = 2
_NARROWEST_NAME, _USUAL_NAME = 110, 240
_SHARE_OF_NAMES = 2 / 3
"""The greatest part of the width for names where not all numbers fit beside them."""
_USUAL = ("99,999", "9.99", "9.99", "9.99", "100.0%", "9,999", "999,999", "99.99%", "0.999")
"""The widest usual numbers of all columns, in the order of `COLUMNS`."""


def _in_brief(checked: str) -> str:
    return checked.partition(":")[0]


class _Losses(QStyledItemDelegate):
    """Leaves out what is lost where it has no room."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        text, room = option.text, option.rect.width()  # type: ignore[attr-defined]
        if option.fontMetrics.horizontalAdvance(text) + _CELL_PADDING > room:  # type: ignore[attr-defined]
            option.text = _in_brief(text)  # type: ignore[attr-defined]


class _Names(QStyledItemDelegate):
    """Draws the colour of a lane before its name, as the lanes do."""

    def __init__(self, table: QWidget) -> None:
        super().__init__(table)
        ThemeFollower(table, self._take_colours)

    def _take_colours(self, theme: Theme) -> None:
        self._marks = [brush(colour) for colour in theme.lines]

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        colour = index.data(MARK_ROLE)
        if 0 <= colour < len(self._marks):
            area = option.rect  # type: ignore[attr-defined]
            height = area.height() - 2
            painter.fillRect(area.x(), area.y() + 1, MARK_WIDTH, height, self._marks[colour])


class MetricsTable(NumbersTable):
    """The numbers of all lanes. Delete removes the current lane, Alt+Up and Alt+Down move it."""

    wanted = Signal(QAction, int)
    """One of the `lane_actions` was triggered for the lane with this key."""
    laneSelected = Signal(int)
    """The key of the lane in the current row."""

    def __init__(self) -> None:
        self.metrics = MetricsModel()
        super().__init__(self.metrics, "Metrics", "encodings.csv", NumberHeader())
        self._least: list[int] = []
        self.setObjectName("metricsTable")
        self.setAccessibleName("The numbers of each encoding")
        # The ends of names tell them apart.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        columns = self.horizontalHeader()
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        columns.setStretchLastSection(True)
        self.remove = self.add_action("Remove this lane", "removeLaneAction", "Del")
        set_keywords(self.remove, "delete encoding close")
        self.up = self.add_action("Move this lane up", "moveLaneUpAction", "Alt+Up")
        self.down = self.add_action("Move this lane down", "moveLaneDownAction", "Alt+Down")
        self.save = self.add_action("Save this tokenizer…", "saveLaneAction", "Ctrl+Shift+N")
        self.explore = self.add_action("Open in Explore", "exploreLaneAction", "Ctrl+Shift+V")
        set_keywords(self.explore, "merges timeline train on continue vocabulary tree")
        self.rename = self.add_action("Rename this lane…", "renameLaneAction", "F2")
        self.hiding = self.add_action("Hide or show this lane", "hideLaneAction", "Ctrl+Del")
        self.colour = self.add_action("Next colour of this lane", "colourLaneAction", "Ctrl+Alt+C")
        self.costs = self.add_action("Costs by your own numbers…", "ownNumbersAction", "Ctrl+Alt+4")
        set_keywords(self.costs, "price money context window embedding parameters")
        self.lane_actions = [
            self.explore, self.up, self.down, self.rename, self.hiding, self.colour,
            self.remove, self.save,
        ]  # fmt: skip
        for action in self.lane_actions:
            action.triggered.connect(partial(self._want, action))
        self._losses = _Losses(self)
        self.setItemDelegateForColumn(0, _Names(self))
        FontFollower(self, self._fit_to_font)
        self.costs.triggered.connect(self._ask_costs)
        self.sorted.layoutChanged.connect(self._span_statuses)
        columns.sectionMoved.connect(self._fit_names)
        self.verticalScrollBar().rangeChanged.connect(self._fit_names)
        self.customContextMenuRequested.connect(self._on_menu)
        self.selectionModel().currentRowChanged.connect(self._on_current)
        self._enable()

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show lanes."""
        self.metrics.set_rows(rows)
        self._span_statuses()
        self._fit_columns()
        self._enable()

    def buttons(self) -> list[QToolButton]:
        """Make buttons for the actions on the current lane and on the table."""
        made = []
        for action, text in (
            (self.up, "↑"), (self.down, "↓"), (self.remove, "×"),
            (self.costs, "Costs…"), (self.copy, "Copy"), (self.export, "Export…"),
        ):  # fmt: skip
            action.setIconText(text)
            name = action.objectName().replace("Action", "Button")
            button = named(QToolButton(), name, action.text())
            button.setDefaultAction(action)
            if len(text) == 1:
                set_width(button, _NARROW_BUTTON)
            made.append(button)
        return made

    @Slot()
    def _ask_costs(self) -> None:
        """Ask for one's own numbers, and show their columns."""
        dialog = OwnNumbersDialog(self.metrics.own, self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self.metrics.set_own(dialog.numbers)
            self._span_statuses()
            self._fit_to_font()
        dialog.deleteLater()

    def current_key(self) -> int | None:
        """Return the key of the lane in the current row."""
        index = self.sorted.mapToSource(self.currentIndex())
        return self.metrics.rows[index.row()].key if index.isValid() else None

    # -- widths --------------------------------------------------------------------------------

    def _fit_to_font(self) -> None:
        """Find the width of each column for its heading and usual numbers."""
        metrics, last = self.fontMetrics(), self.metrics.columnCount() - 1
        self._least = []
        for number in range(last + 1):
            if number:
                losses = self._losses if number == last else None
                self.setItemDelegateForColumn(number, losses)  # type: ignore[arg-type]  # none
            title = self.metrics.headerData(number, Qt.Orientation.Horizontal)
            written = _USUAL[number - 1] if 0 < number <= len(_USUAL) else ""
            heading = max(map(metrics.horizontalAdvance, title.split("\n"))) + PADDING
            cell = metrics.horizontalAdvance(written) + _CELL_PADDING
            self._least.append(max(heading, cell))
            self.horizontalHeader().resizeSection(number, self._least[-1])
        self._fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def _fit_columns(self) -> None:
        """Give the columns the width of their numbers, and at least that of usual ones."""
        columns, advance = self.horizontalHeader(), self.fontMetrics().horizontalAdvance
        cells = [self.metrics.cells(row) for row in self.metrics.rows if row.metrics is not None]
        for number in range(1, columns.count() - 1):
            widest = max((advance(row[number]) for row in cells), default=0)
            columns.resizeSection(number, max(widest + _CELL_PADDING, self._least[number]))
        self._fit_names()

    @Slot()
    def _fit_names(self) -> None:
        """Give the names the rest of the width, so that no number is cut off."""
        columns = self.horizontalHeader()
        taken = sum(columns.sectionSize(n) for n in range(1, columns.count() - 1))
        bar = self.verticalScrollBar().sizeHint().width()
        advance = self.fontMetrics().horizontalAdvance
        checked = [row.checked for row in self.metrics.rows]
        names = [row.name for row in self.metrics.rows if row.metrics is not None]
        longest = max(map(advance, names), default=0)
        narrowest, usual = (scaled(room, self.font()) for room in (_NARROWEST_NAME, _USUAL_NAME))
        whole = min(longest + _CELL_PADDING, usual)
        for texts, least in ((checked, whole), (map(_in_brief, checked), narrowest)):
            last = max(self._least[-1], max(map(advance, texts), default=0) + _CELL_PADDING)
            left = self.width() - taken - last - bar - _FRAME
            if left >= least:
                columns.resizeSection(0, min(left, max(longest + _CELL_PADDING, usual)))
                return
        room = self.width() - _FRAME - (bar if self.verticalScrollBar().maximum() else 0)
        name = max(narrowest, min(longest + _CELL_PADDING, int(room * _SHARE_OF_NAMES)))
        columns.resizeSection(0, name + self._left_over(room - name))

    def _left_over(self, room: int) -> int:
        """Return the width that whole columns of numbers leave beside the names."""
        columns = self.horizontalHeader()
        for place in range(1, columns.count()):
            width = columns.sectionSize(columns.logicalIndex(place))
            if width > room:
                return room if place > 1 else 0
            room -= width
        return 0

    @Slot()
    def _span_statuses(self) -> None:
        """Give the status of a lane without numbers the width of all columns."""
        self.clearSpans()
        for row in range(self.sorted.rowCount()):
            source = self.sorted.mapToSource(self.sorted.index(row, 0))
            if self.metrics.rows[source.row()].metrics is None:
                self.setSpan(row, 0, 1, self.metrics.columnCount())

    # -- the current lane ----------------------------------------------------------------------

    @Slot(QModelIndex)
    def _on_current(self) -> None:
        self._enable()
        key = self.current_key()
        if key is not None:
            self.laneSelected.emit(key)

    def _enable(self) -> None:
        key, rows = self.current_key(), self.metrics.rows
        for action in self.lane_actions:
            action.setEnabled(key is not None)
        self.save.setEnabled(any(row.key == key and row.run is not None for row in rows))
        self.explore.setEnabled(any(row.key == key and row.metrics is not None for row in rows))

    def _want(self, action: QAction) -> None:
        key, place = self.current_key(), self.currentIndex().row()
        if key is None:
            return
        self.wanted.emit(action, key)
        if action is self.remove:
            # The next lane is in its place now.
            self.setCurrentIndex(self.sorted.index(min(place, self.sorted.rowCount() - 1), 0))
        elif action in (self.up, self.down):
            self.select_lane(key)

    def select_lane(self, key: int) -> None:
        """Make the row of a lane current."""
        keys = [row.key for row in self.metrics.rows]
        if key in keys and key != self.current_key():
            self.setCurrentIndex(self.row_of(keys.index(key)))

    def show_menu(self, where: QPoint, copying: Sequence[QAction]) -> None:
        """Open a menu with the actions on the current lane, and these actions to copy."""
        menu = QMenu(self)
        menu.setObjectName("laneMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.lane_actions)
        menu.addSeparator()
        menu.addActions(list(copying))
        menu.popup(where)

    @Slot(QPoint)
    def _on_menu(self, where: QPoint) -> None:
        self.show_menu(self.viewport().mapToGlobal(where), [self.copy, self.export])
