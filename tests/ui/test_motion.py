"""Things stand still where the desktop wishes it, or the user."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVariant, QDBusVirtualObject
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.folders import config_folder
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.motion_portal import PORTAL, SETTINGS, MotionPortal
from bpe_gui.ui.theme.system_motion import has_bus, still_by_files
from bpe_gui.ui.widgets.progress_bar import ProgressBar

GNOME = ("org.gnome.desktop.interface", "enable-animations")


@pytest.mark.parametrize(
    ("name", "text", "still"),
    [
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n", False),
        ("kdeglobals", "[General]\nAnimationDurationFactor=0\n", False),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = 0\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=true\n", False),
        ("gtk-4.0/settings.ini", "no section\n\0\xff", False),
    ],
)
def test_files_of_desktops_are_understood(
    tmp_path: Path, name: str, text: str, still: bool
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert still_by_files(tmp_path) is still


def test_no_files_ask_for_nothing(tmp_path: Path) -> None:
    assert not still_by_files(tmp_path)


def test_a_bus_that_is_not_there_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not has_bus()
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert not has_bus()


def test_the_wish_of_the_desktop_is_followed_until_the_user_chooses(
    opened: Callable[..., MainWindow],
) -> None:
    folder = config_folder().parent
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kdeglobals").write_text("[KDE]\nAnimationDurationFactor=0\n")
    window = opened("text.txt", "low lower newest widest")
    assert not window.actions_.animate.isChecked()
    assert not window.isAnimated()
    window.actions_.animate.trigger()
    assert window.isAnimated()
    window.close()
    window = app.create([])[1]
    assert window.motion_choice.chosen == "moving"
    assert window.actions_.animate.isChecked()
    window.actions_.forget_choices.trigger()
    assert window.motion_choice.chosen == "system"
    assert not window.actions_.animate.isChecked()
    window.close()
    window.deleteLater()


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_a_bar_that_knows_no_end_stands_still_where_nothing_moves(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = ProgressBar()
    bar.setRange(0, 0)
    window.setCentralWidget(bar)
    window.setAnimated(False)
    paints = Paints(bar)
    window.show()
    qtbot.waitUntil(lambda: paints.times > 0)
    assert bar.stands_still
    image = bar.grab().toImage()
    accent = bar.palette().highlight().color()
    middle = image.height() // 2
    dotted = [
        x
        for x in range(image.width())
        if accent in (image.pixelColor(x, middle), image.pixelColor(x, middle + 1))
    ]
    assert dotted[0] <= 2
    assert dotted[-1] >= image.width() - 3
    window.setAnimated(True)
    assert not bar.stands_still
    bar.update()
    before = paints.times
    # The style moves it from here on, by itself.
    qtbot.waitUntil(lambda: paints.times >= before + 5)
    window.setAnimated(False)
    bar.setRange(0, 10)
    assert not bar.stands_still


def test_all_bars_of_the_window_keep_still(opened: Callable[..., MainWindow]) -> None:
    window = opened("text.txt", "low lower")
    window.actions_.animate.setChecked(False)
    bars = window.findChildren(ProgressBar)
    assert {bar.objectName() for bar in bars} >= {
        "progressBar", "exportBar", "measureProgress",
    }  # fmt: skip
    for bar in bars:
        bar.setRange(0, 0)
        assert bar.stands_still


class Portal(QDBusVirtualObject):
    """A desktop that knows one setting."""

    def __init__(self) -> None:
        super().__init__()
        self.animates = False

    def introspect(self, path: str) -> str:
        return ""

    def handleMessage(self, message: QDBusMessage, connection: QDBusConnection) -> bool:
        if tuple(message.arguments()) == GNOME:
            answer = QDBusVariant(QDBusVariant(self.animates))  # type: ignore[arg-type]
            connection.send(message.createReply(answer))
        else:
            error = "org.freedesktop.portal.Error.NotFound"
            connection.send(message.createErrorReply(error, "no such setting"))
        return True

    def tell(self, connection: QDBusConnection, animates: bool) -> None:
        self.animates = animates
        signal = QDBusMessage.createSignal(PORTAL[1], SETTINGS, "SettingChanged")
        signal.setArguments([*GNOME, QDBusVariant(animates)])  # type: ignore[arg-type]
        connection.send(signal)


@pytest.fixture
def bus() -> Iterator[str]:
    """The address of a bus of its own."""
    if shutil.which("dbus-daemon") is None:
        pytest.skip("there is no dbus-daemon here")
    command = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as daemon:
        assert daemon.stdout is not None
        yield daemon.stdout.readline().strip()
        daemon.terminate()


def test_the_portal_is_asked_and_heard(qtbot: QtBot, bus: str) -> None:
    theirs = QDBusConnection.connectToBus(bus, "desktop")
    ours = QDBusConnection.connectToBus(bus, "program")
    desktop = Portal()
    assert theirs.registerVirtualObject(PORTAL[1], desktop)
    assert theirs.registerService(PORTAL[0])
    portal = MotionPortal(ours)
    with qtbot.waitSignal(portal.changed) as caught:
        assert not portal.still
    assert caught.args == [True]
    with qtbot.waitSignal(portal.changed) as caught:
        desktop.tell(theirs, True)
    assert caught.args == [False]
    assert not portal.still
    for name in ("desktop", "program"):
        QDBusConnection.disconnectFromBus(name)
