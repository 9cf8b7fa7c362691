"""Asks what is to be exported, and how it is to look; shows pictures as they will be."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, QSignalBlocker, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QImage, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.panels import WINDOW, bring_into_view, way_back
from bpe_gui.ui.export.picture import SCALES, PictureError, check_pixels
from bpe_gui.ui.export.targets import (
    PAINTED,
    Colours,
    ExportFormat,
    ExportTarget,
    Options,
    paint,
    subjects_of,
)
from bpe_gui.ui.widgets.boxes import ComboBox, SpinBox
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.naming import centred, named, quiet
from bpe_gui.ui.widgets.shrinkable_scroll_area import DialogScrollArea

_PREVIEW = QSize(480, 270)
_SMALLEST, _LARGEST = 80, 8000
_SETTLE = 150
"""Milliseconds between two previews of a panel that may still be drawing."""
_SETTLED = 900
"""Milliseconds after a choice in which previews follow it; more while the panel is still being
drawn. Of a panel that takes long to paint there are few."""


class Choices(Struct):
    """What was chosen last, to be proposed the next time."""

    subject: str = "pairs"
    offers: dict[str, str] = {}
    """The name of the last format for each subject."""
    scale: int = 2
    colours: Colours = Colours.NOW
    folder: str = ""


class ExportDialog(QDialog):
    """Asks for a subject, its format, its size and its colours, and shows a preview.

    The window shows the panel that is chosen, until `restore_window`.
    """

    def __init__(self, context: Context, choices: Choices) -> None:
        super().__init__(context.window)
        self.setObjectName("exportDialog")
        self.setWindowTitle("Export")
        self._context, self._choices = context, choices
        self._subjects = subjects_of(context)
        self._go_back = way_back(context)
        self._settling = QTimer(self, interval=_SETTLE)
        self._settling.setObjectName("previews")
        self._settling.timeout.connect(self._look_again)
        self._since_choice = QElapsedTimer()
        self.subject_box = named(ComboBox(), "exportSubject", "Content")
        self.offer_box = named(ComboBox(), "exportKind", "Format")
        self.scale_box = named(ComboBox(), "exportScale", "Pixels for one of the window")
        self.colour_box = named(ComboBox(), "exportColours", "Colours")
        self.width_box = named(SpinBox(), "exportWidth", "Width in pixels of the window")
        self.height_box = named(SpinBox(), "exportHeight", "Height in pixels of the window")
        tip = "Take the size that the panel has in the window"
        self.as_shown = named(QPushButton("Same as window"), "exportAsShown", tip=tip)
        self.preview = centred(named(QLabel(), "exportPreview", "Preview"))
        self._export = named(QPushButton("&Export…", default=True), "exportButton")
        tip = "Put the picture on the clipboard, to be pasted into slides"
        self.copy = named(QPushButton("Cop&y picture", autoDefault=False), "exportCopy", tip=tip)
        self._pixels = quiet(named(QLabel(), "exportPixels"))
        tip = "A sentence below the picture; nothing by default"
        self.caption_edit = named(QLineEdit(), "exportCaption", "Caption", tip)
        self._sizes = QWidget()
        self._asked, self._form = QWidget(), QFormLayout()
        self._own_size = False
        self._fill()
        self._lay_out()
        self._connect()

    # -- what is chosen ------------------------------------------------------------------------

    @property
    def subject(self) -> ExportTarget:
        return self._subjects[max(0, self.subject_box.currentIndex())]

    @property
    def offer(self) -> ExportFormat:
        """The chosen format."""
        return self.subject.offers[max(0, self.offer_box.currentIndex())]

    def options(self) -> Options:
        """Return what is chosen for the looks of a picture."""
        size = None
        if self.offer.sized:
            size = QSize(self.width_box.value(), self.height_box.value())
        colours = self.colour_box.currentData() if self.offer.colours else Colours.NOW
        scale = self.scale_box.currentData() if self.offer.scaled else 1
        caption = self.caption_edit.text().strip() if self.offer.name in PAINTED else ""
        return Options(scale, size, colours, caption)

    def choose(self, subject: str, offer: str = "") -> None:
        """Choose a subject and a format by name."""
        index = self.subject_box.findData(subject)
        if index != self.subject_box.currentIndex():
            with QSignalBlocker(self.subject_box):
                self.subject_box.setCurrentIndex(index)
            self._take_subject(offer)
        elif offer:
            self.offer_box.setCurrentIndex(self.offer_box.findData(offer))

    @Slot()
    def _preview(self) -> None:
        self._since_choice.start()
        self._settling.start()
        self._show_preview()

    @Slot()
    def _look_again(self) -> None:
        panel = self.subject.panel
        settled = self._since_choice.hasExpired(_SETTLED)
        if settled and (panel is None or panel.at_rest()) and not self.refused:
            self._settling.stop()
        self._follow_size()
        self._show_preview()

    def _show_preview(self) -> None:
        panel, options, image = self.subject.panel, self.options(), None
        try:
            if panel is not None and self.offer.name in PAINTED:
                check_pixels(options.size or panel.widget.size(), options.scale)
                scale = max(1, round(self.devicePixelRatioF()))
                seen = replace(options, scale=scale)
                image = paint(self._context, panel, seen)
            else:
                self.offer.make(options)  # only to find out whether it can be made
        except PictureError as error:
            self._export.setEnabled(False)
            self._export.setToolTip(str(error))
            self._say_instead(str(error))
        else:
            self._show_image(image)

    def _show_image(self, image: QImage | None) -> None:
        """Show what will be exported, scaled down to fit; None if it is no picture."""
        self._export.setEnabled(True)
        self._export.setToolTip("")
        self.preview.setAccessibleName("Preview")
        if image is None:
            self._say_instead(self.offer.unseen)
            return
        ratio = self.devicePixelRatioF()
        room = _PREVIEW * ratio
        if image.width() > room.width() or image.height() > room.height():
            keep, smooth = Qt.AspectRatioMode, Qt.TransformationMode
            image = image.scaled(room, keep.KeepAspectRatio, smooth.SmoothTransformation)
            image.setDevicePixelRatio(ratio)
        self.preview.setPixmap(QPixmap.fromImage(image))

    def _say_instead(self, sentence: str) -> None:
        self.preview.setText(sentence)
        self.preview.setAccessibleName(sentence)

    @property
    def refused(self) -> bool:
        """Whether what is chosen cannot be exported."""
        return not self._export.isEnabled()

    def restore_window(self) -> None:
        """Stop the previews, and show in the window what it showed before the dialog."""
        self._settling.stop()
        self._go_back()

    def remember(self) -> None:
        """Save what is chosen for the next time."""
        choices, options = self._choices, self.options()
        choices.subject = self.subject.name
        choices.offers[self.subject.name] = self.offer.name
        if self.offer.scaled:
            choices.scale = options.scale
        if self.offer.colours:
            choices.colours = options.colours

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._settling.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Paint nothing while a name is asked for, which may take long."""
        self._settling.stop()
        super().hideEvent(event)

    # -- building --------------------------------------------------------------------------------

    def _fill(self) -> None:
        for subject in self._subjects:
            self.subject_box.addItem(subject.title, subject.name)
        # The first choice is a change too.
        self.subject_box.setCurrentIndex(-1)
        for scale in SCALES:
            self.scale_box.addItem(f"{scale} ×", scale)
        self.scale_box.setCurrentIndex(SCALES.index(self._choices.scale))
        for spin in (self.width_box, self.height_box):
            spin.setRange(_SMALLEST, _LARGEST)
        self.preview.setFixedSize(_PREVIEW)
        self.as_shown.setAutoDefault(False)

    def _lay_out(self) -> None:
        sizes = (self.width_box, "×", self.height_box, self.as_shown, None)
        filled(QHBoxLayout(self._sizes), *sizes, spacing=STYLED)
        for text, widget in (
            ("&Content", self.subject_box),
            ("&Format", self.offer_box),
            ("&Size", self._sizes),
            ("S&cale", self.scale_box),
            ("C&olours", self.colour_box),
            ("C&aption", self.caption_edit),
            ("", self._pixels),
        ):
            self._form.addRow(text, widget)
        label = self._form.labelForField(self._sizes)
        if isinstance(label, QLabel):
            label.setBuddy(self.width_box)
        asked = filled(QVBoxLayout(self._asked), self._form, spacing=STYLED)
        asked.addWidget(self.preview, 0, Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        layout.addWidget(DialogScrollArea(self._asked))
        buttons = QDialogButtonBox()
        layout.addWidget(buttons)
        buttons.setStandardButtons(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self._export, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)

    def _connect(self) -> None:
        self.subject_box.currentIndexChanged.connect(self._on_subject)
        self.offer_box.currentIndexChanged.connect(self._on_offer)
        self.colour_box.currentIndexChanged.connect(self._preview)
        self.scale_box.currentIndexChanged.connect(self._on_size)
        self.caption_edit.textChanged.connect(self._preview)
        self.width_box.valueChanged.connect(self._on_own_size)
        self.height_box.valueChanged.connect(self._on_own_size)
        self.as_shown.clicked.connect(self._on_as_shown)
        self.copy.clicked.connect(self._on_copy)

    # -- what follows from a choice ----------------------------------------------------------------

    def _follow_size(self) -> None:
        """Propose the present size of the panel, unless another size was chosen."""
        panel = self.subject.panel
        if panel is None or self._own_size:
            return
        size = panel.widget.size()
        for box, value in ((self.width_box, size.width()), (self.height_box, size.height())):
            with QSignalBlocker(box):
                box.setValue(value)
        self._tell_pixels()

    @Slot()
    def _on_copy(self) -> None:
        panel = self.subject.panel
        if panel is None:
            return
        try:
            image = paint(self._context, panel, self.options())
        except PictureError as error:
            self._say_instead(str(error))
        else:
            QGuiApplication.clipboard().setImage(image)

    @Slot()
    def _on_as_shown(self) -> None:
        self._own_size = False
        self._follow_size()
        self._preview()

    @Slot()
    def _on_own_size(self) -> None:
        self._own_size = True
        self._on_size()

    @Slot()
    def _on_subject(self) -> None:
        self._take_subject()

    def _take_subject(self, offer: str = "") -> None:
        """Offer the formats of the subject, and choose one: that, or the last one by default."""
        chosen = offer or self._choices.offers.get(self.subject.name)
        with QSignalBlocker(self.offer_box):
            self.offer_box.clear()
            for known in self.subject.offers:
                self.offer_box.addItem(known.title, known.name)
            self.offer_box.setCurrentIndex(max(self.offer_box.findData(chosen), 0))
        self._own_size = False
        if self.subject.name == WINDOW:
            self._go_back()  # as it was before another panel was shown
        elif self.subject.panel is not None:
            bring_into_view(self._context, self.subject.panel)
        self._follow_size()
        self._on_offer()

    @Slot()
    def _on_offer(self) -> None:
        offer = self.offer
        colours = self.colour_box.currentData() or self._choices.colours
        with QSignalBlocker(self.colour_box):
            self.colour_box.clear()
            for known in offer.colours:
                self.colour_box.addItem(str(known), known)
            if offer.colours and offer.colours[0] is not Colours.BOTH:
                self.colour_box.setCurrentIndex(max(self.colour_box.findData(colours), 0))
        self._form.setRowVisible(self.colour_box, bool(offer.colours))
        self._form.setRowVisible(self.scale_box, offer.scaled)
        self._form.setRowVisible(self._sizes, offer.sized)
        self._form.setRowVisible(self.caption_edit, offer.name in PAINTED)
        self._form.setRowVisible(self._pixels, offer.scaled)
        self.copy.setVisible(offer.name == "png")
        self._on_size()

    @Slot()
    def _on_size(self) -> None:
        self._tell_pixels()
        self._preview()

    def _tell_pixels(self) -> None:
        panel, options = self.subject.panel, self.options()
        if panel is not None and self.offer.scaled:
            size = options.size or panel.widget.size()
            wide, high = size.width() * options.scale, size.height() * options.scale
            self._pixels.setText(f"{wide:,} by {high:,} pixels")
