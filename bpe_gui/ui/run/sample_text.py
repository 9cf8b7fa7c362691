"""The text that is typed: one for all workspaces, and for every view that tokenizes it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal, Slot

DEFAULT_TEXT = (
    "The café in the harbour opens at 7:30. The fishermen drink their coffee there and wait for "
    "the bell."
)
"""The text at first: digits and a letter beyond ASCII, for tokens of every kind."""
TEXTS_OF_SAMPLES: Mapping[str, str] = MappingProxyType(
    {
        "four-words": "low lower newest widest",
        "story-english": (
            "The first boat leaves early. The fishermen drink their coffee in the harbour and wait "
            "for the bell."
        ),
        "story-russian": (
            "Первая лодка выходит рано утром. Рыбаки пьют кофе в гавани и ждут, когда зазвонит "
            "колокол."
        ),
        "scripts": (
            "The birds are awake at 6:12, and they sing.\n"
            "Птицы поют. 鸟儿歌唱。 पक्षी गाते हैं। الطيور تغني 🌅"
        ),
    }
)
"""The texts at first beside samples of which they have the letters."""
_FORMER_DEFAULT = (
    "Frequent words become one token; rare words are split into several.\n"
    "It began with translation in 2016 and works in every script: слова, 词语, शब्द 🙂"
)
"""What sessions of earlier versions have where nobody wrote a text."""
_UNWRITTEN = frozenset({DEFAULT_TEXT, _FORMER_DEFAULT, *TEXTS_OF_SAMPLES.values()})


class SampleText(QObject):
    """Owns the text. Editors show it, and set it when somebody types."""

    changed = Signal(str)
    """The text is another one now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.text = DEFAULT_TEXT
        """The text, with `\\n` between lines."""

    @property
    def is_written(self) -> bool:
        """Whether the user has written the text: it is none of those that are there at first."""
        return self.text not in _UNWRITTEN

    @Slot(str)
    def set(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.changed.emit(text)

    def suit(self, corpus: object) -> None:
        """Take the default text for a corpus, unless the user has written one.

        `corpus` is the data of its item in the box of corpora.
        """
        if not self.is_written:
            own = TEXTS_OF_SAMPLES.get(corpus) if isinstance(corpus, str) else None
            self.set(own or DEFAULT_TEXT)
