"""The place of the laboratory in the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.widgets.tab_order import set_tab_order

if TYPE_CHECKING:
    from bpe_gui.ui.laboratory.view import LaboratoryView


class Laboratory(QWidget):
    """Holds the view, which is made when somebody first asks for it. A panel of the clock."""

    made = Signal(QWidget)
    """There is more to see from now on: the view, or a part of it."""
    tokenSelected = Signal(int)
    """A token of the run in view that the user has selected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("laboratoryView")
        self._view: LaboratoryView | None = None
        self._make: Callable[[], LaboratoryView] | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(8, 6, 8, 6)

    def make_with(self, make: Callable[[], LaboratoryView]) -> None:
        """Have the view made in this way when it is asked for; it shows what there is then."""
        self._make = make

    @property
    def view(self) -> LaboratoryView:
        """What there is to see; made when it is first asked for."""
        if self._view is None:
            assert self._make is not None
            self._view = view = self._make()
            self._layout.addWidget(view)
            set_tab_order([view])
            view.show()
            self.made.emit(view)
        return self._view

    @property
    def has_view(self) -> bool:
        """Whether somebody has looked at it already."""
        return self._view is not None

    def set_history(self, history: History | None) -> None:
        """Follow another run, or none."""
        if self._view is not None:
            self._view.set_history(history)

    def show_position(self, position: int, moving: bool) -> None:
        """Go to where the cursor is."""
        if self._view is not None:
            self._view.show_position(position, moving)

    def select_token(self, token: int) -> None:
        """Mark a token of the run in view."""
        if self._view is not None:
            self._view.select_token(token)
