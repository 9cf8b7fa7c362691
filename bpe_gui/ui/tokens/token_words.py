"""Texts about tokens: labels for boxes, and sentences about what a token is and its origin."""

from __future__ import annotations

import unicodedata
from html import escape

from bpe_gui.analysis.derivation import made_at
from bpe_gui.analysis.merge_facts import Contents, merge_facts
from bpe_gui.analysis.visible import MOST_BYTES, bytes_text, visible, visible_pair
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.progress import counted, times
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

NO_ID = "It has no id, so a model cannot read it. A recipe of bytes knows every character"
"""What becomes of a character that is not in the alphabet."""
LONGEST_LABEL = 28
"""Characters of a label."""
LONGEST_QUOTE = 60
"""Characters of what is quoted in a sentence."""
_LONGEST_SPOKEN = 300
"""Characters of a text that are read aloud before a token of it is chosen."""
_START = "start: no merges yet"
_LONGEST_PART = 200


def label(content: bytes, longest: int = LONGEST_LABEL) -> str:
    """Return a token for a box: visible, and without its middle if it is long.

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


def visible_start(content: bytes, most: int) -> str:
    """Write the first bytes of a token, and an ellipsis if there are more than `most`.

    >>> visible_start(b" incomprehensible", 5)
    '␣inco…'
    """
    return visible(content[:most]) + ("…" if len(content) > most else "")


def shortened(text: str, longest: int = LONGEST_QUOTE) -> str:
    """Return a text without its end if it is long.

    >>> shortened("incomprehensibilities", 9)
    'incompre…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quoted(content: bytes) -> str:
    """Quote some bytes as visible text, without its end if it is long."""
    return f"“{shortened(visible(content))}”"


def bytes_of(history: History, token: int, most: int = MOST_BYTES) -> str:
    """Return the bytes of the text in a token, as `bytes_text` does.

    An end-of-word marker is none of them, and named after them.
    """
    end = ", end of word" if history.ends_word(token) else ""
    return bytes_text(history.bytes_in_text(token), most) + end


def origin(history: History, token: int) -> str:
    """Return the origin of a token: its merge with its count, or that it is from the start."""
    if token == NO_TOKEN:
        return "not in the alphabet"
    step = made_at(history, token)
    if history.is_fallback_byte(token):
        return "a byte of a character that has no token"
    if step < 0:
        return "a special token" if history.is_special(token) else "there from the start"
    return f"{merge_name(step)}, seen {times(int(history.count[step]))}"


def merge_name(step: int) -> str:
    """Return a merge by its number, counted from one as everywhere in the window."""
    return f"merge {step + 1:,}"


def merge_sentence(history: History, step: int) -> str:
    """Return a merge with its pair, what it made, and how often it was seen."""
    left, right = (int(column[step]) for column in (history.left, history.right))
    pair = pair_text(history, left, right)
    new = label(history.token_bytes(int(history.new_id[step])))
    count = times(int(history.count[step]))
    return f"{merge_name(step)}: {pair} → {new}, {count}"


def merge_text(history: History, position: int) -> str:
    """Return the merge before a position as `merge_sentence` does."""
    return merge_sentence(history, position - 1) if position else _START


def told_merge(history: History, position: int, *, last: bool, now: bool = False) -> str:
    """Return the merge at a position, the next one, the `last` or that under way (`now`), and say
    which.
    """
    facts = merge_facts(history, position)
    if facts is None:
        return _START
    pair = pair_text(history, facts.left, facts.right)
    new = label(Contents(history, facts).token_bytes(facts.new_id))
    return f"{facts.title(last=last, now=now)}: {pair} → {new}, {times(facts.count)}"


def pair_text(history: History, left: int, right: int) -> str:
    """Return the two tokens of a pair, each cut if it is long, the left one on the left."""
    contents = [history.token_bytes(token) for token in (left, right)]
    if max(map(len, contents)) <= LONGEST_LABEL:
        return visible_pair(*contents)
    return " + ".join(map(label, contents))


# -- a token that is pointed at -------------------------------------------------------------------


def describe(cut: TokenizedText, token: int, history: History) -> list[str]:
    """Describe one token of a text: what it is, its bytes, its origin."""
    number = int(cut.ids[token])
    if number == NO_TOKEN:
        text = cut.characters.text[int(cut.firsts[token]) : int(cut.lasts[token])]
        stranger = f"{quoted(text.encode())} is not in the alphabet"
        return [stranger, bytes_text(text.encode()), NO_ID]
    name, data, made = token_lines(history, number)
    return [name, data, *_parts(cut, token), made]


def token_lines(history: History, token: int) -> list[str]:
    """Describe a token: its id and text, its bytes, its origin."""
    parents, step, made = history.parents(token), made_at(history, token), origin(history, token)
    if parents is not None:
        seen = times(int(history.count[step]))
        made = f"{merge_name(step)}: {pair_text(history, *parents)}, seen {seen}"
    name = f"{history.own_id(token)}  {quoted(history.token_bytes(token))}"
    return [name, bytes_of(history, token), made]


def spoken_text(cut: TokenizedText) -> str:
    """Return a sentence with the text and the number of its tokens; a long text is cut short."""
    text = cut.characters.text
    if not text:
        return "There is no text."
    return f"{counted(len(cut), 'token')}: “{shortened(text, _LONGEST_SPOKEN)}”."


def tooltip(lines: list[str]) -> str:
    """Return the sentences as rich text, the first one strong."""
    first, *rest = (escape(line).replace("  ", "&nbsp;&nbsp;") for line in lines)
    return "<br>".join([f"<b>{first}</b>", *rest])


def _parts(cut: TokenizedText, token: int) -> list[str]:
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
        character = cut.characters.text[place]
        lines.append(f"{which} of the {size} of {character} ({code_point(character)})")
    return lines


def code_point(character: str) -> str:
    """Return the code point of a character, and its name in Unicode if it has one."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


def shown_characters(first: int, last: int, total: int) -> str:
    """Name the characters of a text that are in view, counted from 0.

    >>> shown_characters(0, 22, 698), shown_characters(22, 60, 698)
    ('the first 22 of 698 characters', 'characters 23 to 60 of 698')
    """
    if first == 0:
        return f"the first {last:,} of {counted(total, 'character')}"
    return f"characters {first + 1:,} to {last:,} of {total:,}"
