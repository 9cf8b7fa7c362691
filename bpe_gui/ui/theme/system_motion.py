"""Whether the desktop asks programs not to move what they show.

Asked are, and any of them that says so has its way:

- the settings that desktops of today tell all programs through their portal, and tell again
  when they change: `reduced-motion` of `org.freedesktop.appearance`, and `enable-animations`
  of `org.gnome.desktop.interface`;
- KDE's file `kdeglobals`: `AnimationDurationFactor=0` under `[KDE]`;
- GTK's files `gtk-4.0/settings.ini` and `gtk-3.0/settings.ini`: `gtk-enable-animations=false`
  under `[Settings]`.
"""

from __future__ import annotations

import os
from configparser import ConfigParser, Error
from pathlib import Path

import platformdirs
from PySide6.QtCore import QObject, Signal, Slot

_LARGEST = 1 << 20
"""Bytes of a file of settings that are read."""


class SystemMotion(QObject):
    """Knows whether the desktop wants things to stand still; learns it a moment after the start."""

    changed = Signal(bool)
    """The desktop wants things to stand still, or no longer does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_files = still_by_files(Path(platformdirs.user_config_dir()))
        self._by_portal = False
        if has_bus():
            # Not all have a bus, and loading what speaks on it takes its time.
            from PySide6.QtDBus import QDBusConnection

            from bpe_gui.ui.theme.motion_portal import MotionPortal

            portal = MotionPortal(QDBusConnection.sessionBus(), self)
            portal.changed.connect(self._on_portal)

    @property
    def still(self) -> bool:
        """Whether the desktop wants things to stand still, as far as it has said."""
        return self._by_files or self._by_portal

    @Slot(bool)
    def _on_portal(self, still: bool) -> None:
        self._by_portal = still
        if not self._by_files:
            self.changed.emit(still)


def has_bus() -> bool:
    """Whether there is a bus to ask on; Qt would start one where there is none."""
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    if address is not None:
        return bool(address)
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return bool(runtime) and (Path(runtime) / "bus").is_socket()


def still_by_files(folder: Path) -> bool:
    """Whether files of KDE or GTK in a folder of settings ask for stillness.

    One that is not there, or cannot be understood, asks for nothing.
    """
    factor = _setting(folder / "kdeglobals", "KDE", "AnimationDurationFactor")
    if factor is not None and factor.strip() in ("0", "0.0", "0.00"):
        return True
    files = (folder / f"gtk-{version}.0" / "settings.ini" for version in (4, 3))
    animates = (_setting(file, "Settings", "gtk-enable-animations") for file in files)
    return any(value is not None and value.strip().lower() in ("0", "false") for value in animates)


def _setting(path: Path, section: str, key: str) -> str | None:
    parser = ConfigParser(interpolation=None, strict=False, delimiters=("=",))
    try:
        if not path.is_file():
            return None
        with path.open(encoding="utf-8", errors="replace") as file:
            parser.read_string(file.read(_LARGEST))
    except (OSError, Error):
        return None
    return parser.get(section, key, fallback=None)
