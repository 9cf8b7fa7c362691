"""Smaller encodings from larger ones: the first merges, or the tokens that a corpus uses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.encodings.base import Encoding, ExportError
from bpe_gui.encodings.going_on import as_huggingface
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.import_history import history_with_ids
from bpe_gui.encodings.measure import measure


@dataclass(frozen=True, slots=True)
class CutEncoding:
    """Hold a smaller encoding, and where its tokens come from.

    ids: rows of (old id, new id), ascending: no id is left out between two new ones.
    merges: how many merges are left.
    """

    encoding: HuggingFaceEncoding
    ids: NDArray[np.int64]
    merges: int


def first_merges(encoding: Encoding, merges: int) -> CutEncoding:
    """Cut an encoding to its first merges; special tokens and single symbols all stay.

    Raises ExportError if its merges are not known or fewer.

    >>> from tokenizers import models
    >>> library = Tokenizer(models.BPE({"l": 1, "o": 2, "w": 3, "lo": 5, "low": 6, "<s>": 9},
    ...                                [("l", "o"), ("lo", "w")]))
    >>> made = library.add_special_tokens(["<s>"])
    >>> first_merges(HuggingFaceEncoding(library, "low.json"), 1).ids.tolist()
    [[1, 0], [2, 1], [3, 2], [5, 3], [9, 4]]
    """
    history, ids = history_with_ids(encoding)
    if merges > len(history):
        raise ExportError(f"{encoding.name} has only {len(history):,} merges, not {merges:,}")
    return _cut(encoding, history, ids, np.arange(len(history)) < merges)


def used_tokens(
    encoding: Encoding, corpus: Corpus, progress: Callable[[int], object] | None = None
) -> CutEncoding:
    """Leave out the tokens that a corpus does not use, and that no used one is merged from.

    The corpus is encoded to the same tokens as before. Special tokens and single symbols all stay.
    Raises ExportError if the merges are not known, CorpusError, and EncodingError.
    """
    history, ids = history_with_ids(encoding)
    found, counts = measure(encoding, corpus, progress=progress).counts.histogram()
    numbers = {token: number for number, token in enumerate(ids)}
    used = [numbers[token] for token in found[counts > 0].tolist() if token in numbers]
    return _cut(encoding, history, ids, _merges_within(history, used))


def _merges_within(history: History, tokens: list[int]) -> NDArray[np.bool_]:
    """Find the merges by which tokens are made, those of their parts included."""
    spelled = {token: [token] for token in history.base.symbol_ids}
    for left, right, new in zip(
        history.left.tolist(), history.right.tolist(), history.new_id.tolist(), strict=True
    ):
        if new not in spelled:
            spelled[new] = spelled[left] + spelled[right]
    words = [spelled[token] for token in tokens if token in spelled]
    sizes = np.array(list(map(len, words)), np.int64)
    symbols = np.array([symbol for word in words for symbol in word], np.int32)
    steps = Segmentation(history, symbols, np.cumsum(sizes) - sizes).merge_step
    kept = np.zeros(len(history), np.bool_)
    kept[steps[steps != NEVER]] = True
    return kept


def _cut(
    encoding: Encoding, history: History, ids: list[int], kept: NDArray[np.bool_]
) -> CutEncoding:
    """Leave out all merges but those that are kept, and the tokens that they alone make."""
    library = as_huggingface(encoding)
    state = json.loads(library.to_json())
    size = history.vocabulary_size(len(history))
    stays = np.zeros(size, np.bool_)
    stays[: len(history.base)] = True
    stays[history.new_id[kept]] = True
    dropped = set(np.array(ids, np.int64)[~stays].tolist())
    old = sorted(set(encoding.ids) - dropped)
    new = {token: number for number, token in enumerate(old)}
    texts = history.texts(len(history))
    model = state["model"]
    sides = (side[kept].tolist() for side in (history.left, history.right))
    model["merges"] = list(zip(*(map(texts.__getitem__, side) for side in sides), strict=True))
    model["vocab"] = {
        text: new[token] for text, token in model["vocab"].items() if token not in dropped
    }
    for added in state["added_tokens"]:
        added["id"] = new[added["id"]]
        model["vocab"][added["content"]] = added["id"]
    _renumber_around(state, new)
    made = Tokenizer.from_str(json.dumps(state))
    rows = np.array(list(new.items()), np.int64).reshape(-1, 2)
    return CutEncoding(HuggingFaceEncoding(made, encoding.name), rows, len(model["merges"]))


def _renumber_around(state: dict[str, Any], new: dict[int, int]) -> None:
    """Renumber the ids that the steps around the model name."""
    if state.get("padding"):
        state["padding"]["pad_id"] = new.get(state["padding"]["pad_id"], 0)
    for step in _processors(state.get("post_processor")):
        for special in step.get("special_tokens", {}).values():
            special["ids"] = [new[token] for token in special["ids"]]
        for side in ("sep", "cls"):
            if side in step:
                step[side][1] = new[step[side][1]]


def _processors(step: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    if step is None:
        return
    if step["type"] == "Sequence":
        for each in step["processors"]:
            yield from _processors(each)
    else:
        yield step
