"""The built-in parallel text: one short story in many languages, sentence by sentence.

By it one sees what an encoding costs the speakers of each language: the same story takes few
tokens in one and many in another. It was written for this program.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np

from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.resources import resource

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


def languages_lost(decoded: str, text: JoinedText) -> frozenset[str]:
    """The languages, by code, whose story does not come back in what the whole text decodes to.

    >>> sorted(languages_lost(joined(["en"]).text, joined(["de", "en"])))
    ['de']
    """
    return frozenset(
        code
        for code, stretch in text.stretches.items()
        if text.text[stretch.char_start : stretch.char_end] not in decoded
    )


def language_counts(tokens: Tokens, text: JoinedText) -> dict[str, int]:
    """How many tokens each language takes, by code, in the order of the text.

    `tokens` are those of the whole text. A token counts for the first language that it
    touches, so none counts twice; one of no length touches the language that it stands in
    or at the edge of. Tokens that hold nothing but what stands between two languages count
    for none.

    >>> story = joined(["en", "de"])
    >>> languages = story.stretches.values()
    >>> starts = np.array([0, *(language.end for language in languages)][:2])
    >>> ends = np.array([language.end for language in languages])
    >>> cut = Tokens(np.array([7, 8]), starts, ends, starts, ends)
    >>> language_counts(cut, story)
    {'en': 1, 'de': 1}
    """
    starts = np.array([stretch.start for stretch in text.stretches.values()], np.int64)
    ends = np.array([stretch.end for stretch in text.stretches.values()], np.int64)
    # The first stretch that ends after the token begins, or where one of no length stands.
    place = np.where(
        tokens.ends > tokens.starts,
        np.searchsorted(ends, tokens.starts, "right"),
        np.searchsorted(ends, tokens.starts, "left"),
    )
    beyond = np.append(starts, np.iinfo(np.int64).max)[place]
    touching = np.where(tokens.ends > tokens.starts, tokens.ends > beyond, tokens.starts >= beyond)
    counts = np.bincount(place[touching], minlength=len(starts))
    return dict(zip(text.stretches, counts.tolist(), strict=True))
