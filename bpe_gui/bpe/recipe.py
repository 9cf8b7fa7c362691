"""Recipes: everything that decides what a training run learns, as plain data.

A recipe names the steps from raw text to symbols (normalize, pre-tokenize, alphabet,
end-of-word marker), the special tokens, the rule for ties and when to stop. `PRESETS`
holds the eight recipes the program ships.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Mapping, Set
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bpe_gui.bpe.byte_level import BYTE_OF_FALLBACK, from_printable
from bpe_gui.bpe.errors import RecipeError as RecipeError
from bpe_gui.bpe.errors import as_written, shown
from bpe_gui.bpe.inherited import Inherited
from bpe_gui.bpe.regexes import compiled

END_OF_WORD = "</w>"
"""The marker that classic word-based BPE puts at the end of each word."""


class Symbols(StrEnum):
    """What a word is made of before the first merge."""

    BYTES = "bytes"
    CHARACTERS = "characters"


class EndOfWord(StrEnum):
    """Whether and how the end of a word is marked with `</w>`."""

    NONE = "none"
    OWN = "own"
    """A separate symbol after the last character: l o w </w>."""
    JOINED = "joined"
    """Part of the last character: l o w</w>."""


class Alphabet(StrEnum):
    """Which single symbols are in the vocabulary."""

    BYTES = "bytes"
    """All 256 bytes, whether the corpus has them or not."""
    OBSERVED = "observed"
    """Those that occur in the corpus."""


class Ties(StrEnum):
    """Which pair wins when several are equally frequent."""

    FIRST_SEEN = "first-seen"
    """The one whose first occurrence comes first in the corpus as it is segmented now."""
    LOWEST_ID = "lowest-id"
    """The one with the smallest (left id, right id), as in Hugging Face's BpeTrainer."""


MAX_NUMBER = 2_000_000_000
"""Bound on sizes and counts that a recipe may ask for: ids are 32-bit."""

_MAX_PUT_IN = 100
"""Characters that a normalization step may put in at one place."""

MAX_STEPS = 20
"""Normalization steps that a recipe may have."""

NORMALIZERS = (
    *("bert-clean", "bert-chinese", "nfc", "nfd", "nfkc", "nfkd"),
    *("remove-mn", "strip-accents", "lowercase", "strip"),
)
"""Names of the normalization steps; `bpe_gui.bpe.normalize` says what each does."""


class Prepend(Struct, frozen=True):
    """A normalization step: put a text before each document that is not empty."""

    text: str

    def __str__(self) -> str:
        return f"prepend {as_written(self.text)}"


class PrependOnce(Prepend, frozen=True):
    """A normalization step: put a text before each document that does not begin with it or with a
    special token, as the first word of Hugging Face's Metaspace has it.
    """

    def __str__(self) -> str:
        return f"prepend {as_written(self.text)} once"


class Replace(Struct, frozen=True):
    """A normalization step: replace each match of a regex by a text, taken as it is.

    `pattern` is in the dialect of the `regex` module.
    """

    pattern: str
    by: str

    def __str__(self) -> str:
        return f"replace {as_written(self.pattern)}"


SPACE_MARK = "▁"
"""What models of SentencePiece write for a space."""


def put_before(text: str) -> Replace:
    """Make the step that puts a text before each document that does not begin with it.

    >>> put_before("_").pattern
    '\\\\A(?!_)(?=[\\\\s\\\\S])'
    """
    written = text if text == " " else re.escape(text)
    return Replace(rf"\A(?!{written})(?=[\s\S])", text)


Normalizer = str | Prepend | Replace
"""A normalization step: one of `NORMALIZERS`, or one that needs to be told more."""


def writes_space_marks(step: Normalizer) -> bool:
    """Tell whether a step writes a mark for each space, which decoding makes a space again.

    >>> writes_space_marks(Replace(" ", "▁")), writes_space_marks(Replace(" ", "_"))
    (True, False)
    """
    if not isinstance(step, Replace):
        return False
    return step.pattern in (" ", r"\ ") and step.by == SPACE_MARK


SPLITS = (
    *("whitespace", "bert", "gpt2", "cl100k", "o200k", "lines", "none", "categories"),
    *("punctuation", "digits", "digits-3", "scripts"),
)
"""Names of the pre-tokenizations; `bpe_gui.bpe.pre_tokenize` says what each does."""

REGEX = "regex:"
"""What the name of a pre-tokenization by a regex of one's own begins with; the regex follows."""


MATCHES = "matches:"
"""What the name of a pre-tokenization begins with that drops what its regex does not match; the
regex follows.
"""


def own_pattern(split: str) -> str | None:
    """Return the regex of a pre-tokenization that is one of one's own, else None.

    >>> own_pattern(r"regex:\\w+")
    '\\\\w+'
    """
    prefix = prefix_of(split)
    return split.removeprefix(prefix) if prefix else None


def prefix_of(split: str) -> str:
    """Return `REGEX` or `MATCHES` if a pre-tokenization is by a regex of one's own, else nothing.
    """
    return next((prefix for prefix in (REGEX, MATCHES) if split.startswith(prefix)), "")


SEQUENCE = "sequence:"
"""What the name of a pre-tokenization in several steps begins with; their names follow, as JSON."""

MAX_SPLITS = 10
"""Steps that a pre-tokenization may have."""


def sequence_of(steps: Iterable[str]) -> str:
    """Name the pre-tokenization that splits the words of each step by the next one.

    >>> sequence_of(["digits", "gpt2"])
    'sequence:["digits", "gpt2"]'
    """
    return SEQUENCE + json.dumps(list(steps), ensure_ascii=False)


def steps_of_split(split: str) -> tuple[str, ...]:
    """List the steps of a pre-tokenization; it is the only one unless it is a sequence.

    Raises ValueError if what follows `SEQUENCE` is no list of texts.

    >>> steps_of_split('sequence:["digits", "gpt2"]'), steps_of_split("gpt2")
    (('digits', 'gpt2'), ('gpt2',))
    """
    if not is_sequence(split):
        return (split,)
    steps = json.loads(split.removeprefix(SEQUENCE))
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise ValueError(f"{split!r} is no list of texts")
    return tuple(steps)


def is_sequence(split: str) -> bool:
    """Tell whether a pre-tokenization has several steps."""
    return split.startswith(SEQUENCE)


TOKEN_OPTIONS = MappingProxyType(
    {
        "lstrip_tokens": "takes the white space before it",
        "rstrip_tokens": "takes the white space after it",
        "single_word_tokens": "is not found within a word",
        "normalized_tokens": "is found after normalizing",
    }
)
"""The fields of a recipe that tell how some special tokens are found, and what they say of one."""

BOUNDS = ("vocabulary_size", "merges", "min_frequency")
"""The fields of a recipe that say where a run stops, and nothing of what it merges before."""


class Recipe(Struct, frozen=True):
    """One way to train a byte-pair encoding. Validated when made.

    Special tokens take the first ids, the alphabet follows in sorted order, the merges
    come last. Special tokens are found in a text wherever they are, but for those that are
    reserved too: these only hold an id. Those of `lstrip_tokens` and `rstrip_tokens` take the
    white space before and after them, those of `single_word_tokens` are not found within a word,
    and those of `normalized_tokens` are looked for, normalized themselves, in the normalized text;
    see `bpe_gui.bpe.special_tokens`. Training stops at whichever of `vocabulary_size`
    (entries in all), `merges` and `min_frequency` is met first; `None` sets no bound.

    With `byte_fallback` a character outside the alphabet becomes a token for each of its bytes,
    <0x00> to <0xFF>, which are symbols of the vocabulary and are never merged.

    `inherited` is what a run has that goes on from another encoding: its merges come first,
    whatever their frequency, and its single symbols are in the alphabet.

    Raises RecipeError with one sentence if a value makes no sense.

    >>> PRESETS["gpt2"].with_changes(vocabulary_size=1000).vocabulary_size
    1000
    """

    name: str = "custom"
    normalizers: tuple[Normalizer, ...] = ()
    split: str = "gpt2"
    symbols: Symbols = Symbols.BYTES
    end_of_word: EndOfWord = EndOfWord.NONE
    alphabet: Alphabet = Alphabet.OBSERVED
    byte_fallback: bool = False
    vocabulary_size: int | None = None
    merges: int | None = None
    min_frequency: int = 1
    special_tokens: tuple[str, ...] = ()
    reserved_tokens: tuple[str, ...] = ()
    lstrip_tokens: tuple[str, ...] = ()
    rstrip_tokens: tuple[str, ...] = ()
    single_word_tokens: tuple[str, ...] = ()
    normalized_tokens: tuple[str, ...] = ()
    unknown_token: str | None = None
    ties: Ties = Ties.FIRST_SEEN
    inherited: Inherited | None = None
    description: str = ""

    def __post_init__(self) -> None:
        _validate(self)

    @property
    def byte_level(self) -> bool:
        """Tell whether the symbols are bytes, so that every text can be encoded."""
        return self.symbols is Symbols.BYTES

    @property
    def symbols_may_be_words(self) -> bool:
        """Tell whether a symbol of several letters is a whole word, as ranks without merges have.
        """
        return self.byte_level and self.end_of_word is EndOfWord.NONE

    @property
    def inherited_whole_words(self) -> list[str]:
        """List the symbols that are whole words of the encoding that a run goes on from."""
        if self.inherited is None or not self.symbols_may_be_words:
            return []
        return self.inherited.whole_words

    @property
    def keeps_fallback(self) -> bool:
        """Tell whether characters that are no symbols are spelled as bytes in training, too."""
        return self.inherited is not None and self.inherited.keeps_fallback

    @property
    def number_of_all_symbols(self) -> int:
        """Count the symbols of an alphabet of all bytes: twice as many if some end a word."""
        return 512 if self.end_of_word is EndOfWord.JOINED else 256

    @property
    def matched_special_tokens(self) -> tuple[str, ...]:
        """Return the special tokens that are looked for in a text: those that are not reserved."""
        return tuple(token for token in self.special_tokens if token not in self.reserved_tokens)

    @property
    def takes_space(self) -> bool:
        """Tell whether a special token takes the white space beside it."""
        return bool(self.lstrip_tokens or self.rstrip_tokens)

    @property
    def marks_spaces(self) -> bool:
        """Tell whether a mark is written for each space, as models of SentencePiece do."""
        return any(map(writes_space_marks, self.normalizers))

    def with_spaces(self, prepared: bytes) -> bytes:
        """Write spaces where normalization has written marks for them.

        >>> Recipe(normalizers=(Replace(" ", "▁"),)).with_spaces("▁low".encode())
        b' low'
        """
        return prepared.replace(SPACE_MARK.encode(), b" ") if self.marks_spaces else prepared

    def with_marks(self, text: bytes) -> bytes:
        """Write marks for spaces if normalization does."""
        return text.replace(b" ", SPACE_MARK.encode()) if self.marks_spaces else text

    @property
    def unknown_ids(self) -> tuple[int, ...]:
        """Return the id of the unknown token, if there is one."""
        if self.unknown_token is None:
            return ()
        return (self.special_tokens.index(self.unknown_token),)

    def with_changes(self, **changes: Any) -> Recipe:
        """Return a copy with some fields changed, validated again."""
        return replace(self, **changes)

    def goes_on_from(self, other: Recipe) -> bool:
        """Tell whether a run by this recipe begins with all of a run by another: if it differs in
        where it stops at most, and stops nowhere sooner.

        >>> gpt2 = PRESETS["gpt2"]
        >>> gpt2.with_changes(vocabulary_size=60_000).goes_on_from(gpt2)
        True
        >>> gpt2.goes_on_from(gpt2.with_changes(merges=100, vocabulary_size=None))
        False
        """
        size, merges = self.vocabulary_size, self.merges
        return (
            self.same_but(other, *BOUNDS)
            and (size is None or size >= (other.vocabulary_size or MAX_NUMBER))
            and (merges is None or merges >= (MAX_NUMBER if other.merges is None else other.merges))
            and self.min_frequency <= other.min_frequency
        )

    def same_but(self, other: Recipe, *ignored: str) -> bool:
        """Tell whether two recipes are equal but for some fields, given by their names.

        Nothing is validated: one may have what the other could not have with its own fields.

        >>> PRESETS["gpt2"].same_but(Recipe("gpt2", alphabet=Alphabet.BYTES), "vocabulary_size")
        True
        """
        return all(
            getattr(self, name) == getattr(other, name)
            for name in COMPARED
            if name not in ignored
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.same_but(other)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in COMPARED))


COMPARED = tuple(name for name in Recipe.__struct_fields__ if name != "description")
"""The fields that tell one recipe from another."""


def _validate(recipe: Recipe) -> None:
    _validate_choices(recipe)
    _validate_numbers(recipe)
    _validate_special_tokens(recipe)
    _validate_inherited(recipe)


def _validate_inherited(recipe: Recipe) -> None:
    inherited = recipe.inherited
    if inherited is None:
        return
    if preparation(recipe) != inherited.preparation:
        raise RecipeError(
            f"a run that goes on from {inherited.name} normalizes and splits text as it does, with "
            "its symbols and special tokens; start from another recipe to change them"
        )


def preparation(recipe: Recipe) -> str:
    """Write down what a recipe does to a text before the first merge, to be compared.

    >>> preparation(Recipe(split="none", special_tokens=("<end>",)))
    "((), 'none', 'bytes', 'none', ('<end>',))"
    """
    kinds = str(recipe.symbols), str(recipe.end_of_word)
    fallback = ("byte fallback",) if recipe.byte_fallback else ()
    options = [(name, found) for name in TOKEN_OPTIONS if (found := getattr(recipe, name))]
    return repr(
        (recipe.normalizers, recipe.split, *kinds, *fallback, recipe.special_tokens, *options)
    )


def _validate_choices(recipe: Recipe) -> None:
    if len(recipe.normalizers) > MAX_STEPS:
        raise RecipeError(
            f"a recipe may have {MAX_STEPS} normalizers, not {len(recipe.normalizers):,}"
        )
    for step in recipe.normalizers:
        _validate_normalizer(step)
    _validate_split(recipe)
    for value, choices, what in (
        (recipe.symbols, Symbols, "symbols"),
        (recipe.end_of_word, EndOfWord, "end of word"),
        (recipe.alphabet, Alphabet, "alphabet"),
        (recipe.ties, Ties, "ties"),
    ):
        if not isinstance(value, choices):
            raise RecipeError(f"{what} must be one of {', '.join(choices)}, not {shown(value)}")
    if recipe.symbols is Symbols.CHARACTERS and recipe.alphabet is Alphabet.BYTES:
        raise RecipeError(
            f"the alphabet of {shown(recipe.name)} cannot be all 256 bytes, for its symbols are "
            "characters; use the observed alphabet"
        )
    if recipe.symbols is Symbols.BYTES and recipe.end_of_word is EndOfWord.OWN:
        raise RecipeError(
            "byte-level recipes have no separate end-of-word marker; join it to the last byte, or "
            "set it to none"
        )
    _validate_byte_fallback(recipe)


def _validate_byte_fallback(recipe: Recipe) -> None:
    if not isinstance(recipe.byte_fallback, bool):
        raise RecipeError(f"byte fallback must be true or false, not {shown(recipe.byte_fallback)}")
    if not recipe.byte_fallback:
        return
    if recipe.symbols is Symbols.BYTES:
        raise RecipeError(
            "byte fallback is for characters that the alphabet lacks; use characters as symbols"
        )
    if recipe.end_of_word is not EndOfWord.NONE:
        raise RecipeError(
            "a byte that a character falls back to has no end of a word; set the end-of-word "
            "marker to none"
        )


def _validate_normalizer(step: Normalizer) -> None:
    if isinstance(step, Replace):
        compiled(step.pattern, "pattern to replace")
        _validate_text(step.by, "what a pattern is replaced by")
    elif isinstance(step, Prepend):
        if not step.text:
            raise RecipeError("a step that prepends needs a text; write one or remove the step")
        _validate_text(step.text, "the text to prepend")
    elif step not in NORMALIZERS:
        raise RecipeError(
            f"unknown normalizer {shown(step)}; the known ones are {', '.join(NORMALIZERS)}"
        )


def _validate_text(text: str, what: str) -> None:
    if len(text) > _MAX_PUT_IN:
        raise RecipeError(f"{what} can have {_MAX_PUT_IN:,} characters, not {len(text):,}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise RecipeError(f"{what}, {shown(text)}, is not valid Unicode text") from None


def _validate_split(recipe: Recipe) -> None:
    try:
        steps = steps_of_split(recipe.split)
    except ValueError:
        raise RecipeError(f"{shown(recipe.split)} is not a list of pre-tokenizations") from None
    if not 0 < len(steps) <= MAX_SPLITS:
        raise RecipeError(
            f"a pre-tokenization may have 1 to {MAX_SPLITS} steps, not {len(steps):,}"
        )
    for step in steps:
        _validate_split_step(step)
        if is_sequence(recipe.split) and (step in _NO_STEPS or step.startswith(MATCHES)):
            raise RecipeError(
                f"the pre-tokenization {shown(step)} cannot be one of several steps, because it "
                "drops or skips text"
            )
    pattern = own_pattern(recipe.split)
    may_skip = recipe.split.startswith(REGEX) or recipe.split == "categories"
    if may_skip and recipe.end_of_word is not EndOfWord.NONE:
        which = "categories" if pattern is None else "a split pattern of one's own"
        raise RecipeError(
            f"{which} keeps what it skips as single symbols, which are no words and have no end; "
            "set the end-of-word marker to none"
        )


_NO_STEPS = frozenset({"whitespace", "bert", "categories"})
"""Pre-tokenizations that do not make words of all the text, as every step of a sequence does."""


def _validate_split_step(split: str) -> None:
    pattern = own_pattern(split)
    if pattern is None:
        if split not in SPLITS:
            raise RecipeError(
                f"unknown pre-tokenization {shown(split)}; the known ones are "
                f'{", ".join(SPLITS)}, {{"regex": REGEX}}, {{"matches": REGEX}} and '
                '{"sequence": [...]}'
            )
    elif not pattern:
        kind = prefix_of(split).removesuffix(":")
        raise RecipeError(
            f'the regular expression of {{"{kind}": REGEX}} is empty; or choose none'
        )
    else:
        compiled(pattern, "split pattern")


def _validate_numbers(recipe: Recipe) -> None:
    for value, what, least in (
        (recipe.vocabulary_size, "the vocabulary size", 1),
        (recipe.merges, "the number of merges", 0),
        (recipe.min_frequency, "the minimum frequency", 0),
    ):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int):
            raise RecipeError(f"{what} must be a whole number, not {shown(value)}")
        if not least <= value <= MAX_NUMBER:
            raise RecipeError(
                f"{what} must be between {least} and {MAX_NUMBER:,}, not {shown(value)}"
            )
    known = len(recipe.special_tokens)
    if recipe.alphabet is Alphabet.BYTES or recipe.byte_fallback:
        known += recipe.number_of_all_symbols
    if recipe.vocabulary_size is not None and recipe.vocabulary_size < known:
        raise RecipeError(vocabulary_too_small(recipe, known))


def vocabulary_too_small(recipe: Recipe, needed: int) -> str:
    """Write the sentence for a vocabulary that cannot hold its own special tokens and alphabet."""
    return (
        f"a vocabulary of {recipe.vocabulary_size:,} cannot hold the {needed:,} special tokens "
        f"and single symbols that come before the first merge; use at least {needed:,}"
    )


def _validate_special_tokens(recipe: Recipe) -> None:
    seen: set[str] = set()
    for token in recipe.special_tokens:
        if not token:
            raise RecipeError("a special token cannot be empty")
        if token in seen:
            raise RecipeError(f"the special token {shown(token)} is given twice")
        try:
            token.encode("utf-8")
        except UnicodeEncodeError:
            raise RecipeError(
                f"the special token {shown(token)} is not valid Unicode text"
            ) from None
        if recipe.byte_level and (written := _bytes_written_as(token)):
            several = len(written) > 1
            raise RecipeError(
                f"the special token {shown(token)} is how byte-level vocabularies write the "
                f"byte{'s' if several else ''} {written.hex(' ').upper()}, and would take "
                f"{'their' if several else 'its'} token; use a special token of ASCII characters "
                "only, such as <token>"
            )
        if recipe.byte_fallback and token in BYTE_OF_FALLBACK:
            raise RecipeError(
                f"the special token {shown(token)} is how byte fallback writes a byte; use another "
                "special token, such as <token>"
            )
        if recipe.end_of_word is not EndOfWord.NONE and token.endswith(END_OF_WORD):
            # Two sequences of symbols would make one token, and so one pair could be merged twice.
            raise RecipeError(
                f"the special token {shown(token)} is written like the end of a word, which ends "
                f"with the marker {END_OF_WORD}; use another special token, such as <token>, or "
                "set the end-of-word marker to none"
            )
        seen.add(token)
    _validate_some_of(recipe.reserved_tokens, seen, "the reserved token")
    for name in TOKEN_OPTIONS:
        _validate_some_of(getattr(recipe, name), seen, f"in {name}, the token")
    if recipe.unknown_token is not None and recipe.unknown_token not in seen:
        raise RecipeError(
            f"the unknown token {shown(recipe.unknown_token)} must be one of the special tokens"
        )


def _validate_some_of(tokens: Iterable[str], special: Set[str], what: str) -> None:
    """Check that tokens are special tokens, none of them given twice."""
    given: set[str] = set()
    for token in tokens:
        if token not in special:
            raise RecipeError(f"{what} {shown(token)} must be one of the special tokens")
        if token in given:
            raise RecipeError(f"{what} {shown(token)} is given twice")
        given.add(token)


def _bytes_written_as(token: str) -> bytes:
    """Find the bytes, other than its own, that a text stands for in GPT-2's printable alphabet.

    Empty if there are none, and for several bytes that never follow each other in UTF-8, which no
    merge can make.

    >>> _bytes_written_as("Ġthe"), _bytes_written_as("<é>")
    (b' the', b'')
    """
    try:
        written = from_printable(token)
        if token.isascii():
            return b""
        if len(written) > 1:
            # The first character may have begun before, and the last one may go on.
            whole = written[:3].lstrip(_CONTINUATIONS) + written[3:]
            codecs.getincrementaldecoder("utf-8")().decode(whole)
    except (KeyError, UnicodeDecodeError):
        return b""
    return written


_CONTINUATIONS = bytes(range(0x80, 0xC0))
"""What no character begins with in UTF-8."""


_DEFAULT_VOCABULARY = 30_000
"""The default of Hugging Face's BpeTrainer."""

_ALL = (
    Recipe(
        name="whitespace",
        description="The classic tutorial: whitespace-separated words ending in </w>",
        split="whitespace",
        symbols=Symbols.CHARACTERS,
        end_of_word=EndOfWord.OWN,
        vocabulary_size=_DEFAULT_VOCABULARY,
    ),
    Recipe(
        name="char-bpe",
        description="Characters; words and punctuation are separate, as in the first GPT",
        normalizers=("bert-clean", "bert-chinese"),
        split="bert",
        symbols=Symbols.CHARACTERS,
        end_of_word=EndOfWord.JOINED,
        min_frequency=2,
        special_tokens=("<unk>",),
        unknown_token="<unk>",
    ),
    Recipe(
        name="gpt2",
        description="Bytes within GPT-2's words: a space belongs to the word after it",
        split="gpt2",
        alphabet=Alphabet.BYTES,
        vocabulary_size=_DEFAULT_VOCABULARY,
    ),
    Recipe(
        name="gpt4",
        description="Bytes within GPT-4's words (cl100k_base): numbers in threes",
        split="cl100k",
        alphabet=Alphabet.BYTES,
        vocabulary_size=_DEFAULT_VOCABULARY,
    ),
    Recipe(
        name="o200k",
        description="Bytes within GPT-4o's words (o200k_base): upper and lower case apart",
        split="o200k",
        alphabet=Alphabet.BYTES,
        vocabulary_size=_DEFAULT_VOCABULARY,
    ),
    Recipe(
        name="lines",
        description="Characters without accents; every space and every newline is a word",
        normalizers=("nfd", "remove-mn"),
        split="lines",
        symbols=Symbols.CHARACTERS,
        vocabulary_size=_DEFAULT_VOCABULARY,
    ),
    Recipe(
        name="raw",
        description="Characters of the text as it is: merges may cross spaces and lines",
        split="none",
        symbols=Symbols.CHARACTERS,
        vocabulary_size=_DEFAULT_VOCABULARY,
    ),
    Recipe(
        name="categories",
        description="Bytes within runs of one Unicode category: letters, numbers, separators",
        split="categories",
        alphabet=Alphabet.BYTES,
        min_frequency=2,
    ),
)

PRESETS: Mapping[str, Recipe] = MappingProxyType({recipe.name: recipe for recipe in _ALL})
"""The recipes that come with the program, by name."""


def preset(name: str) -> Recipe:
    """Return the preset of that name. Raises RecipeError naming the known ones."""
    try:
        return PRESETS[name]
    except KeyError:
        raise RecipeError(
            f"unknown preset {shown(name)}; the presets are {', '.join(PRESETS)}"
        ) from None
