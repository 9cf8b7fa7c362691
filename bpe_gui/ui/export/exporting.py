"""Exporting from the window: asks what and where, paints, and has the rest done in the
background."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QMenu,
    QWidget,
)

from bpe_gui.files import write_atomically
from bpe_gui.progress import megabytes
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.dialog import Choices, ExportDialog
from bpe_gui.ui.export.file_names import ask_where
from bpe_gui.ui.export.formats import ExportFormat, ExportTarget, Options, Work, paint, subjects_of
from bpe_gui.ui.export.panels import (
    TIMELINE,
    WINDOW,
    ExportPanel,
    bring_into_view,
    panels_of,
    way_back,
)
from bpe_gui.ui.export.picture import PictureError, check_pixels
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.widgets.sentences import cannot_be_written

_ABOUT = "export"
_SUBJECT = "exportSubject"
"""The property of a widget that names what its menu exports."""
_SETTLE = 150
"""Milliseconds between two looks at a panel that may still be drawing."""
_LOOKS = 6
"""So often it is looked at again after a choice, and longer while it is still being worked on."""


class Exporting(QObject):
    """Export…, in the File menu and on a panel's title: a dialog, a file, and word of it."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._messages = context.message_bar
        self.choices = Choices()
        self._dialog: ExportDialog | None = None
        self._go_back: Callable[[], None] = _stay
        self._settling = QTimer(self)
        self._settling.setInterval(_SETTLE)
        self._settling.timeout.connect(self._look_again)
        self._looks = 0
        self._task = BackgroundTask("exporting", self)
        context.actions.export.triggered.connect(self.ask)
        context.workspaces.changed.connect(self._offer_menus)
        self._offer_menus()

    def close(self) -> None:
        """End the thread; all that is to be written is complete then."""
        self._settling.stop()
        self._task.finish()

    # -- asking ------------------------------------------------------------------------------------

    @Slot()
    def ask(self) -> None:
        """Let the user export something: at first the panel that has the keyboard."""
        self.ask_for(self._in_focus() or self.choices.subject)

    def ask_for(self, name: str, offer: str = "") -> None:
        """Let the user export something, at first the subject of that name.

        What is chosen comes into view meanwhile; in the end the window shows what it showed.
        """
        self._messages.tell_problem(_ABOUT, "")
        self._go_back = way_back(self._context)
        dialog = ExportDialog(subjects_of(self._context), self.choices, self._context.window)
        self._dialog = dialog
        dialog.subjectChosen.connect(self._on_subject)
        dialog.previewWanted.connect(self._on_preview_wanted)
        dialog.choose(name, offer)
        dialog.begin()
        if offer:
            dialog.choose(name, offer)
        try:
            while dialog.exec() == QDialog.DialogCode.Accepted:
                dialog.remember()
                if self._export(dialog.offer, dialog.options()):
                    break
        finally:
            self._settling.stop()
            self._dialog = None
            dialog.deleteLater()
            self._go_back()

    def _in_focus(self) -> str:
        """The subject that the keyboard is in: the innermost of those that are; "" for none."""
        names = {panel.widget: panel.name for panel in self._seen_panels()}
        widget = QApplication.focusWidget()
        while widget is not None and widget not in names:
            widget = widget.parentWidget()
        return names[widget] if widget is not None else ""

    def _seen_panels(self) -> list[ExportPanel]:
        """The panels that have been made, without those that have no menu."""
        panels = panels_of(self._context).values()
        return [each for each in panels if each.is_made and each.name not in (TIMELINE, WINDOW)]

    @Slot(object)
    def _on_subject(self, subject: ExportTarget) -> None:
        if subject.name == WINDOW:
            self._go_back()  # as it stood before another panel was brought into view
        elif subject.panel is not None:
            bring_into_view(self._context, subject.panel)

    @Slot()
    def _on_preview_wanted(self) -> None:
        self._looks = _LOOKS
        self._settling.start()
        self._show_preview()

    @Slot()
    def _look_again(self) -> None:
        """A panel that has just come into view takes a while to be drawn, and to have its size."""
        self._looks -= 1
        refused = self._dialog is not None and self._dialog.refused
        panel = self._dialog.subject.panel if self._dialog is not None else None
        rests = panel is None or panel.at_rest()
        if self._looks <= 0 and rests and not refused:
            self._settling.stop()
        if self._dialog is not None:
            self._dialog.follow_size()
        self._show_preview()

    def _show_preview(self) -> None:
        """Show what would be exported now, or say why there is nothing."""
        dialog = self._dialog
        if dialog is None:
            return
        panel, offer, options = dialog.subject.panel, dialog.offer, dialog.options()
        image = None
        try:
            if panel is not None and offer.name in ("png", "svg"):
                check_pixels(options.size or panel.widget.size(), options.scale)
                scale = max(1, round(dialog.devicePixelRatioF()))
                seen = Options(scale, options.size, options.colours)
                image = paint(self._context, panel, seen)
            else:
                offer.make(options)  # which leaves the work to another thread
        except PictureError as error:
            dialog.refuse(str(error))
        else:
            dialog.show_preview(image)

    # -- writing -----------------------------------------------------------------------------------

    def _export(self, offer: ExportFormat, options: Options) -> bool:
        """Ask for a file, and have it written; whether nothing more is to be asked."""
        try:
            work = offer.make(options)
        except PictureError as error:
            self._messages.tell_problem(_ABOUT, str(error))
            return True
        path = ask_where(
            self._context.window, "Export", "exportFileDialog", offer.title, offer.stem,
            offer.ending, self.choices.folder,
        )  # fmt: skip
        if path is None:
            return False
        self.choices.folder = str(path.parent)
        self.write(path, work)
        return True

    def write(self, path: Path, work: Work) -> None:
        """Have a file written in the background, and tell of it."""
        failed = partial(self._messages.tell_problem, _ABOUT)
        self._task.ask_too(partial(_write, path, work), partial(self._on_written, path), failed)

    def _on_written(self, path: Path, size: int) -> None:
        self._messages.tell_success(_ABOUT, f"{path.name} is written, {megabytes(size)}.")

    # -- menus of the panels -----------------------------------------------------------------------

    @Slot()
    def _offer_menus(self) -> None:
        """Give each panel that has no menu of its own one by which it can be exported."""
        for panel in self._seen_panels():
            widget = self._context.explore.docks[panel.dock] if panel.dock else panel.widget
            if widget.property(_SUBJECT) is None and not _has_menu(widget):
                widget.setProperty(_SUBJECT, panel.name)
                widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                widget.customContextMenuRequested.connect(self._on_menu)

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        """What can be exported of a panel, and in Explore which panels are shown."""
        widget = self.sender()
        assert isinstance(widget, QWidget)
        menu = QMenu(self._context.window)
        for subject in subjects_of(self._context):
            if subject.name != widget.property(_SUBJECT):
                continue
            for offer in subject.offers:
                action = QAction(f"Export: {offer.title}…", menu)
                action.setData((subject.name, offer.name))
                menu.addAction(action)
        docks = self._context.explore.docks.values()
        if widget in docks:
            menu.addSeparator()
            menu.addActions([dock.toggleViewAction() for dock in docks])
        menu.triggered.connect(self._on_menu_action)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(widget.mapToGlobal(place))

    @Slot(QAction)
    def _on_menu_action(self, action: QAction) -> None:
        wanted = action.data()
        if isinstance(wanted, tuple):
            self.ask_for(*wanted)


def _write(path: Path, work: Work, job: Job) -> int:
    """Write one file, whole or not at all; how many bytes it has."""
    job.failure = f"{path.name} is not written"
    try:
        write_atomically(path, work())
    except OSError as error:
        raise TaskError(cannot_be_written(path, error)) from error
    return path.stat().st_size if path.is_file() else 0


def _stay() -> None:
    """The way back of a window in which nothing was brought into view."""


def _has_menu(widget: QWidget) -> bool:
    """Whether a widget answers the right button itself."""
    own = type(widget).contextMenuEvent
    return own not in (QWidget.contextMenuEvent, QDockWidget.contextMenuEvent)
