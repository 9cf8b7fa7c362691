"""Showing a token so that nothing of it is hidden.

Tokens hold spaces, newlines, control characters, halves of characters and marks that only
exist on top of another character. `visible` writes each of these as something that can be
seen, the same way wherever a token is shown:

| in the token                            | shown as                                       |
|-----------------------------------------|------------------------------------------------|
| space, newline, tab                     | ``␣`` ``↵`` ``⇥``                              |
| other control characters                | by name: ``‹NUL›`` ``‹CR›`` ``‹DEL›``          |
| bytes that are no complete character    | in hex, apart from all else: ``0xE2 0x80 a``   |
| a combining mark with nothing to sit on | on a dotted circle: ``◌́``                      |
| an enclosing mark with nothing in it    | by number: ``‹U+20E3›``                        |
| zero-width, direction and other signs   | by name: ``‹ZWJ›`` ``‹RLM›`` ``‹VS16›``        |
| spaces that are not the plain space     | by name: ``‹NBSP›`` ``‹IDSP›``                 |
| private, unpaired, nameless signs       | by number: ``‹U+E000›``                        |
| the marks ``␣`` ``↵`` ``⇥`` themselves  | by number: ``‹U+2423›``                        |

This is for reading, not for storing: a token that spells out ``‹ZWJ›`` with angle quotes
looks like one that holds a zero-width joiner. The bytes tell them apart.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from bpe_gui.progress import counted

SPACE = "␣"
NEWLINE = "↵"
TAB = "⇥"
MOST_BYTES = 32
"""The bytes of a token that are written in hex."""
DOTTED_CIRCLE = "◌"

_ASCII_SIGNS = bytes(range(0x21, 0x7F))
_ISOLATE = "\u2068"
_END_OF_ISOLATE = "\u2069"
_LEFTWARDS = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI", "FSI"})
"""Classes of characters that are laid out from right to left, or may make others so."""

_NAMES = {
    0x0085: "NEL",
    0x00A0: "NBSP",
    0x00AD: "SHY",
    0x034F: "CGJ",
    0x061C: "ALM",
    0x115F: "HCF",
    0x1160: "HJF",
    0x1680: "OGSP",
    0x17B4: "KIVAQ",
    0x17B5: "KIVAA",
    0x180B: "FVS1",
    0x180C: "FVS2",
    0x180D: "FVS3",
    0x180E: "MVS",
    0x180F: "FVS4",
    0x2000: "NQSP",
    0x2001: "MQSP",
    0x2002: "ENSP",
    0x2003: "EMSP",
    0x2004: "3/MSP",
    0x2005: "4/MSP",
    0x2006: "6/MSP",
    0x2007: "FSP",
    0x2008: "PSP",
    0x2009: "THSP",
    0x200A: "HSP",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x2028: "LS",
    0x2029: "PS",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x202F: "NNBSP",
    0x205F: "MMSP",
    0x2060: "WJ",
    0x2061: "FA",
    0x2062: "IT",
    0x2063: "IS",
    0x2064: "IP",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0x2800: "BRSP",
    0x3000: "IDSP",
    0x3164: "HF",
    0xFEFF: "BOM",
    0xFFA0: "HWHF",
}
"""Short names as the Unicode charts draw them in dashed boxes."""

_CONTROLS = (
    *("NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF"),
    *("CR", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM"),
    *("SUB", "ESC", "FS", "GS", "RS", "US"),
)

_VARIATION_SELECTORS = range(0xFE00, 0xFE10)
_MORE_VARIATION_SELECTORS = range(0xE0100, 0xE01F0)
_TAGS = range(0xE0020, 0xE007F)
_BROKEN = re.compile("([\udc80-\udcff]+)")
_NEVER_SHOWN = frozenset({"Cc", "Cf", "Co", "Cs", "Zs", "Zl", "Zp"})
_COMBINING = frozenset({"Mn", "Mc", "Me"})


MAX_SHOWN = 40
"""Characters of a token that are written within a sentence."""


def visible_beginning(content: bytes) -> str:
    """Write a token as `visible` shows it, cut short with an ellipsis if it is very long.

    >>> len(visible_beginning(b"a" * 1000))
    40
    """
    shown = visible(content[: 2 * MAX_SHOWN])
    if len(content) > 2 * MAX_SHOWN or len(shown) > MAX_SHOWN:
        return shown[: MAX_SHOWN - 1] + "…"
    return shown


_RUN = re.compile(f"{SPACE}{{4,}}")


def visible_quote(content: bytes) -> str:
    """Write a token as `visible_beginning` does, with the number of spaces in each long run.

    >>> visible_quote(b"       return"), visible_quote(b"  if")
    ('␣×7return', '␣␣if')
    """
    if len(content) > 3 and not content.strip(b" "):
        return f"{SPACE}×{len(content):,}"
    return _RUN.sub(lambda run: f"{SPACE}×{len(run[0])}", visible_beginning(content))


def visible(content: bytes) -> str:
    """Write the bytes of a token as text in which nothing is hidden.

    Every complete UTF-8 character is shown as `visible_text` shows it, every other byte in
    hex. Never raises, whatever the bytes.

    >>> visible(b" the")
    '␣the'
    >>> visible("–".encode()[:2] + b"a")
    '0xE2 0x80 a'
    """
    try:
        return visible_text(content.decode("utf-8"))
    except UnicodeDecodeError:
        return _with_broken_bytes(content)


def visible_text(text: str) -> str:
    """Write a text with marks for all that would be invisible or ambiguous; see the module.

    An unpaired surrogate is shown by its number. The empty text stays empty.

    >>> visible_text("if x:\\n\\tpass")
    'if␣x:↵⇥pass'
    """
    if text.isascii():
        return text.replace(" ", SPACE) if text.isprintable() else text.translate(_ASCII)
    shown: list[str] = []
    has_base = False
    for character in text:
        mark = visible_character(character)
        if mark is None:
            shown.append(character if has_base else with_base(character))
            has_base = True
            continue
        shown.append(mark)
        has_base = mark == character
    return "".join(shown)


def with_base(mark: str) -> str:
    """Write a combining mark that has nothing to sit on.

    An enclosing one would be drawn around its neighbours, and has its number.

    >>> with_base("\u0301"), with_base("\u20e3")
    ('◌́', '‹U+20E3›')
    """
    return f"‹U+{ord(mark):04X}›" if unicodedata.category(mark) == "Me" else DOTTED_CIRCLE + mark


def visible_pair(left: bytes, right: bytes) -> str:
    """Write the two tokens of a pair with a plus between them, the left one always on the left.

    Where letters run from right to left, each token is put into a directional isolate:
    otherwise the two would change places on the screen. A token is never shown with a plain
    space, so the plus of a pair cannot be taken for a token.

    >>> visible_pair(b" t", b"he")
    '␣t + he'
    """
    texts = [visible(left), visible(right)]
    if any(_runs_leftwards(text) for text in texts):
        texts = [f"{_ISOLATE}{text}{_END_OF_ISOLATE}" for text in texts]
    return " + ".join(texts)


def isolated(text: str) -> str:
    """Write a text within a sentence, in a directional isolate if letters of it run leftwards.

    So the sentence around it is laid out as if the text were a single word of it.

    >>> isolated("low"), isolated("שלום")
    ('low', '\\u2068שלום\\u2069')
    """
    return f"{_ISOLATE}{text}{_END_OF_ISOLATE}" if _runs_leftwards(text) else text


def _runs_leftwards(text: str) -> bool:
    return not text.isascii() and any(
        unicodedata.bidirectional(character) in _LEFTWARDS for character in text
    )


@lru_cache(maxsize=8192)
def visible_character(character: str) -> str | None:
    """Tell what stands for one character: itself, a mark, or a name in angle quotes.

    None for a combining mark, whose looks depend on the character before it.

    >>> visible_character("a"), visible_character("\\u200d"), visible_character("\\u0301")
    ('a', '‹ZWJ›', None)
    """
    code = ord(character)
    if character in _ASCII_MARKS:
        return _ASCII_MARKS[character]
    if code in _NAMES:
        return f"‹{_NAMES[code]}›"
    if code in _VARIATION_SELECTORS:
        return f"‹VS{code - _VARIATION_SELECTORS.start + 1}›"
    if code in _MORE_VARIATION_SELECTORS:
        return f"‹VS{code - _MORE_VARIATION_SELECTORS.start + 17}›"
    if code in _TAGS:
        return f"‹TAG {chr(code - 0xE0000)}›" if code != 0xE0020 else "‹TAG ␣›"
    category = unicodedata.category(character)
    if category in _COMBINING:
        return None
    if category in _NEVER_SHOWN or character in _MARKS or _is_noncharacter(code):
        return f"‹U+{code:04X}›"
    return character


def _is_noncharacter(code: int) -> bool:
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


def _with_broken_bytes(content: bytes) -> str:
    """Show the characters between the bytes that do not decode, and those bytes in hex.

    No token is shown with a plain space, so one tells where the bytes end.
    """
    # Bytes 80 to FF that belong to no character become the surrogates U+DC80 to U+DCFF.
    parts = _BROKEN.split(content.decode("utf-8", "surrogateescape"))
    for index, part in enumerate(parts):
        if index % 2 == 0:
            parts[index] = visible_text(part)
        else:
            parts[index] = visible_bytes(part.encode("utf-8", "surrogateescape"))
    return " ".join(filter(None, parts))


def visible_bytes(data: bytes) -> str:
    r"""Write bytes that are no complete character in hex.

    >>> visible_bytes(b"\xe2\x80")
    '0xE2 0x80'
    """
    return " ".join(f"0x{byte:02X}" for byte in data)


def _ascii_marks() -> dict[str, str]:
    # The pictures of control characters, U+2400 and so on, are too small to read in most fonts.
    names = {chr(code): f"‹{name}›" for code, name in enumerate(_CONTROLS)}
    return {**names, " ": SPACE, "\n": NEWLINE, "\t": TAB, "\x7f": "‹DEL›"}


_ASCII_MARKS = _ascii_marks()
_ASCII = str.maketrans(_ASCII_MARKS)
_MARKS = frozenset((SPACE, NEWLINE, TAB))


_BYTES = re.compile(
    r"(?:0x)?[0-9a-f]{2}(?: +(?:0x)?[0-9a-f]{2})+|0x(?:[0-9a-f]{2})+", re.IGNORECASE
)
"""Bytes in hex: two or more with spaces between them, or any number after a 0x."""


def bytes_text(data: bytes, most: int = MOST_BYTES) -> str:
    """Return the number of bytes, and the first `most` of them in hex.

    The bytes of letters, digits and signs of ASCII say no more than these do, and are left out.

    >>> bytes_text("é!".encode(), 2), bytes_text(b"low")
    ('3 bytes: 0xC3 0xA9 …', '3 bytes')
    """
    size = counted(len(data), "byte")
    if not data.translate(None, delete=_ASCII_SIGNS):
        return size
    return f"{size}: {visible_bytes(data[:most])}{' …' if len(data) > most else ''}"


def bytes_in_hex(text: str) -> bytes:
    """Return the bytes that a text writes in hex; none if it does not.

    >>> bytes_in_hex("20 74"), bytes_in_hex("0x20 0x74"), bytes_in_hex("0x2074")
    (b' t', b' t', b' t')
    >>> bytes_in_hex("20"), bytes_in_hex("the 74")
    (b'', b'')
    """
    written = text.strip()
    if not _BYTES.fullmatch(written):
        return b""
    return bytes.fromhex(re.sub("0x", "", written, flags=re.IGNORECASE))
