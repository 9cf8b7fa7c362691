"""Asks what is to be exported, and how it is to look; shows pictures as they will be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.export.formats import Colours, ExportFormat, ExportTarget, Options
from bpe_gui.ui.export.picture import SCALES
from bpe_gui.ui.widgets.boxes import ComboBox, SpinBox
from bpe_gui.ui.widgets.shrinkable_scroll_area import DialogScrollArea

_PREVIEW = QSize(480, 270)
_SMALLEST, _LARGEST = 80, 8000


@dataclass
class Choices:
    """What was chosen last, and what will be proposed the next time."""

    subject: str = "pairs"
    offers: dict[str, str] = field(default_factory=dict)
    """The name of the last offer for each subject."""
    scale: int = 2
    colours: Colours = Colours.NOW
    folder: str = ""


class ExportDialog(QDialog):
    """What, as what, in which size and colours.

    `subjectChosen` asks for a panel to come into view, `previewWanted` for a picture of it,
    which `show_preview` takes, or `refuse` why there is none.
    """

    subjectChosen = Signal(object)
    """Another Subject is chosen."""
    previewWanted = Signal()
    """There is something to be seen, or it looks different."""

    def __init__(self, subjects: Sequence[ExportTarget], choices: Choices, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle("Export")
        self._subjects = list(subjects)
        self._choices = choices
        self.subject_box = _box("exportSubject", "Content")
        self.offer_box = _box("exportKind", "Format")
        self.scale_box = _box("exportScale", "Pixels for one of the window")
        self.colour_box = _box("exportColours", "Colours")
        self.width_box, self.height_box = _spin("exportWidth"), _spin("exportHeight")
        self.width_box.setAccessibleName("Width in pixels of the window")
        self.height_box.setAccessibleName("Height in pixels of the window")
        self.as_shown = QPushButton("Same as window")
        self.preview = QLabel()
        self._export = QPushButton("&Export…")
        self._pixels = QLabel()
        self._sizes = QWidget()
        self._asked, self._form = QWidget(), QFormLayout()
        self._own_size = False
        self._fill()
        self._lay_out()
        self._connect()

    # -- what is chosen ------------------------------------------------------------------------

    @property
    def subject(self) -> ExportTarget:
        """What is to be exported."""
        return self._subjects[max(0, self.subject_box.currentIndex())]

    @property
    def offer(self) -> ExportFormat:
        """As what."""
        return self.subject.offers[max(0, self.offer_box.currentIndex())]

    def options(self) -> Options:
        """How it is to look."""
        size = None
        if self.offer.sized:
            size = QSize(self.width_box.value(), self.height_box.value())
        colours = self.colour_box.currentData() if self.offer.colours else Colours.NOW
        scale = self.scale_box.currentData() if self.offer.scaled else 1
        return Options(scale, size, colours)

    def choose(self, subject: str, offer: str = "") -> None:
        """Choose by name."""
        names = [known.name for known in self._subjects]
        if subject in names:
            self.subject_box.setCurrentIndex(names.index(subject))
        offers = [known.name for known in self.subject.offers]
        if offer in offers:
            self.offer_box.setCurrentIndex(offers.index(offer))

    def show_preview(self, image: QImage | None) -> None:
        """Show what will be exported, no larger than there is room; None says that it is none."""
        self._export.setEnabled(True)
        self._export.setToolTip("")
        self.preview.setAccessibleName("Preview")
        if image is None:
            self.preview.setText(self.offer.unseen)
            self.preview.setAccessibleName(self.offer.unseen)
            return
        ratio = self.devicePixelRatioF()
        room = _PREVIEW * ratio
        if image.width() > room.width() or image.height() > room.height():
            keep, smooth = Qt.AspectRatioMode, Qt.TransformationMode
            image = image.scaled(room, keep.KeepAspectRatio, smooth.SmoothTransformation)
            image.setDevicePixelRatio(ratio)
        self.preview.setPixmap(QPixmap.fromImage(image))

    def refuse(self, sentence: str) -> None:
        """Say why nothing can be exported as it is chosen now."""
        self._export.setEnabled(False)
        self._export.setToolTip(sentence)
        self.preview.setText(sentence)
        self.preview.setAccessibleName(sentence)

    @property
    def refused(self) -> bool:
        """Whether nothing can be exported as it is chosen now."""
        return not self._export.isEnabled()

    def remember(self) -> None:
        """Keep what is chosen for the next time."""
        choices, options = self._choices, self.options()
        choices.subject = self.subject.name
        choices.offers[self.subject.name] = self.offer.name
        if self.offer.scaled:
            choices.scale = options.scale
        if self.offer.colours:
            choices.colours = options.colours

    # -- building --------------------------------------------------------------------------------

    def _fill(self) -> None:
        for subject in self._subjects:
            self.subject_box.addItem(subject.title, subject.name)
        for scale in SCALES:
            self.scale_box.addItem(f"{scale} ×", scale)
        self.scale_box.setCurrentIndex(SCALES.index(self._choices.scale))
        self.preview.setObjectName("exportPreview")
        self.preview.setAccessibleName("Preview")
        self.preview.setFixedSize(_PREVIEW)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setWordWrap(True)
        self.preview.setProperty("quiet", True)
        self._pixels.setObjectName("exportPixels")
        self._pixels.setProperty("quiet", True)
        self.as_shown.setObjectName("exportAsShown")
        self.as_shown.setAutoDefault(False)
        self.as_shown.setToolTip("Take the size that the panel has in the window")

    def _lay_out(self) -> None:
        sizes = QHBoxLayout(self._sizes)
        sizes.setContentsMargins(0, 0, 0, 0)
        sizes.addWidget(self.width_box)
        sizes.addWidget(QLabel("×"))
        sizes.addWidget(self.height_box)
        sizes.addWidget(self.as_shown)
        sizes.addStretch(1)
        for text, widget in (
            ("&Content", self.subject_box),
            ("&Format", self.offer_box),
            ("&Size", self._sizes),
            ("S&cale", self.scale_box),
            ("C&olours", self.colour_box),
            ("", self._pixels),
        ):
            self._form.addRow(text, widget)
        label = self._form.labelForField(self._sizes)
        if isinstance(label, QLabel):
            label.setBuddy(self.width_box)
        asked = QVBoxLayout(self._asked)
        asked.setContentsMargins(0, 0, 0, 0)
        asked.addLayout(self._form)
        asked.addWidget(self.preview, 0, Qt.AlignmentFlag.AlignHCenter)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self._export, QDialogButtonBox.ButtonRole.AcceptRole)
        self._export.setObjectName("exportButton")
        self._export.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        layout.addWidget(DialogScrollArea(self._asked))
        layout.addWidget(buttons)

    def _connect(self) -> None:
        self.subject_box.currentIndexChanged.connect(self._on_subject)
        self.offer_box.currentIndexChanged.connect(self._on_offer)
        self.colour_box.currentIndexChanged.connect(self._on_look)
        self.scale_box.currentIndexChanged.connect(self._on_size)
        self.width_box.valueChanged.connect(self._on_own_size)
        self.height_box.valueChanged.connect(self._on_own_size)
        self.as_shown.clicked.connect(self._on_as_shown)

    # -- what follows from a choice ----------------------------------------------------------------

    def begin(self) -> None:
        """Show what is chosen first."""
        self._on_subject()

    def follow_size(self) -> None:
        """Propose the size that the panel has in the window by now, unless another was chosen."""
        panel = self.subject.panel
        if panel is None or self._own_size:
            return
        size = panel.widget.size()
        for box, value in ((self.width_box, size.width()), (self.height_box, size.height())):
            with QSignalBlocker(box):
                box.setValue(value)
        self._tell_pixels()

    @Slot()
    def _on_as_shown(self) -> None:
        self._own_size = False
        self.follow_size()
        self.previewWanted.emit()

    @Slot()
    def _on_own_size(self) -> None:
        self._own_size = True
        self._on_size()

    @Slot()
    def _on_subject(self) -> None:
        with QSignalBlocker(self.offer_box):
            self.offer_box.clear()
            for offer in self.subject.offers:
                self.offer_box.addItem(offer.title, offer.name)
        names = [offer.name for offer in self.subject.offers]
        last = self._choices.offers.get(self.subject.name)
        with QSignalBlocker(self.offer_box):
            self.offer_box.setCurrentIndex(names.index(last) if last in names else 0)
        self._own_size = False
        self.subjectChosen.emit(self.subject)
        self.follow_size()
        self._on_offer()

    @Slot()
    def _on_offer(self) -> None:
        offer = self.offer
        colours = self.colour_box.currentData() or self._choices.colours
        with QSignalBlocker(self.colour_box):
            self.colour_box.clear()
            for known in offer.colours:
                self.colour_box.addItem(str(known), known)
            if colours in offer.colours and offer.colours[0] is not Colours.BOTH:
                self.colour_box.setCurrentIndex(list(offer.colours).index(colours))
        self._form.setRowVisible(self.colour_box, bool(offer.colours))
        self._form.setRowVisible(self.scale_box, offer.scaled)
        self._form.setRowVisible(self._sizes, offer.sized)
        self._form.setRowVisible(self._pixels, offer.scaled)
        self._on_size()

    @Slot()
    def _on_size(self) -> None:
        self._tell_pixels()
        self.previewWanted.emit()

    def _tell_pixels(self) -> None:
        panel, options = self.subject.panel, self.options()
        if panel is not None and self.offer.scaled:
            size = options.size or panel.widget.size()
            wide, high = size.width() * options.scale, size.height() * options.scale
            self._pixels.setText(f"{wide:,} by {high:,} pixels")

    @Slot()
    def _on_look(self) -> None:
        self.previewWanted.emit()


def _box(name: str, accessible: str) -> ComboBox:
    box = ComboBox()
    box.setObjectName(name)
    box.setAccessibleName(accessible)
    return box


def _spin(name: str) -> SpinBox:
    spin = SpinBox()
    spin.setObjectName(name)
    spin.setRange(_SMALLEST, _LARGEST)
    spin.setGroupSeparatorShown(True)
    return spin
