"""The compare view: lanes over one text, and the numbers below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.measuring.own_texts import OwnTexts, holds_translations
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.suspicious import Suspicious
from bpe_gui.progress import counted
from bpe_gui.ui.compare.add_menu import AddMenu
from bpe_gui.ui.compare.around_lanes import FirstSight, LaneChoice, WaitingLanes
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.cutting import CutResult
from bpe_gui.ui.compare.difference_list import DifferenceList
from bpe_gui.ui.compare.differences import Differences
from bpe_gui.ui.compare.loading import Loader
from bpe_gui.ui.compare.metrics_table import rows_of
from bpe_gui.ui.compare.numbers_panel import NumbersPanel
from bpe_gui.ui.compare.removal import Removal
from bpe_gui.ui.compare.report_saving import ReportRequest, ReportSaving
from bpe_gui.ui.compare.splitter import CompareSplitter
from bpe_gui.ui.compare.text_source import TextSource
from bpe_gui.ui.compare.vocabularies.token_page import TokenPage
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.panels.text.token_view import (
    LONGEST_ENLARGED,
    filling_scale,
    legible_scale,
    with_bytes,
)
from bpe_gui.ui.run.background import all_at_rest
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower, Zoom, resized
from bpe_gui.ui.widgets.layouts import STYLED, column, filled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.pace import ReadingPace

_CUTTING, _LOADING = "cut", "load"
_LARGER, _MOST_ENLARGED = 1.08, 6.0
"""By how much the lanes of a figure are enlarged at a time, and the most that they are."""
_LEAST_TEXT, _AROUND_TEXT = 44, 16
"""The least height of the text in pixels, and the space around one line."""
_ROWS = 18
"""Rows of lanes that are in sight at least, of a text that is too long to be seen whole."""
_ROWS_OF_FIGURE = 16
"""The same in a figure, which is shown to an audience."""
_BESIDE_NAMES = 0.55
"""The part of the width of the lanes that is left beside their names and for markers."""
_MOST_OF_REST = 8
"""The stretch of the choice of lanes, beside two empty ones of 1."""
_COMPARING_AFTER = 500
"""Milliseconds after which the view says that a text is still being compared."""
_HIDING = "hiding a lane"


class CompareView(QWidget):
    """Any number of encodings, one below the other, over one text; the frame scheduler draws it."""

    tokenSelected = Signal(int)
    """The token of the run in view that the user has selected in its lane."""
    saveWanted = Signal(object)
    """The TrainedEncoding of a lane that is to be saved."""
    exploreWanted = Signal(object)
    """The Encoding of a lane that is to be shown in Explore."""
    wanted = Signal()
    """The view is to be shown, because the user asked for something in it."""

    def __init__(self, run: RunContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("compareView")
        self._actions = actions = run.actions
        self._controls, self._messages = run.controls, run.message_bar
        self._training = run.training
        self.comparison = Comparison(self)
        self.loader = Loader(self.comparison, self)
        self.add_menu = AddMenu(self.comparison, self.loader, run, self)
        self.removal = Removal(self.comparison, self.loader, run.message_bar)
        self.source = TextSource(run, self)
        self.comparison.set_text(self.source.text)
        self.numbers = NumbersPanel()
        self.lanes = LaneView()
        self.differences = Differences(self.comparison, self.lanes, actions)
        self.report = ReportSaving(run.message_bar, self)
        self.choice = LaneChoice(self.comparison, self.lanes)
        self.list = DifferenceList(self.lanes.current_byte)
        self.numbers.add_list(self.list)
        self.first_sight = FirstSight(self.comparison, self.add_menu)
        self.waiting = WaitingLanes(self.comparison, self.loader)
        tip = "Read special tokens in the text like any other text"
        self.specials = named(QCheckBox("Special tokens as text"), "specialsAsText", tip=tip)
        tip = actions.add_encoding.toolTip()
        self.add_button = named(QPushButton("Add an encoding"), "addEncodingButton", tip=tip)
        self._begun = False
        self._text_in_bytes = ""
        """The last text of which lanes have shown bytes of characters."""
        self._unseen: list[str] = []
        self._to_measure: list[str] = []
        self._moving = False
        self._pace = ReadingPace(self)
        self._fills = False
        """Whether the lanes are being given another size."""
        self._slow = QTimer(self, singleShot=True, interval=_COMPARING_AFTER)
        self._zoom = Zoom("laneZoom", self, self.lanes, self.source.editor)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.add_button.clicked.connect(self._actions.add_encoding.trigger)
        source, bar = self.source, self.differences.bar
        parts = (
            "Text", source.box, self.specials, None, self.choice.box, bar, None, self.add_button
        )  # fmt: skip
        top = filled(QHBoxLayout(), *parts, spacing=10)
        top.setStretchFactor(self.choice.box, _MOST_OF_REST)
        FontFollower(source.editor, self._fit_editor)
        text = column(source.editor, source.note, stretched=source.editor)
        # The lanes, and below them those without tokens.
        lanes = column(self.first_sight, self.lanes, self.waiting, stretched=self.lanes)
        splitter = CompareSplitter(text, lanes, self.numbers, self.differences.card, self._actions)
        margins = (8, 6, 8, 6)
        filled(
            QVBoxLayout(self), top, splitter, stretched=splitter, spacing=STYLED, margins=margins
        )
        self.first_sight.refresh()

    @Slot()
    def _fill_lanes(self) -> None:
        """Write the lanes as large as the text still fits into their view.

        Where they have shown bytes of characters, it stays small enough for these: the size
        changes at most once while a run is played.
        """
        result, lanes = self.comparison.result, self.lanes
        if result is None or not result.aligned or self._fills:
            return
        text = result.text
        if lanes.shows_bytes:
            self._text_in_bytes = text
        if text == self._text_in_bytes:
            text = with_bytes(text)
        around = lanes.parentWidget()
        if lanes.presents and around is not None:
            self._fills = True
            self._fill_for_audience(text, around.font(), len(result.aligned))
            if lanes.is_still:
                self._grow_lanes(result.text, around.font())
            self._fills = False
            return
        # The viewport may be as high as rows of another size.
        room = QSize(lanes.width(), lanes.room_for_rows().height())
        beside = QSize(round(room.width() * _BESIDE_NAMES), room.height())
        count, ends = len(result.aligned), lanes.marks_ends
        extra = filling_scale(text, self._zoom.font, beside, count, word_ends=ends)
        if extra <= 1:
            extra = legible_scale(self.font(), room, max(_ROWS, 2 * count + 1), compact=True)
        self._zoom.set_extra(lanes, extra)

    def _fill_for_audience(self, text: str, font: QFont, count: int) -> None:
        lanes, ends = self.lanes, self.lanes.marks_ends
        extra = 1.0
        for _ in range(2):  # the size decides whether names are beside the lanes, or above them
            room = lanes.room_on_stage()
            extra = filling_scale(text, font, room, count, word_ends=ends, whole_words=True)
            if extra <= 1 and lanes.is_still:
                rows = max(_ROWS_OF_FIGURE, count + 1)
                extra = legible_scale(font, room, rows, compact=True)
            lanes.setFont(resized(font, extra))

    def _grow_lanes(self, text: str, font: QFont) -> None:
        """Write the lanes of a figure as large as these tokens fit, without breaking words.

        Bytes of a word may be in two rows: they are several times as wide as its letters.
        """
        lanes, word = self.lanes, max(text.split(), key=len, default="")
        if len(text) > LONGEST_ENLARGED:
            return
        factor = lanes.font().pointSizeF() / font.pointSizeF()
        broken = lanes.width_of_word(word) > lanes.room_for_rows().width()
        while factor * _LARGER < _MOST_ENLARGED:
            lanes.setFont(resized(font, factor * _LARGER))
            breaks = lanes.width_of_word(word) > lanes.room_for_rows().width()
            if lanes.overflows or breaks > broken:
                lanes.setFont(resized(font, factor))
                return
            factor *= _LARGER

    def _fit_editor(self) -> None:
        editor = self.source.editor
        editor.setMinimumHeight(max(_LEAST_TEXT, editor.fontMetrics().height() + _AROUND_TEXT))

    def _connect(self) -> None:
        self.source.changed.connect(self._on_text)
        self._slow.timeout.connect(self._on_slow)
        self.specials.toggled.connect(self.comparison.set_specials_as_text)
        # The file was measured while another text was shown, or with other special tokens.
        self.source.changed.connect(self.numbers.leave_file)
        self.specials.toggled.connect(self.numbers.set_specials_as_text)
        self.numbers.measureWanted.connect(self.measure)
        self.comparison.compared.connect(self._on_compared)
        self.comparison.referenceChanged.connect(self._show_reference)
        self._pace.due.connect(self._write)
        RoomFollower(self.lanes, self._fill_lanes)
        self.lanes.placeSelected.connect(self._on_place)
        self.loader.failed.connect(self._on_load_failed)
        self.loader.idle.connect(self._measure_now)
        self._actions.try_again.triggered.connect(self.loader.retry_all)
        self.source.tooLong.connect(self.measure)
        self.comparison.failed.connect(self._on_cut_failed)
        self.comparison.lanesChanged.connect(self._show_numbers)
        self.comparison.statusChanged.connect(self._show_numbers)
        table, languages = self.numbers.table, self.numbers.texts
        for part in (self.numbers, table, languages, languages.table):
            part.problem.connect(self._messages.tell_problem)
        self._of_lanes: dict[QAction, Callable[[int], object]] = {
            table.remove: self.removal.remove, table.hiding: self._hide_or_show,
            table.up: partial(self.comparison.move, by=-1),
            table.down: partial(self.comparison.move, by=1),
            table.save: self._save, table.explore: self._explore,
            table.rename: self._rename, table.colour: self._colour,
        }  # fmt: skip
        """What the actions of the table do with the lane of a key."""
        table.wanted.connect(self._on_wanted)
        table.laneSelected.connect(self.comparison.set_reference)
        self.numbers.bars.canvas.laneSelected.connect(self.comparison.set_reference)
        vocabularies = self.numbers.vocabularies
        for chosen in (table.laneSelected, self.numbers.bars.canvas.laneSelected):
            chosen.connect(vocabularies.choose_lane)
        vocabularies.tokenOpened.connect(self._on_token_opened)
        self.lanes.menuWanted.connect(self._on_lane_menu)
        self.list.placeWanted.connect(self.differences.look_at_byte)
        self.lanes.addActions(table.lane_actions)
        languages.story_button.clicked.connect(self.source.show_story)

    # -- a panel of the clock ------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Follow another run, or none."""
        if history is self.comparison.history:
            return
        self.numbers.leave_file()
        self.comparison.set_history(history)
        self.first_sight.refresh()
        if history is not None and not (self._begun and self.comparison.lanes):
            # Other lanes may be there already, of files dropped before there was any run.
            self._begun = True
            self.comparison.begin_with_run()

    def begin_without_lanes(self) -> None:
        """Remove all lanes; those that are added next are not joined by lanes of the run."""
        self._begun = True
        self.comparison.set_lanes([])
        self._withdraw_unseen()

    def show_position(self, position: int, moving: bool) -> None:
        """Go to the cursor.

        While it is `moving`, numbers and sentences about the lanes follow at 5 Hz.
        """
        self._moving = moving
        self.comparison.set_position(position)
        self.first_sight.refresh()
        if self._pace.waits:
            self._pace.ask(busy=moving)

    def select_token(self, token: int) -> None:
        """Do nothing: the lanes do not mark the selected token."""

    def set_active(self, active: bool) -> None:
        """Start or stop following closely, when the view is shown or hidden."""
        if active:
            self._withdraw_unseen()  # the lanes show it themselves
        self.source.set_active(active)
        self.comparison.set_active(active)

    @property
    def at_rest(self) -> bool:
        """Whether all lanes are tokenized, and all numbers are shown."""
        shown = self.comparison.up_to_date and self.numbers.vocabularies.at_rest
        return shown and all_at_rest(self) and not self._pace.waits

    # -- whole files ---------------------------------------------------------------------------

    @Slot()
    def ask_what_to_measure(self) -> None:
        """Let the user choose files, and measure them whole."""
        self.wanted.emit()
        names, _ = QFileDialog.getOpenFileNames(self, "Measure whole files")
        if names:
            self.measure(names)

    @Slot()
    def ask_which_folder_to_measure(self) -> None:
        """Let the user choose a folder, and measure the texts in it, together and one by one."""
        self.wanted.emit()
        name = QFileDialog.getExistingDirectory(self, "Measure the texts of a folder")
        if name:
            self.measure([name])
            self.numbers.texts.measure(OwnTexts((name,)))

    def take_texts(self, paths: Sequence[str]) -> None:
        """Compare on a short file; measure several files, folders and long files whole, and the
        columns of a TSV one by one.
        """
        if len(paths) == 1 and holds_translations(paths[0]):
            self.numbers.measure_one_by_one(OwnTexts((paths[0],), translations=True))
        elif len(paths) == 1 and not Path(paths[0]).is_dir():
            self.source.show_file(Path(paths[0]))
        else:
            self.measure(paths)

    @Slot(object)
    def measure(self, paths: Sequence[str]) -> None:
        """Measure files and folders whole with all encodings, when these are loaded."""
        self._to_measure = list(paths)
        if not self.loader.busy:
            self._measure_now()

    @Slot()
    def _measure_now(self) -> None:
        paths, self._to_measure = self._to_measure, []
        if not paths:
            return
        self.numbers.measure(paths, self.comparison.ready(), self._controls.options)

    @Slot()
    def save_report(self) -> None:
        """Let the user save a report on the lanes shown, the text, and the texts that are measured.

        Of no own texts, the story and the probes are in it.
        """
        self.wanted.emit()
        ready = self.comparison.ready()
        sources = self.comparison.sources()
        lanes = {
            lane.name: ready[lane.key]
            for lane in self.comparison.lanes
            if lane.key in ready and not lane.hidden
        }
        self.report.ask(
            ReportRequest(
                lanes,
                sources,
                self.comparison.text,
                "the built-in story" if self.source.is_story else "the text in Compare",
                self.numbers.texts.to_report(),
                self.specials.isChecked(),
                self.numbers.table.metrics.own,
            )
        )

    # -- reactions -----------------------------------------------------------------------------

    @Slot()
    def show_add_menu(self) -> None:
        """Open the menu of encodings below the button."""
        self.wanted.emit()
        button = self.add_button
        self.add_menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    @Slot(str)
    def _on_text(self, text: str) -> None:
        self.comparison.set_text(text)
        if self.isVisible() and not self.comparison.up_to_date:
            self._slow.start()

    @Slot()
    def _on_slow(self) -> None:
        """Dim what is about the text before, until the next result."""
        self.differences.show_busy()
        self.numbers.set_former(True)

    @Slot(object)
    def _on_compared(self, result: CutResult) -> None:
        self._on_cut_failed("")
        caret = len(result.text[: self.source.editor.caret()].encode("utf-8"))
        lossy = [lane.is_lossy for lane in result.aligned]
        self.lanes.show_prepared(result.score, lossy, caret)
        colours = {lane.key: lane.colour for lane in self.comparison.lanes}
        self._fill_lanes()
        self.lanes.show_colours([colours.get(lane.key, -1) for lane in result.aligned])
        self._show_reference()
        self._pace.ask(busy=self._moving)

    @Slot()
    def _write(self) -> None:
        result = self.comparison.result
        if result is None:
            return
        self.differences.show_result(result)
        self.numbers.set_former(False)
        self._show_numbers()
        self.numbers.texts.sources = self.comparison.sources()
        self.numbers.set_result(result, self.comparison.run_names())
        self.list.set_result(result, self.comparison.reference)

    @Slot()
    def _show_numbers(self) -> None:
        text = self.comparison.text
        size = counted(len(text.encode("utf-8")), "byte")
        about = f"{counted(len(text), 'character')}, {size}"
        self.numbers.set_lanes(rows_of(self.comparison), about)
        result = self.comparison.result
        cuts = () if result is None else result.tokenized
        ids = {lane.key: lane.cut.tokens.ids for lane in cuts if lane.cut is not None}
        self.numbers.vocabularies.set_lanes(self.comparison.ready(), ids)
        self.waiting.update_lanes()
        self._actions.try_again.setEnabled(any(lane.failed for lane in self.comparison.lanes))

    @Slot(str)
    def _on_cut_failed(self, message: str) -> None:
        """Report the problem of a text; no message if it is over."""
        self._slow.stop()
        if message:
            self.numbers.set_former(False)
        self._messages.tell_problem(_CUTTING, message)

    @Slot(str)
    def _on_load_failed(self, message: str) -> None:
        """Report an error if its lane, which shows it too, is out of sight."""
        if not self.isVisible():
            self._unseen.append(f"{_LOADING} {message}")
            self._messages.tell_problem(self._unseen[-1], message)

    def _withdraw_unseen(self) -> None:
        """Withdraw the messages about lanes that were out of sight."""
        unseen, self._unseen = self._unseen, []
        for about in unseen:
            self._messages.tell_problem(about, "")

    @Slot(int, int)
    def _on_place(self, lane: int, token: int) -> None:
        result = self.comparison.result
        if result is None:
            return
        shown = result.aligned[lane]
        self.numbers.table.select_lane(shown.key)
        if shown.cut is not None and shown.key in self.comparison.keys_in_view():
            self.tokenSelected.emit(int(shown.cut.tokens.ids[token]))
        if shown.cut is not None:
            self.differences.look_at_byte(int(shown.cut.tokens.starts[token]))

    @Slot()
    def _show_reference(self) -> None:
        """Highlight the lane that others are compared with, and list how they differ from it."""
        result, reference = self.comparison.result, self.comparison.reference
        self.lanes.show_lane(-1 if result is None else result.place_of(reference))
        self.choice.follow()
        if result is not None and not self._moving:
            self.list.set_result(result, reference)

    @Slot(object, int)
    def _on_token_opened(self, found: Suspicious, token: int) -> None:
        self.show_token_page(found.vocabulary.encoding, token, found)

    def show_token_page(
        self, encoding: Encoding, token: int, known: Suspicious | None = None
    ) -> None:
        """Open the page of a token of an encoding, which need not be a lane.

        known: what was found out about its vocabulary.
        """
        comparison = self.comparison
        others = list(comparison.ready().values())
        corpus = self._training.corpus
        page = TokenPage(
            encoding, others, comparison.text, self.window(), corpus=corpus, known=known
        )
        page.show_token(token)
        page.show()

    @Slot(QAction, int)
    def _on_wanted(self, action: QAction, key: int) -> None:
        self._of_lanes[action](key)

    def _save(self, key: int) -> None:
        encoding = self.comparison.ready().get(key)
        if isinstance(encoding, TrainedEncoding):
            self.saveWanted.emit(encoding)

    def _explore(self, key: int) -> None:
        encoding = self.comparison.ready().get(key)
        if encoding is not None:
            self.exploreWanted.emit(encoding)

    def _rename(self, key: int) -> None:
        names = {lane.key: lane.name for lane in self.comparison.lanes}
        name, accepted = QInputDialog.getText(
            self, "Rename a lane", "The name of this lane:", text=names.get(key, "")
        )
        if accepted:
            self.comparison.rename(key, " ".join(name.split()))

    def _hide_or_show(self, key: int) -> None:
        done = self.comparison.hide_or_show(key)
        stays = "The last lane that is shown cannot be hidden; show another first."
        self._messages.tell_problem(_HIDING, "" if done else stays)

    def _colour(self, key: int) -> None:
        """Mark a lane with the next colour, and after the last with none."""
        colour = next((lane.colour for lane in self.comparison.lanes if lane.key == key), -1)
        self.comparison.set_colour(key, (colour + 2) % (self.lanes.colours + 1) - 1)

    @Slot(int, QPoint)
    def _on_lane_menu(self, lane: int, where: QPoint) -> None:
        result = self.comparison.result
        if result is not None and lane < len(result.aligned):
            self.numbers.table.select_lane(result.aligned[lane].key)
            self.numbers.table.show_menu(where, self.lanes.copy_actions)
