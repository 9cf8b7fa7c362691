"""The dialog that asks what is to be animated, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace
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

from bpe_gui.exporting.animation import FASTEST, LARGEST_SIDE, AnimationError
from bpe_gui.progress import counted
from bpe_gui.ui.export.hidden_panels import ANIMATION_FORMATS, AnimationChoice, HiddenPanels
from bpe_gui.ui.export.panels import WINDOW, animated
from bpe_gui.ui.theme.text_size import LARGEST, SMALLEST, set_width
from bpe_gui.ui.widgets.boxes import ComboBox, DoubleSpinBox, SpinBox
from bpe_gui.ui.widgets.layouts import STYLED, Part, filled
from bpe_gui.ui.widgets.naming import mark, named
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.widgets.shrinkable_scroll_area import DialogScrollArea

_COLOURS = {None: "Same as window", True: "Dark", False: "Light"}
_SCALES = {scale: f"at {scale}×" for scale in (1, 2, 3, 4)}
_SPEEDS = 0, float(FASTEST)
"""0 stands for a rate in proportion to the number of merges."""
_MOST = 1_000_000_000
_FITTED = round(100 * SMALLEST) - 10
"""The number that stands for a size of text in proportion to the panels."""
_COLUMNS = 2
_NUMBER_WIDTH = 160
"""Pixels that the largest number needs, for plain text."""
_SO_FAR = "The run is still being trained; this shows it as it is now, with {}."


class AnimationDialog(QDialog):
    """Shows a choice and lets it be changed; a sentence says what will be made of it."""

    def __init__(
        self,
        choice: AnimationChoice,
        end: int,
        parent: QWidget | None = None,
        *,
        grows: bool = False,
        prepare: Callable[[AnimationChoice], HiddenPanels | None] | None = None,
    ) -> None:
        """Ask about a run that has `end` merges now, and may still be growing.

        `prepare` makes `panels`; it raises AnimationError for a choice that cannot be made.
        """
        super().__init__(parent)
        self.setObjectName("animationDialog")
        self.setWindowTitle("Export an animation")
        self._end, self._grows, self._prepare = end, grows, prepare
        self.panels: HiddenPanels | None = None
        # Named as the fields of `AnimationChoice`.
        self._boxes = {
            "ending": _box("animationFormat", "Format", ANIMATION_FORMATS),
            "scale": _box("animationScale", "Pixels for each of the width and height", _SCALES),
            "dark": _box("animationColours", "Colours", _COLOURS),
        }
        self._numbers = {
            "start": _number("animationStart", "First merge", 0, end),
            "stop": _number("animationStop", "Last merge", 0, end),
            "merges": _number("animationMerges", "Merges per frame", 1, _MOST),
            "most_frames": _number("animationFrames", "Maximum number of frames", 2, 20_000),
            "width": _number("animationWidth", "Width", 16, LARGEST_SIDE),
            "height": _number("animationHeight", "Height", 16, LARGEST_SIDE),
        }
        self._decimals = {
            "frames_a_second": _decimal("animationSpeed", "Frames per second", *_SPEEDS),
            "hold": _decimal("animationHold", "Seconds to hold the last frame", 0, 60),
        }
        self._checks = {
            "caption": named(QCheckBox("Show &timeline and caption"), "animationCaption"),
            "motion": named(QCheckBox("&Show each merge under way"), "animationMotion"),
            "loop": named(QCheckBox("L&oop"), "animationLoop"),
        }
        self._text = _number("animationText", "Size of the text", _FITTED, round(100 * LARGEST))
        for box in (self._text, self._decimals["frames_a_second"]):
            box.setSpecialValueText("Automatic")
        numbers = (*self._numbers.values(), *self._decimals.values(), self._text)
        for number in numbers:
            set_width(number, _NUMBER_WIDTH)
        self._text.setSuffix(" %")
        self._text.setSingleStep(10)
        self._whole = named(QCheckBox("Same &layout as window"), "animationWindow")
        self._panels = {
            name: named(QCheckBox(spec.title), f"animation_{name}")
            for name, spec in animated().items()
        }
        self._summary = named(QLabel(wordWrap=True), "animationSummary")
        self._lay_out()
        self._show(choice)
        self._connect()
        self._update()

    def _connect(self) -> None:
        for box in self._boxes.values():
            box.currentIndexChanged.connect(self._update)
        for number in (*self._numbers.values(), self._text):
            number.valueChanged.connect(self._update)
        for decimal in self._decimals.values():
            decimal.valueChanged.connect(self._update)
        for check in (*self._checks.values(), *self._panels.values(), self._whole):
            check.toggled.connect(self._update)

    @property
    def choice(self) -> AnimationChoice:
        chosen = tuple(name for name, box in self._panels.items() if box.isChecked())
        values: dict[str, Any] = {
            **{name: box.currentData() for name, box in self._boxes.items()},
            **{name: number.value() for name, number in self._numbers.items()},
            "frames_a_second": _tenths(self._decimals["frames_a_second"]) or None,
            "hold": _tenths(self._decimals["hold"]),
            **{name: check.isChecked() for name, check in self._checks.items()},
        }
        panels = (WINDOW,) if self._whole.isChecked() else chosen
        text = None if self._text.value() == _FITTED else self._text.value() / 100
        return AnimationChoice(panels=panels, text=text, **values)

    def _lay_out(self) -> None:
        asked = QWidget()
        panels = QGridLayout()
        panels.addWidget(self._whole, 0, 0, 1, _COLUMNS)
        for place, box in enumerate(self._panels.values()):
            panels.addWidget(box, 1 + place // _COLUMNS, place % _COLUMNS)
        boxes, numbers = self._boxes, self._numbers
        text_label = QLabel("Te&xt size")
        text_label.setBuddy(self._text)
        form = QFormLayout(asked)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow("&Format", boxes["ending"])
        form.addRow("Merges", _row(numbers["start"], "to", numbers["stop"]))
        form.addRow("Panels", panels)
        form.addRow("Merges per frame", _row(numbers["merges"]))
        form.addRow("Maximum number of frames", _row(numbers["most_frames"]))
        form.addRow("Frames per second", _row(self._decimals["frames_a_second"]))
        form.addRow("Hold last frame", _row(self._decimals["hold"], "s"))
        form.addRow("Size", _row(numbers["width"], "×", numbers["height"], boxes["scale"]))
        form.addRow(text_label, _row(self._text))
        form.addRow("&Colours", boxes["dark"])
        for check in self._checks.values():
            form.addRow("", check)
        column, buttons = QVBoxLayout(self), QDialogButtonBox(self)
        self._export = named(QPushButton("&Export…", default=True), "animationExport")
        buttons.addButton(self._export, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        for part in (DialogScrollArea(asked), self._summary, buttons):
            column.addWidget(part)

    def _show(self, choice: AnimationChoice) -> None:
        for name, box in self._boxes.items():
            box.setCurrentIndex(box.findData(getattr(choice, name)))
        for name, number in self._numbers.items():
            number.setValue(getattr(choice, name))
        for name, decimal in self._decimals.items():
            decimal.setValue(float(getattr(choice, name) or 0))
        for name, check in self._checks.items():
            check.setChecked(getattr(choice, name))
        self._text.setValue(_FITTED if choice.text is None else round(choice.text * 100))
        self._whole.setChecked(choice.panels == (WINDOW,))
        for name, panel in self._panels.items():
            panel.setChecked(name in choice.panels)

    @Slot()
    def _update(self) -> None:
        """Say what will be made, or why nothing can, and enable the fields that matter to it."""
        choice = self.choice
        for name, field in {**self._boxes, **self._numbers, **self._decimals}.items():
            field.setEnabled(not choice.is_page or name in ("ending", "start", "stop"))
        for field in (self._text, self._whole, self._checks["caption"], self._checks["motion"]):
            field.setEnabled(not choice.is_page)
        self._checks["loop"].setEnabled(choice.ending in (".gif", ".webp"))
        for panel in self._panels.values():
            panel.setEnabled(not choice.is_page and not self._whole.isChecked())
        try:
            text, problem = choice.summary(), False
            if self._grows:
                text += f" {_SO_FAR.format(counted(self._end, 'merge'))}"
        except AnimationError as error:
            text, problem = as_sentence(error), True
        self._show_summary(text, problem)

    @Slot()
    def accept(self) -> None:
        """Close if what is chosen can be made; otherwise say why not."""
        try:
            if self._prepare is not None:
                self.panels = self._prepare(self.choice)
        except AnimationError as error:
            self._show_summary(as_sentence(error), True)
        else:
            super().accept()

    def _show_summary(self, text: str, problem: bool) -> None:
        self._summary.setText(text)
        mark(self._summary, "problem", problem)
        self._export.setEnabled(not problem)


def at_the_end(choice: AnimationChoice, end: int) -> AnimationChoice:
    """Return an earlier choice, changed to end at the last of `end` merges."""
    return replace(choice, start=min(choice.start, end), stop=end)


def _box(name: str, title: str, titles: Mapping[Any, str]) -> ComboBox:
    box = named(ComboBox(), name, title, title)
    for value, text in titles.items():
        box.addItem(text, value)
    return box


def _number(name: str, title: str, least: int, most: int) -> SpinBox:
    box = named(SpinBox(), name, title)
    box.setRange(least, most)
    return box


def _decimal(name: str, title: str, least: float, most: float) -> DoubleSpinBox:
    box = named(DoubleSpinBox(), name, title)
    box.setDecimals(1)
    box.setRange(least, most)
    return box


def _tenths(box: DoubleSpinBox) -> Fraction:
    return Fraction(round(box.value() * 10), 10)


def _row(*parts: Part) -> QHBoxLayout:
    return filled(QHBoxLayout(), *parts, None, spacing=STYLED)
