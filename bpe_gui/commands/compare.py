"""`bpe-gui compare`: the numbers of encodings beside each other."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.kernels import kernel
from bpe_gui.bpe.metric_columns import COLUMNS, MISSING
from bpe_gui.bpe.metrics import Metrics, metrics_of
from bpe_gui.bpe.warm_up import warm_up
from bpe_gui.commands.streams import ended_by_interrupts, kernels, read_text, write
from bpe_gui.commands.tokenizers import opened
from bpe_gui.encodings import parallel
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.measuring import measure
from bpe_gui.progress import ProgressLine

_SMALL = 100_000
"""Bytes of a text up to which loading compiled kernels takes longer than it saves."""

_REFERENCE = "en"
"""The language that the others are held against."""

_RATIOS = (
    "characters_per_token",
    "bytes_per_token",
    "tokens_per_word",
    "whole_share",
    "used_share",
)
"""What Metrics calculates from its counts."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """One encoding and its numbers: of the whole text, and by language where there are some."""

    name: str
    model: str
    metrics: Metrics
    languages: Mapping[str, Metrics]

    def parity(self, code: str) -> float | None:
        """Tokens of a language by those of the same story in the language of reference."""
        return self.languages[code].parity(self.languages[_REFERENCE])


def compare(
    tokenizers: Sequence[str], specials: Sequence[str], file: str | None, output_format: str
) -> None:
    """Write the numbers of some encodings on a file or folder, or on the built-in story."""
    encodings = opened(tokenizers, specials)
    if file is None:
        compared = _on_the_story(tokenizers, encodings)
    else:
        compared = [
            _Compared(name, encoding.model, metrics, {})
            for name, encoding, metrics in zip(
                tokenizers, encodings, _on_a_text(encodings, file), strict=True
            )
        ]
    writers = {"table": _table, "csv": _csv, "json": _json}
    write("-", writers[output_format](compared))


def _on_the_story(names: Sequence[str], encodings: Sequence[Encoding]) -> list[_Compared]:
    """The numbers on the built-in story, in each language and in all together."""
    found = []
    with kernels(compiled=False):
        for name, encoding in zip(names, encodings, strict=True):
            by_language = {
                code: _metrics(encoding, language.text)
                for code, language in parallel.languages().items()
            }
            whole = _metrics(encoding, parallel.joined().text)
            found.append(_Compared(name, encoding.model, whole, by_language))
    return found


def _on_a_text(encodings: Sequence[Encoding], file: str) -> list[Metrics]:
    """The numbers on a file, a folder or standard input; large ones stream by."""
    path = Path(file)
    if file == "-" or (path.is_file() and path.stat().st_size <= _SMALL and _is_text(path)):
        text = read_text(file)
        with kernels(compiled=len(text) > _SMALL):
            return [_metrics(encoding, text) for encoding in encodings]
    found = []
    with ProgressLine(sys.stderr) as line:
        if not kernel.is_ready():
            line.note("compiling for this machine, which takes half a minute, once ...")
            warm_up()
            kernel.mark_ready()
        for encoding in encodings:
            corpus = Corpus([file])
            line.restart()
            measured = measure(encoding, corpus, progress=_reporter(line, corpus.size))
            if measured.note:
                line.note("")
                print(f"{encoding.name}: {measured.note}", file=sys.stderr)
            found.append(measured.metrics)
    return found


def _reporter(line: ProgressLine, total: int | None) -> Callable[[int], None]:
    return lambda done: line.reading(done, total)


def _is_text(path: Path) -> bool:
    """Whether it is a text as it stands, rather than a form of corpus that has to be unpacked."""
    return path.suffix not in (".gz", ".jsonl", ".csv", ".tsv")


def _metrics(encoding: Encoding, text: str) -> Metrics:
    with ended_by_interrupts():
        tokens = encoding.encode(text)
    unknown = [token for token in set(tokens.ids.tolist()) if encoding.is_unknown(token)]
    return metrics_of(text, tokens, encoding.vocabulary_size, unknown)


# -- how they are written --------------------------------------------------------------------


def _table(compared: Sequence[_Compared]) -> str:
    """For reading: a row an encoding, and below a row a language with its parities."""
    rows = [["", *(column.title for column in COLUMNS)]]
    rows += [[one.name, *(column.cell(one.metrics) for column in COLUMNS)] for one in compared]
    lines = _aligned(rows)
    if compared[0].languages:
        names = {code: language.name for code, language in parallel.languages().items()}
        numbers = [f"({number})" for number in range(1, len(compared) + 1)]
        rows = [["", *numbers]]
        for code in compared[0].languages:
            cells = [one.languages[code] for one in compared]
            parities = [one.parity(code) for one in compared]
            rows.append([names[code], *map(_tokens_and_parity, cells, parities)])
        lines += ["", f"tokens of the same story, and how many for one of {names[_REFERENCE]}:"]
        lines += _aligned(rows)
        lines += [f"{number} {one.name}" for number, one in zip(numbers, compared, strict=True)]
    return "\n".join(lines) + "\n"


def _tokens_and_parity(metrics: Metrics, parity: float | None) -> str:
    return f"{metrics.tokens:,}  {MISSING if parity is None else f'{parity:.2f}'}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
        ).rstrip()
        for row in rows
    ]


def _numbers(metrics: Metrics) -> dict[str, int | float | None]:
    """All numbers, unrounded, by the names that Metrics has for them."""
    return {**asdict(metrics), **{name: getattr(metrics, name) for name in _RATIOS}}


def _csv(compared: Sequence[_Compared]) -> str:
    """A row an encoding, then one for each language, which the second column names."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["encoding", "language", *_numbers(compared[0].metrics), "parity"])
    for one in compared:
        writer.writerow([one.name, "", *_numbers(one.metrics).values(), None])
        for code, metrics in one.languages.items():
            writer.writerow([one.name, code, *_numbers(metrics).values(), one.parity(code)])
    return out.getvalue()


def _json(compared: Sequence[_Compared]) -> str:
    """A list with an object an encoding."""
    found = [
        {
            "encoding": one.name,
            "model": one.model,
            **_numbers(one.metrics),
            "languages": {
                code: {**_numbers(metrics), "parity": one.parity(code)}
                for code, metrics in one.languages.items()
            },
        }
        for one in compared
    ]
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
