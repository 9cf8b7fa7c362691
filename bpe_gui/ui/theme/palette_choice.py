"""The user's choice of how tokens are told apart: colours, or patterns without colour."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup

from bpe_gui.ui.actions.action_words import set_keywords
from bpe_gui.ui.theme.token_palettes import PALETTES, TokenPalette, palette_named

_ALSO = "palette color blind colour blindness accessibility"


class PaletteChoice(QObject):
    """One action for each palette, of which one is checked, and one that takes the next."""

    changed = Signal()
    """Another palette was chosen."""

    def __init__(self, next_palette: QAction, parent: QObject) -> None:
        super().__init__(parent)
        self._chosen = PALETTES[0]
        self._group = QActionGroup(self)
        for palette in PALETTES:
            action = self._group.addAction(palette.title)
            action.setObjectName(f"{palette.name}PaletteAction")
            action.setData(palette.name)
            action.setCheckable(True)
            action.setChecked(palette is self._chosen)
            action.setToolTip(palette.tip)
            action.setStatusTip(palette.tip)
            set_keywords(action, _ALSO)
        self._group.triggered.connect(self._on_action)
        next_palette.triggered.connect(self.choose_next)

    @property
    def palette(self) -> TokenPalette:
        """The palette that was chosen."""
        return self._chosen

    @property
    def actions(self) -> list[QAction]:
        """An action for each palette, in the order in which they are offered."""
        return self._group.actions()

    @Slot(str)
    def choose(self, name: str) -> None:
        """Take the palette of that name; the default where there is none of that name."""
        chosen = palette_named(name)
        for action in self.actions:
            action.setChecked(action.data() == chosen.name)
        if chosen is not self._chosen:
            self._chosen = chosen
            self.changed.emit()

    @Slot()
    def choose_next(self) -> None:
        """Take the palette after this one, or the first after the last."""
        self.choose(PALETTES[(PALETTES.index(self._chosen) + 1) % len(PALETTES)].name)

    @Slot(object)
    def _on_action(self, action: QAction) -> None:
        self.choose(action.data())
