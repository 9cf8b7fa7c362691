"""The text that is typed: one for all workspaces, and for every view that tokenizes it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

DEFAULT_TEXT = (
    "Frequent words become one token; rare words are split into several.\n"
    "It began with translation in 2016 and works in every script: слова, 词语, शब्द 🙂"
)
"""The text at first: several scripts, digits and an emoji, for tokens of every kind."""
FOUR_WORDS_TEXT = "low lower newest widest"
"""The text at first beside the corpus of four words, which knows few other letters."""


class SampleText(QObject):
    """Owns the text. Editors show it, and set it when somebody types."""

    changed = Signal(str)
    """The text is another one now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = DEFAULT_TEXT

    @property
    def text(self) -> str:
        """The text, with `\\n` between lines."""
        return self._text

    @Slot(str)
    def set(self, text: str) -> None:
        """Replace the text."""
        if text != self._text:
            self._text = text
            self.changed.emit(text)

    def suit(self, corpus: object) -> None:
        """Take the default text for a corpus, unless the user has written one.

        `corpus` is the data of its item in the box of corpora.
        """
        if self._text in (DEFAULT_TEXT, FOUR_WORDS_TEXT):
            self.set(FOUR_WORDS_TEXT if corpus == "four-words" else DEFAULT_TEXT)
