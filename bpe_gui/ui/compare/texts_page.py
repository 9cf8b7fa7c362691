"""What texts cost under each encoding: the built-in story language by language, or other texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from msgspec.structs import asdict
from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QWidget,
)

from bpe_gui.analysis.grouped_counts import LEVEL
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.measuring.conversations import example
from bpe_gui.encodings.measuring.own_texts import OwnTexts, Read
from bpe_gui.encodings.measuring.probes import probes
from bpe_gui.encodings.measuring.several_texts import Texts, story
from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.cutting import CutLane
from bpe_gui.ui.compare.measured_texts import MeasuredTexts
from bpe_gui.ui.compare.tables import NameHeader, NumbersTable
from bpe_gui.ui.compare.texts_model import ShadedCells, TextsModel
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.labels import Note
from bpe_gui.ui.widgets.layouts import STYLED, FlowLayout, column, filled, row
from bpe_gui.ui.widgets.naming import centred, named

_NARROWEST, _WITH_INTERVAL, _WIDEST = 62, 130, 180
_WITH_BUTTONS = 900
"""The width in pixels from which there are buttons for the table."""
_CELL_PADDING = 26
_LETTERS = 12
_OFFER, _NUMBERS, _WAITING = range(3)
"""The pages."""
_OWN = 3
"""The place of one's own texts among those to choose from."""

_MEASURES = {
    wording.RELATIVE: TextMeasure.PARITY,
    wording.TOKENS: TextMeasure.TOKENS,
    wording.BYTES_PER_TOKEN: TextMeasure.BYTES_PER_TOKEN,
    "Single-token words": TextMeasure.WHOLE_WORDS,
    "Tokens per word": TextMeasure.TOKENS_PER_WORD,
    "Relative to the encoding": TextMeasure.RELATIVE,
    "Added tokens": TextMeasure.ADDED,
}
_TITLES = {measure: title for title, measure in _MEASURES.items()}
_PRICE = "Price of a million"
"""The number that tokens and one's own price make; there is none without a price."""


class TextsPage(QWidget):
    """A table with a shade of colour in each cell: a row for each text, a column for each lane.

    The texts are the built-in story in twenty languages, which is offered where another text is
    compared, or probes, files and translations, which are measured in the background.
    """

    aboutChanged = Signal()
    """Another text is measured, or it is done."""
    problem = Signal(str, str)
    """The topic, and why texts cannot be measured; no sentence if the problem is over."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("languageBars")
        self.model = TextsModel(self)
        self.header = NameHeader(self, _NARROWEST, _WIDEST)
        self.table = NumbersTable(self.model, "Languages", "languages.csv", self.header)
        ThemeFollower(self.table, self.model.take_colours)
        self.controls = QWidget(self)
        """The boxes and buttons, which are shown beside the tabs."""
        meaning = "The texts that are measured one by one"
        self.texts = named(ElidingComboBox(), "textSet", meaning, meaning)
        meaning = "The number that is shown of each text"
        self.what = named(ElidingComboBox(), "languageNumber", meaning, meaning)
        meaning = "The text that others are compared with"
        self.reference = named(ElidingComboBox(), "parityReference", meaning, meaning)
        meaning = "The encoding that others are compared with"
        self.baseline = named(ElidingComboBox(), "baselineEncoding", meaning, meaning)
        tip = f"Show where {LEVEL:.0%} of the numbers are when lines or documents are drawn anew"
        self.intervals = named(QCheckBox(f"± {LEVEL:.0%}"), "showIntervals", "Intervals", tip)
        self.story_button = named(QPushButton("Compare on the story"), "compareOnStory")
        self.sources: Mapping[Encoding, str] = {}
        """What the encodings of lanes were read from, for their chat templates."""
        self.about = ""
        """The texts that are measured; empty for the story."""
        self.asking: list[QAction] = []
        """They ask for texts of one's own."""
        self._wanted_reference: object = None
        """The text that others are to be compared with once own texts are read."""
        self._begun = wording.RELATIVE
        """The number that the texts in the table begin with."""
        self._numbers_chosen: dict[str, str] = {}
        """What the user shows of texts instead, by the number that they begin with."""
        self._columns: tuple[CutLane, ...] | None = None
        self._buttons: list[QPushButton] = []
        self._measured = MeasuredTexts(self)
        self._lossy = Note("languagesLossy")
        self._notes: list[str] = []
        self._waiting = centred(named(QLabel(), "textsWaiting"))
        tip = "End measuring; the encodings that have numbers of all texts keep them"
        self._cancel = named(QPushButton("Cancel"), "cancelTexts", tip=tip)
        self._cancel_more = named(QPushButton("Cancel"), "cancelMoreTexts", tip=tip)
        tip = "Measure the texts with the encodings that have no numbers yet"
        self._resume = named(QPushButton("Resume"), "resumeTexts", tip=tip)
        self._lay_out()
        self._connect()
        self._choose()

    def _lay_out(self) -> None:
        self._pages = QStackedLayout(self)
        self._fill_texts()
        waiting = column(None, self._waiting, row(None, self._cancel, None), None, spacing=STYLED)
        for page in (self._offer(), self._numbers(), waiting):
            self._pages.addWidget(page)
        named(self.table, "languageTable", "What each text takes")
        self.table.setItemDelegate(ShadedCells(self.table))

    def _connect(self) -> None:
        RoomFollower(self, self._fit_columns)
        RoomFollower(self.table.viewport(), self._say_notes)
        self.what.currentIndexChanged.connect(self._choose)
        self.what.activated.connect(self._remember_number)
        self.reference.currentIndexChanged.connect(self._choose)
        self.baseline.currentIndexChanged.connect(self._choose)
        self.intervals.toggled.connect(self._choose)
        self.texts.currentIndexChanged.connect(self._on_texts)
        self._measured.changed.connect(self._on_numbers)
        self._measured.progressed.connect(self._on_progress)
        self._measured.failed.connect(self._on_failed)
        self._cancel.clicked.connect(self._measured.cancel)
        self._cancel_more.clicked.connect(self._measured.cancel)
        self._resume.clicked.connect(self._on_resume)

    @property
    def of_story(self) -> bool:
        """Whether the texts are the languages of the story."""
        return self.texts.currentIndex() == 0

    def set_lanes(self, lanes: Sequence[CutLane], *, specials_as_text: bool) -> None:
        """Measure the texts with these lanes, unless they are the story."""
        encodings = {lane.encoding: lane.encoding.name for lane in lanes}
        self._measured.set_lanes(encodings, self.sources, specials_as_text=specials_as_text)

    def keep_only(self, lanes: Sequence[CutLane]) -> None:
        """Forget the lanes that are not among these; `set_lanes` follows before it is shown."""
        self._columns = None
        self._measured.keep_only({lane.encoding for lane in lanes})

    def set_columns(self, columns: Sequence[CutLane] | None) -> None:
        """Show the counts of the story; None if another text is compared."""
        self._columns = None if columns is None else tuple(columns)
        if self.of_story:
            self._show_story()

    def _show_story(self) -> None:
        self._pages.setCurrentIndex(_OFFER if self._columns is None else _NUMBERS)
        before = self.model.titles()
        self.model.set_columns(self._columns or ())
        self._told_of(before)

    @Slot()
    def _on_resume(self) -> None:
        self._pages.setCurrentIndex(_WAITING)
        self._enable_boxes()
        self._measured.resume()

    def _told_of(self, before: Sequence[str]) -> None:
        self._cancel_more.hide()
        self._resume.setVisible(not self.of_story and self._measured.is_partial)
        self.table.sorted.filter_again()
        lossy = any(one.lossy for texts in self.model.numbers.counts for one in texts)
        problems = self.model.numbers.problems
        if self.model.lacks_templates:
            problems = [wording.NO_TEMPLATES]
        self._notes = [*problems, wording.SHADES, *[wording.TOLD] * lossy]
        self._say_notes()
        self._offer_baselines()
        self._enable_boxes()
        if self.model.titles() != before:
            self._fit_columns()

    def _say_notes(self) -> None:
        """Say below the table what its colours, marks and brackets mean.

        On the stage nobody scrolls: the note says how many rows are shown, in place of a bar.
        """
        table, policy = self.table, Qt.ScrollBarPolicy
        bar = policy.ScrollBarAlwaysOff if table.presents else policy.ScrollBarAsNeeded
        table.setVerticalScrollBarPolicy(bar)
        notes = [*self._notes, *[wording.INTERVALS] * self.model.intervals]
        rows = table.sorted.rowCount()
        if table.presents and table.in_sight < rows:
            what = "languages" if self.of_story else "texts"
            part = f"Showing {table.in_sight} of {rows} {what}"
            # There is one line; the shades only repeat what the numbers say.
            notes = [part, *(note for note in notes if note != wording.SHADES)]
        self._lossy.say(". ".join(notes))

    def index_of(self, code: str) -> QModelIndex:
        """Find the row of a language, as the table is sorted. ValueError for an unknown code."""
        return self.table.row_of(self.model.codes.index(code))

    def _offer(self) -> QWidget:
        message, button = centred(QLabel(wording.ANOTHER_TEXT)), row(None, self.story_button, None)
        others = QWidget()
        flowing = FlowLayout(others, 6)
        flowing.addWidget(QLabel(wording.OWN_TEXTS))
        for action in self.asking:
            other = QPushButton(action.text())
            named(other, f"{action.objectName()}Button", tip=action.toolTip())
            other.clicked.connect(action.trigger)
            flowing.addWidget(other)
        return column(None, message, button, row(None, others, None), None, spacing=STYLED)

    def _numbers(self) -> QWidget:
        self.what.addItems([*_MEASURES])
        for code, language in languages().items():
            self.reference.addItem(language.name, code)
        for box in (self.texts, self.what, self.reference, self.baseline):
            # As wide as its longest name, or narrower in a narrow window.
            box.set_letters(_LETTERS)
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.controls.hide()
        parts = self.texts, self.what, self.reference, self.baseline, self.intervals
        controls = filled(QHBoxLayout(self.controls), *parts, spacing=4)
        for text, action in (("Copy", self.table.copy), ("Export…", self.table.export)):
            name = action.objectName().replace("Action", "Button")
            button = named(QPushButton(text), name, tip=action.toolTip())
            button.clicked.connect(action.trigger)
            controls.addWidget(button)
            self._buttons.append(button)
        self._resume.hide()
        self._cancel_more.hide()
        below = row(self._lossy, self._cancel_more, self._resume, stretched=self._lossy)
        return column(self.table, below, stretched=self.table, spacing=2)

    def _fill_texts(self) -> None:
        """Fill the box of texts; those that are asked for in a dialog are actions."""
        self.texts.add_entry("Languages", None, "The story in twenty languages")
        self.texts.add_entry("Probes", probes, "Numbers, white space, code, URLs, accents, errors")
        self.texts.add_entry("Chat", example, "A conversation with and without chat templates")
        for text, name, key, tip, ask in (
            ("Each file…", "textsOfFiles", "Ctrl+5", "Files, each a row; of a TSV each column",
             self._ask_files),
            ("Each in a folder…", "textsOfFolder", "Ctrl+6", "A folder, each entry a row",
             partial(self._ask_folder, "Compare on the entries of a folder", False)),
            ("Translations in a folder…", "textsOfTranslations", "Ctrl+7",
             "A folder with a file for each language, line by line",
             partial(self._ask_folder, "Compare on translations", True)),
            ("Translations in a TSV…", "textsOfTable", "Ctrl+4",
             "A TSV with a column for each language, whose first line names them",
             self._ask_table),
        ):  # fmt: skip
            action = QAction(text, self, shortcut=QKeySequence(key), toolTip=tip)
            action.setObjectName(name)
            self.addAction(action)
            action.triggered.connect(ask)
            self.texts.add_action(action)
            self.asking.append(action)

    def _fit_columns(self) -> None:
        """Give the texts the width they need, and the lanes equal parts of the rest."""
        # Their keys work without them; the names in the boxes are to be read.
        for button in self._buttons:
            button.setVisible(self.width() >= scaled(_WITH_BUTTONS, self.font()))
        widest = max(map(self.fontMetrics().horizontalAdvance, self.model.numbers.texts.names))
        bar = self.table.verticalScrollBar().sizeHint().width()
        self.header.narrowest = _WITH_INTERVAL if self.model.intervals else _NARROWEST
        first = min(widest + _CELL_PADDING, self.width() // 3)
        self.header.fit(first, self.width() - bar - 2, self.height())

    def _enable_boxes(self) -> None:
        for box in (self.what, self.baseline, self.intervals):
            box.setEnabled(self._pages.currentIndex() == _NUMBERS)
        self._enable_reference()

    def _enable_reference(self) -> None:
        chosen = self.model.measure.of_original and self.model.numbers.texts.parallel
        self.reference.setEnabled(chosen and self._pages.currentIndex() == _NUMBERS)
        self.reference.setVisible(chosen)
        self.baseline.setVisible(self.model.measure is TextMeasure.RELATIVE)

    def _offer_baselines(self) -> None:
        """Offer the encodings to compare with; the chosen one stays so while it is there."""
        names, chosen = [*self.model.numbers.encodings], self.baseline.currentText()
        if names == [self.baseline.itemText(place) for place in range(self.baseline.count())]:
            return
        with QSignalBlocker(self.baseline):
            self.baseline.clear()
            self.baseline.addItems(names)
            self.baseline.setCurrentIndex(names.index(chosen) if chosen in names else 0)
        self._choose()

    def set_price(self, price: float | None) -> None:
        """Offer what a million texts cost, if this is the price of a million tokens."""
        self.model.set_price(price)
        place = self.what.findText(_PRICE)
        if price is not None and place < 0:
            self.what.addItem(_PRICE)
            self._show_number()
        elif price is None and place >= 0:
            if self.what.currentIndex() == place:
                self.what.setCurrentText(self._begun)
            self.what.removeItem(place)

    @Slot()
    def _choose(self) -> None:
        title = self.what.currentText()
        measure = _MEASURES.get(title, TextMeasure.TOKENS)
        wide = self.intervals.isChecked() != self.model.intervals
        self.model.choose(
            measure,
            self.reference.currentIndex(),
            self.baseline.currentText(),
            intervals=self.intervals.isChecked(),
            priced=title == _PRICE,
        )
        self.table.sorted.filter_again()
        self._enable_reference()
        if wide:
            self._say_notes()
            self._fit_columns()

    def _begin_with(self, measure: TextMeasure) -> None:
        """Show other texts by this number, or by that which the user chose for such texts."""
        self._begun = _TITLES[measure]
        self._show_number()

    def _show_number(self) -> None:
        chosen = self._numbers_chosen.get(self._begun, self._begun)
        self.what.setCurrentText(chosen if self.what.findText(chosen) >= 0 else self._begun)

    @Slot()
    def _remember_number(self) -> None:
        self._numbers_chosen[self._begun] = self.what.currentText()

    # -- other texts ---------------------------------------------------------------------------

    @Slot()
    def _on_texts(self) -> None:
        read = self.texts.currentData()
        if isinstance(read, QAction):
            return
        self.about = ""
        if not self.of_story:
            self._waiting.setText(wording.NO_TEXTS_YET)
            self._cancel.hide()
            self._pages.setCurrentIndex(_WAITING)
            self._enable_boxes()
        self._measured.choose(read)
        if self.of_story:
            self._offer_references(story())
            self._begin_with(TextMeasure.PARITY)
            self._show_story()
        self.aboutChanged.emit()

    def measure(self, own: OwnTexts) -> None:
        """Measure texts of one's own, and keep them in the box."""
        self._offer_own(own)
        self.texts.setCurrentIndex(_OWN)

    def _offer_own(self, own: OwnTexts) -> None:
        """Put texts of one's own in the box instead of those before."""
        with QSignalBlocker(self.texts):  # else the next entry is chosen, which opens a dialog
            if self.texts.currentIndex() >= _OWN:
                self.texts.setCurrentIndex(0)
            if isinstance(self.texts.itemData(_OWN), OwnTexts):
                self.texts.removeItem(_OWN)
            self.texts.add_entry(own.title, own, "Texts of your own", _OWN)

    def state(self) -> dict[str, object]:
        """Return which texts are chosen, as JSON, for `restore`."""
        own = self.texts.itemData(_OWN)
        return {
            "chosen": self.texts.currentIndex(),
            "own": asdict(own) if isinstance(own, OwnTexts) else None,
            "reference": self._wanted_reference or self.reference.currentText(),
            "numbers": dict(self._numbers_chosen),
        }

    def restore(self, state: object) -> None:
        """Choose what `state` returned; pass over what is damaged."""
        found = state if isinstance(state, dict) else {}
        own = None
        with suppress(msgspec.ValidationError):
            own = msgspec.convert(found.get("own"), OwnTexts)
            self._offer_own(own)
        with suppress(msgspec.ValidationError):
            numbers = msgspec.convert(found.get("numbers"), dict[str, str])
            known = {*_MEASURES, _PRICE}
            self._numbers_chosen = {of: it for of, it in numbers.items() if it in known}
            self._begin_with(_MEASURES[self._begun])
        self._wanted_reference = found.get("reference")
        chosen = found.get("chosen")
        if type(chosen) is int and 0 <= chosen < _OWN + (own is not None):
            self.texts.setCurrentIndex(chosen)

    def to_report(self) -> list[Read]:
        """List what reads the texts of a report: own ones, or the story and the probes."""
        read = self.texts.currentData()
        return [story, probes] if read in (None, probes) else [read]

    @Slot()
    def _ask_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Compare on several files")
        if names:
            self.measure(OwnTexts(tuple(names)))

    def _ask_folder(self, title: str, translations: bool, *_: object) -> None:
        name = QFileDialog.getExistingDirectory(self, title)
        if name:
            self.measure(OwnTexts((name,), translations=translations))

    @Slot()
    def _ask_table(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, "Compare on the columns of a TSV", filter="TSV (*.tsv *.tab *.txt);;All files (*)"
        )
        if name:
            self.measure(OwnTexts((name,), translations=True))

    @Slot(object)
    def _on_numbers(self, numbers: TextNumbers) -> None:
        before = self.model.titles()
        other = self.model.numbers.texts is not numbers.texts
        self._pages.setCurrentIndex(_NUMBERS)
        if other:
            self._offer_references(numbers.texts)
            self._begin_with(numbers.main_measure)
        self.model.set_numbers(numbers)
        self._told_of([] if other else before)
        title = numbers.texts.title
        # The box says the name of built-in texts.
        self.about = "" if title.lower() == self.texts.currentText().lower() else title
        self.aboutChanged.emit()

    def _offer_references(self, texts: Texts) -> None:
        """Offer other texts to compare with; the languages of the story by their codes."""
        codes = list(languages()) if texts is story() else texts.names
        if [self.reference.itemData(place) for place in range(self.reference.count())] == codes:
            return
        self.reference.clear()
        for name, code in zip(texts.names, codes, strict=True):
            self.reference.addItem(name, code)
        if self._wanted_reference in codes:
            self.reference.setCurrentIndex(codes.index(self._wanted_reference))
            self._wanted_reference = None

    @Slot(str)
    def _on_progress(self, said: str) -> None:
        self.about = said
        self._waiting.setText(said)
        self._cancel.show()
        self._cancel_more.show()  # seen where there are numbers of other lanes
        self._resume.hide()
        self.aboutChanged.emit()

    @Slot(str)
    def _on_failed(self, message: str) -> None:
        self.problem.emit("texts", message)
        if message:
            self.about = ""
            self._waiting.setText(wording.NO_TEXT_NUMBERS)  # the message says why
            self._cancel.hide()
            self._cancel_more.hide()
            self.aboutChanged.emit()
