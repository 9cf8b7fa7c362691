"""Numbers of merges as people write them, and as the window does: "500, 2,000, 10,000"."""

from __future__ import annotations

import re

from bpe_gui.progress import counted

_BETWEEN = re.compile(r"[;\s]+|,(?=[;\s]|$)")
_NUMBER = re.compile(r"0|[1-9]\d{0,11}", re.ASCII)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[,_]\d{3}){1,3}", re.ASCII)
_LOOKS_GROUPED = re.compile(r"(?<!\d)\d{1,3},\d{3}(?!\d)", re.ASCII)
_EXAMPLE = "write 500; 2,000; 10,000, for example"


class StepsError(ValueError):
    """What is written is no numbers of merges of the run: one sentence for the user."""


def steps_written(written: str, end: int) -> list[int]:
    """The numbers of merges that are written, in their order, each once.

    Between numbers stand semicolons, spaces, or commas. A comma without a space that three
    digits follow groups thousands; where that leaves two ways to read, nothing is guessed.
    `end` is how many merges the run has. Raises StepsError.

    >>> steps_written("500, 2,000, 10,000", 20_000), steps_written("500 2000; 2,000", 20_000)
    ([500, 2000, 10000], [500, 2000])
    """
    words = [word.strip(",") for word in _BETWEEN.split(written)]
    steps = list(dict.fromkeys(step for word in words if word for step in _steps(word)))
    if not steps:
        raise StepsError(f"There is no number of merges; {_EXAMPLE}.")
    beyond = next((step for step in steps if step > end), None)
    if beyond is not None:
        merges = counted(end, "merge")
        raise StepsError(f"The run ends at {merges}, so it has no step {beyond:,}.")
    return steps


def steps_to_begin_with(end: int) -> str:
    """Three numbers of merges for a run that has so many, as the window writes them.

    >>> steps_to_begin_with(10_000), steps_to_begin_with(44), steps_to_begin_with(1)
    ('500, 2,000, 10,000', '2, 8, 44', '0, 1')
    """
    return ", ".join(f"{step:,}" for step in dict.fromkeys((end // 20, end // 5, end)))


def _steps(word: str) -> list[int]:
    """The numbers of a word without spaces: one, or several with commas between them."""
    if _GROUPED.fullmatch(word):
        return [int(word.replace(",", "").replace("_", ""))]
    if _LOOKS_GROUPED.search(word):
        raise StepsError(f"“{word}” can be read in two ways; {_EXAMPLE}.")
    parts = [part for part in word.split(",") if part]
    wrong = next((part for part in parts if not _NUMBER.fullmatch(part)), None)
    if wrong is not None:
        raise StepsError(f"“{wrong}” is no number of merges; {_EXAMPLE}.")
    return [int(part) for part in parts]
