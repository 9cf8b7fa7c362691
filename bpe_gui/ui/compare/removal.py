"""Removes lanes, and offers to bring the last one back."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from bpe_gui.ui.compare.comparison import Comparison, Lane
from bpe_gui.ui.compare.loading import Loader
from bpe_gui.ui.widgets.message_bar import MessageBar

_ABOUT = "removed lane"


class Removal(QObject):
    """Offers a removed lane until it is back, or the lanes are others."""

    def __init__(self, comparison: Comparison, loader: Loader, messages: MessageBar) -> None:
        super().__init__(comparison)
        self._comparison, self._loader, self._messages = comparison, loader, messages
        self._removed: tuple[int, Lane] | None = None
        self._left: list[int] = []
        """The keys of the lanes that were left."""
        comparison.lanesChanged.connect(self._on_lanes)
        messages.accepted.connect(self._on_accepted)
        messages.dismissed.connect(self._on_dismissed)

    def remove(self, key: int) -> None:
        lanes = self._comparison.lanes
        found = next(((n, lane) for n, lane in enumerate(lanes) if lane.key == key), None)
        if found is None:
            return
        self._comparison.remove(key)
        self._removed, self._left = found, self._keys()
        self._messages.offer(_ABOUT, f"“{found[1].name}” is removed.", "Bring it back")

    def _keys(self) -> list[int]:
        return [lane.key for lane in self._comparison.lanes]

    @Slot()
    def _on_lanes(self) -> None:
        """Forget the lane when others are added, removed or moved."""
        if self._removed is not None and self._keys() != self._left:
            self._removed = None
            self._messages.withdraw(_ABOUT)

    @Slot(str)
    def _on_dismissed(self, about: str) -> None:
        """Keep no encoding that is not asked for."""
        if about == _ABOUT:
            self._removed = None

    @Slot(str)
    def _on_accepted(self, about: str) -> None:
        if about != _ABOUT or self._removed is None:
            return
        (place, lane), lanes = self._removed, list(self._comparison.lanes)
        lane.name = self._comparison.free_name(lane.name)
        if lane.encoding is not None:
            lane.encoding.name = lane.name
        lanes.insert(place, lane)
        self._comparison.set_lanes(lanes)
        self._loader.resume()
