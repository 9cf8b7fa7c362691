"""The built-in parallel text: one short story in many languages, sentence by sentence.

It shows what an encoding costs the speakers of each language: the same story needs few tokens in
one language and many in another. It was written for this program.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct

from bpe_gui.folders import resource

_BETWEEN_LANGUAGES = "\n\n"


class Language(Struct, frozen=True):
    """Hold the story in one language.

    code: its ISO 639-1 code.
    name: its English name; own_name: its name in the language itself.
    sentences: equally many in every language; sentences with the same index have the same meaning.
    """

    code: str
    name: str
    own_name: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """Join the sentences, one per line, without a newline at the end."""
        return "\n".join(self.sentences)


class LanguageSpan(Struct, frozen=True):
    """Give the range of a language in a joined text: half-open, in bytes and in characters."""

    start: int
    end: int
    char_start: int
    char_end: int


class JoinedText(Struct, frozen=True):
    """Hold the story in several languages, separated by empty lines.

    stretches: the range of every language, by its code, in the order of the text.
    """

    text: str
    stretches: Mapping[str, LanguageSpan]


@cache
def languages() -> Mapping[str, Language]:
    """Load the story in all languages, by code, English first."""
    data = json.loads(resource("samples", "parallel.json").read_text("utf-8"))
    rows = [Language(**{**row, "sentences": tuple(row["sentences"])}) for row in data]
    return MappingProxyType({language.code: language for language in rows})


def sample_texts() -> Iterator[str]:
    """Yield texts to compare encodings on: the story, other scripts, and rare characters."""
    for language in languages().values():
        yield language.text
    yield resource("samples", "scripts.txt").read_text("utf-8")
    yield "".join(map(chr, range(0x250)))
    yield "  \n\n \t\r\n   x  123456 don't DON'T \u3000\x85\u2028 \0 <|endoftext|> "
    yield "👍🏽👨‍👩‍👧 e\u0301"


def joined(codes: Iterable[str] | None = None) -> JoinedText:
    """Join the story in the given languages (default: all), in the order given.

    Raises KeyError for a language that the story does not have.

    >>> joined(["en", "de"]).stretches["en"].start
    0
    """
    chosen = [languages()[code] for code in (languages() if codes is None else codes)]
    stretches: dict[str, LanguageSpan] = {}
    start = char_start = 0
    for language in chosen:
        text = language.text
        end, char_end = start + len(text.encode("utf-8")), char_start + len(text)
        stretches[language.code] = LanguageSpan(start, end, char_start, char_end)
        start, char_start = end + len(_BETWEEN_LANGUAGES), char_end + len(_BETWEEN_LANGUAGES)
    text = _BETWEEN_LANGUAGES.join(language.text for language in chosen)
    return JoinedText(text, MappingProxyType(stretches))
