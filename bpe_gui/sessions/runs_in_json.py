"""What a session's JSON says of a run; its numbers are in arrays beside."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bpe_gui.bpe import recipe_files
from bpe_gui.bpe.history import History, StopReason
from bpe_gui.bpe.intervention import Decision, Intervention
from bpe_gui.bpe.recipe import MAX_NUMBER, Recipe, RecipeError
from bpe_gui.sessions.json_values import Values
from bpe_gui.sessions.limits import MAX_COUNT, MAX_INTERVENTIONS
from bpe_gui.sessions.session import SessionError

_REASONS = {reason.name.lower(): reason for reason in StopReason}


@dataclass(frozen=True, slots=True)
class RunHeader:
    """A run but for its columns.

    merges, symbols: how many there are.
    """

    recipe: Recipe
    merges: int
    symbols: int
    corpus_bytes: int
    stopped: StopReason | None
    interventions: tuple[Intervention, ...]


def run_to_json(history: History) -> dict[str, object]:
    """What `take_run` reads."""
    stopped = history.stopped
    return {
        "recipe": recipe_to_json(history.recipe),
        "merges": len(history),
        "symbols": len(history.base.symbol_ids),
        "corpus_bytes": history.corpus_bytes,
        "stopped": None if stopped is None else stopped.name.lower(),
        "interventions": [
            {
                "step": decided.step,
                "decision": str(decided.decision),
                "left": decided.left,
                "right": decided.right,
            }
            for decided in history.interventions
        ],
    }


def take_run(values: Values) -> RunHeader:
    """A run out of JSON. Raises SessionError."""
    return RunHeader(
        recipe=recipe_from_json(values.take("recipe")),
        merges=values.integer("merges", 0, MAX_NUMBER),
        symbols=values.integer("symbols", 0, MAX_NUMBER),
        corpus_bytes=values.integer("corpus_bytes", 0, MAX_COUNT),
        stopped=_stopped(values.take("stopped")),
        interventions=tuple(
            _intervention(item) for item in values.sequence("interventions", MAX_INTERVENTIONS)
        ),
    )


def recipe_to_json(recipe: Recipe) -> object:
    """A recipe as its own files have it."""
    return json.loads(recipe_files.to_json(recipe))


def recipe_from_json(found: Any) -> Recipe:
    """The inverse; whatever a recipe's file may not have is refused. Raises SessionError."""
    try:
        return recipe_files.from_json(json.dumps(found))
    except RecipeError as error:
        raise SessionError(f"a recipe in it cannot be used: {error}") from None


def _stopped(value: Any) -> StopReason | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in _REASONS:
        raise SessionError(f"a run has stopped for none of the reasons {', '.join(_REASONS)}")
    return _REASONS[value]


def _intervention(item: Any) -> Intervention:
    values = Values(item, "a decision")
    decision = values.text("decision", 20)
    if decision not in list(Decision):
        raise SessionError(f"a decision is none of {', '.join(Decision)}")
    found = Intervention(
        values.integer("step", 0, MAX_NUMBER),
        Decision(decision),
        values.integer("left", 0, MAX_NUMBER),
        values.integer("right", 0, MAX_NUMBER),
    )
    values.end()
    return found
