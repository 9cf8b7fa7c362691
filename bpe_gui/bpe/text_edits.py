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

from io import StringIO

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.aligned_text import Normalized, kinds_of, points_of, spelled_out, text_of
from bpe_gui.bpe.patterns import compiled, deadline, matches
from bpe_gui.bpe.recipe_error import PatternError, shown

_REPLACED = "pattern to replace"
"""What sentences call the regex of a `Replace`."""

_LONGEST = 1 << 26
"""Characters that a text may have after its matches are replaced."""

_AT_ONCE = 1 << 16
"""Places that are taken from an array at once; an even number."""

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
    """With every match of a regex replaced.

    Raises PatternError if that takes too long, or makes far too much of the text.
    """
    return _replaced(text, _found(text, pattern, by), by)


def replace_aligned(text: str, pattern: str, by: str) -> Normalized:
    """As `replace`, and say where each character came from."""
    found = _found(text, pattern, by)
    made = _replaced(text, found, by)
    if made == text:
        return Normalized(text, None)
    # What is kept and what is put in take turns, the kept first and last.
    begins = np.append(0, found)
    ends = np.append(begins[1:], len(text))
    kept = np.arange(len(begins)) % 2 == 0
    lengths = np.where(kept, ends - begins, len(by))
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    is_kept = np.repeat(kept, lengths)
    origins = np.repeat(begins, lengths) + within * is_kept
    stops = np.where(is_kept, origins + 1, np.repeat(ends, lengths))
    return Normalized(made, np.append(origins, len(text)), np.append(stops, len(text)))


def _found(text: str, pattern: str, by: str) -> NDArray[np.int64]:
    """Where the matches of a regex begin and end, in turns; nowhere in an empty text."""
    if not text:
        return np.empty(0, np.int64)
    matching = matches(compiled(pattern, _REPLACED), text, deadline(len(text)), _REPLACED)
    found = np.fromiter((place for match in matching for place in match.span()), np.int64)
    if len(text) + len(found) // 2 * len(by) > _LONGEST:
        raise PatternError(
            f"replacing the pattern {shown(pattern)} would make more than {_LONGEST:,} characters "
            "of one text; replace it by something shorter"
        )
    return found


def _replaced(text: str, found: NDArray[np.int64], by: str) -> str:
    made = StringIO(newline="")
    done = 0
    for first in range(0, len(found), _AT_ONCE):
        places = found[first : first + _AT_ONCE].tolist()
        for begin, end in zip(places[::2], places[1::2], strict=True):
            made.write(text[done:begin])
            made.write(by)
            done = end
    made.write(text[done:])
    return made.getvalue()
