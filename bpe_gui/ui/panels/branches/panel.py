"""What if: the branches of a run, and how two of them differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from weakref import WeakSet

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.branches import Branch, BranchComparison, BranchState, sentence
from bpe_gui.bpe.history import History
from bpe_gui.exporting.tables import branch_lines, side_by_side_lines
from bpe_gui.ui.panels.branches.comparison import ComparisonView
from bpe_gui.ui.panels.branches.table import BranchColumn, BranchTable
from bpe_gui.ui.theme.text_size import FontFollower, scaled

_ROW_PADDING = 6
_NARROW = 340
"""A table of less width has no room for bytes per token: the comparison tells them."""
_LOW, _FEW_ROWS = 400, 3
"""In a panel of less height so many branches are in view, and the others by scrolling."""
_NOTHING_LOADED = "Open a corpus to see what other decisions change."
_HOW = (
    "What if another pair had been merged? F8 forbids the pair that is merged next, F9 merges "
    "the one that is chosen in the chart instead; so does a click there with the right button. "
    "The run goes on from the cursor as a branch."
)
_WAITING = "They are compared when the training rests."

_CHOICES = (("&Show\tEnter", "show"), ("Re&name\tF2", "name"), ("&Remove\tDel", "remove"))
"""What can be done with a branch, with the key that does it here."""


class BranchesView(QTableView):
    """Enter shows the current branch, Delete takes it away."""

    chosen = Signal(int)
    removed = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        editing = self.state() is QAbstractItemView.State.EditingState
        if row >= 0 and not editing and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(row)
        elif row >= 0 and not editing and event.key() == Qt.Key.Key_Delete:
            self.removed.emit(row)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with a branch."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            menu = self.menu(index.row())
            menu.exec(event.globalPos())
            menu.deleteLater()

    def menu(self, row: int) -> QMenu:
        """What can be done with the branch in a row; the original cannot be removed."""
        menu = QMenu(self)
        menu.triggered.connect(self._on_menu)
        for text, choice in _CHOICES:
            action = menu.addAction(text)
            action.setObjectName(f"{choice}Branch")
            action.setData((choice, row))
            action.setEnabled(choice != "remove" or row > 0)
        return menu

    @Slot(QAction)
    def _on_menu(self, action: QAction) -> None:
        choice, row = action.data()
        if choice == "show":
            self.chosen.emit(row)
        elif choice == "remove":
            self.removed.emit(row)
        else:
            index = self.model().index(row, BranchColumn.NAME)
            self.setCurrentIndex(index)
            self.edit(index)

    def fit(self, width: int, height: int) -> None:
        """Leave room for what stands below, in a panel of that size."""
        self.setColumnHidden(BranchColumn.BYTES_PER_TOKEN, width < _NARROW)
        rows = self.model().rowCount()
        if height < scaled(_LOW, self.font()):
            rows = min(rows, _FEW_ROWS)
        header = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(header + rows * self.verticalHeader().defaultSectionSize() + 2)


class BranchesPanel(QWidget):
    """Lists the branches; shows, names and removes them by asking for it; compares two."""

    branchChosen = Signal(int)
    """The user wants to see the branch with this number."""
    branchRenamed = Signal(int, str)
    """The user gives a branch another name."""
    branchRemoved = Signal(int)
    """The user does not want a branch any more."""
    placeChosen = Signal(int, int, int)
    """The number of a branch, a position in it, and a token to select or NO_TOKEN."""
    comparisonWanted = Signal(object, object)
    """Two histories that are to be compared; `set_comparison` takes the answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("branchesPanel")
        self.setAccessibleName("What if")
        self._branches: Sequence[Branch] = ()
        self._shown: Branch | None = None
        self._viewed: WeakSet[Branch] = WeakSet()
        self._asked: tuple[History, int, History, int] | None = None
        self._comparison: BranchComparison | None = None
        self._model = BranchTable(self)
        self._model.renamed.connect(self.branchRenamed)
        self._table = self._make_table()
        self._other = QComboBox(self)
        self._other.setObjectName("comparedBranch")
        self._other.setAccessibleName("Branch to compare with")
        self._other.currentIndexChanged.connect(self._compare)
        self._view = ComparisonView(self)
        self._view.placeChosen.connect(self._choose_place)
        self._against = QWidget(self)
        self._lay_out()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusProxy(self._table)
        self._tell()
        FontFollower(self._table, self._fit_to_font)

    def sizeHint(self) -> QSize:
        """Room for a few branches and what is said of two."""
        return QSize(380, 300)

    def minimumSizeHint(self) -> QSize:
        """The least that shows two branches."""
        return QSize(200, 100)

    def _make_table(self) -> BranchesView:
        table = BranchesView(self)
        table.setObjectName("branchTable")
        table.setAccessibleName("Branches")
        table.setModel(self._model)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setMinimumSectionSize(1)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(BranchColumn.NAME, QHeaderView.ResizeMode.Stretch)
        table.clicked.connect(self._on_clicked)
        table.chosen.connect(self.branchChosen)
        table.removed.connect(self.branchRemoved)
        return table

    def _lay_out(self) -> None:
        row = QHBoxLayout(self._against)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel("Compare&d with", self._against)
        label.setBuddy(self._other)
        row.addWidget(label)
        row.addWidget(self._other, 1)
        below = QVBoxLayout()
        below.setContentsMargins(10, 6, 6, 6)
        below.setSpacing(6)
        below.addWidget(self._against)
        below.addWidget(self._view, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._table)
        layout.addLayout(below, 1)

    # -- what is shown ---------------------------------------------------------------------

    def set_branches(self, branches: Sequence[Branch], shown: Branch | None) -> None:
        """List these branches, of which one is shown everywhere."""
        compared = self._compared()
        if shown is not None and (shown not in self._viewed or compared is shown):
            # It is compared with the one that it was made from, or that one came from.
            compared = self._shown
            self._viewed.add(shown)
        self._branches, self._shown = tuple(branches), shown
        self._model.set_branches(branches, shown)
        if shown is not None:
            self._table.selectRow(self._branches.index(shown))
            self._table.scrollTo(self._table.currentIndex())
        self._offer(compared)
        self._compare()

    def lines(self) -> Iterator[Sequence[object]] | None:
        """The branches as lines for a file; None without a run."""
        return branch_lines(self._branches) if self._branches else None

    def token_lines(self) -> Iterator[Sequence[object]] | None:
        """The tokens of the branches side by side; None without a run."""
        if not self._branches:
            return None
        histories = [branch.history for branch in self._branches]
        return side_by_side_lines(histories, [branch.name for branch in self._branches])

    def set_states(self, states: Sequence[BranchState]) -> None:
        """Tell what becomes of each branch, in their order."""
        self._model.set_states(states)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room between the branches and what is said of two."""
        super().resizeEvent(event)
        self._table.fit(self.width(), self.height())

    def _fit_to_font(self) -> None:
        rows = self._table.verticalHeader()
        rows.setDefaultSectionSize(self._table.fontMetrics().height() + _ROW_PADDING)
        self._table.fit(self.width(), self.height())

    def _show_several(self) -> None:
        several = len(self._branches) > 1
        self._table.fit(self.width(), self.height())
        self._against.setVisible(several)
        self._table.setVisible(several)

    def set_history(self, history: History | None) -> None:
        """Nothing to do: `set_branches` tells which branch is shown."""

    def show_position(self, position: int, moving: bool) -> None:
        """Keep up with a training; compare when it rests."""
        self._model.refresh()
        if not moving and self._ask():
            self._tell()

    def select_token(self, token: int) -> None:
        """Nothing to do: no single token stands here."""

    @Slot(object, object, object)
    def set_comparison(self, first: History, second: History, comparison: BranchComparison) -> None:
        """Take the answer about two histories; dropped if others are compared by now."""
        asked = self._asked
        if asked is not None and (asked[0], asked[2]) == (first, second):
            self._comparison = comparison
            self._tell()

    def _offer(self, compared: Branch | None) -> None:
        """Offer all but the branch that is shown; stay with the one compared, if it is there."""
        blocked = self._other.blockSignals(True)
        self._other.clear()
        for number, branch in enumerate(self._branches):
            if branch is not self._shown:
                self._other.addItem(branch.name, number)
                if branch is compared:
                    self._other.setCurrentIndex(self._other.count() - 1)
        self._other.blockSignals(blocked)
        self._show_several()

    def _compared(self) -> Branch | None:
        number = self._other.currentData()
        return self._branches[number] if number is not None else None

    @Slot()
    def _compare(self) -> None:
        """Tell how the two branches differ, as soon as that is known."""
        self._ask()
        self._tell()

    def _ask(self) -> bool:
        """Ask how the two branches differ, if that is not known; whether it is not."""
        other = self._compared()
        if self._shown is None or other is None:
            self._asked = self._comparison = None
            return False
        first, second = self._shown.history, other.history
        asked = (first, len(first), second, len(second))
        if asked == self._asked:
            return False
        self._asked = asked
        self._comparison = None
        self.comparisonWanted.emit(first, second)
        return True

    def _tell(self) -> None:
        other, comparison = self._compared(), self._comparison
        if self._shown is None:
            text = _NOTHING_LOADED
        elif other is None:
            text = _HOW
        elif comparison is None:
            text = _WAITING
        else:
            self._view.tell(comparison, self._shown, other)
            self.setAccessibleDescription(sentence(comparison, self._shown.name, other.name))
            return
        self._view.say(text)
        self.setAccessibleDescription(text)

    @Slot(bool, int, int)
    def _choose_place(self, in_other: bool, position: int, token: int) -> None:
        branch = self._compared() if in_other else self._shown
        if branch is not None:
            self.placeChosen.emit(self._branches.index(branch), position, token)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.branchChosen.emit(index.row())
