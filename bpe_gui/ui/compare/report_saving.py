"""Saves a report on the compared encodings: asks where, gathers it in the background, writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.measuring.conversations import measure_set
from bpe_gui.encodings.measuring.file_measuring import to_measure
from bpe_gui.encodings.measuring.own_texts import Read
from bpe_gui.encodings.measuring.text_numbers import TextNumbers
from bpe_gui.files import check_writable, write_atomically
from bpe_gui.progress import megabytes
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.widgets.message_bar import MessageBar
from bpe_gui.ui.widgets.sentences import cannot_be_written

_ABOUT = "report"
_FILTERS = "Web page (*.html);;Markdown (*.md)"


class ReportRequest(Struct, frozen=True, eq=False):
    """What a report is about: lanes by their names, and the text with its name.

    sources: what encodings were read from.
    """

    lanes: Mapping[str, Encoding]
    sources: Mapping[Encoding, str]
    text: str
    text_name: str
    texts: Sequence[Read]
    specials_as_text: bool
    own: OwnNumbers


class ReportSaving(QObject):
    """Saves reports, one after the other."""

    def __init__(self, messages: MessageBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._window, self._messages = parent, messages
        self._task = BackgroundTask(
            "report", self, expected=(CorpusError, EncodingError), gives_way=True
        )

    def ask(self, request: ReportRequest) -> None:
        """Let the user choose a file, and write the report there."""
        self._messages.tell_problem(_ABOUT, "")
        if not request.lanes:
            self._messages.tell_problem(_ABOUT, "There is no encoding to report on; add one first.")
            return
        name, chosen = QFileDialog.getSaveFileName(
            self._window, "Save a report", "report.html", _FILTERS
        )
        if not name:
            return
        path = Path(name)
        if path.suffix.lower() not in (".html", ".htm", ".md"):
            path = path.with_name(path.name + (".md" if "*.md" in chosen else ".html"))
        self._messages.tell_progress(_ABOUT, f"Writing {path.name}…")
        done = partial(self._on_written, path)
        failed = partial(self._messages.tell_problem, _ABOUT)
        self._task.ask(partial(_write, path, request), done, failed)

    def _on_written(self, path: Path, size: int) -> None:
        self._messages.tell_success(_ABOUT, f"Saved {path.name}, {megabytes(size)}.")


def _write(path: Path, request: ReportRequest, job: Job) -> int:
    from bpe_gui.exporting.report.contents import make_report
    from bpe_gui.exporting.report.writers import WRITERS

    job.failure = f"{path.name} is not written"
    try:
        check_writable(path)
    except OSError as error:
        raise TaskError(cannot_be_written(path, error)) from error
    job.wait_for_kernels()
    names = list(request.lanes)
    encodings = [to_measure(encoding) for encoding in request.lanes.values()]
    numbers = []
    for read in request.texts:
        texts = read()
        counts = [
            measure_set(
                to_measure(encoding),
                texts,
                request.sources.get(encoding, ""),
                specials_as_text=request.specials_as_text,
                cancelled=job.is_cancelled,
            )
            for encoding in request.lanes.values()
        ]
        numbers.append(TextNumbers(texts, tuple(names), tuple(zip(*counts, strict=True))))
    report = make_report(
        names, encodings, request.text, request.text_name, numbers, job.check,
        specials_as_text=request.specials_as_text, own=request.own.columns,
    )  # fmt: skip
    try:
        write_atomically(path, WRITERS[path.suffix.lower()](report))
    except OSError as error:
        raise TaskError(cannot_be_written(path, error)) from error
    return path.stat().st_size
