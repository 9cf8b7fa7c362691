"""What a widget that paints itself has written, as people read it."""

from __future__ import annotations

from xml.etree import ElementTree

from PySide6.QtWidgets import QWidget

from bpe_gui.ui.export.svg_page import drawing_of


def elements(widget: QWidget) -> list[ElementTree.Element]:
    """The parts of a drawing of a widget: see `drawing_of`."""
    return list(ElementTree.fromstring(drawing_of(widget, "widget")).iter())


def text_elements(widget: QWidget) -> list[ElementTree.Element]:
    """The texts in a drawing of a widget, as they are read."""
    return texts_of(elements(widget))


def texts_of(parts: list[ElementTree.Element]) -> list[ElementTree.Element]:
    """The texts among the parts of a drawing."""
    texts = (part for part in parts if part.tag.endswith("text"))
    return [text for text in texts if "".join(text.itertext()).strip()]


def painted_texts(widget: QWidget) -> list[str]:
    """All that a widget has written."""
    return ["".join(text.itertext()) for text in text_elements(widget)]
