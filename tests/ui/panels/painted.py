"""What a widget that paints itself has written, as people read it."""

from __future__ import annotations

from xml.etree import ElementTree

from PySide6.QtWidgets import QWidget

from bpe_gui.ui.export.svg_page import drawing_of


def text_elements(widget: QWidget) -> list[ElementTree.Element]:
    """The texts in a drawing of a widget, as they are read: see `drawing_of`."""
    found = ElementTree.fromstring(drawing_of(widget, "widget")).iter()
    return [
        part for part in found if part.tag.endswith("text") and "".join(part.itertext()).strip()
    ]


def painted_texts(widget: QWidget) -> list[str]:
    """All that a widget has written."""
    return ["".join(text.itertext()) for text in text_elements(widget)]
