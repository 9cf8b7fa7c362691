"""The screens that the stage can be on: which it is, and what comes of one that is unplugged."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QScreen


class Screens(QObject):
    """Tells when screens come and go, or take another size."""

    changed = Signal()
    """There are other screens now, or one has another size. It comes when Qt has moved its
    windows, which it does in its own way."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.changed)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.screenAdded.connect(self._on_added)
        application.screenRemoved.connect(self._later.start)
        for screen in QGuiApplication.screens():
            screen.geometryChanged.connect(self._later.start)

    @Slot(QScreen)
    def _on_added(self, screen: QScreen) -> None:
        screen.geometryChanged.connect(self._later.start)
        self._later.start()


def found(name: str, otherwise: QScreen) -> QScreen:
    """The screen of that name if it is plugged in, else another."""
    named = (screen for screen in QGuiApplication.screens() if screen.name() == name)
    return next(named, otherwise) if name else otherwise


def after(screen: QScreen) -> QScreen:
    """The next screen, after the last the first."""
    screens = QGuiApplication.screens()
    place = screens.index(screen) if screen in screens else -1
    return screens[(place + 1) % len(screens)]


def described(screen: QScreen) -> str:
    """What a screen is called, and its size in its own pixels."""
    size = screen.size() * screen.devicePixelRatio()
    return f"{screen.name()}, {size.width():,} × {size.height():,}"
