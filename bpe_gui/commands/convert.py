"""`bpe-gui convert`: a byte-pair encoding in another format."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_gui.bpe.kernels import kernel
from bpe_gui.commands.streams import kernels, opened, write
from bpe_gui.encodings import parallel
from bpe_gui.encodings.converting import convert as write_converted
from bpe_gui.progress import counted
from bpe_gui.resources import resource


def convert(tokenizer: str, output: str, format_name: str | None) -> None:
    """Write a tokenizer in another format, and say what came of the check."""
    encoding = opened(tokenizer)
    with kernels(compiled=kernel.is_ready()):
        converted = write_converted(encoding, output, _texts(), format_name)
    compared = counted(converted.characters, "character")
    said = f"{output}: {converted.format.title}, {compared} agreed"
    if converted.renumbered:
        said += ", with ids that the format numbers anew"
    if converted.beside:
        said += f"; read it as {output}{converted.beside}"
    write("-", f"{said}\n")


def _texts() -> Iterator[str]:
    """What the encodings are compared on: the story, other scripts, and odd characters."""
    for language in parallel.languages().values():
        yield language.text
    yield resource("samples", "scripts.txt").read_text("utf-8")
    yield "".join(map(chr, range(0x250)))
    yield "  \n\n \t\r\n   x  123456 don't DON'T \u3000\x85\u2028 \0 <|endoftext|> "
    yield "👍🏽👨‍👩‍👧 e\u0301"
