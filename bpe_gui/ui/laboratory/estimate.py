"""Estimates and warnings for the training of the edited recipe."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape

from msgspec import Struct
from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from bpe_gui.analysis.corpus_beginning import Beginning, read_corpus_beginning
from bpe_gui.analysis.forecast import Estimate, about_size, about_time, measure
from bpe_gui.analysis.recipe_warnings import RecipeWarning, WarningKind, recipe_warnings
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.kernels.jit import compiled_by_default
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.worker import COUNTING_THREADS
from bpe_gui.ui.widgets.labels import LinkLabel
from bpe_gui.ui.widgets.layouts import filled, scrolled
from bpe_gui.ui.widgets.naming import mark, named, quiet
from bpe_gui.ui.widgets.sentences import as_sentence

_AFTER = 500
"""Milliseconds without a change after which a recipe is measured."""

_READ_ONCE = (
    "This corpus can be read only once, so that nothing can be measured before it is trained on."
)


class TrainingEstimate(Struct, frozen=True, eq=False):
    """Describe the training of a recipe on a corpus.

    estimate: None if it could not be measured; then `problem` says why, in one sentence.
    """

    corpus: Corpus
    recipe: Recipe
    estimate: Estimate | None
    warnings: tuple[RecipeWarning, ...] = ()
    problem: str = ""


class _Measurer:
    """Measures recipes, and reads the beginning of a corpus once."""

    def __init__(self) -> None:
        self._read: tuple[Corpus, Beginning | None] | None = None

    def measure(self, corpus: Corpus, recipe: Recipe, job: Job) -> TrainingEstimate:
        cancelled = job.is_cancelled
        if self._read is None or self._read[0] is not corpus:
            # First: without a corpus that can be read no kernel is ever loaded.
            self._read = (corpus, read_corpus_beginning(corpus, cancelled))
        if not compiled_by_default():
            # Interpreted kernels, or a compiler at work, say nothing about the speed.
            job.wait_for_kernels()
            self._read = (corpus, read_corpus_beginning(corpus, cancelled))
        beginning = self._read[1]
        if beginning is None:
            return TrainingEstimate(corpus, recipe, None, problem=_READ_ONCE)
        try:
            measured = measure(beginning, recipe, cancelled, threads=COUNTING_THREADS)
            warnings = recipe_warnings(recipe, measured, cancelled)
        except RecipeError as error:
            return TrainingEstimate(corpus, recipe, None, problem=as_sentence(error))
        warnings = (*warnings, *_not_saved(recipe))
        return TrainingEstimate(corpus, recipe, measured.estimate, warnings)


def _not_saved(recipe: Recipe) -> tuple[RecipeWarning, ...]:
    """Return a warning if nothing trained with a recipe can be saved for other programs."""
    # The library is loaded when it is needed, not with the window.
    from bpe_gui.encodings.base import ExportError
    from bpe_gui.encodings.save import check_recipe, format_named

    try:
        check_recipe(recipe, format_named("tokenizer.json"))
    except ExportError as error:
        sentence = f"what is trained cannot be saved in that format: {error}"
        return (RecipeWarning(WarningKind.NOT_SAVED, "", sentence),)
    return ()


_HIGHEST = 150
"""Pixels of height beyond which the view scrolls."""
_HOW = "how"


class EstimateView(QScrollArea):
    """Shows why a draft is no recipe, or else what the recipe will do.

    A recipe is measured while the editor is in view, once it has rested.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("recipeOutlook")
        mark(self, "forTheUser", True)  # time and memory are those of this machine
        self._corpus: Corpus | None = None
        self._recipe: Recipe | None = None
        self._active = False
        self._found: TrainingEstimate | None = None
        self._shows_how = False
        self._later = QTimer(self, singleShot=True, interval=_AFTER)
        self._later.timeout.connect(self._measure)
        self._measurer = _Measurer()
        self._task = BackgroundTask(
            "measuring recipes",
            self,
            expected=(ValueError, OSError),
            failure="Measuring failed unexpectedly",
            gives_way=True,
        )
        self._content = named(QWidget(), "recipeOutlookContent")
        self.estimate = quiet(LinkLabel("recipeEstimate", self._content))
        self.warnings = LinkLabel("recipeWarnings", self._content)
        column = QVBoxLayout(self._content)
        self._column = filled(column, self.warnings, self.estimate, spacing=4)
        scrolled(self, self._content)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.estimate.linkActivated.connect(self._on_how)
        self._write([], "")

    # -- measuring ---------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a recipe is being measured, or about to be."""
        return self._later.isActive() or not self._task.at_rest

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Measure on a corpus, or on none."""
        if corpus is not self._corpus:
            self._corpus = corpus
            self._restart()

    def set_recipe(self, recipe: Recipe | None) -> None:
        """Measure a recipe, or none."""
        if recipe != self._recipe:
            self._recipe = recipe
            self._restart()

    def set_active(self, active: bool) -> None:
        """Measure while the editor is in view."""
        self._active = active
        self._restart()

    def _restart(self) -> None:
        self._later.stop()
        self._task.drop()
        wanted, found = self._wanted(), self._found
        if wanted is not None and (found is None or wanted != (found.corpus, found.recipe)):
            self._found = None
            self._later.start()
            self._write([], "Measuring the recipe on the beginning of the corpus …")

    def _wanted(self) -> tuple[Corpus, Recipe] | None:
        if not self._active or self._corpus is None or self._recipe is None:
            return None
        return self._corpus, self._recipe

    @Slot()
    def _measure(self) -> None:
        wanted = self._wanted()
        if wanted is not None:
            work = partial(self._measurer.measure, *wanted)
            self._task.ask(work, self._show_found, self._on_failed)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        wanted = self._wanted()
        assert wanted is not None
        self._show_found(TrainingEstimate(*wanted, None, problem=sentence))

    # -- texts ------------------------------------------------------------------------------

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Show why the draft is no recipe, if it is none."""
        if found:
            self._found = None
            sentence = as_sentence(found[0].sentence)
            self._write([_line(found[0].field, "Not a recipe yet", sentence)], "")

    def _show_found(self, found: TrainingEstimate) -> None:
        self._found = found
        lines = [
            _line(warning.field, warning.kind.capitalize(), as_sentence(warning.sentence))
            for warning in found.warnings
        ]
        if found.problem:
            lines.append(_line("", "Not measured", found.problem))
        text, estimate = "", found.estimate
        if estimate is not None:
            text = (
                f"Estimate for {escape(found.corpus.name)}: {about_time(estimate.seconds)}, "
                f"{about_size(estimate.memory)} of memory. "
                f"<a href='{_HOW}'>{'Less' if self._shows_how else 'How?'}</a>"
            )
            if self._shows_how:
                text += f"<br>{escape(estimate.how)}"
        self._write(lines, text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _write(self, warnings: list[str], estimate: str) -> None:
        self.warnings.setText("<br>".join(warnings))
        self.warnings.setVisible(bool(warnings))
        self.estimate.setText(estimate)
        self.estimate.setVisible(bool(estimate))
        self._fit()

    def _fit(self) -> None:
        height = self._column.totalHeightForWidth(max(1, self.viewport().width()))
        if height != self.height():
            self.setFixedHeight(max(0, min(height, _HIGHEST)))

    @Slot(str)
    def _on_how(self, link: str) -> None:
        self._shows_how = not self._shows_how
        if self._found is not None:
            self._show_found(self._found)


def _line(field: str, title: str, sentence: str) -> str:
    """Return a sentence after a title, which is a link to a field if there is one."""
    shown = f"<a href='{field}'>{title}</a>" if field else f"<b>{title}</b>"
    return f"▲ {shown}: {escape(sentence)}"
