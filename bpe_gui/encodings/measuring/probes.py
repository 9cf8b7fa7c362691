"""Probes: small texts that each show one habit of an encoding. All were written for this program.

Some are made of others: in capitals, with typing errors, without accents. These have the same lines
as their original, so their tokens can be divided by its tokens.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from random import Random

from msgspec.structs import replace

from bpe_gui.encodings.measuring.several_texts import Text, Texts, text_of
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.folders import resource

_NUMBERS = 10_000
_DEEPEST, _LONGEST = 16, 64
"""The deepest indentation, in steps, and the longest run of spaces."""
_ACCENTED = ("de", "fr", "es", "pl", "tr", "vi")
_ONE_WORD_IN = 8
_LEAST_LETTERS = 4
_SEED = 1


@cache
def probes() -> Texts:
    """Return all probes; the first call makes them."""
    prose = resource("samples", "story-english.txt").read_text("utf-8")
    accented = "\n".join(languages()[code].text for code in _ACCENTED)
    return Texts(
        "probes",
        (
            text_of("prose", prose, "A story in plain English"),
            text_of("capitals", prose.upper(), "The same story in capitals", "prose"),
            text_of("small letters", prose.lower(), "The same story in small letters", "prose"),
            text_of(
                "typing errors",
                with_typing_errors(prose),
                f"The same story, with an error in one of {_ONE_WORD_IN} longer words",
                "prose",
            ),
            text_of(
                "diacritics", accented, "A story in German, French, Spanish, Polish, Turkish and "
                "Vietnamese",
            ),
            text_of(
                "missing accents",
                without_accents(accented),
                "The same story without its accents",
                "diacritics",
            ),
            _complete(
                "numbers",
                "\n".join(map(str, range(_NUMBERS))),
                f"The numbers from 0 to {_NUMBERS - 1:,}, a line each",
            ),
            _complete("white space", white_space(), "Indentation, tabs and runs of spaces"),
            _file("code", "Programs in six languages"),
            _file("urls", "Web addresses"),
            _file("emoji", "Emoji, with skin tones, families and flags"),
        ),
    )


def _complete(name: str, text: str, meaning: str) -> Text:
    """Make a text that is no sample of others like it, so nothing is resampled."""
    made = text_of(name, text, meaning)
    return replace(made, group_ends=made.group_ends[-1:])


def _file(name: str, meaning: str) -> Text:
    shown = {"urls": "URLs"}.get(name, name)
    return text_of(shown, resource("samples", "probes", f"{name}.txt").read_text("utf-8"), meaning)


def white_space() -> str:
    """Make lines that are indented by spaces and by tabs, and lines with long runs of spaces."""
    depths = range(1, _DEEPEST + 1)
    lines = [f"{step * depth}x" for step in ("  ", "    ", "\t") for depth in depths]
    lines += [f"x{' ' * count}x" for count in range(1, _LONGEST + 1)]
    between = ("\n\n", "\n\n\n\n", "\t\t", " \t ", " \n ", "\u00a0", "\u3000", " \r\n")
    return "\n".join([*lines, *(f"x{space}x" for space in between)])


def without_accents(text: str) -> str:
    """Take away the combining marks of letters, as people without such a keyboard write.

    >>> without_accents("Grüße, łódź")
    'Gruße, łodz'
    """
    letters = unicodedata.normalize("NFD", text)
    bare = "".join(letter for letter in letters if unicodedata.category(letter) != "Mn")
    return unicodedata.normalize("NFC", bare)


def with_typing_errors(text: str) -> str:
    """Change one letter in some of the longer words, always in the same way.

    Two letters are swapped, or one is left out, or one is typed twice.

    >>> with_typing_errors("the harbour " * 9).split()[:8]
    ['the', 'harbour', 'the', 'harbour', 'the', 'harbour', 'the', 'harbour']
    """
    chance = Random(_SEED).random

    def typed(word: str) -> str:
        if len(word) < _LEAST_LETTERS or not word.isalpha() or chance() * _ONE_WORD_IN >= 1:
            return word
        at = 1 + int(chance() * (len(word) - 2))
        changes = (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
        )
        return changes[int(chance() * len(changes))]

    return "\n".join(" ".join(map(typed, line.split(" "))) for line in text.split("\n"))
