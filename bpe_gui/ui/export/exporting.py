"""Exporting from the window: asks what and where, paints, and writes in the background."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Slot
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
from bpe_gui.ui.export.panels import TIMELINE, WINDOW, ExportPanel, panels_of
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.widgets.file_dialogs import ask_where
from bpe_gui.ui.widgets.sentences import cannot_be_written
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

if TYPE_CHECKING:
    # What writes and paints is loaded when that is done, not with the window.
    from bpe_gui.ui.export.dialog import Choices
    from bpe_gui.ui.export.targets import ExportFormat, Options, Work

_ABOUT = "export"
_SUBJECT = "exportSubject"
"""The property of a widget that names the subject of its menu."""


class Exporting(QObject):
    """Exports by a dialog, which opens from the File menu or the menu of a panel."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._messages = context.message_bar
        self._task = BackgroundTask("exporting", self)
        context.actions.export.triggered.connect(self.ask)
        context.workspaces.changed.connect(self._offer_menus)
        self._offer_menus()

    @cached_property
    def choices(self) -> Choices:
        """What was chosen last."""
        from bpe_gui.ui.export.dialog import Choices

        return Choices()

    def close(self) -> None:
        """Complete all files that are to be written, and end the thread."""
        self._task.finish()

    @Slot()
    def ask(self) -> None:
        """Let the user export something, and propose the panel with the keyboard focus."""
        self.ask_for(self._in_focus() or self.choices.subject)

    def ask_for(self, name: str, offer: str = "") -> None:
        """Let the user export something, and propose a subject and a format.

        The window shows the panel that is chosen, and what it showed before when this ends.
        """
        from bpe_gui.ui.export.dialog import ExportDialog

        self._messages.tell_problem(_ABOUT, "")
        dialog = ExportDialog(self._context, self.choices)
        dialog.choose(name, offer)
        try:
            while dialog.exec() == QDialog.DialogCode.Accepted:
                dialog.remember()
                if self._export(dialog.offer, dialog.options()):
                    break
        finally:
            dialog.restore_window()
            dialog.deleteLater()

    def _in_focus(self) -> str:
        """Return the innermost subject with the keyboard focus; "" for none.

        Outside Explore, without focus, it is the first in view, so that the window stays there.
        """
        names = {panel.widget: panel.name for panel in self._seen_panels()}
        widget = QApplication.focusWidget()
        while widget is not None and widget not in names:
            widget = widget.parentWidget()
        if widget is not None:
            return names[widget]
        if self._context.workspaces.shown is WorkspaceId.EXPLORE:
            return ""
        return next((one.name for one in self._seen_panels() if one.widget.isVisible()), "")

    def _seen_panels(self) -> list[ExportPanel]:
        panels = panels_of(self._context).values()
        return [each for each in panels if each.is_made and each.name not in (TIMELINE, WINDOW)]

    def _export(self, offer: ExportFormat, options: Options) -> bool:
        from bpe_gui.ui.export.picture import PictureError

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
        """Write a file in the background, and report it."""
        failed = partial(self._messages.tell_problem, _ABOUT)
        self._task.ask_too(partial(_write, path, work), partial(self._on_written, path), failed)

    def _on_written(self, path: Path, size: int) -> None:
        self._messages.tell_success(_ABOUT, f"Saved {path.name}, {megabytes(size)}.")

    @Slot()
    def _offer_menus(self) -> None:
        for panel in self._seen_panels():
            widget = self._context.explore.docks[panel.dock] if panel.dock else panel.widget
            if widget.property(_SUBJECT) is None and not _has_menu(widget):
                widget.setProperty(_SUBJECT, panel.name)
                widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                widget.customContextMenuRequested.connect(self._on_menu)

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        """Offer the formats of a panel, and in Explore which panels are shown."""
        from bpe_gui.ui.export.targets import subjects_of

        widget = self.sender()
        assert isinstance(widget, QWidget)
        menu = QMenu(self._context.window)
        name = widget.property(_SUBJECT)
        [subject] = [one for one in subjects_of(self._context) if one.name == name]
        for offer in subject.offers:
            menu.addAction(f"Export: {offer.title}…").setData((name, offer.name))
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
    """Write a file, whole or not at all, and return its size in bytes."""
    job.failure = f"{path.name} is not written"
    try:
        write_atomically(path, work())
    except OSError as error:
        raise TaskError(cannot_be_written(path, error)) from error
    return path.stat().st_size if path.is_file() else 0


def _has_menu(widget: QWidget) -> bool:
    own = type(widget).contextMenuEvent
    return own not in (QWidget.contextMenuEvent, QDockWidget.contextMenuEvent)
