"""What the portal of the desktop says of motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import SLOT, QObject, Signal, Slot
from PySide6.QtDBus import (
    QDBusConnection,
    QDBusMessage,
    QDBusPendingCallWatcher,
    QDBusVariant,
)

PORTAL = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
"""The name of the portal on the bus, and its place there."""
SETTINGS = "org.freedesktop.portal.Settings"
_ASKED: dict[tuple[str, str], Callable[[Any], bool]] = {
    ("org.freedesktop.appearance", "reduced-motion"): lambda value: value == 1,
    ("org.gnome.desktop.interface", "enable-animations"): lambda value: value is False,
}
"""What the portal is asked, and which answers ask for stillness."""


class MotionPortal(QObject):
    """Asks the portal on a bus, without waiting for it, and hears when its answer changes."""

    changed = Signal(bool)
    """The desktop wants things to stand still, or no longer does."""

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asks: dict[tuple[str, str], bool] = {}
        if not bus.isConnected():
            return
        told = SLOT("_on_told(QString,QString,QDBusVariant)")
        # The slot is a text, whatever PySide says of it.
        bus.connect(*PORTAL, SETTINGS, "SettingChanged", self, told)  # type: ignore[call-overload]
        for asked in _ASKED:
            question = QDBusMessage.createMethodCall(*PORTAL, SETTINGS, "Read")
            question.setArguments(list(asked))
            watcher = QDBusPendingCallWatcher(bus.asyncCall(question), self)
            watcher.setProperty("asked", list(asked))
            watcher.finished.connect(self._on_answer)

    @property
    def still(self) -> bool:
        """Whether the desktop wants things to stand still, as far as it has said."""
        return any(self._asks.values())

    @Slot(QDBusPendingCallWatcher)
    def _on_answer(self, watcher: QDBusPendingCallWatcher) -> None:
        message = watcher.reply()
        watcher.deleteLater()
        answers = message.arguments()
        # A desktop that has no such setting answers with an error.
        if message.type() is QDBusMessage.MessageType.ReplyMessage and answers:
            space, key = watcher.property("asked")
            self._learn(space, key, answers[0])

    @Slot(str, str, QDBusVariant)
    def _on_told(self, space: str, key: str, value: QDBusVariant) -> None:
        self._learn(space, key, value)

    def _learn(self, space: str, key: str, value: Any) -> None:
        while isinstance(value, QDBusVariant):
            value = value.variant()
        if (space, key) not in _ASKED:
            return
        before = self.still
        self._asks[space, key] = _ASKED[space, key](value)
        if self.still is not before:
            self.changed.emit(self.still)
