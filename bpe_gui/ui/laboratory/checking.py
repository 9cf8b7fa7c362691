"""Checks a draft and splits the sample text by it.

A regular expression may take long to match: not for the window's thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from bpe_gui.analysis.word_preview import WordPreview, preview_words
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import Problem, problems
from bpe_gui.ui.widgets.sentences import as_sentence


@dataclass(frozen=True)
class CheckResult:
    """What is known of a draft.

    recipe: None if the draft is none.
    preview: None if the text cannot be cut; then `preview_problem` says why, unless one of
        the `problems` does.
    """

    draft: RecipeDraft
    recipe: Recipe | None
    problems: tuple[Problem, ...]
    preview: WordPreview | None
    preview_problem: str = ""


def check(draft: RecipeDraft, text: str) -> CheckResult:
    """Look a draft over. Takes as long as `preview_words` may."""
    found = problems(draft)
    recipe = None if found else draft.recipe()
    if {problem.field for problem in found} & {"normalizers", "split", ""}:
        return CheckResult(draft, recipe, found, None)
    steps, split = draft.value("normalizers"), draft.value("split")
    reserved = draft.value("reserved_tokens")
    tokens = [token for token in draft.value("special_tokens") if token not in reserved]
    try:
        return CheckResult(draft, recipe, found, preview_words(text, steps, split, tokens))
    except PatternError as error:
        return CheckResult(draft, recipe, found, None, as_sentence(error))
