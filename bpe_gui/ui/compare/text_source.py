"""The text to compare on: the sample text, the same story in many languages, or a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.bpe.text_files import read_beginning
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.tokens.text_editor import TextEditor
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.labels import Note
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.sentences import as_sentence

LONGEST = 200_000
"""The bytes of a file that are shown; a longer file is measured, too."""

_ABOUT = "text"
_OWN, _STORY, _FILE = "own", "story", "file"
_OWN_NAME = "Your text"
_STORY_NAME = "Story in 20 languages"
_FILE_NAME = "A file…"
_EDITED = {_STORY: "The story, edited", _FILE: "The file, edited"}
_ANOTHER = "Another text"
"""Instead of the story or a file, with no line in common."""


class TextSource(QObject):
    """A box with the texts to choose from, and the editor of the text.

    Every text can be edited. One's own is the sample text, which the other texts do not change.
    Choosing the story again restores it. A file is shown unchanged; if it is long, only its
    beginning, which `note` says.
    """

    changed = Signal(str)
    """The new text."""
    tooLong = Signal(object)
    """A list with the path of a file that is too long to be shown whole."""

    def __init__(self, run: RunContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._sample, self._controls = run.sample_text, run.controls
        self._messages = run.message_bar
        self._active = False
        meaning = "The text to compare on"
        self.box = named(ElidingComboBox(parent), "compareTextBox", meaning, meaning)
        for name, data in ((_OWN_NAME, _OWN), (_STORY_NAME, _STORY), (_FILE_NAME, _FILE)):
            self.box.addItem(name, data)
        self.editor = named(TextEditor(parent), "compareText", "The text that is compared")
        self.editor.setTabChangesFocus(True)
        self.editor.setPlaceholderText("Type or paste any text, and see how each encoding cuts it")
        self.note = Note("textNote")
        self._parent = parent
        self._source = _OWN
        self._original = ""
        """The story, or what was shown of the file."""
        self.box.activated.connect(self._on_activated)
        self.editor.textChanged.connect(self._on_edited)
        run.sample_text.changed.connect(self._follow)

    def state(self) -> tuple[str, str, str]:
        """Return the source, the text unless it is one's own, and the note, for `restore`."""
        return self._source, "" if self._source == _OWN else self.text, self.note.text()

    def restore(self, source: str, text: str, note: str) -> None:
        """Show a text that `state` returned; do nothing for an unknown source."""
        if source == _OWN:
            self.show_own()
        elif source in (_STORY, _FILE):
            self._choose(source, text, note)

    @property
    def is_story(self) -> bool:
        """Whether it is the built-in story, unchanged."""
        return self._source == _STORY and self.text == joined().text

    @property
    def text(self) -> str:
        return self._sample.text if self._source == _OWN else self.editor.text()

    def set_active(self, active: bool) -> None:
        """Follow changes of the sample text in the editor only while that is visible."""
        self._active = active
        self._show_own_text()

    @Slot()
    def _follow(self) -> None:
        if self._source == _OWN:
            self._show_own_text()
            self.changed.emit(self.text)

    def _show_own_text(self) -> None:
        if self._active and self._source == _OWN and self.text != self.editor.text():
            self._fill(self.text)

    def show_own(self) -> None:
        """Compare on the sample text."""
        self._choose(_OWN, self._sample.text)

    @Slot()
    def show_story(self) -> None:
        """Compare on the built-in story."""
        self._choose(_STORY, joined().text)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        source = self.box.itemData(index)
        if source == _OWN:
            self.show_own()
        elif source == _STORY:
            self.show_story()
        else:
            name, _ = QFileDialog.getOpenFileName(self._parent, "Compare on a text file")
            if name:
                self.show_file(Path(name))
            self._point_box()

    def show_file(self, path: Path) -> None:
        """Compare on a file, and emit `tooLong` if that cannot show all of it."""
        try:
            text, whole = read_beginning(path, LONGEST, self._controls.options)
        except CorpusError as error:
            self._messages.tell_problem(_ABOUT, as_sentence(error))
            return
        size = f"{len(text.encode('utf-8')):,}"
        note = (
            f"These are the first {size} bytes of {path.name}. Beside the numbers it says whether "
            "they are of the whole file."
        )
        self._choose(_FILE, text, "" if whole else note)
        if not whole:
            self.tooLong.emit([str(path)])

    def _choose(self, source: str, text: str, note: str = "") -> None:
        self._source = source
        self._original = joined().text if source == _STORY else text
        self.note.say(note)
        self._messages.tell_problem(_ABOUT, "")
        self._fill(text)
        self.changed.emit(self.text)
        self._point_box()

    def _fill(self, text: str) -> None:
        with QSignalBlocker(self.editor):
            self.editor.setPlainText(text)

    def _point_box(self) -> None:
        """Select the source in the box; no entry if it was edited: to choose it restores it."""
        if self._source == _OWN or self.text == self._original:
            self.box.setCurrentIndex(self.box.findData(self._source))
            return
        kept = set(self._original.splitlines()) & set(self.text.splitlines()) - {""}
        self.box.setPlaceholderText(_EDITED[self._source] if kept else _ANOTHER)
        self.box.setCurrentIndex(-1)

    @Slot()
    def _on_edited(self) -> None:
        self.note.say("")
        if self._source == _OWN:
            self._sample.set(self.editor.text())
            return
        self._point_box()
        self.changed.emit(self.text)
