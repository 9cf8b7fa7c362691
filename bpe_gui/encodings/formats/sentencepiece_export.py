"""Models of SentencePiece that merge by scores, as a tokenizer.json with the same ids."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers

from bpe_gui.bpe.errors import shown
from bpe_gui.encodings.base import ExportError, wrap_rust_errors
from bpe_gui.encodings.formats.sentencepiece_models import (
    SPACE,
    PieceType,
    Preparation,
    SentencePieceEncoding,
)


def to_json(encoding: SentencePieceEncoding, target: str = "tokenizer.json") -> str:
    """Build the text of a tokenizer.json. Raises ExportError, naming the part that the target, for
    which it is built, cannot hold.

    Control symbols become tokens of the vocabulary that no text is encoded to. User-defined
    symbols are found in texts; see `note`.
    """
    name, how = encoding.name, encoding.preparation
    for part, is_there in (
        ("replaces characters by a table (its normalization)", how.replaces),
        ("puts spaces behind words (treat_whitespace_as_suffix)", how.space_behind),
        ("leaves spaces as they are (escape_whitespaces is off)", how.plain_spaces),
    ):
        if is_there:
            raise ExportError(f"{name} {part}, which {target} cannot do in the same way")
    pieces = dict(enumerate(encoding.pieces()))
    symbols = [text for text, kind in pieces.values() if kind is PieceType.USER_DEFINED]
    for text in symbols:
        if " " in text or (how.squeezes_spaces and text.strip(SPACE) != text):
            raise ExportError(
                f"{name} has the user-defined symbol {shown(text)}, whose spaces {target} would "
                "treat in another way"
            )
    if any(kind is PieceType.UNUSED for _, kind in pieces.values()):
        raise ExportError(
            f"{name} has unused pieces, which are merged and taken apart again, and {target} "
            "cannot do that"
        )
    vocabulary = {text: token for token, (text, _) in pieces.items()}
    if len(vocabulary) < len(pieces):
        raise ExportError(f"{name} has two pieces that are spelled alike")
    unknown = next(text for text, kind in pieces.values() if kind is PieceType.UNKNOWN)
    with wrap_rust_errors(f"{name} cannot be written as tokenizer.json"):
        tokenizer = Tokenizer(
            models.BPE(
                vocab=vocabulary,
                merges=_merges(encoding, vocabulary, symbols, target),
                unk_token=unknown,
                fuse_unk=True,
                byte_fallback=how.byte_fallback,
            )
        )
        tokenizer.normalizer = normalizers.Sequence(_normalizers(how, symbols))
        strip = [decoders.Strip(" ", 1, 0)] if how.space_before else []
        steps = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse(), *strip]
        tokenizer.decoder = decoders.Sequence(steps)
        tokenizer.add_tokens([
            AddedToken(text, special=encoding.is_special(vocabulary[text]), normalized=True)
            for text in symbols
        ])
    return str(tokenizer.to_str(pretty=True)) + "\n"


def note(encoding: SentencePieceEncoding) -> str:
    """Say which texts a written file encodes differently; empty if none."""
    symbols = [text for text, kind in encoding.pieces() if kind is PieceType.USER_DEFINED]
    if not symbols or not encoding.preparation.space_before:
        return ""
    return (
        f"a text that is only a user-defined symbol, like {shown(symbols[0])}, gets no space "
        "before it there"
    )


_ANYTHING = r"(?=[\s\S])"
ANY_BEGINNING = rf"\A{_ANYTHING}"
"""Where a text begins that is not empty, as a regex of the library."""


def _normalizers(how: Preparation, symbols: list[str]) -> list[normalizers.Normalizer]:
    """Make the steps that prepare a text.

    The library finds added tokens behind them, but has them prepared by the same steps first: so a
    text that is only such a token must stay as it is.
    """
    only_symbol = "|".join(map(re.escape, symbols))
    guard = rf"(?!(?:{only_symbol})\z)" if symbols else ""
    steps: list[normalizers.Normalizer] = []
    before = SPACE if how.space_before else ""
    if how.space_before:
        steps.append(normalizers.Replace(Regex(rf"\A{guard}{_ANYTHING}"), SPACE))
    if how.squeezes_spaces:
        steps.append(normalizers.Replace(Regex(rf"\A{before} +"), before))
        steps.append(normalizers.Replace(Regex(" {2,}"), " "))
    steps.append(normalizers.Replace(" ", SPACE))
    if how.squeezes_spaces:
        steps.append(normalizers.Replace(Regex(rf"{SPACE}+\z"), ""))
    return steps


def _merges(
    encoding: SentencePieceEncoding,
    vocabulary: Mapping[str, int],
    symbols: list[str],
    target: str,
) -> list[tuple[str, str]]:
    """Recover the merges in the order of their scores. Raises ExportError for what has no order, or
    needs a part that is no piece.
    """
    found = []
    for text, kind in encoding.pieces():
        if kind is not PieceType.NORMAL or len(text) < 2 or any(each in text for each in symbols):
            continue  # the text of a symbol is never merged
        starts = encoding.merged_starts(text, whole=False)
        if len(starts) != 2:
            continue  # no text becomes this piece
        parts = text[: starts[1]], text[starts[1] :]
        for part in parts:
            if part not in vocabulary:
                raise ExportError(
                    f"{encoding.name} makes its piece {shown(text)} of {shown(part)}, which is no "
                    f"piece, and {target} cannot do that"
                )
        found.append((-encoding.score(vocabulary[text]), parts))
    found.sort()
    costs = [cost for cost, _ in found]
    first = next((at for at in range(len(costs) - 1) if costs[at] == costs[at + 1]), len(costs))
    if any(cost != cost for cost in costs):
        raise ExportError(f"{encoding.name} has a score that is no number")
    merges = [parts for _, parts in found]
    runs = _runs([left + right for left, right in merges[first:]])
    if costs[first:] != costs[first : first + 1] * len(runs) or any(
        runs.intersection(parts) for parts in merges[:first]
    ):
        raise ExportError(
            f"{encoding.name} gives several pieces the same score, and merges the leftmost first, "
            f"which {target} cannot do"
        )
    return [*merges[:first], *_from_the_left(runs)]


def _runs(texts: list[str]) -> set[str]:
    """Return these texts if all of them repeat one character, else none."""
    return set(texts) if len(set("".join(texts))) == 1 else set()


def _from_the_left(runs: set[str]) -> list[tuple[str, str]]:
    """Order the merges of runs of one character that are to be merged from the left.

    Each run is made by one merge, behind those of its parts, where that comes to the same: a
    history does the merges one after another.
    """
    if not runs:
        return []
    character, lengths = min(runs)[0], {len(run) for run in runs}
    doubled, longest = _doubled(lengths), max(lengths)
    if len(doubled) < len(lengths) or any(
        _one_by_one(size, doubled) != _leftmost_first(size, lengths)
        for size in range(1, 4 * longest + 1)
    ):
        return _longest_left_first(runs)
    return [(character * left, character * right) for left, right in doubled]


def _doubled(lengths: set[int]) -> list[tuple[int, int]]:
    """List merges of runs that double them, and then those that join what is left.

    >>> _doubled({2, 3, 4, 5, 6, 7, 8})
    [(1, 1), (2, 2), (4, 4), (4, 2), (6, 1), (4, 1), (2, 1)]
    """
    powers = [1]
    while 2 * powers[-1] in lengths:
        powers.append(2 * powers[-1])
    joined: list[tuple[int, int]] = []

    def join(left: int, smaller: list[int]) -> None:
        for place, right in enumerate(smaller):
            if left + right in lengths:
                joined.append((left, right))
                join(left + right, smaller[place + 1 :])

    falling = powers[::-1]
    for place, power in enumerate(falling):
        join(power, falling[place + 1 :])
    return [*((power, power) for power in powers[:-1]), *joined]


def _one_by_one(size: int, merges: list[tuple[int, int]]) -> list[int]:
    """Merge a run of single characters, one merge everywhere before the next."""
    run = [1] * size
    for pair in merges:
        merged: list[int] = []
        for length in run:
            if merged and (merged[-1], length) == pair:
                merged[-1] = -sum(pair)  # it takes no part in this merge any more
            else:
                merged.append(length)
        run = [abs(length) for length in merged]
    return run


def _leftmost_first(size: int, lengths: set[int]) -> list[int]:
    """Merge a run of single characters, always the leftmost two that make one of the lengths.

    >>> _leftmost_first(7, {2, 3, 4})
    [4, 3]
    """
    run: list[int] = []
    for _ in range(size):
        run.append(1)
        while len(run) > 1 and run[-2] + run[-1] in lengths:
            run[-2:] = [run[-2] + run[-1]]
    return run


def _longest_left_first(runs: set[str]) -> list[tuple[str, str]]:
    """Order the merges of runs of one character that are to be merged from the left.

    So the leftmost run that can grow does, as long as it can.
    """
    parts = sorted({*runs, *(run[0] for run in runs)}, key=len, reverse=True)
    return [(left, right) for left in parts for right in parts if left + right in runs]
