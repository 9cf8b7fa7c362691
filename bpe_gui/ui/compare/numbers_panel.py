"""All numbers of the encodings that are compared: a table, bars, languages, curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from bpe_gui.bpe.corpus import CorpusError, CorpusOptions
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.ui.compare.cutting import CutLane, CutResult
from bpe_gui.ui.compare.file_measuring import (
    FileNumbers,
    MeasureLane,
    MeasureProgress,
    MeasureRequest,
    measure_files,
)
from bpe_gui.ui.compare.language_bars import LanguageBars, LanguageColumn
from bpe_gui.ui.compare.measure_bar import MeasureBar
from bpe_gui.ui.compare.merge_curves import CurveLane, MergeCurves
from bpe_gui.ui.compare.metric_bars import MetricBars
from bpe_gui.ui.compare.metrics_model import MetricsRow, file_rows, measured_name
from bpe_gui.ui.compare.metrics_table import MetricsTable
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.labels import Note

_MEASURING = "measure"
_LOW = 12
"""Lines in the height, from which on there is room for all."""


class NumbersPanel(QWidget):
    """Numbers of the text that is compared, or of a file that has been measured whole.

    `set_lanes` and `set_result` tell what there is of the text. `measure` measures files in
    the background; its numbers stand in the table and the bars as soon as the first lane is
    done, until the user goes back to those of the text; from there, one can return to them.
    """

    presents = False
    """Whether an audience looks on."""
    measured = Signal(object)
    """FileNumbers, whenever a file has been measured with another lane."""
    measureWanted = Signal(object)
    """The paths of what is to be measured once more, as things are set now."""
    problem = Signal(str, str)
    """What cannot be done, and one sentence for the user; none if that is over."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("numbersPanel")
        self._rows: tuple[MetricsRow, ...] = ()
        self._about = ""
        self._file: FileNumbers | None = None
        self._of_file = False
        self._specials_as_text = False
        self._result: CutResult | None = None
        self._task = BackgroundTask(
            "measuring", self, expected=(CorpusError, OSError), failure="Measuring failed"
        )
        self.table = MetricsTable()
        self.bars = MetricBars()
        self.languages = LanguageBars()
        self.curves = MergeCurves()
        self._controls: dict[QWidget, QWidget] = {
            self.table: _row(self.table.buttons()),
            self.languages: self.languages.controls,
            self.curves: self.curves.controls,
        }
        self.bar = MeasureBar([*self._controls.values()])
        self.note, self.tabs = Note("numbersNote"), QTabWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.tabs.setObjectName("numbersTabs")
        self.tabs.setAccessibleName("Numbers")
        self.tabs.setDocumentMode(True)
        # Where text is large, names are cut rather than out of sight.
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName("Numbers")
        self.tabs.setCornerWidget(self.bar)
        for widget, name in (
            (self.table, "Table"),
            (self.bars, "Bars"),
            (self.languages, "Languages"),
            (self.curves, "Curves"),
        ):
            self.tabs.addTab(widget, name)
        self._column = layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.note)

    def _connect(self) -> None:
        self.bar.cancel.triggered.connect(self._on_cancel)
        self.bar.back.triggered.connect(self.show_text_numbers)
        self.bar.again.triggered.connect(self.show_file_numbers)
        self.bar.anew.triggered.connect(self._on_anew)
        self.tabs.currentChanged.connect(self._on_tab)
        RoomFollower(self, self._place_bar)
        self._show()

    # -- where the bar stands --------------------------------------------------------------------

    def _place_bar(self) -> None:
        """Beside the tabs, or below the page where they leave no room for what is on it.

        In a small panel of the stage there is no room below either: what is chosen there can be
        chosen in a larger layout.
        """
        needed = self.bar.minimumSizeHint().width()
        beside = self.tabs.tabBar().sizeHint().width() + needed <= self.width()
        low = self.height() < _LOW * self.fontMetrics().lineSpacing()
        seen = beside or not (self.presents and (low or needed > self.width()))
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
        """The lanes with their numbers of the text, and what that text is."""
        self._rows, self._about = tuple(rows), about
        self._show()

    def set_result(
        self, result: CutResult, called: Mapping[int, str] = MappingProxyType({})
    ) -> None:
        """A text as the lanes cut it: for the languages and the curves.

        called: the names of runs that their lanes, by key, do not only show in part.
        """
        self._result = result
        self._show_languages()
        lanes = [
            CurveLane(name, lane.encoding, called.get(lane.key, ""), lane.is_lossy)
            for lane, name in self._named(result)
        ]
        self.curves.show_runs(result.text, lanes, specials_as_text=self._specials_as_text)

    def _named(self, result: CutResult) -> list[tuple[CutLane, str]]:
        names = {row.key: row.name for row in self._rows}
        return [(lane, names.get(lane.key, lane.encoding.name)) for lane in result.lanes]

    def _show_languages(self) -> None:
        """Show the languages of the story, where somebody looks at them."""
        result = self._result
        if result is None or self.tabs.currentWidget() is not self.languages:
            return
        columns = None
        if result.text == joined().text:
            columns = [
                LanguageColumn(lane.key, name, lane.languages, lane.lossy_languages)
                for lane, name in self._named(result)
                if lane.cut is not None
            ]
        self.languages.set_columns(columns)

    @Slot(bool)
    def set_specials_as_text(self, as_text: bool) -> None:
        """Special tokens are read otherwise from now on; a file has been measured as they were."""
        self._specials_as_text = as_text
        self.show_text_numbers()

    def close_threads(self) -> None:
        """End what goes on in the background; returns when it has ended."""
        self._task.close()
        self.curves.close_threads()

    # -- files ---------------------------------------------------------------------------------

    def measure(
        self,
        sources: Sequence[str | Path],
        lanes: Sequence[MeasureLane],
        options: CorpusOptions | None = None,
    ) -> None:
        """Measure files and folders with lanes in the background, and show their numbers.

        What is being measured already is given up.
        """
        if not lanes:
            problem = "There is no encoding to measure with; add one first."
            self.problem.emit(_MEASURING, problem)
            return
        self.problem.emit(_MEASURING, "")
        self._file, self._of_file = None, True
        request = MeasureRequest(
            tuple(map(str, sources)),
            tuple(MeasureLane(lane.key, measured_name(lane), lane.encoding) for lane in lanes),
            self._specials_as_text,
            options or CorpusOptions(),
        )
        self.bar.say(f"measuring {request.name}")
        self.bar.show_share(None)
        work = partial(measure_files, request)
        self._task.ask(work, self._show, self._on_failed, self._on_report)
        self._show()

    @property
    def measuring(self) -> bool:
        """Whether a file is being measured."""
        return not self._task.at_rest

    @Slot()
    def show_text_numbers(self) -> None:
        """Show the numbers of the text instead of those of a file, which are kept."""
        self._of_file = False
        self._show()

    @Slot()
    def show_file_numbers(self) -> None:
        """Show the numbers of the file again that was measured last."""
        self._of_file = True
        self._show()

    @Slot()
    def _on_anew(self) -> None:
        if self._file is not None:
            self.measureWanted.emit(self._file.request.sources)

    def _on_report(self, report: MeasureProgress | FileNumbers) -> None:
        if isinstance(report, MeasureProgress):
            self.bar.say(report.sentence)
            self.bar.show_share(report.share)
        else:
            self._file = report
            self._show()
            self.measured.emit(report)

    def _on_failed(self, message: str) -> None:
        self.problem.emit(_MEASURING, message)
        self._show()

    @Slot()
    def _on_cancel(self) -> None:
        self._task.drop()
        if self._file is not None:
            self._file = replace(self._file, cancelled=True)
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
            actions = [self.bar.back, *[self.bar.anew] * former]
        if file is not None:
            tip = f"Show the numbers of {file.name} instead of those of the text"
            self.bar.again.setToolTip(tip)
        self.table.set_rows(rows)
        self.bars.set_rows(rows)
        page = self.tabs.currentWidget()
        if page not in (self.table, self.bars):
            # Languages and curves are never those of a file: nothing leads to it or back.
            about = f"of the text: {self._about}" if of_file else about
            note, actions = "", []
        self.note.say(note)
        if self.measuring:
            actions = [self.bar.cancel]
        else:
            self.bar.say(about)
        self.bar.arrange(actions, self._controls.get(page))
        self._place_bar()

    @Slot(int)
    def _on_tab(self) -> None:
        self._show_languages()
        self._show()


def _row(widgets: Sequence[QWidget]) -> QWidget:
    """Widgets side by side."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(4)
    for widget in widgets:
        layout.addWidget(widget)
    return row
