"""`bpe-gui vocabulary`: what is in the vocabularies of encodings, and what they share."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.metric_columns import MISSING
from bpe_gui.analysis.visible import visible, visible_beginning
from bpe_gui.arguments import CommandError
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.commands.compare import aligned, fitted
from bpe_gui.commands.streams import named, text_blocks, write
from bpe_gui.commands.tokenizers import open_encodings
from bpe_gui.encodings.measuring.measure import pieces
from bpe_gui.encodings.vocabularies.overlap import (
    NO_SCRIPT,
    Needed,
    Shares,
    jaccard_matrix,
    needed,
    overlap,
    share_text,
)
from bpe_gui.encodings.vocabularies.suspicious import Reason, Suspicious, suspicious
from bpe_gui.encodings.vocabularies.vocabulary import (
    KINDS,
    Vocabulary,
    count_uses,
    vocabulary_of,
)
from bpe_gui.exporting.tables import csv_parts
from bpe_gui.exporting.terminal_text import wrapped
from bpe_gui.progress import counted, percent, times

_LONGEST = 10
"""Of the longest tokens, of those most needed, and of scripts in a line."""
_LISTED = 20
"""Tokens that a table for reading lists of a kind; the other formats have all."""


class _Read(Struct, frozen=True, dict=True):
    """Hold one vocabulary, by the name that it was called by, and its uses in a text.

    label: what it is called beside others: "#1". text: what the text is called.
    """

    name: str
    label: str
    vocabulary: Vocabulary
    uses: NDArray[np.int64] | None
    text: str

    @cached_property
    def suspicious(self) -> Suspicious:
        return suspicious(self.vocabulary, self.uses, text=self.text)

    def fields(self, row: int) -> dict[str, Any]:
        """Tell what is known of a token by itself."""
        content = self.vocabulary.contents[row]
        return {
            "encoding": self.name,
            "id": int(self.vocabulary.ids[row]),
            "token": visible(self.vocabulary.marked(row)),
            "bytes": content.hex(),
            "length": len(content),
            "kind": KINDS[self.vocabulary.kinds[row]].value,
            "scripts": " ".join(self.vocabulary.properties.script_names(row)),
            "uses": None if self.uses is None else int(self.uses[row]),
            "suspicious": "; ".join(self.suspicious.reasons(row)),
        }


def vocabulary(
    tokenizers: Sequence[str],
    specials: Sequence[str],
    file: str | None,
    output_format: str,
    only_suspicious: bool = False,
) -> None:
    """Write what the vocabularies of encodings consist of, and how much each two share.

    file: a text in which uses are counted; None for none. only_suspicious: list the suspicious
        tokens with their reasons instead.
    """
    if file is not None and os.path.isdir(file):
        raise CommandError(f"{file} is a folder; name a file for --text")
    encodings = open_encodings(tokenizers, specials)
    read = []
    with interpreting_unless_ready(Kernels.ALL):
        for number, (name, encoding) in enumerate(zip(tokenizers, encodings, strict=True), 1):
            found = vocabulary_of(encoding)
            uses = None
            if file is not None:
                parts = pieces(encoding, text_blocks(file), file)
                uses = count_uses(found, parts, of_one_text=True)
                if not uses.any():
                    raise CommandError(f"{file} has no token of {name}; name another file")
            text = "the text" if file is None else named(file)
            read.append(_Read(name, f"#{number}", found, uses, text))
        if only_suspicious:
            writers = {"table": _suspicious_lines, "csv": _suspicious_csv, "json": _suspicious_json}
        else:
            writers = {"table": _lines, "csv": _csv, "json": _json}
        write("-", list(writers[output_format](read)))


# -- for reading --------------------------------------------------------------------------------


def _lines(read: Sequence[_Read]) -> Iterator[str]:
    for one in read:
        label = f"{one.label} " if len(read) > 1 else ""
        yield f"{label}{one.name}: {counted(len(one.vocabulary), 'token')}\n"
        yield from _summary(one)
    if len(read) > 2:
        yield from _overlap_of_all(read)
    for one, other in combinations(read, 2):
        yield from _overlap_lines(one, other)


def _summary(one: _Read) -> Iterator[str]:
    found = one.vocabulary
    yield _listed("kinds", {kind.value: n for kind, n in found.kind_counts().items()})
    scripts = found.script_counts()
    shown = dict(list(scripts.items())[:_LONGEST])
    if others := sum(scripts.values()) - sum(shown.values()):
        shown["others"] = others
    yield _listed("scripts", shown)
    histogram = found.length_histogram()
    lengths = {f"{n}:": int(count) for n, count in enumerate(histogram[:17]) if count}
    if longer := int(histogram[17:].sum()):
        lengths["17 or more:"] = longer
    yield _listed("by bytes", lengths)
    forms = counted(len(found.forms), "form")
    tokens = sum(map(len, found.forms.values()))
    yield wrapped(
        f"  variants: {forms} with {tokens:,} tokens that differ in case and space alone"
    )
    longest = (
        f"{visible_beginning(found.marked(row))}\0({found.properties.lengths[row]:,})"
        for row in found.longest(_LONGEST)
    )
    yield wrapped(f"  longest, with their bytes: {'  '.join(longest)}").replace("\0", " ")
    counts = {reason.value: n for reason, n in one.suspicious.counts().items()}
    yield _listed("suspicious", counts)


def _listed(title: str, counts: dict[str, int]) -> str:
    """Write counts in a line, or several where the terminal is narrower.

    >>> _listed("kinds", {"word": 1200, "byte": 256})
    '  kinds: word 1,200, byte 256\\n'
    """
    # A name and its number stay together.
    each = [f"{name} {n:,}".replace(" ", "\0") for name, n in counts.items()]
    return wrapped(f"  {title}: {', '.join(each)}").replace("\0", " ")


def _overlap_of_all(read: Sequence[_Read]) -> Iterator[str]:
    """Write how much each two share in one table, before all that is said of each two."""
    vocabularies = [one.vocabulary for one in read]
    labels = [one.label for one in read]
    shares = jaccard_matrix(vocabularies).tolist()
    rows = [["  Jaccard", *labels]]
    rows += [
        [f"    {label}", *map(share_text, line)]
        for label, line in zip(labels, shares, strict=True)
    ]
    in_all = set.intersection(*(set(one.ordinary) for one in vocabularies))
    yield f"\nAll {len(read)} share {counted(len(in_all), 'token')}, by their bytes:\n"
    yield from (f"{line}\n" for line in fitted(rows))


def _overlap_lines(one: _Read, other: _Read) -> Iterator[str]:
    found = overlap(one.vocabulary, other.vocabulary)
    shares = found.shares
    yield f"\n{one.label} and {other.label}, by the bytes of the tokens:\n"
    yield (
        f"  Jaccard {share_text(shares.jaccard)}: both {shares.both:,}, only {one.label} "
        f"{shares.only_one:,}, only {other.label} {shares.only_other:,}\n"
    )
    if one.uses is not None and other.uses is not None:
        back = found.swapped()
        by_use = found.weighted_jaccard(one.uses, other.uses)
        mine, theirs = percent(found.used_share(one.uses)), percent(back.used_share(other.uses))
        yield wrapped(
            f"  by use in the text: Jaccard {share_text(by_use)}; "
            f"of the tokens of {one.label} {mine} are shared, of those of {other.label} {theirs}"
        )
    scripts = list(found.by_script().items())
    shown = scripts[:_LONGEST]
    if others := [shares for _, shares in scripts[_LONGEST:]]:
        shown.append(("others", _added(others)))
    lengths = found.by_length()
    by_length = [
        (label, _added([shares for n, shares in lengths.items() if low <= n <= high]))
        for label, low, high in _LENGTHS
    ]
    columns = ["both", f"only {one.label}", f"only {other.label}", "Jaccard"]
    rows = [["  script", *columns], *map(_share_row, shown)]
    rows += [["  bytes", *[""] * 4], *map(_share_row, by_length)]
    yield from (f"{line}\n" for line in aligned(rows))
    for first, second in ((one, other), (other, one)):
        yield from _needed_lines(first, second)


_LENGTHS = [
    *((f"{n}", n, n) for n in range(1, 9)), ("9 to 16", 9, 16), ("17 or more", 17, 1 << 62)
]  # fmt: skip
"""Lengths of tokens in a row of the table, in bytes."""


def _added(several: Sequence[Shares]) -> Shares:
    sums = (sum(counts) for counts in zip(*map(_counts, several), strict=True))
    return Shares(*sums) if several else Shares(0, 0, 0)


def _share_row(named: tuple[str, Shares]) -> list[str]:
    name, shares = named
    jaccard = share_text(shares.jaccard) if shares.all else MISSING
    name = "no letters" if name == NO_SCRIPT else name
    return [f"    {name}", *(f"{count:,}" for count in _counts(shares)), jaccard]


def _needed_lines(one: _Read, other: _Read) -> Iterator[str]:
    need = needed(overlap(one.vocabulary, other.vocabulary), one.uses)
    line = f"  to cover {one.label}, {other.label} needs {counted(len(need.rows), 'token')}"
    if need.merges is not None:
        line += f", at most {counted(need.merges, 'merge')}"
    if one.uses is not None:
        uses, tokens = need.written
        line += (
            f"; {one.label} has them {times(uses)} in the text, and {other.label} writes "
            f"{counted(tokens, 'token')} for these, each alone"
            if uses
            else f"; {one.label} has none of them in the text"
        )
    first = (visible_beginning(one.vocabulary.marked(row)) for row in need.rows[:_LONGEST])
    yield wrapped(line)
    yield wrapped(f"    {'  '.join(first)}") if len(need.rows) else ""


def _suspicious_lines(read: Sequence[_Read]) -> Iterator[str]:
    for one in read:
        found = one.suspicious
        by_design = len(found.bytes_outside_utf8())
        more = f"; not counted: {counted(by_design, 'byte')} that UTF-8 never has" * bool(by_design)
        if Reason.UNUSED in found.masks:
            more += f", {found.counts()[Reason.UNUSED]:,} never used in {found.text}"
        yield f"{one.name}: {counted(len(found.rows()), 'suspicious token')}{more}\n"
        for reason, mask in found.masks.items():
            rows = np.flatnonzero(mask)
            listed = rows[:_LISTED].tolist()
            said = [found.sentence(row, reason) for row in listed]
            alike = len(listed) > 1 and len({*said}) == 1
            yield f"  {reason}: {len(rows):,}{f'. {said[0]}:' if alike else ''}\n"
            for row, why in zip(listed, said, strict=True):
                token = visible_beginning(one.vocabulary.marked(row))
                yield f"    {one.vocabulary.ids[row]} {token}{'' if alike else f': {why}'}\n"
            if len(rows) > _LISTED:
                yield f"    ... and {len(rows) - _LISTED:,} more; --format csv lists all\n"


# -- for programs -------------------------------------------------------------------------------


def _csv(read: Sequence[_Read]) -> Iterator[str]:
    """Write a row for each token of each vocabulary, with the ids of its bytes in the others."""
    columns = [f"id in {other.name}" for other in read] if len(read) > 1 else []
    first = True
    for one in read:
        lines: list[list[object]] = []
        for row in range(len(one.vocabulary)):
            fields = one.fields(row)
            if first:
                lines.append([*fields, *columns])
                first = False
            ids = [_id_in(one, row, other) for other in read] if columns else []
            lines.append([*fields.values(), *ids])
        yield from csv_parts(lines)


def _id_in(one: _Read, row: int, other: _Read) -> int | None:
    """Find the id of a token's bytes in a vocabulary; its own in its own."""
    if one is other:
        return int(one.vocabulary.ids[row])
    if one.vocabulary.special[row]:
        return None
    place = other.vocabulary.ordinary.get(one.vocabulary.contents[row])
    return None if place is None else int(other.vocabulary.ids[place])


def _json(read: Sequence[_Read]) -> Iterator[str]:
    """Write each vocabulary and each pair in one line: a line for each id would be millions."""
    vocabularies = map(_as_object, read)
    overlaps = (_overlap_object(one, other) for one, other in permutations(read, 2))
    yield f'{{"vocabularies": [\n{_in_lines(vocabularies)}\n], '
    yield f'"overlaps": [\n{_in_lines(overlaps)}\n]}}\n'


def _in_lines(objects: Iterable[dict[str, Any]]) -> str:
    return ",\n".join(json.dumps(one, ensure_ascii=False) for one in objects)


def _as_object(one: _Read) -> dict[str, Any]:
    found = one.vocabulary
    return {
        "encoding": one.name,
        "model": found.encoding.model,
        "tokens": len(found),
        "kinds": found.kind_counts(),
        "scripts": found.script_counts(),
        "mixed_scripts": int(np.count_nonzero(found.properties.mixed & ~found.special)),
        "lengths": found.length_histogram().tolist(),
        "variants": [found.ids[rows].tolist() for rows in found.forms.values()],
        "longest": found.ids[found.longest(_LONGEST)].tolist(),
        "suspicious": one.suspicious.counts(),
    }


def _overlap_object(one: _Read, other: _Read) -> dict[str, Any]:
    found = overlap(one.vocabulary, other.vocabulary)
    shares = found.shares
    need = needed(found, one.uses)
    weighted = None
    if one.uses is not None and other.uses is not None:
        weighted = found.weighted_jaccard(one.uses, other.uses)
    return {
        "one": one.name,
        "other": other.name,
        "jaccard": shares.jaccard,
        "weighted_jaccard": weighted,
        "used_share": None if one.uses is None else found.used_share(one.uses),
        "shared": found.ids().tolist(),
        "only_one": one.vocabulary.ids[found.only_one].tolist(),
        "only_other": other.vocabulary.ids[found.only_other].tolist(),
        "by_script": {name: _counts(part) for name, part in found.by_script().items()},
        "by_length": {str(n): _counts(part) for n, part in found.by_length().items()},
        "needed": _needed_object(one, need),
    }


def _counts(shares: Shares) -> list[int]:
    return [shares.both, shares.only_one, shares.only_other]


def _needed_object(one: _Read, need: Needed) -> dict[str, Any]:
    ids = one.vocabulary.ids[need.rows].tolist()
    return {
        "max_merges": need.merges,
        "tokens": [
            {"id": token, "now": parts, "uses": uses}
            for token, parts, uses in zip(ids, need.parts, need.uses.tolist(), strict=True)
        ],
    }


def _suspicious_rows(read: Sequence[_Read]) -> Iterator[dict[str, Any]]:
    for one in read:
        for reason, mask in one.suspicious.masks.items():
            for row in np.flatnonzero(mask).tolist():
                path = one.suspicious.paths.get(row) if reason == "unreachable" else None
                yield {
                    **one.fields(row),
                    "suspicious": reason.value,
                    "why": one.suspicious.sentence(row, reason),
                    "becomes": None if path is None else " ".join(map(str, path.ids)),
                }


def _suspicious_csv(read: Sequence[_Read]) -> Iterator[str]:
    rows = list(_suspicious_rows(read))
    header: list[object] = [*read[0].fields(0), "why", "becomes"]
    return csv_parts([header, *(list(row.values()) for row in rows)])


def _suspicious_json(read: Sequence[_Read]) -> Iterator[str]:
    yield json.dumps(list(_suspicious_rows(read)), ensure_ascii=False, indent=1) + "\n"
