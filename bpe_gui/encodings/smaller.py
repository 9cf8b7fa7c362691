"""Smaller encodings from larger ones: the first merges, or the tokens that a corpus uses."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.tokenizer import CutPreTokens
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.base import Encoding, ExportError, Model
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.untrusted_files import MAX_TOKENS
from bpe_gui.encodings.going_on import as_huggingface
from bpe_gui.encodings.measuring.measure import measure
from bpe_gui.encodings.ours import TrainedEncoding


class CutEncoding(Struct, frozen=True):
    """Hold a smaller encoding, and where its tokens come from.

    ids: rows of (old id, new id), ascending: no id is left out between two new ones.
    merges: how many merges are left.
    """

    encoding: HuggingFaceEncoding
    ids: NDArray[np.int64]
    merges: int

    def table(self, written: Mapping[int, int]) -> Iterator[tuple[str | int, ...]]:
        """Return headings and rows for a file: the old and the new id of each token.

        written: the ids in the file that was written by those of the encoding, where they differ.
        """
        yield "old id", "new id", "token"
        for old, new in self.ids.tolist():
            yield old, written.get(new, new), self.encoding.id_to_token(new)


def first_merges(encoding: Encoding, merges: int) -> CutEncoding:
    """Cut an encoding to its first merges; special tokens and single symbols all stay.

    A token that only a whole word is stays if its id is lower than that of the first token that is
    left out. A merge of tokens that later ones make, as odd ranks have it, goes with those. Raises
    ExportError if the merges are not known or fewer.

    >>> from tokenizers import models
    >>> library = Tokenizer(models.BPE({"l": 1, "o": 2, "w": 3, "lo": 5, "low": 6, "<s>": 9},
    ...                                [("l", "o"), ("lo", "w")]))
    >>> made = library.add_special_tokens(["<s>"])
    >>> first_merges(HuggingFaceEncoding(library, "low.json"), 1).ids.tolist()
    [[1, 0], [2, 1], [3, 2], [5, 3], [9, 4]]
    """
    library = _with_merges(encoding)
    made = library.merge_rows[:, 2]
    if merges > len(made):
        raise ExportError(f"{encoding.name} has only {len(made):,} merges, not {merges:,}")
    end = made[merges] if merges < len(made) else MAX_TOKENS
    whole = {token for token in _whole_words(library) if token < end}
    kept = np.arange(len(made)) < merges
    while (lacks_part := kept & _lacks_part(library, kept)).any():
        kept &= ~lacks_part
    return _cut(library, kept, whole)


def used_tokens(encoding: Encoding, corpus: Corpus) -> CutEncoding:
    """Leave out the tokens that a corpus does not use, and that no used one is merged from.

    The corpus is encoded to the same tokens as before. Special tokens and single symbols all stay.
    Raises ExportError if the merges are not known, CorpusError, and EncodingError.
    """
    library = _with_merges(encoding)
    found, counts = measure(encoding, corpus).counts.histogram()
    return _only(library, found[counts > 0])


def used_in_words(history: History, position: int, words: WordCounts) -> CutEncoding:
    """Do as `used_tokens` with a run at a position, for the words that it was trained on.

    Old ids are those of the vocabulary that the run saves. Raises ExportError if a tokenizer.json
    cannot hold the run.
    """
    library = as_huggingface(TrainedEncoding(history, position))
    _, tokens = CutPreTokens(history, words.text, words.starts[1:]).tokens(position)
    return _only(library, history.own_ids(np.unique(tokens.ids)))


def _only(library: HuggingFaceEncoding, used: NDArray[np.integer]) -> CutEncoding:
    """Leave out the tokens that are not used, and that no used one is merged from."""
    wanted = set(used.tolist()) - {NO_TOKEN}
    return _cut(library, _merges_within(library, wanted), wanted)


def _lacks_part(library: HuggingFaceEncoding, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Find the merges of tokens that are not made if only some merges are kept."""
    rows = library.merge_rows
    gone = np.setdiff1d(rows[:, 2], rows[kept, 2])
    return np.isin(rows[:, 0], gone) | np.isin(rows[:, 1], gone)


def _with_merges(encoding: Encoding) -> HuggingFaceEncoding:
    if encoding.model is not Model.BPE:
        raise ExportError(f"{encoding.name} has no merges, because it is {encoding.model}")
    return as_huggingface(encoding)


def _whole_words(library: HuggingFaceEncoding) -> list[int]:
    """List the tokens that only a whole word is: no merge makes them, and none uses them."""
    if not (library.state["model"].get("ignore_merges") and library.notation.byte_level):
        return []
    merged = set(library.merge_rows[:, :2].ravel().tolist())
    return [
        token for text, token in library.unmerged().items()
        if token not in merged and len(library.notation.content(text)) > 1
    ]  # fmt: skip


def _merges_within(library: HuggingFaceEncoding, tokens: Iterable[int]) -> NDArray[np.bool_]:
    """Find the merges by which tokens are made, those of their parts included."""
    kept = set(tokens)
    unseen = list(kept)
    while unseen:
        if merge := library.merge(unseen.pop()):
            parts = {merge.left, merge.right} - kept
            kept |= parts
            unseen += parts
    # Where several merges make a token, its rank is not the number of the one that is done.
    left, right, made = np.isin(library.merge_rows.T, [*kept])
    within: NDArray[np.bool_] = left & right & made
    return within


def _cut(
    library: HuggingFaceEncoding, kept: NDArray[np.bool_], whole: Collection[int]
) -> CutEncoding:
    """Leave out all merges but those that are kept, and the tokens that they alone make.

    Of tokens that a word is only as a whole, those among `whole` stay.
    """
    state = library.whole_state()
    rows = library.merge_rows
    gone = set(rows[~kept, 2].tolist()) - set(rows[kept, 2].tolist())
    dropped = gone.union(_whole_words(library)).difference(whole)
    old = sorted(set(library.ids) - dropped)
    new = {token: number for number, token in enumerate(old)}
    text, model = library.id_to_token, state["model"]
    model["merges"] = [(text(left), text(right)) for left, right, _ in rows[kept].tolist()]
    model["vocab"] = {
        written: new[token] for written, token in model["vocab"].items() if token not in dropped
    }
    for added in state["added_tokens"]:
        added["id"] = new[added["id"]]
        model["vocab"][added["content"]] = added["id"]
    _renumber_around(state, new)
    made = Tokenizer.from_str(json.dumps(state))
    table = np.array(list(new.items()), np.int64).reshape(-1, 2)
    return CutEncoding(HuggingFaceEncoding(made, library.name), table, len(model["merges"]))


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
