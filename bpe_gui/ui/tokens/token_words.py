"""Short words for tokens: labels for boxes and sentences about where a token comes from."""

from __future__ import annotations

from bpe_gui.analysis.derivation import made_at
from bpe_gui.analysis.visible import visible, visible_pair
from bpe_gui.bpe.history import NO_TOKEN, History

LONGEST_LABEL = 28
"""Characters of a label."""
_LONGEST_PART = 200
_SHOWN_BYTES = 12


def label(content: bytes, longest: int = LONGEST_LABEL) -> str:
    """A token for a box: visible, and without its middle if it is long.

    >>> label(b" the")
    '␣the'
    >>> label(b"incomprehensibilities", 9)
    'incom…ies'
    """
    if len(content) > 2 * _LONGEST_PART:
        text = visible(content[:_LONGEST_PART]) + visible(content[-_LONGEST_PART:])
    else:
        text = visible(content)
    if len(text) <= longest:
        return text
    end = longest * 3 // 8
    return f"{text[: longest - 1 - end]}…{text[len(text) - end :]}"


def counted(number: int, what: str) -> str:
    """A number and what it counts, in the singular or plural.

    >>> counted(1, "byte"), counted(1200, "byte")
    ('1 byte', '1,200 bytes')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def times(number: int) -> str:
    """How often: once, or so many times."""
    return "once" if number == 1 else f"{number:,} times"


def bytes_of(history: History, token: int) -> str:
    """The bytes of the text in a token: how many, and the first of them in hex.

    An end-of-word marker is none of them, and named after them.
    """
    data = history.bytes_in_text(token)
    written = f" {data[:_SHOWN_BYTES].hex(' ').upper()}" if data else ""
    more = " …" if len(data) > _SHOWN_BYTES else ""
    end = ", end of word" if history.ends_word(token) else ""
    return f"{counted(len(data), 'byte')}{written}{more}{end}"


def origin(history: History, token: int) -> str:
    """Where a token comes from: its merge with its count, or that it was always there."""
    if token == NO_TOKEN:
        return "not in the alphabet"
    step = made_at(history, token)
    if step < 0:
        return "a special token" if history.is_special(token) else "there from the start"
    return f"{merge_name(step)}, seen {times(int(history.count[step]))}"


def merge_name(step: int) -> str:
    """A merge by its number, counted from one as everywhere in the window."""
    return f"merge {step + 1:,}"


def merge_sentence(history: History, step: int) -> str:
    """A merge with its pair, what it made, and how often it was seen."""
    left, right = (int(column[step]) for column in (history.left, history.right))
    pair = pair_text(history, left, right)
    new = label(history.token_bytes(int(history.new_id[step])))
    count = times(int(history.count[step]))
    return f"{merge_name(step)}: {pair} → {new}, {count}"


def pair_text(history: History, left: int, right: int) -> str:
    """The two tokens of a pair, each cut if it is long, the left one on the left."""
    contents = [history.token_bytes(token) for token in (left, right)]
    if max(map(len, contents)) <= LONGEST_LABEL:
        return visible_pair(*contents)
    return " + ".join(map(label, contents))
