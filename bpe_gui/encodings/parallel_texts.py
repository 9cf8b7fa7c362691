"""The built-in parallel text: one short story in many languages, sentence by sentence.

By it one sees what an encoding costs the speakers of each language: the same story takes few
tokens in one and many in another. It was written for this program.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from bpe_gui.encodings.alignment import CachedEncoder, Cut
from bpe_gui.folders import resource

_BETWEEN_LANGUAGES = "\n\n"


@dataclass(frozen=True, slots=True)
class Language:
    """The story in one language.

    code: as ISO 639-1 has it.
    name: in English; own_name: as its speakers write it.
    sentences: equally many in every language, the same place says the same.
    """

    code: str
    name: str
    own_name: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The story, a sentence a line, without a newline at the end."""
        return "\n".join(self.sentences)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where a language stands in a joined text: half-open, in bytes and in characters."""

    start: int
    end: int
    char_start: int
    char_end: int


@dataclass(frozen=True, slots=True)
class JoinedText:
    """The story in several languages one after another, with an empty line between them.

    `stretches` tells by the code where each language stands, in the order of the text.
    """

    text: str
    stretches: Mapping[str, Stretch]


@cache
def languages() -> Mapping[str, Language]:
    """The story in all languages, by code, English first."""
    data = json.loads(resource("samples", "parallel.json").read_text("utf-8"))
    rows = [Language(**{**row, "sentences": tuple(row["sentences"])}) for row in data]
    return MappingProxyType({language.code: language for language in rows})


def sample_texts() -> Iterator[str]:
    """What encodings are compared on: the story, other scripts, and odd characters."""
    for language in languages().values():
        yield language.text
    yield resource("samples", "scripts.txt").read_text("utf-8")
    yield "".join(map(chr, range(0x250)))
    yield "  \n\n \t\r\n   x  123456 don't DON'T \u3000\x85\u2028 \0 <|endoftext|> "
    yield "👍🏽👨‍👩‍👧 e\u0301"


def joined(codes: Iterable[str] | None = None) -> JoinedText:
    """The story in the given languages (default: all), in the order given.

    Raises KeyError for a language that the story is not written in.

    >>> joined(["en", "de"]).stretches["en"].start
    0
    """
    chosen = [languages()[code] for code in (languages() if codes is None else codes)]
    stretches: dict[str, Stretch] = {}
    start = char_start = 0
    for language in chosen:
        text = language.text
        end, char_end = start + len(text.encode("utf-8")), char_start + len(text)
        stretches[language.code] = Stretch(start, end, char_start, char_end)
        start, char_start = end + len(_BETWEEN_LANGUAGES), char_end + len(_BETWEEN_LANGUAGES)
    text = _BETWEEN_LANGUAGES.join(language.text for language in chosen)
    return JoinedText(text, MappingProxyType(stretches))


def cut_alone(cutter: CachedEncoder, *, specials_as_text: bool = False) -> dict[str, Cut]:
    """Cut the story in each language by itself, by code.

    In the joined text a token may reach across languages, and what is put before a text stands
    only before the first of them.
    """
    return {
        code: cutter.cut(language.text, specials_as_text=specials_as_text)
        for code, language in languages().items()
    }
