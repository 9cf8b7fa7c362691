"""Find the places in the window that a tour points to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import MappingProxyType

from msgspec import Struct
from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QScrollArea, QTableView, QWidget

from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.tours.directives import CURVES
from bpe_gui.tours.tour import Scene, Spot, Workspace
from bpe_gui.ui.context.context import Context, all_parts, find_part, reveal
from bpe_gui.ui.tour.spotlight import Target
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

_LAID_OUT = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show})
_MOST_ON_STAGE = 3
_AT_LEAST = MappingProxyType(
    {
        Workspace.EXPLORE: "text",
        Workspace.COMPARE: "lanes",
        Workspace.LABORATORY: "pipeline",
    }
)


def panels_on_stage(scene: Scene, *, asks: bool) -> list[str]:
    """Return the panels that a scene points to, from one to three, by their names on the stage.

    `asks` tells whether a question replaces the pairs. The page shows it as well: if the scene
    points to something else, that is shown.
    """
    places = [spot.place for spot in scene.spotlight]
    if asks and not places:
        places = ["pairs"]
    parts = parts_by_place()
    names = dict.fromkeys(filter(None, (parts[place].stage for place in places)))
    return list(names or {_AT_LEAST[scene.workspace]: None})[:_MOST_ON_STAGE]


def parts_by_place() -> dict[str, PanelSpec | PartSpec]:
    """Return the parts of the window by the places that a tour can point to."""
    return {place: part for part in all_parts() for place in part.tour_places}


def known_places() -> dict[str, Workspace | None]:
    """Return what a tour can point to, with its workspace; None for all of them."""
    return {
        place: None if part.workspace is None else Workspace(part.workspace.name.lower())
        for place, part in parts_by_place().items()
    }


class Targets:
    """Finds the widgets of `known_places`, and brings them into view."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._explore = context.explore
        self._actions = context.actions
        self._compare = compare = context.compare
        self._numbers = compare.numbers
        self._parts = parts_by_place()
        tables = (compare.numbers.table, compare.numbers.texts.table)
        self.parts = TableParts(tables, compare)

    def widget(self, place: str) -> QWidget:
        """Return the widget of a place, which may be on the stage.

        The view of the laboratory is made if need be. Raises KeyError for an unknown place.
        """
        part = self._parts[place]
        name = part.tour_places[place]
        if part.workspace is None:
            held = _child(self._context.window, part.widget)
        else:
            held = find_part(part, self._context)
        return _child(held, name) if name else held

    def bring_into_view(self, spots: Sequence[Spot]) -> None:
        """Raise targets that are behind a tab, and the default panels in other places.

        The languages are many: they replace the lanes, unless these are pointed to as well.
        """
        places = {spot.place for spot in spots}
        for place in ("words", "vocabulary", *places):
            dock = self._explore.docks.get(self._parts[place].widget)
            if dock is not None and (place in places or not dock.isHidden()):
                dock.show()
                dock.raise_()
        shown = "languages" if "languages" in places else "numbers"
        self._numbers.tabs.setCurrentWidget(self.widget(shown))
        alone = shown == "languages" and "lanes" not in places
        self.give_room(self._actions.numbers_alone if alone else None)
        for place in places:
            if self._parts[place].workspace is WorkspaceId.LABORATORY:
                reveal(self.widget(place))
        self.parts.forget()
        for spot in spots:
            if spot.place == "curves" and spot.part is not None:
                self._explore.curves.show_curve(CURVES.index(spot.part))
            elif spot.place == "lanes":
                if spot.part is not None and self._compare.source.is_story:
                    self._compare.lanes.begin_at(joined().stretches[spot.part].start)
            elif spot.place == "languages" or spot.part is not None:
                self.parts.keep_in_view(self._part_of_table(spot))
            elif spot.first is not None:
                _scroll_to_top(self._explore.pair_chart)

    def _part_of_table(self, spot: Spot) -> Part:
        """Return a language, or a column of numbers; by default the language compared with.

        The table may be sorted in another way later.
        """
        if spot.place == "languages":
            languages = self._numbers.texts
            compared_with = languages.model.reference or languages.model.codes[0]
            return Part(
                languages.table,
                partial(languages.index_of, spot.part or compared_with),
                partial(languages.index_of, compared_with),
            )
        table, titles = self._numbers.table, self._numbers.table.metrics.titles()
        cell = table.model().index
        assert spot.part is not None
        return Part(table, partial(cell, 0, titles.index(spot.part)), partial(cell, 0, 0))

    def give_room(self, alone: QAction | None) -> None:
        """Maximize the lanes or the numbers of Compare by this action, or neither."""
        for action in (self._actions.lanes_alone, self._actions.numbers_alone):
            if action.isChecked() != (action is alone):
                action.trigger()

    def find(self, spots: Iterable[Spot]) -> list[Target]:
        """Return the widgets, and the areas in them, to be pointed to."""
        return [self._target(spot) for spot in spots]

    def _target(self, spot: Spot) -> Target:
        widget = self.widget(spot.place)
        if spot.first is not None and spot.last is not None:
            chart = self._explore.pair_chart
            return Target(chart, partial(chart.area_of_rows, spot.first - 1, spot.last - 1))
        if spot.part is None:
            return Target(widget)
        if spot.place == "lanes":
            return Target(widget, widget.rect)
        if spot.place == "curves":
            return Target(widget, partial(self._explore.curves.area_of, CURVES.index(spot.part)))
        part = self._part_of_table(spot)
        if spot.place == "languages":
            return Target(part.table, lambda: row_area(part.table, part.index().row()))
        return Target(part.table, lambda: column_area(part.table, part.index().column()))


def _scroll_to_top(widget: QWidget) -> None:
    """Scroll what a widget is in to its top: another panel in its place may have scrolled it."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    if around is not None:
        around.verticalScrollBar().setValue(0)


def _child(held: QWidget, name: str) -> QWidget:
    found = held.findChild(QWidget, name)
    assert isinstance(found, QWidget), f"{name} is a part of {held.objectName()}"
    return found


class Part(Struct, frozen=True):
    """A row or a column of a table, however the table is sorted.

    index: gives its first cell. beside: gives the first cell of its heading row or column.
    """

    table: QTableView
    index: Callable[[], QModelIndex]
    beside: Callable[[], QModelIndex]


class TableParts(QObject):
    """Keeps rows and columns of tables in view when these change, until the user scrolls.

    If a table is too small for all, they are moved next to what they are read with: rows below the
    language that is compared with, columns beside the names.
    """

    moved = Signal()
    """The rows and columns of the tables may have moved."""

    def __init__(self, tables: Iterable[QTableView], parent: QObject) -> None:
        super().__init__(parent)
        self._tables = tuple(tables)
        self._wanted: list[Part] = []
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._scroll)
        for table in self._tables:
            table.viewport().installEventFilter(self)
            table.model().layoutChanged.connect(self._on_sorted)
            for bar in (table.horizontalScrollBar(), table.verticalScrollBar()):
                bar.valueChanged.connect(self.moved)
                bar.actionTriggered.connect(self._on_user)

    def keep_in_view(self, part: Part) -> None:
        """Keep a part in view, too. If there is no room for all, the first ones are in view."""
        self._wanted.append(part)
        self._soon.start()

    def forget(self) -> None:
        """Keep nothing in view any more, and restore the usual order."""
        self._wanted.clear()
        for table in self._tables:
            _in_order(table.verticalHeader(), [])
            _in_order(table.horizontalHeader(), [])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow tables that are laid out again; no event is taken."""
        if event.type() in _LAID_OUT:
            self._soon.start()
        return False

    @Slot()
    def _scroll(self) -> None:
        self._move_together()
        for part in reversed(self._wanted):
            if part.table.isVisible():
                part.table.scrollTo(part.index())
                part.table.scrollTo(part.beside())
        self.moved.emit()

    def _move_together(self) -> None:
        """Move parts beside what they are read with, if there is no room for all.

        When the user scrolls and no part has to be in view any more, everything stays in its place.
        """
        for table in {part.table for part in self._wanted}:
            parts = [part for part in self._wanted if part.table is table]
            cells = [cell() for part in parts for cell in (part.beside, part.index)]
            view, rows, columns = table.viewport(), table.verticalHeader(), table.horizontalHeader()
            fits = rows.length() <= view.height()
            _in_order(rows, [] if fits else list(dict.fromkeys(cell.row() for cell in cells)))
            fits = columns.length() <= view.width()
            _in_order(columns, [] if fits else list(dict.fromkeys(cell.column() for cell in cells)))

    @Slot()
    def _on_sorted(self) -> None:
        if self._wanted:
            self._soon.start()

    @Slot()
    def _on_user(self) -> None:
        self._wanted.clear()


def _in_order(header: QHeaderView, first: Sequence[int]) -> None:
    if not first and not header.sectionsMoved():
        return
    others = (section for section in range(header.count()) if section not in first)
    for place, section in enumerate([*first, *others]):
        if header.visualIndex(section) != place:
            header.moveSection(header.visualIndex(section), place)


def row_area(table: QTableView, row: int) -> QRect:
    """Return the area of a row in the table's pixels, as far as it is visible."""
    seen = table.viewport().geometry()
    top = seen.top() + table.rowViewportPosition(row)
    width = table.horizontalHeader().length()
    return QRect(seen.left(), top, width, table.rowHeight(row)).intersected(seen)


def column_area(table: QTableView, column: int) -> QRect:
    """Return the area of a column with its heading in the table's pixels, if visible."""
    seen = table.viewport().geometry()
    seen.setTop(table.horizontalHeader().geometry().top())
    left = seen.left() + table.columnViewportPosition(column)
    rows = table.verticalHeader().length() + table.horizontalHeader().height()
    return QRect(left, seen.top(), table.columnWidth(column), rows).intersected(seen)
