"""Guess in which encodings a text may be written that is not UTF-8, by charset-normalizer."""

from __future__ import annotations

import codecs
from types import MappingProxyType

_NAMES = MappingProxyType(
    {
        "cp1252": "windows-1252",
        "cp1251": "windows-1251",
        "cp932": "cp932",
        "gb18030": "gb18030",
        "cp949": "cp949",
        "big5": "big5",
        "euc_jp": "euc-jp",
        "cp1250": "windows-1250",
        "koi8_r": "koi8-r",
        "cp1253": "windows-1253",
        "cp1254": "windows-1254",
        "cp1255": "windows-1255",
        "cp1256": "windows-1256",
        "cp1257": "windows-1257",
        "cp1258": "windows-1258",
        "cp874": "cp874",
        "iso8859_2": "iso-8859-2",
        "koi8_u": "koi8-u",
        "iso8859_5": "iso-8859-5",
        "iso8859_6": "iso-8859-6",
        "cp866": "cp866",
        "cp850": "cp850",
        "mac_roman": "mac-roman",
        "utf_16_le": "utf-16-le",
        "utf_16_be": "utf-16-be",
        "utf_32_le": "utf-32-le",
        "utf_32_be": "utf-32-be",
    }
)
"""Encodings in use, as the library calls them, with the names to show; more common ones first."""

MOST = 4
"""So many are offered at most."""
_SAMPLE = 1 << 13
"""Bytes that are looked at."""
_LINE, _BEFORE = 512, 32
"""How far back a line is looked for to begin with, and bytes to begin with if there is none."""
_DISORDER = 0.3
"""How much like no text something may look: the library's own bound refuses some Polish."""


def likely_encodings(data: bytes, place: int = 0, refused: str = "utf-8") -> tuple[str, ...]:
    """Return the likely encodings of some bytes of a text, the most likely first.

    Those around a place are looked at, where something could not be decoded by the encoding
    `refused`, which is none of them. None is returned of what looks like no text.

    >>> likely_encodings("Le café où l’été dure. ".encode("cp1252"))[0]
    'windows-1252'
    >>> likely_encodings("Москва - столица России.".encode("koi8-r"))[0]
    'koi8-r'
    >>> likely_encodings("The same in UTF-16".encode("utf-16-le"))
    ('utf-16-le',)
    >>> likely_encodings(bytes(range(256)))
    ()
    """
    from charset_normalizer import from_bytes

    # What comes before is ASCII or UTF-8 and tells nothing, but a character may have begun there.
    line = data.rfind(b"\n", max(0, place - _LINE), place) + 1
    begin = line or max(0, place - _BEFORE)
    sample = data[begin : begin + _SAMPLE]
    order = list(_NAMES)
    ranked = [
        # Of what is as orderly and as much like a language, the more common comes first.
        (int(match.chaos * 10), -round(match.coherence, 1), order.index(name))
        for match in from_bytes(
            sample, cp_isolation=order, preemptive_behaviour=False, threshold=_DISORDER
        )
        for name in match.could_be_from_charset
        if name in _NAMES
    ]
    found = dict.fromkeys(_NAMES[order[at]] for *_, at in sorted(ranked))
    refused = codecs.lookup(refused).name
    return tuple(name for name in found if codecs.lookup(name).name != refused)[:MOST]
