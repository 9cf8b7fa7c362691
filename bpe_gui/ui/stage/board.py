"""Show one to four panels that the window lends, each under its name, and a line below them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QRegion, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QGridLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.bpe.history import History
from bpe_gui.ui.stage.chooser import MOST
from bpe_gui.ui.theme.text_size import FontFollower, resized
from bpe_gui.ui.tokens.token_words import merge_text, told_merge
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import quiet
from bpe_gui.ui.widgets.pace import ReadingPace
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
        super().__init__(_NOTE, alignment=Qt.AlignmentFlag.AlignCenter)
        quiet(self)
        self._hint = widget.sizeHint()
        self._least = widget.minimumSizeHint().expandedTo(widget.minimumSize())
        self.setSizePolicy(widget.sizePolicy())

    def sizeHint(self) -> QSize:
        return self._hint

    def minimumSizeHint(self) -> QSize:
        return self._least


def _asking(widget: QWidget) -> list[QAbstractButton]:
    return [b for b in widget.findChildren(QAbstractButton) if asks_in_a_window(b.text())]


def asks_in_a_window(text: str) -> bool:
    """Tell whether a name is that of a button or action that opens a dialog.

    >>> asks_in_a_window("Export…"), asks_in_a_window("Copy")
    (True, False)
    """
    return text.endswith("…")


_GAP = 90
"""The gap between panels is the height of the stage divided by this."""
_NAME = 0.75
"""The size of a panel's name, as a share of that of its text."""

_THICK = 0.12
"""Height of the bar as a share of that of the letters."""
_LINE = 1.3
"""Height of the line of words as a share of that of the letters."""
_NO_RUN = "Open a corpus to see its merges."


_CELLS = (
    ((0, 0, 2, 2),),
    ((0, 0, 2, 1), (0, 1, 2, 1)),
    ((0, 0, 2, 1), (0, 1, 1, 1), (1, 1, 1, 1)),
    ((0, 0, 1, 1), (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 1, 1)),
)
"""Row, column, rows and columns of 1, 2, 3 or 4 panels, in the order of reading."""


class Board(QWidget):
    """Shows widgets that it is given; they belong to others."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("stageBoard")
        self._frames = [_Frame(f"stagePlace{place + 1}", self) for place in range(MOST)]
        self.line = StageLine(self)
        self._column, self._grid = QVBoxLayout(self), QGridLayout()
        # No panel makes the stage larger than the screen.
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._column.addLayout(self._grid, 1)
        self._column.addWidget(self.line)
        for half in range(2):
            self._grid.setRowStretch(half, 1)
            self._grid.setColumnStretch(half, 1)
        self._with_new_parts: set[_Frame] = set()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self.is_writing = False
        """Whether panels get the font of the stage now: parts that come into sight get it too."""
        self._soon.timeout.connect(self._write_anew)

    def write_soon(self, part: QWidget) -> None:
        """Give the font of the stage to the panel that has this new part, if one has."""
        frames = [frame for frame in self._frames if frame.isAncestorOf(part)]
        if frames:
            self._with_new_parts.update(frames)
            self._soon.start()

    def show_panels(self, panels: Sequence[tuple[str, QWidget]]) -> None:
        """Show 1 to 4 panels, every one under its name."""
        # Hidden, a panel would pass the focus on to a table, which then marks its first row.
        take_focus_from(self)
        shown = list(zip(self._frames, panels, _CELLS[len(panels) - 1], strict=False))
        # What stays where it is need not be laid out and written anew.
        stay = [frame for frame, (_, panel), cell in shown if frame.has(panel, cell)]
        for frame in self._frames:
            if frame not in stay:
                self._grid.removeWidget(frame)
                frame.setVisible(False)
        for frame, (name, panel), cell in shown:
            frame.set_name(name)
            if frame not in stay:
                self._grid.addWidget(frame, *cell)
                frame.show_panel(panel, cell)
                frame.setVisible(True)
        self._column.activate()

    @property
    def beside_first(self) -> QRegion:
        """The area of all panels but the first, and of the line below them; empty without them."""
        area = QRect()
        for frame in self._frames[1:]:
            if frame.isVisible():
                area |= frame.geometry()
        return QRegion() if area.isEmpty() else QRegion(area) | QRegion(self.line.geometry())

    def name_panels(self, names: Sequence[str]) -> None:
        """Rename the panels, in the order of their places."""
        for frame, name in zip(self._frames, names, strict=False):
            frame.set_name(name)

    @Slot()
    def _write_anew(self) -> None:
        self.is_writing = True
        for frame in self._with_new_parts:
            # Only a change of the size reaches what was made on it.
            frame.write_anew(larger=1)
            frame.write_anew()
        self._with_new_parts.clear()
        self.is_writing = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        gap = max(4, self.height() // _GAP)
        self._column.setContentsMargins(gap, gap, gap, 0)
        for layout in (self._column, self._grid):
            layout.setSpacing(gap)


class _Frame(QWidget):
    """Shows a panel under its name."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._name = quiet(QLabel())
        self._panel: QWidget | None = None
        self._cell: Sequence[int] = ()
        self._column = filled(QVBoxLayout(self), self._name)
        # A panel that would like more room than there is gets what there is.
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.hide()
        FontFollower(self, self._fit)

    def has(self, panel: QWidget, cell: Sequence[int]) -> bool:
        """Tell whether it shows that panel now, at that place."""
        in_sight = not self.isHidden() and self._column.indexOf(panel) >= 0
        return in_sight and self._cell == cell

    def show_panel(self, panel: QWidget, cell: Sequence[int]) -> None:
        """Show another panel at a place; the one before has been given back."""
        self._panel, self._cell = panel, cell
        self._column.addWidget(panel, 1)
        self.write_anew()
        panel.show()

    def hasHeightForWidth(self) -> bool:
        """Return False: a panel whose sentences wrap gets no more of the stage than the others."""
        return False

    def write_anew(self, larger: int = 0) -> None:
        """Give all of the panel the font of the stage.

        With a style sheet, a widget does not take the font of a new parent, but only when that
        changes.
        """
        panel, font = self._panel, self.font()
        # It may have been given back.
        if panel is not None and self._column.indexOf(panel) >= 0:
            font.setPointSizeF(font.pointSizeF() + larger)
            panel.setFont(QFont())
            panel.setFont(font)

    def _fit(self) -> None:
        self.write_anew()
        self._name.setFont(resized(self.font(), _NAME))
        self._name.setIndent(self._name.fontMetrics().averageCharWidth() // 2)

    def set_name(self, name: str) -> None:
        """Write another name above the panel."""
        self._name.setText(name)


class StageLine(QWidget):
    """Shows a thin bar, and below it the position with the merge in words.

    While the cursor moves fast the words follow at 5 Hz, and the bar in every frame.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stageLine")
        self._history: History | None = None
        self._position = 0
        self._told: int | None = None
        self._share = 0.0
        self._words = SteadyLabel(self)
        self._words.label.setTextFormat(Qt.TextFormat.PlainText)
        self._pace = ReadingPace(self)
        self._pace.due.connect(self._write)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._words)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        FontFollower(self, self._fit)

    def _fit(self) -> None:
        height = self.fontMetrics().height()
        self._thick = max(2, round(height * _THICK))
        self._column.setContentsMargins(0, self._thick, 0, 0)
        self._words.setFixedHeight(round(height * _LINE))

    def show_position(
        self,
        history: History | None,
        position: int,
        moving: bool,
        told: int | None = None,
        *,
        under_way: bool = False,
        done: int | None = None,
    ) -> None:
        """Show another position of a run, or that there is none.

        `told` is the position before the merge that is named, that of the panels; by default it is
        the merge that led to the position, which gives no answer away. `under_way` tells
        whether it is seen to happen. `done`, the number of merges that are seen as done, is the
        position unless that says otherwise.
        """
        self._history, self._position, self._told = history, position, told
        self._under_way = under_way
        self._done = position if done is None else done
        share = self._done / len(history) if history is not None and len(history) else 0.0
        if share != self._share:
            self._share = share
            self.update(0, 0, self.width(), self._thick)
        self._pace.ask(busy=moving)

    @Slot()
    def _write(self) -> None:
        text = _NO_RUN
        if (history := self._history) is not None:
            position = self._position
            told = position - 1 if self._told is None else self._told
            merge = (
                merge_text(history, 0) if told < 0
                else told_merge(history, told, last=told < position, now=self._under_way)
            )  # fmt: skip
            text = f"{self._done:,} / {len(history):,}   {merge}"
        self._words.set_text(text)
        self.setAccessibleName(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            done = round(self._share * self.width())
            painter.fillRect(0, 0, done, self._thick, self.palette().accent())
            painter.fillRect(done, 0, self.width() - done, self._thick, self.palette().button())
