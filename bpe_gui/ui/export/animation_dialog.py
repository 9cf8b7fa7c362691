"""The dialog that asks what is to be animated, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.exporting.animation import FASTEST, LARGEST_SIDE, SLOWEST, AnimationError
from bpe_gui.progress import counted
from bpe_gui.ui.export.animation_choice import FORMATS, AnimationChoice
from bpe_gui.ui.export.hidden_panels import HiddenPanels
from bpe_gui.ui.export.panels import WINDOW, animated
from bpe_gui.ui.theme.text_size import LARGEST, SMALLEST, set_width
from bpe_gui.ui.widgets.boxes import ComboBox, DoubleSpinBox, SpinBox
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.widgets.shrinkable_scroll_area import DialogScrollArea

_COLOURS = (("Same as window", None), ("Dark", True), ("Light", False))
_MOST = 1_000_000_000
_COLUMNS = 2
_NUMBER_WIDTH = 160
"""Pixels that the largest number needs, for plain text."""
_SO_FAR = "The run is still being trained; this shows it as it is now, with {}."


class AnimationDialog(QDialog):
    """Shows a choice and lets it be changed; says at once what would come of it."""

    def __init__(
        self,
        choice: AnimationChoice,
        end: int,
        parent: QWidget | None = None,
        *,
        grows: bool = False,
        prepare: Callable[[AnimationChoice], HiddenPanels | None] | None = None,
    ) -> None:
        """`end` is the last position of the run as it is now; it may go on to grow.

        `prepare` makes `panels`; it raises AnimationError for a choice of which nothing comes.
        """
        super().__init__(parent)
        self.setObjectName("animationDialog")
        self.setWindowTitle("Export an animation")
        self._end, self._grows, self._prepare = end, grows, prepare
        self.panels: HiddenPanels | None = None
        self._make_fields(choice)
        self._lay_out()
        self._show(choice)
        self._connect()
        self._tell()

    @property
    def choice(self) -> AnimationChoice:
        """What is chosen now."""
        whole = self._whole.isChecked()
        chosen = tuple(name for name, box in self._panels.items() if box.isChecked())
        return AnimationChoice(
            start=self._start.value(),
            stop=self._stop.value(),
            ending=self._format.currentData(),
            panels=(WINDOW,) if whole else chosen,
            merges=self._merges.value(),
            most_frames=self._most.value(),
            frames_a_second=_exact(self._speed),
            hold=_exact(self._hold),
            loop=self._loop.isChecked(),
            width=self._width.value(),
            height=self._height.value(),
            scale=self._scale.currentData(),
            text=self._text.value() / 100,
            dark=self._colours.currentData(),
            caption=self._caption.isChecked(),
        )

    # -- building --------------------------------------------------------------------------

    def _make_fields(self, choice: AnimationChoice) -> None:
        self._format = _box("animationFormat", "Format", [(t, e) for e, t in FORMATS.items()])
        self._whole = _check("animationWindow", "Same &layout as window")
        self._panels = {
            name: _check(f"animation_{name}", spec.title) for name, spec in animated().items()
        }
        self._start = _number("animationStart", "First merge", 0, self._end)
        self._stop = _number("animationStop", "Last merge", 0, self._end)
        self._merges = _number("animationMerges", "Merges per frame", 1, _MOST)
        self._most = _number("animationFrames", "Maximum number of frames", 2, 20_000)
        self._speed = _decimal("animationSpeed", "Frames per second", float(SLOWEST), int(FASTEST))
        self._hold = _decimal("animationHold", "Seconds to hold the last frame", 0, 60)
        self._width = _number("animationWidth", "Width", 16, LARGEST_SIDE)
        self._height = _number("animationHeight", "Height", 16, LARGEST_SIDE)
        scales = [(f"at {scale}×", scale) for scale in (1, 2, 3, 4)]
        self._scale = _box("animationScale", "Pixels for each of the width and height", scales)
        self._text = _number("animationText", "Size of the text", *_percent(SMALLEST, LARGEST))
        self._text.setSuffix(" %")
        self._text.setSingleStep(10)
        self._numbers = (
            *(self._merges, self._most, self._speed, self._hold),
            *(self._width, self._height, self._text),
        )
        for number in (self._start, self._stop, *self._numbers):
            set_width(number, _NUMBER_WIDTH)
        self._colours = _box("animationColours", "Colours", list(_COLOURS))
        self._caption = _check("animationCaption", "Show &timeline and caption")
        self._loop = _check("animationLoop", "L&oop")
        self._summary = QLabel(self)
        self._summary.setObjectName("animationSummary")
        self._summary.setWordWrap(True)

    def _lay_out(self) -> None:
        asked = QWidget()
        panels = QGridLayout()
        panels.addWidget(self._whole, 0, 0, 1, _COLUMNS)
        for place, box in enumerate(self._panels.values()):
            panels.addWidget(box, 1 + place // _COLUMNS, place % _COLUMNS)
        text_label = QLabel("Te&xt size")
        text_label.setBuddy(self._text)
        form = QFormLayout(asked)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow("&Format", self._format)
        form.addRow("Merges", _row(self._start, "to", self._stop))
        form.addRow("Panels", panels)
        form.addRow("Merges per frame", _row(self._merges))
        form.addRow("Maximum number of frames", _row(self._most))
        form.addRow("Frames per second", _row(self._speed))
        form.addRow("Hold last frame", _row(self._hold, "s"))
        form.addRow("Size", _row(self._width, "×", self._height, self._scale))
        form.addRow(text_label, _row(self._text))
        form.addRow("&Colours", self._colours)
        form.addRow("", self._caption)
        form.addRow("", self._loop)
        self._form = form
        buttons = QDialogButtonBox(self)
        self._export = QPushButton("&Export…")
        self._export.setObjectName("animationExport")
        self._export.setDefault(True)
        buttons.addButton(self._export, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(DialogScrollArea(asked))
        column.addWidget(self._summary)
        column.addWidget(buttons)

    def _show(self, choice: AnimationChoice) -> None:
        for box, value in (
            (self._format, choice.ending),
            (self._scale, choice.scale),
            (self._colours, choice.dark),
        ):
            box.setCurrentIndex(box.findData(value))
        for number, value in (
            (self._start, choice.start),
            (self._stop, choice.stop),
            (self._merges, choice.merges),
            (self._most, choice.most_frames),
            (self._width, choice.width),
            (self._height, choice.height),
            (self._text, round(choice.text * 100)),
        ):
            number.setValue(value)
        self._speed.setValue(float(choice.frames_a_second))
        self._hold.setValue(float(choice.hold))
        self._whole.setChecked(choice.panels == (WINDOW,))
        for name, panel in self._panels.items():
            panel.setChecked(name in choice.panels)
        self._loop.setChecked(choice.loop)
        self._caption.setChecked(choice.caption)

    def _connect(self) -> None:
        for box in (self._format, self._scale, self._colours):
            box.currentIndexChanged.connect(self._tell)
        for check in (self._whole, *self._panels.values(), self._loop, self._caption):
            check.toggled.connect(self._tell)
        for number in (self._start, self._stop, *self._numbers):
            number.valueChanged.connect(self._tell)

    # -- what follows ----------------------------------------------------------------------

    @Slot()
    def _tell(self) -> None:
        """Say what would come of it, or why nothing can, and offer what matters to it."""
        choice = self.choice
        boxes = (self._whole, self._scale, self._colours, self._caption)
        for field in (*boxes, *self._numbers):
            field.setEnabled(not choice.is_page)
        self._loop.setEnabled(choice.ending in (".gif", ".webp"))
        for box in self._panels.values():
            box.setEnabled(not choice.is_page and not self._whole.isChecked())
        try:
            text, problem = choice.summary(), False
            if self._grows:
                text += f" {_SO_FAR.format(counted(self._end, 'merge'))}"
        except AnimationError as error:
            text, problem = as_sentence(error), True
        self._show_summary(text, problem)

    @Slot()
    def accept(self) -> None:
        """Close, unless nothing comes of what is chosen; then say why."""
        try:
            if self._prepare is not None:
                self.panels = self._prepare(self.choice)
        except AnimationError as error:
            self._show_summary(as_sentence(error), True)
        else:
            super().accept()

    def _show_summary(self, text: str, problem: bool) -> None:
        self._summary.setText(text)
        self._summary.setProperty("problem", problem)
        self._summary.style().unpolish(self._summary)
        self._summary.style().polish(self._summary)
        self._export.setEnabled(not problem)


def at_the_end(choice: AnimationChoice, end: int) -> AnimationChoice:
    """A choice that was made before, for a run that has so many merges."""
    return replace(choice, start=min(choice.start, end), stop=end)


def _exact(box: DoubleSpinBox) -> Fraction:
    return Fraction(round(box.value() * 10), 10)


def _percent(*factors: float) -> tuple[int, ...]:
    return tuple(round(100 * factor) for factor in factors)


def _box(name: str, title: str, entries: Sequence[tuple[str, object]]) -> ComboBox:
    box = ComboBox()
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setToolTip(title)
    for text, value in entries:
        box.addItem(text, value)
    return box


def _check(name: str, text: str) -> QCheckBox:
    box = QCheckBox(text)
    box.setObjectName(name)
    return box


def _number(name: str, title: str, least: int, most: int) -> SpinBox:
    box = SpinBox()
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setRange(least, most)
    box.setGroupSeparatorShown(True)
    return box


def _decimal(name: str, title: str, least: float, most: float) -> DoubleSpinBox:
    box = DoubleSpinBox()
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setDecimals(1)
    box.setRange(least, most)
    return box


def _row(*parts: QWidget | str) -> QHBoxLayout:
    row = QHBoxLayout()
    for part in parts:
        row.addWidget(QLabel(part) if isinstance(part, str) else part)
    row.addStretch(1)
    return row
