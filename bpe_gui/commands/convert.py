"""`bpe-gui convert`: a byte-pair encoding in another format."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from bpe_gui.arguments import CommandError
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.kernels.jit import interpreting
from bpe_gui.commands.streams import write
from bpe_gui.commands.tokenizers import opened
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.convert import Converted
from bpe_gui.encodings.convert import convert as write_converted
from bpe_gui.encodings.load import files_of
from bpe_gui.encodings.parallel_texts import sample_texts
from bpe_gui.progress import counted

_ON_STANDARD_OUTPUT = "tokenizer.json"


def convert(
    tokenizer: str, specials: Sequence[str], output: str, format_name: str | None
) -> None:
    """Write a tokenizer in another format, and say what came of the check.

    Standard output gets a tokenizer.json, and nothing else.
    """
    if output == "-" and format_name not in (None, _ON_STANDARD_OUTPUT):
        raise CommandError(f"only {_ON_STANDARD_OUTPUT} can be standard output, not {format_name}")
    [encoding] = opened([tokenizer], specials)
    if output == "-":
        with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
            path = Path(folder) / _ON_STANDARD_OUTPUT
            _converted(encoding, str(path), _ON_STANDARD_OUTPUT)
            write("-", path.read_text("utf-8"))
        return
    _check_apart(tokenizer, output)
    converted = _converted(encoding, output, format_name)
    compared = counted(converted.characters, "character")
    shown_format = f"{converted.format.title}, read back by {converted.format.reader}"
    said = f"{output}: {shown_format}, {compared} agreed"
    if converted.renumbered:
        said += ", with ids that the format numbers anew"
    if converted.split:
        said += f"; read it as {shlex.quote(f'{output}@{converted.split}')}"
    if converted.special_tokens:
        pairs = converted.special_tokens.items()
        said += " " + " ".join(f"--special {shlex.quote(f'{text}={i}')}" for text, i in pairs)
    write("-", f"{said}\n")


def _check_apart(tokenizer: str, output: str) -> None:
    """Raise CommandError if what is written would replace what is read."""
    target = Path(output)
    if target.is_dir():
        target /= "vocab.json"
    for source in files_of(tokenizer):
        if target.exists() and source.samefile(target):
            raise CommandError(
                f"{output} is what is read, and would be replaced; name another file"
            )


def _converted(encoding: Encoding, output: str, format_name: str | None) -> Converted:
    with nullcontext() if kernel_cache.is_ready(kernel_cache.Part.ENGINE) else interpreting():
        return write_converted(encoding, output, sample_texts(), format_name)
