"""`bpe-gui convert`: write a byte-pair encoding in another format."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from bpe_gui.arguments import CommandError
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.commands.streams import check_no_overwriting, write
from bpe_gui.commands.tokenizers import open_encodings
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.convert import Converted
from bpe_gui.encodings.convert import convert as write_converted
from bpe_gui.encodings.load import files_of
from bpe_gui.encodings.parallel_texts import sample_texts
from bpe_gui.encodings.save import how_to_read
from bpe_gui.progress import counted

_ON_STANDARD_OUTPUT = "tokenizer.json"


def convert(
    tokenizer: str, specials: Sequence[str], output: str, format_name: str | None
) -> None:
    """Write a tokenizer in another format, and print the result of the check.

    With "-" as output, the tokenizer.json goes to standard output instead, and nothing else.
    Raises CommandError if that is to be another format, or if the output is the input.
    """
    if output == "-" and format_name not in (None, _ON_STANDARD_OUTPUT):
        raise CommandError(f"only {_ON_STANDARD_OUTPUT} can be standard output, not {format_name}")
    [encoding] = open_encodings([tokenizer], specials)
    if output == "-":
        with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
            path = Path(folder) / _ON_STANDARD_OUTPUT
            _converted(encoding, str(path), _ON_STANDARD_OUTPUT)
            write("-", path.read_text("utf-8"))
        return
    target = Path(output) / "vocab.json" if Path(output).is_dir() else Path(output)
    check_no_overwriting([str(target)], map(str, files_of(tokenizer)))
    converted = _converted(encoding, output, format_name)
    compared = counted(converted.characters, "character")
    shown_format = f"{converted.format.title}, read back by {converted.format.reader}"
    report = f"{output}: {shown_format}, {compared} agreed"
    if converted.renumbered:
        report += ", with ids that the format numbers anew"
    if how := how_to_read(output, converted.split, converted.special_tokens):
        report += f"; {how}"
    write("-", f"{report}\n")


def _converted(encoding: Encoding, output: str, format_name: str | None) -> Converted:
    with interpreting_unless_ready(Kernels.ENGINE):
        return write_converted(encoding, output, sample_texts(), format_name)
