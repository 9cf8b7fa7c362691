"""Hold the view of a workspace, which is loaded and made when it is first needed."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar, cast

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.widgets.keyboard import set_tab_order
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces


class _View(Protocol):
    """What is asked of every view."""

    def set_history(self, history: History | None) -> None: ...
    def show_position(self, position: int, moving: bool) -> None: ...
    def select_token(self, token: int) -> None: ...
    def set_active(self, active: bool) -> None: ...


View = TypeVar("View", bound=_View)


class LateView(QWidget, Generic[View]):
    """Holds the view of a workspace, and lets it work while it is in sight.

    It is a panel of the frame scheduler, which draws the view once there is one.
    """

    made = Signal(QWidget)
    """The view has been made, or a part of it later on."""

    def __init__(self, place: WorkspaceId, run: RunContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._place, self._run = place, run
        self._view: View | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def follow(self, workspaces: Workspaces) -> None:
        """Follow whether the workspace is in sight."""
        self._workspaces = workspaces
        workspaces.changed.connect(self._on_workspace)

    def make_view(self) -> View:
        """Load the modules of the view, make it, and connect it."""
        raise NotImplementedError

    @property
    def view(self) -> View:
        """The view, made when it is first needed."""
        if self._view is None:
            self._view = self.make_view()
            widget = cast(QWidget, self._view)
            self._layout.addWidget(widget)
            set_tab_order([widget])
            widget.show()
            self.made.emit(widget)
        return self._view

    @property
    def has_view(self) -> bool:
        """Whether the view has been made."""
        return self._view is not None

    def set_history(self, history: History | None) -> None:
        """Show another run, or none."""
        if self._view is not None:
            self._view.set_history(history)

    def show_position(self, position: int, moving: bool) -> None:
        """Go to the cursor."""
        if self._view is not None:
            self._view.show_position(position, moving)

    def select_token(self, token: int) -> None:
        """Mark a token of the run in view."""
        if self._view is not None:
            self._view.select_token(token)

    @Slot()
    def _on_workspace(self) -> None:
        if self._view is None and self.isVisible():
            # The window goes on meanwhile.
            self._run.when_loaded(self._show_view)
        else:
            self._show_view()

    def _show_view(self) -> None:
        seen = self._workspaces.in_sight(self._place)
        if seen or self._view is not None:
            self.view.set_active(seen)
