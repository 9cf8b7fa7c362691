"""The compare view within the window: its runs, its text, and what is dropped on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.history import History
from bpe_gui.ui.branches import Branches
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.panels.text_panel import TextPanel
from bpe_gui.ui.workspaces import Place, Workspaces


class Comparing(QObject):
    """Passes on between the compare view and the rest of the window."""

    corpusDropped = Signal(list)
    """Paths that hold no encoding: texts to train on."""

    def __init__(
        self,
        view: CompareView,
        workspaces: Workspaces,
        branches: Branches,
        text_panel: TextPanel,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._workspaces = workspaces
        self._branches = branches
        self._text_panel = text_panel
        view.add_menu.offer_runs(self._runs)
        view.wanted.connect(workspaces.compare)
        workspaces.left.connect(self._on_left)
        workspaces.changed.connect(self._on_workspace)

    def _runs(self) -> Sequence[tuple[str, History]]:
        return [(branch.name, branch.history) for branch in self._branches.all]

    @Slot(int)
    def _on_left(self, place: int) -> None:
        """One's own text is the same in all workspaces."""
        own = self._view.source.own
        if place == Place.COMPARE and own != self._text_panel.text():
            self._text_panel.set_text(own)

    @Slot(int)
    def _on_workspace(self, place: int) -> None:
        comparing = place == Place.COMPARE
        if comparing:
            self._view.source.set_own(self._text_panel.text())
        self._view.set_active(comparing)

    @Slot(list)
    def take_dropped(self, paths: Sequence[str]) -> None:
        """Compare encodings, compare on a text, or train on texts, by what the files hold."""
        rest = []
        for path in paths:
            if _holds_encoding(path):
                self._workspaces.compare()
                self._view.add_menu.add_path(path)
            else:
                rest.append(path)
        if not rest:
            return
        comparing = self._workspaces.shown is Place.COMPARE
        if comparing and len(rest) == 1 and Path(rest[0]).is_file():
            self._view.source.show_file(Path(rest[0]))
        else:
            self.corpusDropped.emit(rest)


def _holds_encoding(path: str) -> bool:
    """Whether a file or folder is an encoding; what cannot be read is for others to tell of."""
    # The libraries of all formats are loaded when they are needed, not with the window.
    from bpe_gui.encodings.opening import recognise

    try:
        return recognise(path) is not None
    except OSError:
        return False
