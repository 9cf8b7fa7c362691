"""The numbers of the compared encodings: a table, bars, languages, curves and vocabularies."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import asdict, replace
from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.bpe.corpus import CorpusError, CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.measuring.file_measuring import (
    FileNumbers,
    MeasureProgress,
    MeasureRequest,
    measure_files,
    to_measure,
)
from bpe_gui.encodings.measuring.own_texts import OwnTexts
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.ui.compare.cutting import CutResult
from bpe_gui.ui.compare.difference_list import DifferenceList
from bpe_gui.ui.compare.merge_curves import MergeCurves
from bpe_gui.ui.compare.metric_bars import MetricBars
from bpe_gui.ui.compare.metrics_table import MetricsRow, MetricsTable, file_rows
from bpe_gui.ui.compare.texts_page import TextsPage
from bpe_gui.ui.compare.time_left import TimeLeft
from bpe_gui.ui.compare.vocabularies.page import VocabulariesPage
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.labels import ElidingLabel, Note
from bpe_gui.ui.widgets.layouts import filled, row
from bpe_gui.ui.widgets.motion import ProgressBar
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.presenting import Presentable
from bpe_gui.ui.widgets.veil import Veil

_GAP = 12
"""The gap between the tabs and the text, in logical pixels."""


class MeasureBar(QWidget):
    """Takes all the width that the tabs leave.

    Actions: `cancel` the measuring, go `back` to the numbers of the text, go to those of the file
    `again`, measure the file `anew` after special tokens were set to be read differently, and
    `resume` measuring after it was cancelled.
    """

    def __init__(self, controls: Sequence[QWidget]) -> None:
        """Show one of `controls` while nothing is being measured; see `arrange`."""
        super().__init__()
        named(self, "measureBar", "Measuring of files")
        spoken = "How much of the file has been measured"
        self.progress = named(ProgressBar(), "measureProgress", spoken)
        self.progress.setMaximumWidth(160)
        self._label = quiet(named(ElidingLabel(), "metricsAbout"))
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        label, margins = self._label, (_GAP, 0, 2, 0)
        self._row = filled(
            QHBoxLayout(self), label, self.progress, stretched=label, spacing=4, margins=margins
        )
        self._buttons: dict[QAction, QToolButton] = {}
        tip = "Stop measuring, and keep the numbers of the encodings that are done"
        self.cancel = self._add("Cancel", "cancelMeasureAction", tip)
        tip = "Measure the file with special tokens read as they are chosen now"
        self.anew = self._add("Measure again", "measureAgainAction", tip)
        tip = "Measure the file with the encodings that have no numbers yet"
        self.resume = self._add("Resume", "resumeMeasureAction", tip)
        tip = "Show the numbers of the text instead of those of the file"
        self.back = self._add("Back to the text", "backToTextAction", tip)
        self.again = self._add("Back to the file", "backToFileAction")
        self._controls: list[QWidget] = []
        for widget in controls:
            self.add_controls(widget)

    def add_controls(self, widget: QWidget) -> None:
        self._controls.append(widget)
        self._row.addWidget(widget)

    def _add(self, text: str, name: str, tip: str = "") -> QAction:
        action = QAction(text, self, toolTip=tip)
        action.setObjectName(name)
        button = named(QToolButton(), name.replace("Action", "Button"))
        button.setDefaultAction(action)
        self._buttons[action] = button
        self._row.addWidget(button)
        return action

    @property
    def text(self) -> str:
        """The whole text, which may be elided."""
        return self._label.text()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        tabs = self.parentWidget()
        if isinstance(tabs, QTabWidget):
            beside = tabs.tabBar().sizeHint()
            hint.setWidth(max(0, tabs.width() - beside.width()))
            hint.setHeight(max(hint.height(), beside.height()))
        return hint

    def minimumSizeHint(self) -> QSize:
        # The text gives way to all else, though it may have room at present.
        hint = super().minimumSizeHint()
        return QSize(hint.width() - self._label.minimumWidth(), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._make_room()  # other controls are shown, or need more room
        return super().event(event)

    def _make_room(self) -> None:
        """Show the first clause of the text, if the controls can be narrow enough for that."""
        needed = self._label.width_of_clause()
        has_room = self.minimumSizeHint().width() + needed <= self.width()
        self._label.setMinimumWidth(needed if has_room else 0)

    def arrange(self, actions: Collection[QAction], controls: QWidget | None) -> None:
        """Show these actions, and the progress if `cancel` is among them, or else `controls`."""
        for action, button in self._buttons.items():
            action.setEnabled(action in actions)
            button.setVisible(action in actions)
        self.progress.setVisible(self.cancel in actions)
        for one in self._controls:
            one.setVisible(one is controls and self.cancel not in actions)

    def say(self, text: str, *, names_file: bool = True) -> None:
        """Show the source of the numbers, or what is being measured.

        A name of a file is elided in its middle; of other texts, clauses are left out.
        """
        self._label.by_clauses = not names_file
        modes = Qt.TextElideMode
        self._label.elide = modes.ElideMiddle if names_file else modes.ElideRight
        self._label.setText(text)
        self._label.setToolTip(text)
        self._make_room()


_MEASURING = "measure"
_LOW = 12
"""The height in lines from which everything is shown."""


class NumbersPanel(Presentable, QWidget):
    """Shows numbers of the compared text, or of files that were measured whole.

    `set_lanes` and `set_result` set those of the text. `measure` measures files in the background,
    and shows their numbers in the table and the bars, lane by lane. The user can go back to the
    numbers of the text, and from there to those of the files again.
    """

    measureWanted = Signal(object)
    """The paths of files that are to be measured again, with the present settings."""
    problem = Signal(str, str)
    """The topic, and one sentence for the user; no sentence if the problem is over."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("numbersPanel")
        self._rows: tuple[MetricsRow, ...] = ()
        self._about = ""
        self._file: FileNumbers | None = None
        self._begun: FileNumbers
        self._time_left = TimeLeft()
        """When the measuring began to report, and the share that was done then."""
        self._of_file = self._former = False
        self._specials_as_text = False
        self._result: CutResult | None = None
        self._task = BackgroundTask(
            "measuring", self, expected=(CorpusError, OSError), failure="Measuring failed"
        )
        self.table = MetricsTable()
        self.bars = MetricBars()
        self.texts = TextsPage()
        self.curves = MergeCurves()
        self.vocabularies = VocabulariesPage()
        self._controls: dict[QWidget, QWidget] = {
            self.table: row(*self.table.buttons(), spacing=4),
            self.texts: self.texts.controls,
            self.curves: self.curves.controls,
            self.vocabularies: self.vocabularies.controls,
        }
        self.bar = MeasureBar([*self._controls.values()])
        self.note, self.tabs = Note("numbersNote"), QTabWidget()
        self._list: DifferenceList | None = None
        self._veil = Veil(self.tabs)
        self._build()

    def _build(self) -> None:
        named(self.tabs, "numbersTabs", "Numbers")
        self.tabs.setDocumentMode(True)
        # In large text, titles are elided rather than hidden.
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName("Numbers")
        self.tabs.setCornerWidget(self.bar)
        self.tabs.addTab(self.table, "Table")
        self.tabs.addTab(self.bars, "Bars")
        self.tabs.addTab(self.texts, "Texts")
        self.tabs.addTab(self.curves, "Curves")
        self.tabs.addTab(self.vocabularies, "Tokens")
        self._column = filled(QVBoxLayout(self), self.tabs, self.note, stretched=self.tabs)
        self.bar.cancel.triggered.connect(self._on_cancel)
        self.bar.back.triggered.connect(self.show_text_numbers)
        self.bar.again.triggered.connect(self.show_file_numbers)
        self.bar.anew.triggered.connect(self._on_anew)
        self.bar.resume.triggered.connect(self._on_resume)
        self.tabs.currentChanged.connect(self._on_tab)
        self.vocabularies.aboutChanged.connect(self._show_about)
        self.texts.aboutChanged.connect(self._on_tab)
        self.table.ownChanged.connect(self._on_own)
        RoomFollower(self, self._place_bar)
        self._show()

    def add_list(self, differences: DifferenceList) -> None:
        """Add the list of differences behind the other pages."""
        self._list = differences
        self.tabs.addTab(differences, "Causes")
        self._controls[differences] = differences.controls
        self.bar.add_controls(differences.controls)
        self._show()

    # -- the place of the bar ------------------------------------------------------------------

    def _place_bar(self) -> None:
        """Put the bar beside the tabs, or below the page if they leave too little width.

        In a small panel on the stage, hide it and the tabs, and shorten the notes: a larger layout
        of the stage shows them.
        """
        tabs = self.tabs.tabBar()
        needed = self.bar.minimumSizeHint().width()
        beside = tabs.sizeHint().width() + needed <= self.width()
        low = self.presents and self.height() < _LOW * self.fontMetrics().lineSpacing()
        for note in self.findChildren(Note):
            note.setWordWrap(not low)
        tabs.setVisible(not (self.presents and (low or tabs.sizeHint().width() > self.width())))
        seen = beside or not (low or (self.presents and needed > self.width()))
        self.bar.setVisible(seen)
        if beside == (self.tabs.cornerWidget() is self.bar):
            return
        if beside:
            self._column.removeWidget(self.bar)
            self.tabs.setCornerWidget(self.bar)
        else:
            self.tabs.setCornerWidget(None)  # type: ignore[arg-type]
            self._column.insertWidget(1, self.bar)
        self.bar.setVisible(seen)

    # -- what is shown -------------------------------------------------------------------------

    def set_lanes(self, rows: Sequence[MetricsRow], about: str) -> None:
        """Set the lanes with their numbers of the text, and the description of the text."""
        self._rows, self._about = tuple(rows), about
        self._show()

    def set_former(self, former: bool) -> None:
        """Dim numbers of the text while they are those of a former one."""
        self._former = former
        self._show_veil()

    def _show_veil(self) -> None:
        """Dim a page of a former text, but not the numbers of a file."""
        of_file = self._file is not None and self._of_file
        pages_of_file = (self.table, self.bars) if of_file else ()
        self._veil.lay(self._former and self.tabs.currentWidget() not in pages_of_file)

    def set_result(self, result: CutResult, names: Mapping[History, str] | None = None) -> None:
        """Show the languages and the curves of a text as the lanes tokenize it.

        names: those of runs that are not called by their recipes.
        """
        self._result = result
        self._show_languages()
        self.curves.show_runs(
            result.text,
            [lane.encoding for lane in result.lanes],
            names or {},
            lossy={lane.encoding for lane in result.lanes if lane.is_lossy},
            specials_as_text=self._specials_as_text,
        )

    def _show_languages(self) -> None:
        """Show the languages of the story, if their tab is in front."""
        result = self._result
        if result is None:
            return
        if self.tabs.currentWidget() is not self.texts:
            self.texts.keep_only(result.lanes)
            return
        is_story = result.text == joined().text
        self.texts.set_columns(result.tokenized if is_story else None)
        self.texts.set_lanes(result.lanes, specials_as_text=self._specials_as_text)

    @Slot(bool)
    def set_specials_as_text(self, as_text: bool) -> None:
        """Set how special tokens are read, and show the text: a file was measured before that."""
        self._specials_as_text = as_text
        self.show_text_numbers()

    def own(self) -> dict[str, object]:
        """Return the user's own numbers and texts, as JSON, for `set_own`."""
        return {"numbers": asdict(self.table.metrics.own), "texts": self.texts.state()}

    @Slot(object)
    def _on_own(self, own: OwnNumbers) -> None:
        self.texts.set_price(own.price)

    def set_own(self, own: object) -> None:
        """Set what `own` returned; pass over what is damaged."""
        found = own if isinstance(own, dict) else {}
        with suppress(msgspec.ValidationError):
            self.table.set_own(msgspec.convert(found.get("numbers"), OwnNumbers))
        if "texts" in found:
            self.texts.restore(found["texts"])

    # -- files ---------------------------------------------------------------------------------

    def measure_one_by_one(self, own: OwnTexts) -> None:
        """Measure texts of one's own, each a row, and show them."""
        self.tabs.setCurrentWidget(self.texts)
        self.texts.measure(own)

    def measure(
        self,
        sources: Sequence[str | Path],
        lanes: Mapping[int, Encoding],
        options: CorpusOptions | None = None,
    ) -> None:
        """Measure files and folders with encodings, by the keys of lanes, and show the numbers.

        A measurement that is under way is cancelled.
        """
        if not lanes:
            problem = "There is no encoding to measure with; add one first."
            self.problem.emit(_MEASURING, problem)
            return
        self.problem.emit(_MEASURING, "")
        self._file, self._of_file = None, True
        request = MeasureRequest(
            tuple(map(str, sources)),
            {key: to_measure(encoding) for key, encoding in lanes.items()},
            self._specials_as_text,
            options or CorpusOptions(),
        )
        self._measure(FileNumbers(request, request.name, None, {}, {}))

    def _measure(self, former: FileNumbers) -> None:
        self._begun = former
        self._time_left = TimeLeft()
        self.bar.say(f"measuring {former.request.name}")
        self.bar.progress.show_share(None)
        self._task.ask(partial(_measure, former), self._show, self._on_failed, self._on_report)
        self._show()

    @Slot()
    def _on_resume(self) -> None:
        if self._file is not None:
            self._file = replace(self._file, cancelled=False)
            self._measure(self._file)

    @property
    def measuring(self) -> bool:
        """Whether a file is being measured."""
        return not self._task.at_rest

    @Slot()
    def show_text_numbers(self) -> None:
        """Show the numbers of the text instead of those of a file."""
        self._of_file = False
        self._show()

    @Slot()
    def leave_file(self) -> None:
        """Show the numbers of the text, if those of a file are shown."""
        if self._of_file:
            self.show_text_numbers()

    @Slot()
    def show_file_numbers(self) -> None:
        """Show the numbers of the file that was measured last."""
        self._of_file = True
        self._show()

    @Slot()
    def _on_anew(self) -> None:
        if self._file is not None:
            self.measureWanted.emit(self._file.request.sources)

    def _on_report(self, report: MeasureProgress | FileNumbers) -> None:
        if isinstance(report, MeasureProgress):
            self.bar.say(report.sentence + self._time_left.sentence(report))
            self.bar.progress.show_share(report.share)
        else:
            self._file = report
            self._show()

    def _on_failed(self, message: str) -> None:
        self.problem.emit(_MEASURING, message)
        if self._file is not None:
            self._file = replace(self._file, cancelled=True)
        self._show()

    @Slot()
    def _on_cancel(self) -> None:
        self._task.drop()
        self._file = replace(self._file or self._begun, cancelled=True)
        self._show()

    def _show(self, _: None = None) -> None:
        rows, about, note = self._rows, self._about, ""
        file = self._file
        of_file = file is not None and self._of_file
        actions = [self.bar.again] if file is not None else []
        if file is not None and of_file:
            rows, note = file_rows(file, rows), file.note
            about = file.said_now(specials_as_text=self._specials_as_text)
            former = file.request.specials_as_text != self._specials_as_text
            missing = file.cancelled and not file.finished
            actions = [self.bar.back, *[self.bar.anew] * former, *[self.bar.resume] * missing]
        elif self.measuring and self._of_file:
            rows = file_rows(self._begun, rows)
        if file is not None:
            tip = f"Show the numbers of {file.name} instead of those of the text"
            self.bar.again.setToolTip(tip)
        self.table.set_rows(rows)
        self.bars.set_rows(rows)
        self.vocabularies.set_corpus(file if of_file else None)
        page = self.tabs.currentWidget()
        if page not in (self.table, self.bars):
            # Languages and curves are always those of the text.
            about = f"of the text: {self._about}" if of_file else about
            if page is self.texts and not self.texts.of_story:
                about = self.texts.about
            elif page in (self.texts, self._list) and not of_file:
                about = ""  # their boxes say what is listed
            note, actions = "", []
        if page is self.vocabularies:
            about = self.vocabularies.about
        self.note.say(note)
        if self.measuring:
            actions = [self.bar.cancel]
        else:
            of_others = page is self.texts and not self.texts.of_story
            names_file = of_others or (of_file and page in (self.table, self.bars))
            self.bar.say(about, names_file=names_file)
        self.bar.arrange(actions, self._controls.get(page))
        self._show_veil()
        # Else it is placed once the panel has its size: to move it takes long.
        if not self.testAttribute(Qt.WidgetAttribute.WA_PendingResizeEvent):
            self._place_bar()

    @Slot()
    def _show_about(self) -> None:
        if self.tabs.currentWidget() is self.vocabularies:
            self._show()

    @Slot(int)
    def _on_tab(self) -> None:
        self._show_languages()
        self._show()


_REPORT_EVERY = 1 / 30
"""Seconds between two reports of progress, at the least."""


def _measure(former: FileNumbers, job: Job) -> None:
    """Measure what has no numbers yet."""

    def report(found: MeasureProgress | FileNumbers) -> None:
        if isinstance(found, FileNumbers) or job.is_due(_REPORT_EVERY):
            job.report(found)

    job.wait_for_kernels()
    measure_files(former.request, report, job.is_cancelled, former)
