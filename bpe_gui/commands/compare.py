"""`bpe-gui compare`: the metrics of encodings side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from bpe_gui.analysis.metric_columns import COLUMNS, MISSING, SHORT, TOO_SHORT, Column
from bpe_gui.analysis.metrics import Metrics, metrics_of
from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.arguments import CommandError
from bpe_gui.bpe.compression import ENDINGS as COMPRESSED_ENDINGS
from bpe_gui.bpe.corpus import Corpus, CorpusOptions, without_files
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.remote_files import Url, path_or_url
from bpe_gui.commands.streams import named, text_blocks, write
from bpe_gui.commands.tokenizers import check_measured, legend, open_encodings
from bpe_gui.encodings import parallel_texts
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.differences.alignment import CachedEncoder
from bpe_gui.encodings.measuring.measure import Document, Measured, measure_all, unchecked_loss
from bpe_gui.encodings.measuring.roundtrip import check_roundtrip
from bpe_gui.encodings.short_names import short_names
from bpe_gui.exporting.terminal_text import columns_of, terminal_width
from bpe_gui.progress import Progress, terminal_bars

_Result = TypeVar("_Result")

_SMALL = 100_000
"""Bytes of a text for which no kernels are compiled."""

_WHOLE = 1_000_000
"""Bytes of a text that is measured as a whole, and decoded; larger ones are streamed."""

_LOSSY = "*"
"""Marks numbers of a text that does not round-trip."""

_GAP = "  "
"""Between columns."""

_WHY_LOSSY = "does not round-trip; dropped and unknown text takes few tokens"

_RATIOS = (
    "characters_per_token",
    "bytes_per_token",
    "tokens_per_word",
    "whole_share",
    "used_share",
)
"""The properties of Metrics."""


class _Numbers(Struct, frozen=True):
    """Hold the metrics of one text.

    loss: how the decoded text differs, empty if it does not; None if the text was not decoded,
        because it was streamed.
    """

    metrics: Metrics
    loss: str | None

    @property
    def decodes_back(self) -> bool | None:
        """Tell whether decoding gives the text back; None if that is not known."""
        return False if self.metrics.unknowns else None if self.loss is None else not self.loss

    @property
    def description(self) -> str:
        """Say in a few words whether decoding gives the text back."""
        if self.loss is None:
            return unchecked_loss(self.metrics)
        return self.loss.partition(";")[0] or "yes"


class _Compared(Struct, frozen=True):
    """Hold one encoding and its numbers: those of the whole text, and those of every language.

    source: what it was loaded from. whole: None if it could not be measured, and `problem` says
        why. reference: the code of the language that others are compared to; empty without
        languages.
    """

    name: str
    source: str
    model: str
    whole: _Numbers | None
    languages: Mapping[str, _Numbers]
    reference: str = ""
    problem: str = ""

    def parity(self, code: str) -> float | None:
        """Divide the tokens of a language by those of the reference; None if that has none."""
        return self.languages[code].metrics.parity(self.languages[self.reference].metrics)


def compare(
    tokenizers: Sequence[str],
    specials: Sequence[str],
    file: str | None,
    output_format: str,
    encoding: str | None = None,
    replace_errors: bool = False,
    reference: str | None = None,
    own: OwnNumbers | None = None,
) -> None:
    """Write the metrics of encodings on a file, folder or URL, or on the built-in story.

    encoding, replace_errors: how files are read, see `CorpusOptions`.
    reference: the language of the story that others are compared to, by code or name; None is
        English.
    own: what adds columns: a price, a context, a width.
    Raises CommandError for a reference that the story does not have, or with a file; and for
    encodings that could not be measured, when the numbers of the others are written.
    """
    if file is not None and reference is not None:
        raise CommandError(
            "--reference is a language of the built-in story; leave out --reference or --text"
        )
    code = _language("en" if reference is None else reference)
    has_options = encoding is not None or replace_errors
    options = (
        CorpusOptions(encoding=encoding, replace_errors=replace_errors) if has_options else None
    )
    encodings = open_encodings(tokenizers, specials)
    if file is None:
        found = _on_the_story(encodings)
    else:
        found = [
            one if isinstance(one, EncodingError) else (one, {})
            for one in _on_a_text(encodings, file, options)
        ]
        code = ""
    compared = []
    names = short_names(tokenizers)
    for name, source, used, one in zip(names, tokenizers, encodings, found, strict=True):
        about = name, source, used.model
        if isinstance(one, EncodingError):
            compared.append(_Compared(*about, None, {}, code, str(one)))
        else:
            compared.append(_Compared(*about, *one, code))
    columns = () if own is None else own.columns
    writers = {"table": _table, "csv": _csv, "json": _json}
    write("-", writers[output_format](compared, columns))
    check_measured([one.name for one in compared if one.problem])


def _language(name: str) -> str:
    """Find the code of a language of the story by its code or one of its names, in any case."""
    languages = parallel_texts.languages()
    for code, language in languages.items():
        if name.casefold() in (code, language.name.casefold(), language.own_name.casefold()):
            return code
    known = ", ".join(f"{code} ({language.name})" for code, language in languages.items())
    raise CommandError(f"the story is not written in {shown(name)}; its languages are {known}")


_OnTheStory = tuple[_Numbers, dict[str, _Numbers]]
"""The numbers of the story in all languages together, and in each."""


def _on_the_story(encodings: Sequence[Encoding]) -> list[_OnTheStory | EncodingError]:
    """Measure encodings on the built-in story, in every language and in all together."""

    def measured(encoding: Encoding) -> _OnTheStory:
        by_language = {
            code: _numbers(encoding, language.text)
            for code, language in parallel_texts.languages().items()
        }
        return _numbers(encoding, parallel_texts.joined().text), by_language

    with interpreting_unless_ready(kernel_cache.Kernels.ALL):
        return [_or_error(measured, encoding) for encoding in encodings]


def _or_error(
    measured: Callable[[Encoding], _Result], encoding: Encoding
) -> _Result | EncodingError:
    try:
        return measured(encoding)
    except EncodingError as error:
        return error


def _on_a_text(
    encodings: Sequence[Encoding], file: str, options: CorpusOptions | None
) -> list[_Numbers | EncodingError]:
    """Measure encodings on a file, a folder, a URL or standard input; large ones are streamed."""
    path = path_or_url(file)
    if isinstance(path, Url):
        return _measured(encodings, Corpus([path], options))
    large = path.is_dir() or (path.is_file() and path.stat().st_size > _WHOLE)
    if options is not None or large or not _is_text(path):
        return _measured(encodings, Corpus([file], options))
    blocks = text_blocks(file)
    begun: list[bytes] = []
    for block in blocks:
        begun.append(block)
        if sum(map(len, begun)) > _WHOLE:
            return _measured(encodings, Document(chain(begun, blocks), named(file)))
    data = b"".join(begun)
    text = data.decode("utf-8")
    if len(data) > _SMALL:
        with terminal_bars() as tell:
            _compile(tell)
    with interpreting_unless_ready(kernel_cache.Kernels.ALL):
        return [_or_error(lambda one: _numbers(one, text), encoding) for encoding in encodings]


def _measured(
    encodings: Sequence[Encoding], corpus: Corpus | Document
) -> list[_Numbers | EncodingError]:
    """Measure encodings on a corpus, which is read once."""
    with terminal_bars() as tell:
        _compile(tell)
        total = corpus.size if isinstance(corpus, Corpus) else None
        found = measure_all(encodings, corpus, progress=lambda done: tell(done, total, "reading"))
    skipped_files = next((one.skipped_files for one in found if isinstance(one, Measured)), {})
    if skipped := without_files(skipped_files):
        print(skipped, file=sys.stderr)
    return [
        one if isinstance(one, EncodingError) else _Numbers(one.metrics, None) for one in found
    ]


def _compile(tell: Progress) -> None:
    """Compile the kernels that are not ready."""
    if not kernel_cache.is_ready(kernel_cache.Kernels.ALL):
        # What uses each kernel once is not loaded where all of them are there.
        from bpe_gui.analysis.warm_up import compile_all

        tell(0, None, "compiling")
        compile_all()
        tell(1, 1, "compiling")


def _is_text(path: Path) -> bool:
    """Tell whether a file is plain text, and not a form of corpus that has to be unpacked."""
    return path.suffix not in (*COMPRESSED_ENDINGS, ".jsonl", ".csv", ".tsv", ".tab")


def _numbers(encoding: Encoding, text: str) -> _Numbers:
    cut = CachedEncoder(encoding).encode(text)
    loss = check_roundtrip(cut).label
    size = encoding.vocabulary_size
    return _Numbers(metrics_of(text, cut.tokens, size, cut.unknown_tokens), loss)


# -- output formats --------------------------------------------------------------------------


def _table(compared: Sequence[_Compared], own: Sequence[Column]) -> Iterator[str]:
    """Format for reading: a row per encoding, then a row per language with its parities.

    What is lost of a text is a sentence below the table, which is as wide as the terminal.
    """
    columns = (*COLUMNS, *own)
    rows = [["", *(column.title for column in columns), "lossless"]]
    for one in compared:
        if one.whole is None:
            rows.append([one.name, *[MISSING] * len(columns), "not measured"])
            continue
        cells = [column.cell(one.whole.metrics) for column in columns]
        rows.append([one.name, *cells, one.whole.description.partition(": ")[0]])
    lines = fitted(rows)
    for one in compared:
        if one.whole is None:
            lines.append(f"{one.name}: {one.problem}")
        elif ": " in one.whole.description:
            lines.append(f"{one.name} is {one.whole.description}")
    wholes = [one.whole for one in compared if one.whole is not None]
    if any(column.says_little(whole.metrics) for whole in wholes for column in COLUMNS):
        lines.append(f"{SHORT} {TOO_SHORT}")
    lines += _language_lines([one for one in compared if one.languages])
    yield from (f"{line}\n" for line in lines)
    yield from legend([one.source for one in compared])


def _language_lines(compared: Sequence[_Compared]) -> Iterator[str]:
    if not compared:
        return
    names = {code: language.name for code, language in parallel_texts.languages().items()}
    numbers = [f"({number})" for number in range(1, len(compared) + 1)]
    rows = [["", *numbers]]
    for code in compared[0].languages:
        rows.append([names[code], *(_tokens_and_parity(one, code) for one in compared)])
    yield ""
    yield f"tokens of the same story, and their ratio to {names[compared[0].reference]}:"
    yield from fitted(rows)
    if any(numbers.loss for one in compared for numbers in one.languages.values()):
        yield f"{_LOSSY} {_WHY_LOSSY}"
    yield from (f"{number} {one.name}" for number, one in zip(numbers, compared, strict=True))


def _tokens_and_parity(one: _Compared, code: str) -> str:
    numbers, parity = one.languages[code], one.parity(code)
    ratio = MISSING if parity is None else f"{parity:.2f}"
    return f"{numbers.metrics.tokens:,}  {ratio}{_LOSSY if numbers.loss else ' '}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Format rows as lines: the first column left-aligned, the others right-aligned.

    >>> aligned([["", "tokens"], ["gpt2", "5"]])
    ['      tokens', 'gpt2       5']
    """
    widths = [max(columns_of(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        gaps = [" " * (width - columns_of(cell)) for cell, width in zip(row, widths, strict=True)]
        others = [gap + cell for cell, gap in zip(row[1:], gaps[1:], strict=True)]
        lines.append(_GAP.join([row[0] + gaps[0], *others]).rstrip())
    return lines


def fitted(rows: Sequence[Sequence[str]]) -> list[str]:
    """Format rows as `aligned` does, in tables below each other if one is wider than the terminal.

    Each table begins with the first column.
    """
    lines = aligned(rows)
    columns, width = len(rows[0]) - 1, terminal_width()
    for tables in range(1, columns + 1):
        size = -(-columns // tables)
        parts = [
            aligned([[row[0], *row[first : first + size]] for row in rows])
            for first in range(1, columns + 1, size)
        ]
        lines = [line for part in parts for line in ("", *part)][1:]
        if max(map(columns_of, lines)) <= width:
            break
    return lines


def _fields(
    numbers: _Numbers | None, own: Sequence[Column]
) -> dict[str, int | float | bool | str | None]:
    """Collect all numbers, unrounded, by their names in Metrics, and the loss of the text."""
    if numbers is None:
        titles = (column.title for column in own)
        names = Metrics.__struct_fields__
        return dict.fromkeys([*names, *_RATIOS, *titles, "decodes_back", "loss"])
    metrics = numbers.metrics
    return {
        **asdict(metrics),
        **{name: getattr(metrics, name) for name in _RATIOS},
        **{column.title: column.value(metrics) for column in own},
        "decodes_back": numbers.decodes_back,
        "loss": numbers.loss,
    }


def _csv(compared: Sequence[_Compared], own: Sequence[Column]) -> str:
    """Format as CSV: a row per encoding, then one per language, which the second column names."""
    from bpe_gui.exporting.tables import comma_separated

    return comma_separated(_lines(compared, own))


def _lines(compared: Sequence[_Compared], own: Sequence[Column]) -> Iterator[Sequence[object]]:
    yield ["encoding", "language", *_fields(None, own), "parity", "problem"]
    for one in compared:
        yield [one.source, "", *_fields(one.whole, own).values(), None, one.problem]
        for code, numbers in one.languages.items():
            yield [one.source, code, *_fields(numbers, own).values(), one.parity(code), ""]


def _json(compared: Sequence[_Compared], own: Sequence[Column]) -> str:
    """Format as JSON: a list with an object per encoding."""
    found = [
        {
            "encoding": one.source,
            "model": one.model,
            **_fields(one.whole, own),
            "problem": one.problem or None,
            "languages": {
                code: {**_fields(numbers, own), "parity": one.parity(code)}
                for code, numbers in one.languages.items()
            },
        }
        for one in compared
    ]
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
