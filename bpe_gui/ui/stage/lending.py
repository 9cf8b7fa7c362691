"""Which panels are lent to the stage now."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.stage.borrowed_widget import BorrowedWidget
from bpe_gui.ui.stage.panels import StagePanels
from bpe_gui.ui.workspaces.frame_scheduler import FrameScheduler


class Lending:
    """Takes panels from where they stand and puts them back; the clock draws those lent."""

    def __init__(self, offers: StagePanels, clock: FrameScheduler) -> None:
        self._offers = offers
        self._clock = clock
        self._loans: dict[str, BorrowedWidget] = {}
        self._homes: set[QWidget] = set()

    @property
    def names(self) -> tuple[str, ...]:
        """The panels that are lent."""
        return tuple(self._loans)

    def lend(self, names: Sequence[str], stage: QWidget) -> list[tuple[str, QWidget]]:
        """Have these panels lent and no others: what each is called, and its widget."""
        self._give_back([name for name in self._loans if name not in names])
        lent = {
            name: self._loans.get(name) or BorrowedWidget(self._offers.widget(name))
            for name in names
        }
        self._loans = lent
        # A panel belongs to the wrapper of what it is put back into. Where Qt has made that, as
        # within tabs, nobody else keeps the wrapper, and all in the panel would go with it.
        self._homes |= {loan.home for loan in lent.values()}
        widgets = {name: loan.widget for name, loan in lent.items()}
        self._clock.look_into(stage, self._offers.seen_through(widgets))
        return [(self._offers.title(name), widget) for name, widget in widgets.items()]

    def end(self) -> None:
        """Put all of them back."""
        self._give_back(list(self._loans))
        self._clock.look_into(None, {})

    def _give_back(self, names: list[str]) -> None:
        loans = [self._loans.pop(name) for name in names]
        for loan in loans:
            loan.shrink()
            loan.end()
        # What is around them asks to be laid out anew, which would come after we are through.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        for loan in loans:
            loan.settle()
