"""Checks a draft and cuts the sample text by it, on a thread of its own.

A regular expression may take long to match, and nothing of it is done on the window's thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.analysis.word_preview import WordPreview, preview_words
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Problem, problems
from bpe_gui.ui.widgets.sentences import as_sentence


@dataclass(frozen=True)
class CheckRequest:
    """A draft, and the sample text."""

    draft: RecipeDraft
    text: str


@dataclass(frozen=True)
class CheckResult:
    """What is known of a draft.

    recipe: None if the draft is none.
    preview: None if the text cannot be cut; then `preview_problem` says why, unless one of
        the `problems` does.
    """

    draft: RecipeDraft
    recipe: Recipe | None
    problems: tuple[Problem, ...]
    preview: WordPreview | None
    preview_problem: str = ""


def check(draft: RecipeDraft, text: str) -> CheckResult:
    """Look a draft over. Takes as long as `preview_words` may."""
    found = problems(draft)
    recipe = None if found else draft.recipe()
    if {problem.field for problem in found} & {"normalizers", "split", ""}:
        return CheckResult(draft, recipe, found, None)
    steps, split = draft.value("normalizers"), draft.value("split")
    reserved = draft.value("reserved_tokens")
    tokens = [token for token in draft.value("special_tokens") if token not in reserved]
    try:
        return CheckResult(draft, recipe, found, preview_words(text, steps, split, tokens))
    except PatternError as error:
        return CheckResult(draft, recipe, found, None, as_sentence(error))


class CheckWorker(QObject):
    """Does requests one after another, on the thread that it lives in."""

    done = Signal(object)
    """A CheckResult."""
    failed = Signal(object, str)
    """A CheckRequest that could not be done; one sentence for the user."""

    @Slot(object)
    def check(self, request: CheckRequest) -> None:
        """Look a draft over."""
        try:
            self.done.emit(check(request.draft, request.text))
        except MemoryError:
            self.failed.emit(request, "There is not enough memory for this pattern; shorten it.")
        except Exception as error:  # the window lives on whatever a pattern does
            self.failed.emit(
                request,
                f"The recipe could not be checked ({type(error).__name__}: {error}); change it, "
                "and report it if it comes back.",
            )
            raise


class Checker(QObject):
    """Owns the thread. One request is worked on and the newest waits."""

    checked = Signal(object)
    """The CheckResult of what was asked for last."""

    _submitted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: CheckRequest | None = None
        self._under_way: CheckRequest | None = None
        self._thread = QThread()
        self._thread.setObjectName("checking recipes")
        self._worker = CheckWorker()
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.check)
        self._worker.done.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether the last request has no answer yet."""
        return self._wanted is not None or self._under_way is not None

    def check(self, draft: RecipeDraft, text: str) -> None:
        """Look at another draft or text; `checked` answers."""
        self._wanted = CheckRequest(draft, text)
        self._submit()

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self._wanted = None
        self._thread.quit()
        self._thread.wait()

    def _submit(self) -> None:
        if self._under_way is None and self._wanted is not None:
            self._under_way, self._wanted = self._wanted, None
            self._submitted.emit(self._under_way)

    def _end(self) -> None:
        self._under_way = None
        self._submit()

    @Slot(object)
    def _on_done(self, result: CheckResult) -> None:
        current = self._wanted is None
        self._end()
        if current:
            self.checked.emit(result)

    @Slot(object, str)
    def _on_failed(self, request: CheckRequest, message: str) -> None:
        current = self._wanted is None
        self._end()
        if current:
            self.checked.emit(
                CheckResult(request.draft, None, (Problem("", message),), None)
            )
