"""Texts of one's own to measure: files, translations, or a conversation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.chat import read_messages
from bpe_gui.encodings.measuring.conversations import conversation_texts
from bpe_gui.encodings.measuring.several_texts import Texts, read_parallel, read_texts
from bpe_gui.progress import counted

Read = Callable[[], Texts]
"""Reads texts; raises CorpusError or OSError."""


@dataclass(frozen=True, slots=True)
class OwnTexts:
    """Name texts of one's own. To call it reads them.

    translations: whether the only path is a folder with a file for each language, or a TSV with a
        column for each.
    """

    paths: Annotated[tuple[str, ...], Meta(min_length=1)]
    translations: bool = False

    @property
    def title(self) -> str:
        """Name them in a word or two."""
        [first, *others] = self.paths
        return counted(len(self.paths), "file") if others else Path(first).name or first

    def __call__(self) -> Texts:
        """Read them: a single TSV as translations, a single conversation as such.

        Raises CorpusError, EncodingError or OSError.
        """
        [first, *others] = self.paths
        ending = "" if others else Path(first).suffix.lower()
        if self.translations or ending == ".tsv":
            return read_parallel(first)
        if ending == ".json":
            with suppress(EncodingError):
                return conversation_texts(read_messages(first), self.title)
        return read_texts(self.paths)
