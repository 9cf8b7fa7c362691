"""Takes texts apart for the pipeline view, on a thread of its own: patterns may take long."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.analysis.pipeline.stages import Merging, PipelineTrace, Stage, same_tokens
from bpe_gui.analysis.pipeline.trace import trace_pipeline
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.regexes import timeout

MOST_CHARACTERS = 4000
"""Characters of a text that are laid open."""

SECONDS = 1.0
"""How long matching may take: somebody is waiting."""


@dataclass(frozen=True, eq=False, slots=True)
class SheetRequest:
    """A text, a recipe to take it apart, and a run that may have been trained with it."""

    recipe: Recipe
    text: str
    history: History | None
    dropped: Event = field(default_factory=Event)
    """Set when nobody waits for it any more."""


@dataclass(frozen=True, eq=False, slots=True)
class OpenedSheet:
    """The beginning of a text, taken apart. `merging` is None if the run has another recipe."""

    request: SheetRequest
    sheet: PipelineTrace
    merging: Merging | None


class _DroppedError(Exception):
    """Nobody waits for the sheet any more."""


class SheetWorker(QObject):
    """Does requests one after another, on the thread that it lives in."""

    opened = Signal(object)
    """An OpenedSheet."""
    failed = Signal(str)
    """The request cannot be done; one sentence for the user."""
    given_up = Signal()
    """Nobody waits for the request any more."""

    @Slot(object)
    def open(self, request: SheetRequest) -> None:
        """Take a text apart."""
        try:
            self.opened.emit(_opened(request))
        except _DroppedError:
            self.given_up.emit()
        except MemoryError:
            self.failed.emit("There is not enough memory to take this text apart; shorten it.")
        except Exception as error:  # the window lives on whatever a pattern dies of
            self.failed.emit(
                f"Taking the text apart failed unexpectedly ({type(error).__name__}: {error}); "
                "change the recipe, and report it if it comes back."
            )
            raise


def _opened(request: SheetRequest) -> OpenedSheet:
    history = request.history
    if history is not None and not same_tokens(request.recipe, history.recipe):
        history = None
    base = None if history is None else history.base

    def check() -> None:
        if request.dropped.is_set():
            raise _DroppedError

    with timeout(SECONDS, check):
        sheet = trace_pipeline(request.recipe, request.text[:MOST_CHARACTERS], base)
    if history is None or not sheet.reaches(Stage.TOKENS):
        return OpenedSheet(request, sheet, None)
    return OpenedSheet(request, sheet, Merging(sheet, history))


class PipelineWorker(QObject):
    """Asks for sheets: one request is worked on, the newest waits, others are forgotten."""

    opened = Signal(object)
    """An OpenedSheet of what was asked for, if nothing newer is."""
    failed = Signal(str)
    """What was asked for last cannot be done; one sentence for the user."""

    _submitted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: SheetRequest | None = None
        self._begun: SheetRequest | None = None
        self._thread = QThread()
        self._thread.setObjectName("pipeline")
        self._worker = SheetWorker()
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.open)
        self._worker.opened.connect(self._on_opened)
        self._worker.failed.connect(self._on_failed)
        self._worker.given_up.connect(self._goes_on)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether something that was asked for is still to come."""
        return self._begun is not None

    def ask(self, request: SheetRequest) -> None:
        """Ask for a sheet; `opened` or `failed` answers."""
        self._waiting = request
        if self._begun is None:
            self._send()
        else:
            self._begun.dropped.set()

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self._waiting = None
        if self._begun is not None:
            self._begun.dropped.set()
        self._thread.quit()
        self._thread.wait()

    def _send(self) -> None:
        self._begun, self._waiting = self._waiting, None
        if self._begun is not None:
            self._submitted.emit(self._begun)

    @Slot(object)
    def _on_opened(self, found: OpenedSheet) -> None:
        if not self._goes_on():
            self.opened.emit(found)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if not self._goes_on():
            self.failed.emit(sentence)

    @Slot()
    def _goes_on(self) -> bool:
        """Turn to what was asked for meanwhile, if anything was."""
        self._send()
        return self.busy
