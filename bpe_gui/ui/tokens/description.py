"""What is said about a token when it is pointed at, in a tooltip or by a screen reader."""

from __future__ import annotations

import unicodedata
from html import escape

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

_MOST_BYTES = 32
_MOST_CHARACTERS = 60
_MOST_READ = 300
"""Characters of a text that are read aloud before a token of it is chosen."""


def describe(cut: TokenizedText, token: int, history: History) -> list[str]:
    """Sentences about one token of a cut: what it is, its bytes, where it comes from."""
    number = int(cut.ids[token])
    lines = []
    if number == NO_TOKEN:
        text = cut.characters.text[int(cut.firsts[token]) : int(cut.lasts[token])]
        lines.append(f"“{_short(visible(text.encode()))}” is not in the alphabet")
        lines.append(_bytes(text.encode(), ends_word=False))
        return lines
    lines.append(f"{number}  “{_short(visible(history.token_bytes(number)))}”")
    lines.append(_bytes(history.bytes_in_text(number), ends_word=history.ends_word(number)))
    lines += _parts(cut, token)
    lines.append(_origin(number, history))
    return lines


def spoken_text(cut: TokenizedText) -> str:
    """A sentence with the text and the number of its tokens; a long text is cut short."""
    text = cut.characters.text
    if not text:
        return "There is no text."
    shown = text if len(text) <= _MOST_READ else text[: _MOST_READ - 1] + "…"
    count = "1 token" if len(cut) == 1 else f"{len(cut):,} tokens"
    return f"{count}: “{shown}”."


def tooltip(lines: list[str]) -> str:
    """The sentences as rich text, the first one strong."""
    first, *rest = (escape(line).replace("  ", "&nbsp;&nbsp;") for line in lines)
    return "<br>".join([f"<b>{first}</b>", *rest])


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


def _bytes(data: bytes, *, ends_word: bool) -> str:
    count = "1 byte" if len(data) == 1 else f"{len(data)} bytes"
    written = f": {data[:_MOST_BYTES].hex(' ').upper()}" if data else ""
    more = " …" if len(data) > _MOST_BYTES else ""
    return f"{count}{written}{more}{', end of word' if ends_word else ''}"


def _origin(number: int, history: History) -> str:
    parents = history.parents(number)
    if parents is None:
        if history.is_special(number):
            return "a special token"
        return "there from the start"
    left, right = (_short(visible(history.token_bytes(parent))) for parent in parents)
    step = history.step(number)
    count = int(history.count[step])
    times = "once" if count == 1 else f"{count:,} times"
    return f"merge {step + 1:,}: “{left}” + “{right}”, seen {times}"


def _parts(cut: TokenizedText, token: int) -> list[str]:
    """Which characters the token holds only a part of."""
    edges = cut.characters.byte_starts
    places = []
    if cut.begins_inside[token] or cut.is_split[cut.firsts[token] : cut.lasts[token]][:1].any():
        places.append(int(cut.firsts[token]))
    last = int(cut.lasts[token]) - 1
    if cut.ends_inside[token] and last not in places:
        places.append(last)
    lines = []
    for place in places:
        start = max(int(cut.starts[token]), int(edges[place])) - int(edges[place])
        end = min(int(cut.ends[token]), int(edges[place + 1])) - int(edges[place])
        size = int(edges[place + 1] - edges[place])
        if end - start == size:
            continue
        which = f"byte {end}" if end - start == 1 else f"bytes {start + 1} to {end}"
        lines.append(f"{which} of the {size} of {_character(cut.characters.text[place])}")
    return lines


def _character(character: str) -> str:
    name = unicodedata.name(character, "")
    return f"{character} (U+{ord(character):04X}{' ' + name if name else ''})"
