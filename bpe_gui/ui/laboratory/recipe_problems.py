"""The problems because of which a draft is no recipe, each with its field."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bpe_gui.analysis.word_preview import WordPreview, preview_words
from bpe_gui.bpe.errors import PatternError, shown
from bpe_gui.bpe.recipe import (
    PRESETS,
    TOKEN_OPTIONS,
    Recipe,
    RecipeError,
    Symbols,
    own_pattern,
)
from bpe_gui.bpe.recipe_io import check_name
from bpe_gui.bpe.special_tokens import SpecialTokens
from bpe_gui.ui.laboratory.drafts import RecipeDraft
from bpe_gui.ui.run.background import Job
from bpe_gui.ui.widgets.sentences import as_sentence


class Problem(Struct, frozen=True):
    """Describe an error in a draft.

    field: the field to correct; empty if there is no single one.
    position: the character of a regular expression that is wrong, if one is.
    step: the normalizer that it is about, counted from 0.
    """

    field: str
    sentence: str
    position: int | None = None
    step: int | None = None


_NEUTRAL = Recipe(symbols=Symbols.CHARACTERS)
"""A recipe that excludes no other choice but the alphabet of all bytes."""

_ALONE = ("split", "symbols", "end_of_word", "ties", "special_tokens", "merges", "min_frequency")
"""Fields that can be wrong by themselves."""

_TOGETHER = (
    ("end_of_word", ("symbols", "end_of_word")),
    ("end_of_word", ("split", "end_of_word")),
    ("alphabet", ("symbols", "alphabet")),
    ("byte_fallback", ("symbols", "byte_fallback")),
    ("end_of_word", ("byte_fallback", "end_of_word")),
    ("special_tokens", ("symbols", "special_tokens")),
    ("special_tokens", ("end_of_word", "special_tokens")),
    ("special_tokens", ("byte_fallback", "special_tokens")),
    ("special_tokens", ("special_tokens", "reserved_tokens", *TOKEN_OPTIONS)),
    ("unknown_token", ("special_tokens", "unknown_token")),
    (
        "vocabulary_size",
        (
            *("vocabulary_size", "special_tokens", "alphabet", "symbols", "byte_fallback"),
            "end_of_word",
        ),
    ),
)
"""Fields that can exclude each other, after the one that shows the problem."""


def problems(draft: RecipeDraft) -> tuple[Problem, ...]:
    """Return all problems of a draft; none if it is a recipe.

    Compiling regular expressions may take a while: do not call it on the window's thread.

    >>> found = problems(RecipeDraft(PRESETS["gpt2"]).with_changes(split="regex:a(b"))
    >>> [(problem.field, problem.position) for problem in found]
    [('split', 2)]
    """
    found = [*_of_name(draft), *_of_normalizers(draft)]
    for field in _ALONE:
        found.extend(_of(draft, field, (field,)))
    for field, together in _TOGETHER:
        if not {problem.field for problem in found} & set(together):
            found.extend(_of(draft, field, together))
    if not found:
        try:
            draft.recipe()
        except RecipeError as error:
            found.append(Problem("", str(error)))
    return tuple(found)


def _of(draft: RecipeDraft, field: str, fields: tuple[str, ...]) -> Iterator[Problem]:
    """Yield the problem of some fields, checked without the others."""
    if field == "split" and own_pattern(draft.value("split")) == "":
        yield Problem(field, "write a pattern here, or choose another split", 0)
        return
    try:
        _NEUTRAL.with_changes(name=draft.name, **{name: draft.value(name) for name in fields})
    except RecipeError as error:
        yield _problem(field, error)


def _problem(field: str, error: RecipeError, *, step: int | None = None) -> Problem:
    """Return the problem of an error, without the pattern, which the field shows."""
    if not isinstance(error, PatternError):
        return Problem(field, str(error), step=step)
    sentence = str(error)
    if error.reason:
        sentence = f"this is not a regular expression: {error.reason}"
    return Problem(field, sentence, error.position, step)


def _of_name(draft: RecipeDraft) -> Iterator[Problem]:
    preset = PRESETS.get(draft.name)
    where = ("vocabulary_size", "ties")
    if preset is not None and (draft.changed_parts or not preset.same_but(draft.base, *where)):
        yield Problem("name", f"{shown(draft.name)} is a preset; give this recipe another name")
    try:
        check_name(draft.name)
    except RecipeError as error:
        yield Problem("name", str(error))


def _of_normalizers(draft: RecipeDraft) -> Iterator[Problem]:
    steps = draft.value("normalizers")
    wrong = False
    for place, step in enumerate(steps):
        try:
            Recipe(normalizers=(step,))
        except RecipeError as error:
            wrong = True
            yield _problem("normalizers", error, step=place)
    if not wrong:
        yield from _of(draft, "normalizers", ("normalizers",))


class CheckResult(Struct, frozen=True):
    """Hold the recipe of a draft, or its problems, and the preview of its split.

    preview: None if the text cannot be split; then `preview_problem` says why, unless one of
        the `problems` does.
    """

    draft: RecipeDraft
    recipe: Recipe | None
    problems: tuple[Problem, ...]
    preview: WordPreview | None
    preview_problem: str = ""

    @property
    def sentence(self) -> str:
        """The first problem as a sentence; empty for a recipe."""
        return as_sentence(self.problems[0].sentence) if self.problems else ""


def check(draft: RecipeDraft, text: str, job: Job) -> CheckResult:
    """Check a draft, and split the text with it."""
    found = problems(draft)
    recipe = None if found else draft.recipe()
    if {problem.field for problem in found} & {"normalizers", "split", ""}:
        return CheckResult(draft, recipe, found, None)
    steps, split = draft.value("normalizers"), draft.value("split")
    try:
        tokens = SpecialTokens.of(draft.value)
        return CheckResult(draft, recipe, found, preview_words(text, steps, split, tokens))
    except PatternError as error:
        return CheckResult(draft, recipe, found, None, as_sentence(error))
