"""The sentences of Compare: on the text, the lanes, the differences, and their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_gui.analysis.grouped_counts import LEVEL, RESAMPLINGS
from bpe_gui.analysis.metric_columns import COLUMNS, Better, Column
from bpe_gui.encodings.measuring.curve_measuring import CurveResult
from bpe_gui.progress import counted, listed, times

# -- numbers -------------------------------------------------------------------------------------

LOSSY = "*"
"""The mark of lossy numbers, as on the command line."""

TOLD = f"{LOSSY}\N{NO-BREAK SPACE}lossy: dropped and unknown text takes few tokens"
"""What the mark means, for below the numbers."""
LOSSLESS = "yes"
"""Decoding gives the text back."""
NOT_MEASURED = "not measured"
TO_BE_MEASURED = "still to be measured"

NO_BARS = "Add an encoding to see its numbers as bars."
NOT_THE_BEST = f"{TOLD}. If anything is unknown, no number is marked as the best"
BETTER = {Better.LESS: "less is better", Better.MORE: "more is better", Better.NEITHER: ""}

ANOTHER_TEXT = "Languages are compared on one story with the same meaning in twenty languages."
OWN_TEXTS = "Other texts have a row each:"
NO_TEXTS_YET = "Add an encoding to see what these texts take."
NO_TEXT_NUMBERS = "There are no numbers of these texts."
SHADES = "Stronger colour: more tokens"
INTERVALS = (
    f"In brackets: {LEVEL:.0%} of {RESAMPLINGS:,} results when lines or documents of a text are "
    "drawn anew; texts of fewer than five lines have none"
)
NO_TEMPLATES = (
    "None of these encodings has a chat template: it is in the tokenizer_config.json or "
    "chat_template.jinja beside a file, or in a GGUF file"
)
TOKENS, BYTES_PER_TOKEN, RELATIVE = "Tokens", "Bytes per token", "Relative to"

# -- differences ---------------------------------------------------------------------------------

FIRST_SIGHT = (
    "Compare how tokenizers split a text. Nothing is merged yet, so the lanes of the run are the "
    "same: press Train (F5). Or add a tokenizer.json, a .model of SentencePiece, or any other "
    "file, or drop it here."
)
LANES = "The lanes that are shown: with many, those that differ, or only two"
EXPLAINING = "explaining…"
NOT_EXPLAINED = "not explained"
CANCEL_CAUSES = "Stop finding causes, and keep those that are found"
RESUME_CAUSES = "Find the causes that are still missing"
NO_TOKEN = "(no token)"
NOT_LISTED = "The differences cannot be listed"
LISTING = "Listing the differences…"
SUMS = "Each lane's differences are counted, so a place where two lanes differ counts twice."

COMPARING = "comparing…"
NO_DIFFERENCE = "All encodings split this text at the same places."
NOT_TWO = "Add a text and at least two encodings to see their differences."
CHOOSE_REFERENCE = "Choose another lane to compare the others with it."

# -- curves --------------------------------------------------------------------------------------

NO_RUN = "Curves need merges, and none of these encodings has merges that can be followed."
NO_TEXT = "Type or choose a text to see the curves of its numbers."
MEASURING = "measuring…"
NOT_FROM_ZERO = (
    "All values are close together, so the axis of values does not begin at 0, as the zigzag at "
    "its foot shows. Differences look larger than they are in relation to the whole."
)
_ONE_RUN = (
    "Add a lane of another run, a branch, or a saved tokenizer to see where one overtakes the "
    "other."
)
_NO_CROSSING = "No run overtakes another on this text."
_NO_FAIR_CROSSING = (
    "No run overtakes another that preserves as much of this text. Runs that preserve less are "
    "not compared with others."
)


def marked(name: str, *, lossy: bool) -> str:
    """Return a name, with the mark if it is of something lossy.

    >>> marked("wordpiece.json", lossy=True)
    'wordpiece.json *'
    """
    return f"{name} {LOSSY}" if lossy else name


def lost(unknowns: int) -> str:
    """Say whether decoding gives measured files back."""
    if not unknowns:
        return "Whole files are not decoded, so it is unknown whether they round-trip"
    what = "1 token or character is" if unknowns == 1 else f"{unknowns:,} tokens or characters are"
    return f"lossy: {what} unknown, and cannot be restored"


def next_difference(*, marks_ends: bool) -> str:
    """Say how to go on, and what the colours of the lanes mean.

    marks_ends: whether a lane shows the ends of words.
    """
    shared = "tokens that all lanes share" + (", and </w>" if marks_ends else "")
    return (
        f"F3: next difference, with explanation. Grey: {shared}. Other colours only separate "
        "neighbours; they are not those of Explore."
    )


def difference_place(number: int, total: int | None) -> str:
    """Say which difference is shown, counted from 0 (-1: none yet), of how many.

    >>> difference_place(2, 31), difference_place(-1, 31), difference_place(-1, None)
    ('difference 3 of 31', '31 differences', 'nothing to compare')
    """
    if total is None:
        return "nothing to compare"
    if not total:
        return "no difference"
    return counted(total, "difference") if number < 0 else f"difference {number + 1:,} of {total:,}"


def overtaking_sentence(result: CurveResult, names: Sequence[str], alone: str = "") -> str:
    """Say who overtakes whom, and at how many merges: the last times, if there are many.

    `alone` is what to say of a single run; by default, how to add others.
    """
    if len(names) < 2:
        return alone or _ONE_RUN
    if not result.overtakings:
        return _NO_FAIR_CROSSING if result.unfair else _NO_CROSSING
    verb = "overtakes"
    if COLUMNS[result.request.column].better is Better.NEITHER:
        verb = "passes"
    parts = [
        f"{names[one.winner]} {verb} {names[one.loser]} at {counted(one.position, 'merge')}"
        for one in result.overtakings
    ]
    earlier = ""
    if result.earlier:
        earlier = f"; before that the lead changes at least {times(result.earlier)}"
    return f"{', '.join(parts)}{earlier}."


def rounded(value: float) -> str:
    """Write the number at which an axis begins."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.6g}"


def value_text(result: CurveResult, number: int, place: int | None, column: Column) -> str:
    """Write the value of a curve at a place, at its end by default."""
    curve = result.curves[number]
    if place is None:
        place = len(curve) - 1
    if place >= len(curve) or not np.isfinite(curve[place]):
        return column.written(None)
    return column.written(curve[place].item())


def without_sentence(result: CurveResult) -> str:
    """Say which encodings have no curve, and why; empty if all have one."""
    without, otherwise = (
        listed([encoding.name for encoding in left_out])
        for left_out in (result.without, result.otherwise)
    )
    parts = []
    if without:
        parts.append(f"{without}, which cannot be followed merge by merge")
    if otherwise:
        parts.append(f"{otherwise}, because a run of those merges counts this text differently")
    return f"No curve for {', nor for '.join(parts)}." if parts else ""
