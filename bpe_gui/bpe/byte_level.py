"""GPT-2's printable alphabet: one visible character for each of the 256 bytes.

Source: `bytes_to_unicode` in OpenAI's GPT-2 encoder. Printable Latin-1 bytes stand for
themselves, the others for the characters from U+0100 on, in byte order: a space is
written Ġ (U+0120), a newline Ċ (U+010A).
"""

from __future__ import annotations

_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))


def _characters() -> list[str]:
    shown = {byte: chr(byte) for byte in _PRINTABLE}
    hidden = (byte for byte in range(256) if byte not in shown)
    shown.update((byte, chr(0x100 + index)) for index, byte in enumerate(hidden))
    return [shown[byte] for byte in range(256)]


CHARACTER_OF_BYTE: tuple[str, ...] = tuple(_characters())
"""The printable character of each byte, indexed by the byte."""

BYTE_OF_CHARACTER: dict[str, int] = {c: byte for byte, c in enumerate(CHARACTER_OF_BYTE)}
"""The inverse of `CHARACTER_OF_BYTE`."""


FALLBACK_TOKENS: tuple[str, ...] = tuple(f"<0x{byte:02X}>" for byte in range(256))
"""How vocabularies of characters write a byte of a character that they lack, as SentencePiece."""

BYTE_OF_FALLBACK: dict[str, int] = {text: byte for byte, text in enumerate(FALLBACK_TOKENS)}
"""The inverse of `FALLBACK_TOKENS`."""


def to_printable(data: bytes) -> str:
    """Write bytes as GPT-2's vocabulary does.

    >>> to_printable(" token".encode())
    'Ġtoken'
    """
    return "".join([CHARACTER_OF_BYTE[byte] for byte in data])


def from_printable(text: str) -> bytes:
    """Read what `to_printable` wrote. Raises KeyError for a character outside the alphabet."""
    return bytes([BYTE_OF_CHARACTER[c] for c in text])
