r"""The characters that the `tokenizers` library splits off otherwise than we do.

What a preset is saved as asks for properties of Unicode (`\p{L}`, say), of which the library has
another version than the `regex` module. Both are asked which characters have them, so what is
found holds for whatever is installed. A regex of one's own is saved with the characters
themselves: no character differs there.
"""

from __future__ import annotations

from functools import lru_cache

import regex
from tokenizers import Regex, normalizers

from bpe_gui.bpe.scripts import CLASSES
from bpe_gui.encodings.huggingface_export import ONIGURUMA_PATTERNS

_PROPERTY = regex.compile(r"\\p\{\w+\}")

_ASSIGNED = (range(0xD800), range(0xE000, 0x40000), range(0xE0000, 0xE1000))
"""Where Unicode has any character but private ones, which have none of the properties."""


@lru_cache(maxsize=16)
def differing_in(split: str) -> str:
    """The characters that a split may put elsewhere in the library, in order; mostly none.

    >>> differing_in("whitespace"), differing_in("regex:\\\\p{L}+")
    ('', '')
    """
    properties = set(_PROPERTY.findall(ONIGURUMA_PATTERNS.get(split, "")))
    classes = CLASSES if split == "scripts" else sorted(properties)
    if not classes:
        return ""
    everything = _everything()
    found: list[str] = []
    for inside in classes:
        found += _without(f"[{inside}]", "".join(regex.findall(f"[{inside}]+", everything)))
    # A character that is of another class there is found among those that are of that here.
    either = f"[{''.join(classes)}]"
    none = regex.sub(f"{either}+", "", everything)
    found += set(none) - set(_without(either, none))
    return "".join(sorted(set(found)))


def _without(pattern: str, text: str) -> str:
    """What is left of a text without the characters that the library finds."""
    return normalizers.Replace(Regex(pattern), "").normalize_str(text)


@lru_cache(maxsize=1)
def _everything() -> str:
    return "".join(chr(point) for points in _ASSIGNED for point in points)
