"""Training on from a byte-pair encoding: what a run inherits from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product

import numpy as np
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.inherited import Inherited
from bpe_gui.bpe.recipe import Recipe, preparation
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.base import Encoding, ExportError
from bpe_gui.encodings.byte_merges import ByteMerges, merges_of
from bpe_gui.encodings.convert import huggingface_json
from bpe_gui.encodings.formats import huggingface_export, sentencepiece_export
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.huggingface_export import drops_unknown
from bpe_gui.encodings.formats.huggingface_notation import steps
from bpe_gui.encodings.formats.sentencepiece_models import SentencePieceEncoding
from bpe_gui.encodings.import_history import added_bytes, check_model, history_with_ids
from bpe_gui.encodings.merge_order import crowded, has_parts_first
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import sample_texts
from bpe_gui.progress import counted


def recipe_going_on(encoding: Encoding) -> Recipe:
    """Make the recipe of runs that go on from a byte-pair encoding, with all its merges and ids.

    Raises ExportError for an encoding whose merges are not known or cannot be repeated one by one,
    or which has other tokens than its merges make of sample texts.

    >>> from tokenizers import models
    >>> library = LibraryTokenizer(models.BPE({"l": 7, "o": 8, "lo": 5}, [("l", "o")]))
    >>> recipe = recipe_going_on(HuggingFaceEncoding(library, "low.json"))
    >>> recipe.inherited.ids.tolist(), recipe.inherited.first_new_id
    ([7, 8, 5], 9)
    """
    if isinstance(encoding, TrainedEncoding):
        encoding = as_huggingface(encoding)
    check_model(encoding)
    is_text = isinstance(encoding, HuggingFaceEncoding | SentencePieceEncoding)
    parts = None if is_text else merges_of(encoding)
    history, ids = history_with_ids(encoding, parts, exactly=False)
    merges = np.stack((history.left, history.right, history.new_id), axis=1)
    _check_made_before_use(encoding, history)
    _check_tokens(encoding, history, ids)
    base = history.base
    inherited = Inherited(
        name=encoding.name,
        symbols=tuple(base.texts[token] for token in base.symbol_ids),
        preparation=preparation(history.recipe),
        merges=merges,
        ids=np.array(ids, np.int32),
        first_new_id=max(encoding.ids, default=-1) + 1,
        notation=_around(as_huggingface(encoding, parts), history, ids),
        keeps_fallback=history.recipe.byte_fallback,
        unlike=_unlike(encoding, parts, history, ids),
    )
    return history.recipe.with_changes(inherited=inherited)


def note_on(recipe: Recipe) -> str:
    """Say in what the encoding that a run goes on from is unlike a run that was trained here: that
    no merge makes some tokens, that it does not split text, that unknown characters stay bytes,
    that a few texts have other tokens, or that its library merges across unknown characters; empty
    if nothing.

    The message bar has two lines for it in a small window; a longer one would cover controls, so
    the name of the encoding, which may be long, is left out where notes follow each other.
    """
    inherited = recipe.inherited
    if inherited is None:
        return ""
    notes = []
    if whole := recipe.inherited_whole_words:
        tokens = counted(len(whole), "token")
        notes.append(
            f"No merge makes {tokens} of {inherited.name}: a word that is such a token as a whole "
            "is one token from the start."
        )
    if recipe.split == "none":
        notes.append(
            "The encoding does not split text into words: new merges go across spaces and lines."
        )
    if inherited.keeps_fallback:
        rare = f" that occur fewer than {counted(inherited.least_uses, 'time')}"
        which = rare if inherited.least_uses else ""
        notes.append(f"Characters without a token{which} stay bytes, and no new merge joins these.")
    if inherited.unlike:
        notes.append(inherited.unlike)
    if _merges_across_unknown(recipe, inherited):
        notes.append(
            f"{inherited.name} has no unknown token: its library drops characters that it lacks "
            "and merges across them. Here they are shown, and no merge goes across them."
        )
    return " ".join(notes)


def _merges_across_unknown(recipe: Recipe, inherited: Inherited) -> bool:
    """Tell whether the library of an encoding drops unknown symbols within words."""
    single = len(inherited.symbols) - len(recipe.inherited_whole_words)
    has_all = recipe.byte_level and single >= recipe.number_of_all_symbols
    state = json.loads(inherited.notation)
    last_step = [*steps(state["pre_tokenizer"])][-1:]
    marks_unknown = state["model"]["unk_token"] or any(map(drops_unknown, last_step))
    return not (recipe.byte_fallback or has_all or marks_unknown)


def as_huggingface(encoding: Encoding, parts: ByteMerges | None = None) -> HuggingFaceEncoding:
    """Return a byte-pair encoding as a tokenizer of the library, with the same ids.

    parts: those of the encoding, if they are known: to find them takes a while.
    Raises ExportError for one that a tokenizer.json cannot hold.
    """
    if isinstance(encoding, HuggingFaceEncoding):
        return encoding
    written: str | bytes
    if isinstance(encoding, TrainedEncoding):
        written = huggingface_export.to_json(encoding.history, encoding.position)
    elif isinstance(encoding, SentencePieceEncoding):
        written = sentencepiece_export.to_json(encoding)
    else:
        written = huggingface_json(parts or merges_of(encoding))
    library = LibraryTokenizer.from_str(written)
    return HuggingFaceEncoding(library, encoding.name)


def _check_made_before_use(encoding: Encoding, history: History) -> None:
    """Check that no token is made again after a merge has used it: step by step the later one would
    come too late. Raises ExportError.
    """
    steps = np.arange(len(history), dtype=np.int64)
    size = history.vocabulary_size(len(history))
    last_made, first_used = np.full(size, -1, np.int64), np.full(size, len(history), np.int64)
    last_made[history.new_id] = steps  # the last of several stays
    for side in (history.left, history.right):
        np.minimum.at(first_used, side, steps)
    late = np.flatnonzero(last_made > first_used)
    if len(late):
        raise ExportError(
            f"another merge of {encoding.name} makes its token "
            f"{shown(history.id_to_token(int(late[0])))} after one has used it, so its merges "
            "cannot be repeated one by one"
        )


def _check_tokens(encoding: Encoding, history: History, ids: list[int]) -> None:
    """Check that a history makes the tokens of an encoding, for a regex may mean something else to
    its library. Raises ExportError, EncodingError.

    Left out are special tokens, some of which include the white space around them, as those of no
    recipe do, and texts with unknown characters, beside which a library may merge.
    """
    texts = [text.replace("<|endoftext|>", "") for text in sample_texts()]
    documents = [text.encode("utf-8") for text in texts]
    ends = np.cumsum([len(document) for document in documents])
    first, found = Tokenizer(history).encode_documents(b"".join(documents), ends)
    numbers = np.array([*ids, NO_TOKEN], np.int32)[found.ids]
    for text, ours in zip(texts, np.split(numbers, first[1:-1]), strict=True):
        theirs = encoding.encode(text).ids
        if NO_TOKEN not in ours and not np.array_equal(ours, theirs):
            raise ExportError(
                f"{encoding.name} prepares text otherwise than its recipe says: its tokens of "
                f"{shown(text)} are not those that its merges make"
            )


def _unlike(
    encoding: Encoding, parts: ByteMerges | None, history: History, ids: list[int]
) -> str:
    """Say which texts have other tokens than in an encoding; empty if none. `parts` are those of
    ranks. Raises ExportError if merges are in another order, and no such text is found.
    """
    if isinstance(encoding, SentencePieceEncoding):
        unlike = sentencepiece_export.note(encoding)
        return unlike and f"{unlike[0].upper()}{unlike[1:].removesuffix(' there')} here."
    names = added_bytes(encoding) if isinstance(encoding, HuggingFaceEncoding) else {}
    if names:
        first = shown(min(names))
        return f"{first} in a text is one token in {encoding.name}, and is letters here."
    texts = [] if parts is None else [*_other_texts(encoding, parts, history, ids)]
    if not texts:
        return ""
    return (
        f"A few texts, such as {shown(texts[0])}, have other tokens here than in {encoding.name}, "
        "because a run does all occurrences of a merge at once."
    )


def _other_texts(
    encoding: Encoding, parts: ByteMerges, history: History, ids: list[int]
) -> Iterator[str]:
    """Find a text with other tokens than a history makes for each token whose merges a history
    cannot do in the encoding's order. Raises ExportError if there is none, as then it is not known
    in what the two differ.
    """
    rows = np.array(parts.merges, np.int64).reshape(-1, 3)
    if has_parts_first(rows):
        return
    tokenizer, numbers = Tokenizer(history), np.array([*ids, NO_TOKEN], np.int32)
    for tokens in crowded(rows):
        for text in _overlapping([parts.contents[token] for token in tokens]):
            if not np.array_equal(numbers[tokenizer.encode(text).ids], encoding.encode(text).ids):
                yield text
                break
        else:
            raise ExportError(
                f"merges of {encoding.name} use tokens before they are made, and it is not known "
                "which texts would have other tokens in another order"
            )


def _overlapping(contents: Sequence[bytes]) -> Iterator[str]:
    """Yield each pair of tokens as one text, also with the bytes written once that both share.

    >>> [*_overlapping([b"aba"])]
    ['abaaba', 'ababa']
    """
    for one, other in product(contents, repeat=2):
        for size in range(min(len(one), len(other))):
            if one.endswith(other[:size]):
                with suppress(UnicodeDecodeError):
                    yield (one + other[size:]).decode("utf-8")


def _around(library: HuggingFaceEncoding, history: History, ids: list[int]) -> str:
    """Return a tokenizer.json without its merges and the tokens that the history has."""
    state = library.whole_state()
    known = set(ids[history.base.special :])
    model = state["model"]
    model["merges"] = []
    model["vocab"] = {text: token for text, token in model["vocab"].items() if token not in known}
    # Added tokens that are not in the vocabulary would be numbered behind the new ones.
    model["vocab"] |= {added["content"]: added["id"] for added in state["added_tokens"]}
    return json.dumps(state, ensure_ascii=False)
