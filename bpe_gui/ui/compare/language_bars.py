"""What each language pays under each encoding: the built-in story, language by language."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.ui.compare.language_model import LanguageColumn, LanguageModel
from bpe_gui.ui.compare.lossy import TOLD
from bpe_gui.ui.compare.name_header import NameHeader
from bpe_gui.ui.compare.sorted_numbers import SORT_ROLE, SortedNumbers, show_sorted
from bpe_gui.ui.compare.table_export import TableExport
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.widgets.sort_keys import SortKeys

_ROW_PADDING = 6
_NARROWEST, _WIDEST = 62, 180
_CELL_PADDING = 26
_LEAST_LETTERS = 7
_ANOTHER_TEXT = (
    "What a language pays is measured on one story that says the same in twenty languages."
)
_TOKENS, _PARITY = "Tokens", "Times"


class _Shaded(QStyledItemDelegate):
    """Draws the background of a cell itself, for a style sheet leaves it out."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """The shade, and what every cell has above it."""
        shade = index.data(Qt.ItemDataRole.BackgroundRole)
        if shade is not None:
            painter.fillRect(option.rect, shade)  # type: ignore[attr-defined]
        super().paint(painter, option, index)


class LanguageBars(QWidget):
    """A table with a shade of colour in each cell: twenty languages, a column for each lane.

    It says something only about the built-in story; for any other text it offers that one.
    """

    storyWanted = Signal()
    """The user wants to compare on the built-in story."""
    problem = Signal(str, str)
    """What it is about, and one sentence for the user; see `TableExport`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("languageBars")
        self.model = LanguageModel(self)
        self._sorted = SortedNumbers(self)
        self._sorted.setSourceModel(self.model)
        self._sorted.setSortRole(SORT_ROLE)
        self.table = QTableView()
        self.header = NameHeader(self.table, _NARROWEST, _WIDEST)
        self.table.setHorizontalHeader(self.header)
        self.controls = QWidget(self)
        """What is chosen and done here; it stands elsewhere, where no table needs the room."""
        self.what = QComboBox()
        self.reference = QComboBox()
        self.story_button = QPushButton("Compare on the story")
        self._lossy = QLabel(TOLD)
        self.exporting = TableExport(
            self.table, self.model, what="Languages", file_name="languages.csv"
        )
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._offer())
        self._pages.addWidget(self._numbers())
        self._build_table()
        self.what.currentIndexChanged.connect(self._choose)
        self.reference.currentIndexChanged.connect(self._choose)
        self.story_button.clicked.connect(self.storyWanted)
        self.exporting.problem.connect(self.problem)
        self._choose()

    def set_columns(self, columns: Sequence[LanguageColumn] | None) -> None:
        """Show the counts of the story; None if the text that is compared is another one."""
        self._pages.setCurrentIndex(0 if columns is None else 1)
        self.controls.setEnabled(columns is not None)
        before = self.model.titles()
        self.model.set_columns(columns or ())
        self._lossy.setVisible(self.model.is_any_lossy)
        if self.model.titles() != before:
            self._fit_columns()

    def index_of(self, code: str) -> QModelIndex:
        """Where a language stands now, as the table is sorted. ValueError for an unknown code."""
        place = self.model.codes.index(code)
        return self._sorted.mapFromSource(self.model.index(place, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out anew."""
        super().resizeEvent(event)
        self._fit_columns()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.model.set_theme(theme)

    def _offer(self) -> QWidget:
        page = QWidget()
        message = QLabel(_ANOTHER_TEXT)
        message.setProperty("quiet", True)
        message.setWordWrap(True)
        message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.story_button.setObjectName("compareOnStory")
        layout = QVBoxLayout(page)
        layout.addStretch(1)
        layout.addWidget(message)
        layout.addWidget(self.story_button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(1)
        return page

    def _numbers(self) -> QWidget:
        self.what.addItems([_PARITY, _TOKENS])
        for code, language in languages().items():
            self.reference.addItem(language.name, code)
        for box, name, meaning in (
            (self.what, "languageNumber", "Tokens, or times the tokens of another language"),
            (self.reference, "parityReference", "The language that others are compared with"),
        ):
            box.setObjectName(name)
            box.setAccessibleName(meaning)
            box.setToolTip(meaning)
            # Asked for by the longest of its names, but content with less.
            box.setMinimumContentsLength(_LEAST_LETTERS)
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.controls.hide()
        row = QHBoxLayout(self.controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.what)
        row.addWidget(self.reference)
        row.addLayout(self.exporting.buttons())
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.table, 1)
        self._lossy.setObjectName("languagesLossy")
        self._lossy.setProperty("quiet", True)
        self._lossy.setContentsMargins(10, 0, 6, 2)
        self._lossy.hide()
        layout.addWidget(self._lossy)
        return page

    def _build_table(self) -> None:
        table = self.table
        table.setObjectName("languageTable")
        table.setAccessibleName("What the story takes in each language")
        show_sorted(table, self._sorted)
        SortKeys(table, "Languages")
        rows = table.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(NameHeader.ResizeMode.Fixed)
        table.setItemDelegate(_Shaded(table))
        FontFollower(self, self._fit_to_font)

    def _fit_to_font(self) -> None:
        """Rows as high as the text, and columns as wide as it needs."""
        self.table.verticalHeader().setDefaultSectionSize(
            self.fontMetrics().height() + _ROW_PADDING
        )
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Room for the languages, and the rest for the lanes, all alike."""
        names = [language.name for language in languages().values()]
        widest = max(map(self.fontMetrics().horizontalAdvance, names))
        bar = self.table.verticalScrollBar().sizeHint().width()
        self.header.fit(widest + _CELL_PADDING, self.width() - bar - 2, self.height())

    @Slot()
    def _choose(self) -> None:
        parity = self.what.currentText() == _PARITY
        self.reference.setEnabled(parity)
        self.model.set_reference(self.reference.currentData() if parity else None)
