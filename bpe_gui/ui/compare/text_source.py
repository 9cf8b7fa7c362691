"""The text to compare on: one's own, the same story in many languages, or a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from bpe_gui.encodings.parallel import joined
from bpe_gui.ui.tokens.text_editor import TextEditor

LONGEST = 200_000
"""Bytes of a file that can be looked at token by token; more of it is measured instead."""

_LINE_ENDS = (
    "The lines of this file end with CR, which is left out here; measure the file whole to have "
    "it counted."
)

_OWN, _STORY, _FILE = "own", "story", "file"
_OWN_NAME = "Your text"
_STORY_NAME = "One story in twenty languages"
_FILE_NAME = "A file…"


class TextSource(QObject):
    """A box to choose the text from, and the editor that it stands in.

    Each source can be edited. One's own text is changed by nothing else: it comes back when it
    is chosen again, and so does the story as it was.
    """

    changed = Signal(str)
    """The text is another one now."""
    problem = Signal(str)
    """A file cannot be shown; one sentence for the user."""
    too_long = Signal(str)
    """The path of a file that is too long to be looked at, and can be measured."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.box = QComboBox(parent)
        self.box.setObjectName("compareTextBox")
        self.box.setAccessibleName("The text to compare on")
        for name, data in ((_OWN_NAME, _OWN), (_STORY_NAME, _STORY), (_FILE_NAME, _FILE)):
            self.box.addItem(name, data)
        self.editor = TextEditor(parent)
        self.editor.setObjectName("compareText")
        self.editor.setAccessibleName("The text that is compared")
        self.editor.setTabChangesFocus(True)
        self.editor.setPlaceholderText("Type or paste any text, and see how each encoding cuts it")
        self._parent = parent
        self.own = ""
        """The user's own text, also while another is shown."""
        self.note = ""
        """What is to be known of the text that is shown; empty if nothing is."""
        self._source = _OWN
        self.box.activated.connect(self._on_activated)
        self.editor.textChanged.connect(self._on_edited)

    @property
    def is_story(self) -> bool:
        """Whether it is the built-in story, unchanged."""
        return self._source == _STORY and self.editor.text() == joined().text

    def text(self) -> str:
        """The text as it stands."""
        return self.editor.text()

    @Slot(str)
    def set_own(self, text: str) -> None:
        """One's own text is another one, as it was edited elsewhere."""
        self.own = text
        if self._source == _OWN and text != self.editor.text():
            self._fill(text)

    def show_story(self) -> None:
        """Compare on the built-in story."""
        self._choose(_STORY, joined().text)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        source = self.box.itemData(index)
        if source == _OWN:
            self._choose(_OWN, self.own)
        elif source == _STORY:
            self.show_story()
        else:
            name, _ = QFileDialog.getOpenFileName(self._parent, "Compare on a text file")
            if name:
                self.show_file(Path(name))
            self._point_box()

    def show_file(self, path: Path) -> None:
        """Compare on a file; one that is too long is handed over to be measured."""
        try:
            if path.stat().st_size > LONGEST:
                self.too_long.emit(str(path))
                return
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.problem.emit(
                f"{path.name} is not UTF-8 text: byte {error.object[error.start]:#04x} at offset "
                f"{error.start}; convert it to UTF-8 first."
            )
            return
        except OSError as error:
            self.problem.emit(f"{path} cannot be read: {error.strerror or error}.")
            return
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        self._choose(_FILE, plain, _LINE_ENDS if plain != text else "")

    def _choose(self, source: str, text: str, note: str = "") -> None:
        self._source, self.note = source, note
        self._point_box()
        self._fill(text)

    def _fill(self, text: str) -> None:
        blocked = self.editor.blockSignals(True)
        self.editor.setPlainText(text)
        self.editor.blockSignals(blocked)
        self.changed.emit(self.editor.text())

    def _point_box(self) -> None:
        self.box.setCurrentIndex(self.box.findData(self._source))

    @Slot()
    def _on_edited(self) -> None:
        text = self.editor.text()
        if self._source == _OWN:
            self.own = text
        self.changed.emit(text)
