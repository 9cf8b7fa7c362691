"""The slow, obvious trainer: the specification that every fast path must equal.

It recounts all pairs at every step, over the whole corpus as it is segmented now, with
nothing but dictionaries and lists.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex
from tokenizers.pre_tokenizers import BertPreTokenizer

from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.bpe.history import Decision, Intervention
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.pre_tokenize import PATTERNS, matched_pattern
from bpe_gui.bpe.recipe import (
    END_OF_WORD,
    MATCHES,
    EndOfWord,
    Recipe,
    Ties,
    is_sequence,
    steps_of_split,
)

BERT = BertPreTokenizer()


def words_of(document: str, recipe: Recipe) -> list[str]:
    """The words of a document; what the split skips comes as single symbols.

    A byte that is no character by itself is written as `surrogateescape` has it.
    """
    text = normalize(document, recipe.normalizers)
    if recipe.split == "none":
        return [text] if text else []
    if recipe.split == "whitespace":
        return text.split()
    if recipe.split == "bert":
        return [piece for piece, _ in BERT.pre_tokenize_str(text)]
    if recipe.split == "lines":
        return [piece for piece in regex.split(r"([ \n])", text) if piece]
    if is_sequence(recipe.split):
        words = [text]
        for step in steps_of_split(recipe.split):
            words = [each for word in words for each in split_apart(word, step)]
        return words
    words, end = [], 0
    for match in regex.finditer(matched_pattern(recipe.split) or PATTERNS[recipe.split], text):
        if match.group() and recipe.split.startswith(MATCHES):
            words.append(match.group())
        elif match.group():
            words += [*skipped(text[end : match.start()], recipe), match.group()]
            end = match.end()
    if recipe.split.startswith(MATCHES):
        return words
    return [*words, *skipped(text[end:], recipe)]


def split_apart(text: str, step: str) -> list[str]:
    """The matches of one of several steps, and what is between them."""
    pattern = matched_pattern(step) or PATTERNS.get(step, r"[ \n]")
    matches = [match.span() for match in regex.finditer(pattern, text)]
    places = sorted({0, len(text), *(place for span in matches for place in span)})
    return [text[begin:end] for begin, end in pairwise(places)]


def skipped(text: str, recipe: Recipe) -> list[str]:
    """The single symbols of text that the split skips."""
    if recipe.byte_level:
        return [bytes([byte]).decode("utf-8", "surrogateescape") for byte in text.encode()]
    return list(text)


def symbols_of(word: str, recipe: Recipe, new: Collection[str] = ()) -> tuple[str, ...]:
    """A word as symbols, in the vocabulary's writing; `new` ones of an encoding that falls back."""
    if recipe.inherited is not None and recipe.keeps_fallback:
        known = {*recipe.inherited.symbols, *new}
        spelled = ((letter,) if letter in known else fallback(letter) for letter in word)
        return tuple(symbol for symbols in spelled for symbol in symbols)
    if recipe.byte_level:
        word = to_printable(word.encode("utf-8", "surrogateescape"))
    if recipe.end_of_word is EndOfWord.OWN:
        return (*word, END_OF_WORD)
    if recipe.end_of_word is EndOfWord.JOINED:
        return (*word[:-1], word[-1] + END_OF_WORD)
    return tuple(word)


def fallback(letter: str) -> tuple[str, ...]:
    """The bytes to which a character falls back."""
    return tuple(f"<0x{byte:02X}>" for byte in letter.encode())


@dataclass
class Position:
    """What is true after some number of merges."""

    tokens: int
    pairs: list[tuple[int, int, int]]
    """(left id, right id, count) of all pairs, the winner first."""


@dataclass
class Run:
    """A finished run: the vocabulary, the merges, and what held at every position."""

    vocabulary: list[str]
    merges: list[tuple[int, int, int]]
    positions: list[Position]
    words: list[list[int]]


def train(
    corpus: list[tuple[str, int]], recipe: Recipe, interventions: Sequence[Intervention] = ()
) -> Run:
    """Train on documents with counts."""
    counts: dict[tuple[str, ...], int] = {}
    uses: Counter[str] = Counter()
    for document, count in corpus:
        for word in words_of(document, recipe):
            for letter in word:
                uses[letter] += count
    least = 0 if recipe.inherited is None else recipe.inherited.least_uses
    new = {letter for letter, number in uses.items() if number >= least > 0}
    for document, count in corpus:
        for word in words_of(document, recipe):
            spelled = symbols_of(word, recipe, new)
            counts[spelled] = counts.get(spelled, 0) + count
    vocabulary = list(recipe.special_tokens)
    alphabet = {symbol for word in counts for symbol in word}
    if recipe.byte_level and recipe.alphabet == "bytes":
        alphabet = set(to_printable(bytes(range(256))))
        if recipe.end_of_word is EndOfWord.JOINED:
            alphabet |= {letter + END_OF_WORD for letter in alphabet}
    if recipe.byte_fallback:
        alphabet |= {f"<0x{byte:02X}>" for byte in range(256)}
    inherited = recipe.inherited
    new_symbols = 0
    if inherited is not None:
        new_symbols = len(alphabet - set(inherited.symbols) - set(recipe.special_tokens))
        alphabet |= set(inherited.symbols)
    vocabulary += sorted(alphabet - set(vocabulary))
    given = deque(inherited_merges(recipe))
    known = {*recipe.special_tokens}
    words = [[vocabulary.index(symbol) for symbol in word] for word in counts]
    weights = list(counts.values())
    run = Run(vocabulary, [], [], words)
    forbidden: set[tuple[int, int]] = set()
    bytes_ = {n for n, text in enumerate(vocabulary) if regex.fullmatch("<0x..>", text)}
    alone = bytes_ if recipe.keeps_fallback else set()
    while True:
        if alone:
            met = {pair for word in words for pair in pairwise(word)}
            forbidden |= {pair for pair in met if alone.intersection(pair)}
        now = [i for i in interventions if i.step == len(run.merges)]
        forbidden |= {(i.left, i.right) for i in now if i.decision is Decision.FORBID}
        run.positions.append(position(words, weights, recipe, forbidden))
        forced = [(i.left, i.right) for i in now if i.decision is Decision.FORCE]
        pairs = [p for p in run.positions[-1].pairs if not forced or p[:2] in forced]
        limit = recipe.vocabulary_size
        has_room = limit is None or limit + new_symbols > len(vocabulary)
        if given and (has_room or "".join(given[0]) in vocabulary):
            sides = given.popleft()
            if recipe.merges is not None and len(run.merges) >= recipe.merges:
                return run
            known.add("".join(sides))
            left, right = (vocabulary.index(text) for text in sides)
            run.merges.append((left, right, number(vocabulary, "".join(sides))))
            for word in words:
                merge(word, *run.merges[-1])
            continue
        if (
            not pairs
            or pairs[0][2] < recipe.min_frequency
            or (limit is not None and len(vocabulary) >= limit)
            or (recipe.merges is not None and len(run.merges) >= recipe.merges)
        ):
            return run
        left, right, _ = pairs[0]
        text = vocabulary[left] + vocabulary[right]
        if text in known:
            new = vocabulary.index(text)
        else:
            new = len(vocabulary)
            vocabulary.append(text)
        run.merges.append((left, right, new))
        for word in words:
            merge(word, left, right, new)


def inherited_merges(recipe: Recipe) -> list[tuple[str, str]]:
    """The two texts of each merge of the encoding from which a run goes on."""
    inherited = recipe.inherited
    if inherited is None:
        return []
    symbols = set(inherited.symbols) - set(recipe.special_tokens)
    texts = [*recipe.special_tokens, *sorted(symbols)]
    found = []
    for left, right, new in inherited.merges.tolist():
        found.append((texts[left], texts[right]))
        if new == len(texts):
            texts.append(texts[left] + texts[right])
    return found


def number(vocabulary: list[str], text: str) -> int:
    """The id of a text, which is added if it is new."""
    if text not in vocabulary:
        vocabulary.append(text)
    return vocabulary.index(text)


def position(
    words: list[list[int]], weights: list[int], recipe: Recipe, forbidden: set[tuple[int, int]]
) -> Position:
    """Count everything anew."""
    pairs: Counter[tuple[int, int]] = Counter()
    for word, weight in zip(words, weights, strict=True):
        for pair in pairwise(word):
            pairs[pair] += weight
    ranked = [item for item in pairs.items() if item[0] not in forbidden]
    if recipe.ties is Ties.LOWEST_ID:
        ranked.sort()
    ranked.sort(key=lambda item: -item[1])
    tokens = sum(len(word) * weight for word, weight in zip(words, weights, strict=True))
    return Position(tokens, [(left, right, count) for (left, right), count in ranked])


def merge(word: list[int], left: int, right: int, new: int) -> None:
    """Replace the pair in place, left to right."""
    i = 0
    while i < len(word) - 1:
        if word[i] == left and word[i + 1] == right:
            word[i : i + 2] = [new]
        i += 1
