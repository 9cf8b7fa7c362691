"""The parts of a byte-pair encoding that every format can hold.

Those are tokens made of bytes, the merges in order, special tokens, and a split by one of our
pre-tokenizations or a regular expression. `merges_of` extracts them from an encoding, or says
which part of it is something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import BaseVocabulary, History
from bpe_gui.bpe.pre_tokenize import PATTERNS
from bpe_gui.bpe.recipe import Alphabet, Normalizer, Recipe
from bpe_gui.encodings.base import Encoding, ExportError, Model
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.huggingface_export import ONIGURUMA_PATTERNS, WHITE_SPACE
from bpe_gui.encodings.formats.huggingface_notation import State, steps
from bpe_gui.encodings.formats.minbpe import MinbpeEncoding
from bpe_gui.encodings.formats.regex_dialects import may_skip
from bpe_gui.encodings.formats.sentencepiece_models import SentencePieceEncoding
from bpe_gui.encodings.formats.split_patterns import NAMED_PATTERNS, NORMALIZED_PATTERNS
from bpe_gui.encodings.formats.tiktoken_ranks import MAX_RECOVERED, TiktokenEncoding

_BYTES = 256


class ByteMerges(Struct, frozen=True):
    """Hold the parts of a byte-pair encoding.

    contents: the bytes of every ordinary token, by id; every byte has a token. One token may have
        no bytes, and no text is encoded to it.
    merges: (left, right, merged) ids, in the order of the merges. In odd ranks one may use a token
        that a later one makes.
    special_tokens: their texts with their ids.
    split: a name of `split_patterns.NAMED_PATTERNS`, `bert`, or a regular expression, which drops
        text that it does not match.
    format: the name of the format that it was read from; a regular expression is in its dialect.
    normalizers: the steps that change a text before it is split, as in recipes.
    whole_words: the ordinary tokens of several bytes that no merge makes. A word with these bytes
        is that token (ignore_merges in tokenizer.json).
    """

    name: str
    contents: dict[int, bytes]
    merges: tuple[tuple[int, int, int], ...]
    special_tokens: dict[str, int]
    split: str
    format: str
    normalizers: tuple[Normalizer, ...] = ()
    whole_words: tuple[int, ...] = ()

    def new_ids(self) -> dict[int, int]:
        """Map every ordinary id to the id that training would give it.

        Bytes come first, in the order of GPT-2's printable characters, then the merges. Raises
        ExportError if two merges make the same token, or if a token is made by no merge.

        >>> contents = {byte: bytes([byte]) for byte in range(256)} | {300: b"lo"}
        >>> merges = ((ord("l"), ord("o"), 300),)
        >>> ids = ByteMerges("x", contents, merges, {}, "none", "minbpe").new_ids()
        >>> ids[ord("!")], ids[ord("l")], ids[300]
        (0, 75, 256)
        """
        byte_ids = {content[0]: t for t, content in self.contents.items() if len(content) == 1}
        ordered = [byte_ids[byte] for byte in sorted(byte_ids, key=CHARACTER_OF_BYTE.__getitem__)]
        ordered += [token for _, _, token in self.merges]
        numbers = {token: number for number, token in enumerate(ordered)}
        if len(numbers) < len(ordered):
            raise ExportError(f"{self.name} has two merges that make the same token")
        self.check_all_made()
        return numbers

    def check_no_whole_words(self, format_name: str) -> None:
        """Check that merges make all tokens, because a format needs that. Raises ExportError."""
        if self.whole_words:
            token = shown(self.contents[self.whole_words[0]])
            raise ExportError(
                f"{format_name} cannot hold the token {token} of {self.name}, which is not made "
                "of two others; convert it to tokenizer.json"
            )

    def check_order(self, format_name: str) -> None:
        """Check that no merge uses a token that a later one makes. Raises ExportError."""
        made = {token for token, content in self.contents.items() if len(content) == 1}
        for left, right, token in self.merges:
            if not {left, right} <= made:
                raise ExportError(
                    f"{format_name} cannot hold the token {shown(self.contents[token])} of "
                    f"{self.name}, which is merged before the tokens that it is made of; convert "
                    "it to tokenizer.json"
                )
            made.add(token)

    def check_all_made(self) -> None:
        """Check that a merge makes every ordinary token of several bytes. Raises ExportError."""
        made = {token for _, _, token in self.merges}
        for token, content in self.contents.items():
            if len(content) > 1 and token not in made:
                raise ExportError(
                    f"no merge of {self.name} makes its token {shown(content)}, which a word is "
                    "only as a whole"
                )

    def history(self) -> History:
        """Build a history of the merges, without a split and without special tokens.

        Raises ExportError as `new_ids` does.
        """
        numbers = self.new_ids()
        recipe = Recipe(name=self.name, split="none", alphabet=Alphabet.BYTES)
        merges = [(numbers[left], numbers[right], numbers[new]) for left, right, new in self.merges]
        base = BaseVocabulary.of(recipe, CHARACTER_OF_BYTE)
        return History.from_merges(recipe, base, merges)


def merges_of(encoding: Encoding) -> ByteMerges:
    """Extract the parts of an encoding. Raises ExportError, naming the part other formats lack."""
    if encoding.model is not Model.BPE:
        raise ExportError(
            f"{encoding.name} is not a byte-pair encoding but {encoding.model}, so it has no "
            "merges to write"
        )
    if isinstance(encoding, SentencePieceEncoding):
        raise ExportError(
            f"{encoding.name} is a model of SentencePiece, which merges pieces by their scores, "
            "and of the formats only tokenizer.json can hold that"
        )
    if isinstance(encoding, HuggingFaceEncoding):
        return _of_huggingface(encoding)
    if isinstance(encoding, TiktokenEncoding):
        return _of_ranks(encoding)
    if isinstance(encoding, MinbpeEncoding):
        return _of_minbpe(encoding)
    raise ExportError(f"the file of {encoding.name} has no merges to write")


def _of_huggingface(encoding: HuggingFaceEncoding) -> ByteMerges:
    name, state, notation = encoding.name, encoding.state, encoding.notation
    contents = {token: notation.content(text) for token, text in encoding.ordinary()}
    _check_contents(encoding, contents)
    normalizers = [step["type"] for step in steps(state["normalizer"])]
    if normalizers:
        raise ExportError(
            f"{name} normalizes text ({', '.join(normalizers)}), which other formats cannot hold"
        )
    merges = tuple(encoding.merges())
    _check_added_tokens(encoding, merges)
    whole = encoding.taken_whole()
    if whole is not None:
        raise ExportError(
            f"{name} makes the word {shown(contents[whole])} one token although its merges do not "
            "make it (ignore_merges), which other formats cannot hold"
        )
    specials = {added.content: token for token, added in encoding.added_tokens.items()}
    split = _split_of(state["pre_tokenizer"], name)
    return ByteMerges(name, contents, merges, specials, split, "tokenizer.json")


def _check_contents(encoding: HuggingFaceEncoding, contents: Mapping[int, bytes]) -> None:
    """Check that tokens are made of bytes, all 256 of them, no two alike. Raises ExportError."""
    name, notation = encoding.name, encoding.notation
    single = {content for content in contents.values() if len(content) == 1}
    if not notation.byte_level or notation.prefix or notation.suffix:
        raise ExportError(
            f"the tokens of {name} are made of characters, and other formats hold only tokens "
            "made of bytes"
        )
    if len(single) < _BYTES:
        raise ExportError(
            f"{name} has a token for only {len(single)} of the 256 bytes, and other formats need "
            "all of them"
        )
    if len(set(contents.values())) < len(contents):
        raise ExportError(f"{name} has two tokens that stand for the same bytes")


def _check_added_tokens(
    encoding: HuggingFaceEncoding, merges: Sequence[tuple[int, int, int]]
) -> None:
    """Check that added tokens match their own text and nothing else. Raises ExportError."""
    name = encoding.name
    for added in encoding.added_tokens.values():
        if added.lstrip or added.rstrip or added.single_word:
            raise ExportError(
                f"the added token {shown(added.content)} of {name} includes the white space "
                "around it or matches only whole words, which other formats cannot hold"
            )
    merged = {token for merge in merges for token in merge}
    for token, added in encoding.added_tokens.items():
        if token in merged:
            raise ExportError(
                f"{shown(added.content)} is both an added token of {name} and part of a merge, "
                "which other formats cannot hold"
            )


def _split_of(pre_tokenizer: State | None, name: str) -> str:
    """Find the one split that the steps of a tokenizer.json amount to. Raises ExportError."""
    found = list(steps(pre_tokenizer))
    if not found or found[-1]["type"] != "ByteLevel":
        raise ExportError(
            f"{name} does not write the words of a text as bytes (ByteLevel), as other formats do"
        )
    if found[-1]["add_prefix_space"]:
        raise ExportError(
            f"{name} adds a space before a text or a word (add_prefix_space), which other formats "
            "cannot hold"
        )
    splits_too = found[-1]["use_regex"]
    if len(found) == 1:
        return "gpt2" if splits_too else "none"
    split = "" if splits_too or len(found) > 2 else _split_of_step(found[0], name)
    if not split:
        kinds = ", ".join(step["type"] for step in found)
        raise ExportError(
            f"{name} splits text by {kinds}, where other formats have one regular expression, "
            "whose matches are the words"
        )
    return split


def _split_of_step(step: State, name: str) -> str:
    """Find the name or the pattern of a split; empty if other formats do not have it."""
    if step["type"] == "BertPreTokenizer":
        return "bert"
    if step["type"] != "Split" or "Regex" not in step["pattern"]:
        return ""
    pattern = str(step["pattern"]["Regex"])
    how = step["behavior"], step["invert"]
    if how == ("Removed", False) and pattern == f"[{WHITE_SPACE}]+":
        return "whitespace"
    known = next((known for known, own in ONIGURUMA_PATTERNS.items() if own == pattern), "")
    if how == ("Removed", True):
        return pattern if known in ("", "lines") else known
    if how != ("Isolated", False):
        return ""
    if not known and may_skip(pattern):
        raise ExportError(
            f"{name} splits by {shown(pattern)} and keeps text that this does not match, which "
            "other formats drop"
        )
    return known or pattern


def _of_ranks(encoding: TiktokenEncoding) -> ByteMerges:
    contents = {rank: content for content, rank in encoding.ranks.items()}
    _check_length(max(contents.values(), key=len, default=b""), encoding.name)
    pairs = encoding.last_pairs()
    made = sorted(token for token, content in contents.items() if len(content) > 1)
    merges = [(*pairs[token], token) for token in made if token in pairs]
    whole_words = [token for token in made if token not in pairs]
    normalizers = encoding.normalizers
    named = (
        name
        for name, steps in NORMALIZED_PATTERNS.items()
        if steps == normalizers and NAMED_PATTERNS[name] == encoding.pattern
    )
    split = next(named, "") if normalizers else _named_pattern(encoding.pattern)
    specials = dict(encoding.special_tokens)
    return ByteMerges(
        encoding.name,
        contents,
        tuple(merges),
        specials,
        split,
        "tiktoken",
        normalizers,
        tuple(whole_words),
    )


def _check_length(content: bytes, name: str) -> None:
    """Check that a token is short enough to find the merge that makes it. Raises ExportError."""
    if len(content) > MAX_RECOVERED:
        raise ExportError(
            f"{name} has a token of {len(content):,} bytes, and merges are found for those of up "
            f"to {MAX_RECOVERED:,} bytes"
        )


def _of_minbpe(encoding: MinbpeEncoding) -> ByteMerges:
    count = encoding.vocabulary_size - len(encoding.special_tokens)
    contents = {token: encoding.token_bytes(token) for token in range(count)}
    merges = []
    for token in range(_BYTES, count):
        merge = encoding.merge(token)
        assert merge is not None
        merges.append((merge.left, merge.right, token))
    split = _named_pattern(encoding.pattern) if encoding.pattern else "none"
    specials = dict(encoding.special_tokens)
    return ByteMerges(encoding.name, contents, tuple(merges), specials, split, "minbpe")


def _named_pattern(pattern: str) -> str:
    """Replace a pattern by its name, if it has one of a split that does not normalize."""
    if pattern == PATTERNS["gpt2"]:  # which tiktoken spells in another way
        return "gpt2"
    plain = NAMED_PATTERNS.keys() - NORMALIZED_PATTERNS.keys()
    named = (name for name in NAMED_PATTERNS if name in plain and NAMED_PATTERNS[name] == pattern)
    return next(named, pattern)
