"""Texts of one's own to measure: files, translations, or a conversation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from bpe_gui.bpe.formats import WORD_COUNTS_HEADER
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.chat import MessageError, read_conversation
from bpe_gui.encodings.measuring.conversations import conversation_texts
from bpe_gui.encodings.measuring.several_texts import Texts, read_parallel, read_texts
from bpe_gui.progress import counted

Read = Callable[[], Texts]
"""Reads texts; raises CorpusError or OSError."""


_MOST_READ = 1 << 16
_TABLE_ENDINGS = (".tsv", ".tab")


def holds_translations(path: str | Path) -> bool:
    """Tell whether a file is a TSV with several columns, and no table of word counts."""
    if Path(path).suffix.lower() not in _TABLE_ENDINGS:
        return False
    try:
        file = open(path, "rb")  # noqa: SIM115
    except OSError:
        return False  # whoever reads it says why that is not possible
    with file:
        names = file.readline(_MOST_READ).decode("utf-8-sig", "replace").split("\t")
    return len(names) > 1 and [name.strip().lower() for name in names] != WORD_COUNTS_HEADER


class OwnTexts(Struct, frozen=True):
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
        """Read them: a single TSV as translations, a single conversation as such; a JSON list of
        anything else is read as text, with a note.

        Raises CorpusError, EncodingError or OSError.
        """
        [first, *others] = self.paths
        ending = "" if others else Path(first).suffix.lower()
        if self.translations or ending in _TABLE_ENDINGS:
            return read_parallel(first)
        note = ""
        if ending == ".json":
            try:
                return conversation_texts(read_conversation(first), self.title)
            except MessageError as error:
                note = f"Read as text, not as a conversation: {error}"
            except EncodingError:
                pass  # any other JSON
        return replace(read_texts(self.paths), note=note)
