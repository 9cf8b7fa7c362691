"""`bpe-gui convert`: write a byte-pair encoding in another format, or a smaller one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from bpe_gui.arguments import CommandError
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.commands.streams import check_no_overwriting, write
from bpe_gui.commands.tokenizers import open_encodings
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.convert import Converted, written_otherwise
from bpe_gui.encodings.convert import convert as write_converted
from bpe_gui.encodings.load import files_of
from bpe_gui.encodings.parallel_texts import sample_texts
from bpe_gui.encodings.save import how_to_read
from bpe_gui.encodings.smaller import CutEncoding, first_merges, used_tokens
from bpe_gui.exporting.tables import csv_parts
from bpe_gui.files import Content, check_writable
from bpe_gui.progress import counted

_ON_STANDARD_OUTPUT = "tokenizer.json"


class Smaller(Struct, frozen=True):
    """Say what is left of an encoding: its first merges, or the tokens that a corpus uses.

    table: the file for the old and the new ids.
    """

    merges: int | None = None
    used_in: Sequence[str] | None = None
    table: str | None = None

    def __bool__(self) -> bool:
        return self.merges is not None or self.used_in is not None


def convert(
    tokenizer: str,
    specials: Sequence[str],
    output: str,
    format_name: str | None,
    smaller: Smaller,
) -> None:
    """Write a tokenizer in another format, or a smaller one, and print the result of the check.

    With "-" as output, the tokenizer.json goes to standard output instead, and nothing else.
    Raises CommandError if that is to be another format, or if the output is the input.
    """
    if output == "-" and format_name not in (None, _ON_STANDARD_OUTPUT):
        raise CommandError(f"only {_ON_STANDARD_OUTPUT} can be standard output, not {format_name}")
    if smaller.table is not None:
        if not smaller:
            raise CommandError("--map needs --merges or --used-in: no token is left out")
        inputs = [*map(str, files_of(tokenizer)), *(smaller.used_in or ())]
        check_no_overwriting([smaller.table, output], inputs)
        if os.path.abspath(smaller.table) == os.path.abspath(output):
            raise CommandError("--map and -o name the same file; name another for the table")
        check_writable(smaller.table)
    [encoding] = open_encodings([tokenizer], specials)
    report, cut = "", None
    note = written_otherwise(encoding)
    if smaller:
        cut = _cut(encoding, smaller)
        before, after = len(encoding.ids), len(cut.ids)
        report = f"{after:,} of {counted(before, 'token')} left, {counted(cut.merges, 'merge')}\n"
        encoding = cut.encoding
    if output == "-":
        with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
            path = Path(folder) / _ON_STANDARD_OUTPUT
            _converted(encoding, str(path), _ON_STANDARD_OUTPUT, smaller, cut)
            write("-", path.read_text("utf-8"))
        return
    target = Path(output) / "vocab.json" if Path(output).is_dir() else Path(output)
    check_no_overwriting([str(target)], map(str, files_of(tokenizer)))
    converted = _converted(encoding, output, format_name, smaller, cut)
    compared = counted(converted.characters, "character")
    shown_format = f"{converted.format.title}, read back by {converted.format.reader}"
    report += f"{output}: {shown_format}, {compared} agreed"
    if converted.renumbered:
        report += ", with ids that the format numbers anew"
    if note:
        report += f"; {note}"
    if how := how_to_read(output, converted.split, converted.special_tokens):
        report += f"; {how}"
    write("-", f"{report}\n")


def _cut(encoding: Encoding, smaller: Smaller) -> CutEncoding:
    if smaller.used_in is None:
        assert smaller.merges is not None
        return first_merges(encoding, smaller.merges)
    with interpreting_unless_ready(Kernels.ALL):
        return used_tokens(encoding, Corpus(smaller.used_in))


def _converted(
    encoding: Encoding,
    output: str,
    format_name: str | None,
    smaller: Smaller,
    cut: CutEncoding | None,
) -> Converted:
    """Write an encoding and the table of its ids, or neither."""

    def table(ids: Mapping[int, int]) -> list[tuple[str, Content]]:
        if smaller.table is None or cut is None:
            return []
        return [(smaller.table, csv_parts(cut.table(ids)))]

    with interpreting_unless_ready(Kernels.ENGINE):
        return write_converted(encoding, output, sample_texts(), format_name, table)
