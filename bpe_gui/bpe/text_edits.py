r"""The normalizers that edit a text: lower case, ends, a text before it, a regex replaced.

- `lowercase`: each character as `str.lower` makes it alone, as Hugging Face's Lowercase
  does: a capital sigma is a small one also at the end of a word;
- `strip`: white space (Unicode's property White_Space) at both ends of a document vanishes,
  as Hugging Face's Strip does; `str.strip` would take U+001C to U+001F too;
- `Prepend`: a text before a document that is not empty, as Hugging Face's Prepend does;
- `Replace`: every match of a regex, one after another as `finditer` has them, also a match
  of no characters, becomes a text that is taken as it is, without `\1` or the like.

An empty document stays empty.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.aligned_text import Normalized, kinds_of, points_of, spelled_out, text_of
from bpe_gui.bpe.patterns import compiled, deadline, matches

_REPLACED = "pattern to replace"
"""What sentences call the regex of a `Replace`."""

_WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def lowercase(text: str) -> str:
    """Lower case, character by character."""
    # Of all characters only the capital sigma looks at its neighbours.
    return "σ".join([part.lower() for part in text.split("Σ")])


def lowercase_aligned(text: str) -> Normalized:
    """As `lowercase`, and say where each character came from."""
    if lowercase(text) == text:
        return Normalized(text, None)
    points = points_of(text)
    kinds, kind = kinds_of(points)
    made, origins = spelled_out(points, [chr(point).lower() for point in kinds], kind)
    return Normalized(text_of(made), np.append(origins, len(points)))


def strip(text: str) -> str:
    """Without white space at the ends."""
    return text.strip(_WHITE_SPACE)


def strip_aligned(text: str) -> Normalized:
    """As `strip`, and say where each character came from."""
    stripped = strip(text)
    if len(stripped) == len(text):
        return Normalized(text, None)
    begin = len(text) - len(text.lstrip(_WHITE_SPACE)) if stripped else 0
    kept = np.arange(begin, begin + len(stripped))
    return Normalized(stripped, np.append(kept, len(text)))


def prepend(text: str, before: str) -> str:
    """With another text before it, unless it is empty."""
    return before + text if text else text


def prepend_aligned(text: str, before: str) -> Normalized:
    """As `prepend`, and say where each character came from."""
    if not text or not before:
        return Normalized(text, None)
    put_in = np.zeros(len(before), np.int64)
    places = np.arange(len(text) + 1)
    stops = np.append(places[1:], len(text))
    return Normalized(
        before + text, np.concatenate((put_in, places)), np.concatenate((put_in, stops))
    )


def replace(text: str, pattern: str, by: str) -> str:
    """With every match of a regex replaced. Raises PatternError if that takes too long."""
    return by.join(_between(text, _found(text, pattern)))


def replace_aligned(text: str, pattern: str, by: str) -> Normalized:
    """As `replace`, and say where each character came from."""
    found = _found(text, pattern)
    made = by.join(_between(text, found))
    if not found or made == text:
        return Normalized(text, None)
    # What is kept and what is put in take turns, the kept first and last.
    begins = np.append(0, np.array(found).ravel())
    ends = np.append(begins[1:], len(text))
    kept = np.arange(len(begins)) % 2 == 0
    lengths = np.where(kept, ends - begins, len(by))
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    is_kept = np.repeat(kept, lengths)
    origins = np.repeat(begins, lengths) + within * is_kept
    stops = np.where(is_kept, origins + 1, np.repeat(ends, lengths))
    return Normalized(made, np.append(origins, len(text)), np.append(stops, len(text)))


def _found(text: str, pattern: str) -> list[tuple[int, int]]:
    """Where the matches of a regex begin and end; nowhere in an empty text."""
    if not text:
        return []
    matching = matches(compiled(pattern, _REPLACED), text, deadline(len(text)), _REPLACED)
    return [match.span() for match in matching]


def _between(text: str, found: list[tuple[int, int]]) -> list[str]:
    """What stands before, between and after the matches."""
    begins = [0, *(end for _, end in found)]
    ends = [*(begin for begin, _ in found), len(text)]
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
