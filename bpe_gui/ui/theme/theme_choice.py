"""The user's choice of colours: those of the desktop, dark or light."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication

from bpe_gui.ui.actions.action_words import set_keywords
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, system_theme

SYSTEM = "system"
"""The name of the choice to have what the desktop has."""

_THEMES = {theme.name: theme for theme in (DARK, LIGHT)}
_OFFERED = (
    (SYSTEM, "As the s&ystem", "Dark or light, as the desktop is, and with it", "mode theme auto"),
    ("dark", "&Dark", "Light writing on dark panels", "mode theme black night"),
    ("light", "L&ight", "Dark writing on light panels", "mode theme white bright day"),
)
_ALSO = "scheme contrast appearance"


class ThemeChoice(QObject):
    """One action for each choice, of which one is checked."""

    changed = Signal(object)
    """Other colours are wanted: a Theme."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.actions = QActionGroup(self)
        for name, text, tip, also in _OFFERED:
            action = self.actions.addAction(text)
            action.setObjectName(f"{name}Action")
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(name == SYSTEM)
            action.setToolTip(tip)
            action.setStatusTip(tip)
            set_keywords(action, f"{also} {_ALSO}")
        self.actions.triggered.connect(self._on_action)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_desktop)

    @property
    def chosen(self) -> str:
        """The name of the choice: "system", "dark" or "light"."""
        return str(self.actions.checkedAction().data())

    @property
    def theme(self) -> Theme:
        """The colours that are wanted."""
        return _THEMES.get(self.chosen) or system_theme()

    def choose(self, name: str) -> None:
        """Choose by name. Raises KeyError for an unknown one."""
        action = {action.data(): action for action in self.actions.actions()}[name]
        if not action.isChecked():
            action.trigger()

    def show(self, theme: Theme) -> None:
        """Check the choice that leads to these colours, which somebody has asked for."""
        if theme.name != self.theme.name:
            for action in self.actions.actions():
                action.setChecked(action.data() == theme.name)

    @Slot(QAction)
    def _on_action(self) -> None:
        self.changed.emit(self.theme)

    @Slot()
    def _on_desktop(self) -> None:
        """The desktop has gone dark or light."""
        if self.chosen == SYSTEM:
            self.changed.emit(self.theme)
