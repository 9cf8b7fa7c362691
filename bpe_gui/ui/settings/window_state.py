"""Where a window and its docks are, as text that Qt can read again.

Qt reads the state of docks without a check, and a few changed bits end the program. So a checksum
is stored with it.
"""

from __future__ import annotations

import base64
import zlib

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow


def encoded(state: QByteArray) -> str:
    """Return the bytes of Qt as text with their checksum."""
    data = bytes(state.data())
    return f"{zlib.crc32(data):08x} {base64.b64encode(data).decode()}"


def decoded(text: str) -> QByteArray:
    """Return the bytes that `encoded` was given. Raises ValueError if they are others."""
    checksum, _, written = text.partition(" ")
    data = base64.b64decode(written, validate=True)
    if checksum != f"{zlib.crc32(data):08x}":
        raise ValueError("the state is damaged")
    return QByteArray(data)


def bring_onto_screen(window: QMainWindow) -> None:
    """Move and shrink a window that reaches beyond its screen, as Qt does with a stored one."""
    window.restoreGeometry(window.saveGeometry())
