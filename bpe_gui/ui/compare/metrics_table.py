"""The table of numbers of the text or of a file, and the actions on its lanes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import (
    QModelIndex,
    QPoint,
    QSignalBlocker,
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

from bpe_gui.analysis.metric_columns import COLUMNS, TOO_SHORT, Column
from bpe_gui.analysis.metrics import Metrics
from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding, remark_about
from bpe_gui.encodings.measuring.file_measuring import FileNumbers
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.actions.action_words import set_keywords
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.own_numbers_dialog import OwnNumbersDialog
from bpe_gui.ui.compare.tables import (
    MARK_ROLE,
    MARK_WIDTH,
    PADDING,
    Cell,
    NumberHeader,
    NumbersModel,
    NumbersTable,
)
from bpe_gui.ui.compare.turned_numbers import Turning
from bpe_gui.ui.compare.wording import LOSSLESS, NOT_MEASURED, TO_BE_MEASURED, lost
from bpe_gui.ui.theme.painting import brush
from bpe_gui.ui.theme.text_size import FontFollower, scaled, set_width
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.names import NameElider
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.presenting import Presentable
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.widgets.tables import AnyIndex


class MetricsRow(Struct, frozen=True):
    """A lane as the table shows it.

    key: of the lane. metrics: None while there are none. status: why there are none.
    checked, explanation: whether the text round-trips, in a word and in a sentence; lossy: if not.
    run: the run of the lane, which can be saved. hidden: whether it is not among the lanes.
    colour: the number of the colour that marks the lane, -1 for none.
    remark: what was guessed of the encoding, or is left out; see `remark_about`.
    """

    key: int
    name: str
    metrics: Metrics | None
    checked: str = ""
    explanation: str = ""
    lossy: bool = False
    status: str = ""
    run: History | None = None
    hidden: bool = False
    colour: int = -1
    remark: str = ""


def rows_of(comparison: Comparison) -> list[MetricsRow]:
    """Make a row for each lane, in their order; those without numbers yet are included."""
    result = comparison.result
    cuts = {lane.key: lane for lane in result.lanes} if result is not None else {}
    rows = []
    for lane in comparison.lanes:
        cut = cuts.get(lane.key)
        run = lane.encoding.history if isinstance(lane.encoding, TrainedEncoding) else None
        row = MetricsRow(
            lane.key, lane.name, None, run=run, hidden=lane.hidden, colour=lane.colour,
            remark=remark_about(lane.encoding),
        )  # fmt: skip
        if cut is None or cut.metrics is None or cut.check is None:
            status = lane.status or (cut.problem if cut is not None else "")
            rows.append(replace(row, status=status))
            continue
        row = replace(row, metrics=cut.metrics, explanation=cut.check.label, lossy=cut.is_lossy)
        rows.append(replace(row, checked=cut.check.short or LOSSLESS))
    return rows


def file_rows(numbers: FileNumbers, lanes: Sequence[MetricsRow]) -> tuple[MetricsRow, ...]:
    """Return the numbers of a file in the order of the lanes, which may not all be measured."""
    return tuple(_file_row(numbers, row) for row in lanes)


def _file_row(numbers: FileNumbers, lane: MetricsRow) -> MetricsRow:
    encoding, measured = numbers.request.encodings.get(lane.key), numbers.measured.get(lane.key)
    row = MetricsRow(
        lane.key, lane.name, None, run=lane.run, colour=lane.colour, remark=lane.remark
    )
    if encoding is None:
        return replace(row, status=lane.status or NOT_MEASURED)
    row = replace(row, name=_name_of(encoding, lane))
    if measured is None:
        waits = NOT_MEASURED if numbers.cancelled else TO_BE_MEASURED
        problem = numbers.problems.get(lane.key)
        return replace(row, status=waits if problem is None else as_sentence(problem))
    unknowns = measured.metrics.unknowns
    row = replace(row, metrics=measured.metrics, checked=measured.loss)
    return replace(row, explanation=lost(unknowns), lossy=unknowns > 0)


def _name_of(encoding: Encoding, row: MetricsRow) -> str:
    """Return the name of a measured encoding; its lane may show another run by now."""
    if isinstance(encoding, TrainedEncoding) and row.run not in (None, encoding.history):
        return f"{encoding.name}, of the run before"
    return encoding.name


_NAME = 0
_SHORT_TITLES = {"single-token words": "1-token words", "vocabulary used": "vocab. used"}
"""Titles in headings, where the whole ones would be too wide."""


class MetricsModel(NumbersModel):
    """One row for each lane: its name, its numbers, and whether it is lossless."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[MetricsRow, ...] = ()
        self.columns: tuple[Column, ...] = COLUMNS
        self.own = OwnNumbers()
        """What the columns behind the usual ones are computed by."""
        self._show(same=False)

    def set_own(self, own: OwnNumbers) -> None:
        """Show other columns behind the usual ones."""
        self.own, self.columns = own, (*COLUMNS, *own.columns)
        self._show(same=False)

    def _show(self, *, same: bool) -> None:
        self.words = (_NAME, len(self.columns) + 1)
        meanings = [None, *(column.meaning for column in self.columns), None]
        # On two lines, so that all columns fit side by side.
        headings = [
            Cell(
                _SHORT_TITLES.get(title, title).replace("/", "/\n").replace(" ", "\n"),
                tooltip=meaning,
            )
            for title, meaning in zip(self.titles(), meanings, strict=True)
        ]
        self.show(headings, list(map(self._cells, self.rows, count())), same=same)

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show other lanes, or other numbers of the same lanes."""
        before, self.rows = self.rows, tuple(rows)
        if self.rows != before:
            same = [row.key for row in self.rows] == [row.key for row in before]
            self._show(same=same)

    def titles(self) -> Sequence[str]:
        return ["encoding", *(column.title for column in self.columns), "lossless"]

    def _cells(self, row: MetricsRow, place: int) -> list[Cell]:
        texts = self.cells(row)
        known = filter(None, [_named(row), row.remark])
        orders = [column.of(row.metrics) for column in self.columns]
        return [
            Cell(texts[_NAME], float(place), "\n".join(known), mark=row.colour),
            *(map(Cell, texts[1:-1], orders, self._tooltips(row))),
            Cell(texts[-1], float(row.lossy), row.explanation or None),
        ]

    def cells(self, row: MetricsRow) -> list[str]:
        """Return the texts of a row."""
        if row.metrics is None:
            return [_named(row), *[""] * (len(self.columns) + 1)]
        written = [column.cell(row.metrics) for column in self.columns]
        return [_named(row), *written, row.checked]

    def lines(self) -> list[Sequence[object]]:
        return [self.titles(), *map(self._unrounded, self.rows)]

    def _unrounded(self, row: MetricsRow) -> Sequence[object]:
        if row.metrics is None:
            return self.cells(row)
        numbers = [column.of(row.metrics) for column in self.columns]
        known = filter(None, [row.name, row.remark])
        return [": ".join(known), *numbers, row.explanation if row.lossy else row.checked]

    def _tooltips(self, row: MetricsRow) -> Iterator[str | None]:
        """Say for each number why there is none, or why it says little."""
        for column in self.columns:
            metrics = row.metrics
            little = metrics is not None and column.says_little(metrics)
            yield as_sentence(TOO_SHORT) if little else row.status or None


def _named(row: MetricsRow) -> str:
    return f"{row.name}: {row.status}" if row.status else row.name + " (hidden)" * row.hidden


_CELL_PADDING = 19
_NARROW_BUTTON = 26
_FRAME = 2
_NARROWEST_NAME, _USUAL_NAME = 110, 240
_SHARE_OF_NAMES = 2 / 3
"""The greatest part of the width for names where not all numbers fit beside them."""


def _in_brief(checked: str) -> str:
    return checked.partition(":")[0]


class _Losses(QStyledItemDelegate):
    """Leaves out what is lost where it has no room."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        text, room = option.text, option.rect.width()  # type: ignore[attr-defined]
        if option.fontMetrics.horizontalAdvance(text) + _CELL_PADDING > room:  # type: ignore[attr-defined]
            option.text = _in_brief(text)  # type: ignore[attr-defined]


class _Names(QStyledItemDelegate):
    """Draws the colour of a lane before its name, as the lanes do."""

    def __init__(self, table: QWidget) -> None:
        super().__init__(table)
        self._table = table
        self._elider = NameElider()
        ThemeFollower(table, self._take_colours)

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        table = self._table
        if isinstance(table, Presentable) and table.presents:
            return  # an audience reads whole names, in several lines
        model = index.model()
        names = [model.index(row, 0).data() for row in range(model.rowCount())]
        self._elider.write(option, names)

    def _take_colours(self, theme: Theme) -> None:
        self._marks = [brush(colour) for colour in theme.lines]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
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
    ownChanged = Signal(object)
    """The user's OwnNumbers."""

    def __init__(self) -> None:
        self.metrics = MetricsModel()
        super().__init__(self.metrics, "Metrics", "encodings.csv", NumberHeader())
        self._least: list[int] = []
        named(self, "metricsTable", "The numbers of each encoding")
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
        self.colour = self.add_action("Next colour of this lane", "colourLaneAction", "Ctrl+9")
        self.costs = self.add_action("Costs by your own numbers…", "ownNumbersAction", "Ctrl+8")
        set_keywords(self.costs, "price money context window embedding parameters")
        self.lane_actions = [
            self.explore, self.up, self.down, self.rename, self.hiding, self.colour,
            self.remove, self.save,
        ]  # fmt: skip
        for action in self.lane_actions:
            action.triggered.connect(partial(self._want, action))
        self._losses, self._names = _Losses(self), _Names(self)
        self._turning = Turning(self)
        self.setItemDelegateForColumn(0, self._names)
        FontFollower(self, self._fit_to_font)
        self.costs.triggered.connect(self._ask_costs)
        self.sorted.layoutChanged.connect(self._span_statuses)
        columns.sectionMoved.connect(self._fit_names)
        self.verticalScrollBar().rangeChanged.connect(self._fit_names)
        self.customContextMenuRequested.connect(self._on_menu)
        self.selectionModel().currentRowChanged.connect(self._on_current)
        self._enable()

    def set_rows(self, rows: Sequence[MetricsRow]) -> None:
        """Show lanes; the current one stays current."""
        key = self.current_key()
        self.metrics.set_rows(rows)
        self._stay_at(key)
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
        dialog = OwnNumbersDialog(self.metrics.own, self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self.set_own(dialog.numbers)
        dialog.deleteLater()

    def set_own(self, own: OwnNumbers) -> None:
        """Show other columns behind the usual ones; the current lane stays current."""
        key = self.current_key()
        self.metrics.set_own(own)
        self._stay_at(key)
        self._span_statuses()
        self._fit_to_font()
        self.ownChanged.emit(own)

    def current_key(self) -> int | None:
        """Return the key of the lane in the current row."""
        index = self.sorted.mapToSource(self.currentIndex())
        return self.metrics.rows[index.row()].key if index.isValid() else None

    # -- widths --------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Give each encoding a column, where a figure would be half empty below the rows of few."""
        rows, last = self.metrics.rows, self.metrics.columnCount() - 1
        has_use = self._turning.has_use(len(rows)) and all(row.metrics is not None for row in rows)
        turned = self.presents and self.is_still and has_use
        if turned == self._turning.is_turned:
            return
        if turned:
            for column in (0, last):
                self.setItemDelegateForColumn(column, None)  # type: ignore[arg-type]  # none
            places = range(self.sorted.rowCount())
            shown = [rows[self.sorted.mapToSource(self.sorted.index(n, 0)).row()] for n in places]
            cells = [[*self.metrics.cells(row)[:-1], _in_brief(row.checked)] for row in shown]
            self._turning.turn(self.metrics.titles()[1:], cells)
        else:
            self._turning.turn_back()
            self.setItemDelegateForColumn(0, self._names)
        self._fit_rows()

    def _fit_to_font(self) -> None:
        """Find the width of each column for its heading and usual numbers."""
        if self._turning.is_under_way:
            return
        self._turn()
        if self._turning.is_turned:
            self._turning.fit()
            return
        metrics, last = self.fontMetrics(), self.metrics.columnCount() - 1
        self._least, widest = [], ["", *(column.widest for column in COLUMNS)]
        for number in range(last + 1):
            if number:
                losses = self._losses if number == last else None
                self.setItemDelegateForColumn(number, losses)  # type: ignore[arg-type]  # none
            title = self.metrics.headerData(number, Qt.Orientation.Horizontal)
            written = widest[number] if number < len(widest) else ""
            heading = max(map(metrics.horizontalAdvance, title.split("\n"))) + PADDING
            cell = metrics.horizontalAdvance(written) + _CELL_PADDING
            self._least.append(max(heading, cell))
            self.horizontalHeader().resizeSection(number, self._least[-1])
        self._fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.presents:
            self._fit_to_font()
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
        if self._turning.is_turned or self._turning.is_under_way:
            return
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

    def _stay_at(self, key: int | None) -> None:
        """Make the row of a lane current as it was before, which is no choice of the user."""
        if key is not None:
            with QSignalBlocker(self):
                self.select_lane(key)

    def show_menu(self, where: QPoint, copying: Sequence[QAction]) -> None:
        """Open a menu with the actions on the current lane, and these actions to copy."""
        menu = named(QMenu(self), "laneMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.lane_actions)
        menu.addSeparator()
        menu.addActions(list(copying))
        menu.popup(where)

    @Slot(QPoint)
    def _on_menu(self, where: QPoint) -> None:
        self.show_menu(self.viewport().mapToGlobal(where), [self.copy, self.export])
