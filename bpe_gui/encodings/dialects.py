r"""A split pattern of one's own carried from one format to another.

Ranks are read by fancy-regex, minbpe's .model by the `regex` module, tokenizer.json by Oniguruma,
and what the three make of `$`, `\w`, `\h` or `(?i)` differs. A pattern is carried only if it
means the same to both, but for characters newer than the Unicode tables of one of them.
"""

from __future__ import annotations

import re

from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.oniguruma import skips_nothing, spelled
from bpe_gui.encodings.reading import shown
from bpe_gui.encodings.split_patterns import ALIKE

TOKENIZER_JSON, TIKTOKEN = "tokenizer.json", "tiktoken"

_ANCHOR = re.compile(r"\\[AzZ]")


def carried(pattern: str, source: str, target: str) -> str:
    r"""The pattern as another format spells it; the formats are named as in `saving.FORMATS`.

    Raises ExportError if it may mean something else there.

    >>> print(carried(r"\u00e9|[a-z]+", "minbpe", "tokenizer.json"))
    \x{e9}|[a-z]+
    """
    if source == target or pattern in ALIKE:
        return pattern
    refused = ExportError(
        f"it splits by {shown(pattern)}, and it is not certain that {target} would read this "
        f"regular expression as {source} does"
    )
    try:
        found = spelled(pattern)
    except ExportError:
        raise refused from None
    if source == TOKENIZER_JSON and found != pattern:
        raise refused
    # What is an end of text to one of them is one of a line to another.
    if TIKTOKEN in (source, target) and _ANCHOR.search(found):
        raise refused
    return found if target == TOKENIZER_JSON else pattern


def may_skip(pattern: str) -> bool:
    """Whether a pattern of a tokenizer.json may leave characters unmatched, as far as is known."""
    try:
        return pattern not in ALIKE and not skips_nothing(pattern)
    except ExportError:
        return True
