"""What is to be expected of training with a recipe: an estimate, and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from bpe_gui.analysis.forecast import Estimate, about_size, about_time
from bpe_gui.analysis.recipe_warnings import RecipeWarning
from bpe_gui.ui.laboratory.measuring import TrainingEstimate
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.widgets.labels import LinkLabel
from bpe_gui.ui.widgets.sentences import as_sentence

_HIGHEST = 150
"""Pixels that all this may take; what is longer scrolls."""
_HOW = "how"


class EstimateView(QScrollArea):
    """Tells what keeps a draft from being a recipe, or else what the recipe will do."""

    fieldWanted = Signal(str)
    """The field of the recipe that the user wants to see, for a warning is about it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("recipeOutlook")
        self._outlook: TrainingEstimate | None = None
        self._shows_how = False
        self._content = QWidget()
        self._content.setObjectName("recipeOutlookContent")
        self.estimate = LinkLabel("recipeEstimate", self._content)
        self.estimate.setProperty("quiet", True)
        self.warnings = LinkLabel("recipeWarnings", self._content)
        self._column = column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.warnings)
        column.addWidget(self.estimate)
        self.setWidget(self._content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.estimate.linkActivated.connect(self._on_how)
        self.warnings.linkActivated.connect(self.fieldWanted)
        self._write([], "")

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Say what keeps the draft from being a recipe."""
        self._outlook = None
        told = [
            _line(problem.field, "Not a recipe yet", as_sentence(ValueError(problem.sentence)))
            for problem in found[:1]
        ]
        self._write(told, "")

    def show_pending(self) -> None:
        """Say that an estimate is to come."""
        self._outlook = None
        self._write([], "Measuring the recipe on the beginning of the corpus …")

    def show_outlook(self, outlook: TrainingEstimate) -> None:
        """Say what is to be expected."""
        self._outlook = outlook
        told = [_warning(warning) for warning in outlook.warnings]
        if outlook.problem:
            told.append(_line("", "Not measured", outlook.problem))
        estimate = outlook.estimate
        self._write(told, "" if estimate is None else self._estimated(estimate))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many lines as the new width asks for."""
        super().resizeEvent(event)
        self._fit()

    def _estimated(self, estimate: Estimate) -> str:
        assert self._outlook is not None
        told = (
            f"Estimate for {escape(self._outlook.corpus.name)}: "
            f"{about_time(estimate.seconds)}, {about_size(estimate.memory)} of memory. "
            f"<a href='{_HOW}'>{'Less' if self._shows_how else 'How?'}</a>"
        )
        return f"{told}<br>{escape(estimate.how)}" if self._shows_how else told

    def _write(self, told: list[str], estimate: str) -> None:
        self.warnings.setText("<br>".join(told))
        self.warnings.setVisible(bool(told))
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
        if self._outlook is not None:
            self.show_outlook(self._outlook)


def _warning(warning: RecipeWarning) -> str:
    return _line(
        warning.field, warning.kind.capitalize(), as_sentence(ValueError(warning.sentence))
    )


def _line(field: str, title: str, sentence: str) -> str:
    """A sentence after a title, which is a link to a field if there is one."""
    shown = f"<a href='{field}'>{title}</a>" if field else f"<b>{title}</b>"
    return f"▲ {shown}: {escape(sentence)}"
