"""Takes the beginning of a text apart for the pipeline view. Patterns may take long."""

from __future__ import annotations

from bpe_gui.analysis.pipeline.stages import Merging, PipelineTrace, Stage, same_tokens
from bpe_gui.analysis.pipeline.trace import trace_pipeline
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.regexes import timeout
from bpe_gui.ui.run.background import Job

MOST_CHARACTERS = 4000
"""Characters of a text that are laid open."""

SECONDS = 1.0
"""How long matching may take: somebody is waiting."""


def trace(
    recipe: Recipe, text: str, history: History | None, job: Job
) -> tuple[PipelineTrace, Merging | None]:
    """Trace the beginning of a text, and its merges if a run has the recipe's tokens."""
    if history is not None and not same_tokens(recipe, history.recipe):
        history = None
    base = None if history is None else history.base
    with timeout(SECONDS, job.check):
        found = trace_pipeline(recipe, text[:MOST_CHARACTERS], base)
    if history is None or not found.reaches(Stage.TOKENS):
        return found, None
    return found, Merging(found, history)
