"""Which runs have a curve, what each is called, and where lanes stand on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding


@dataclass(frozen=True, eq=False, slots=True)
class RunLane:
    """A lane that shows a run of ours: its name, the run, and where on it the lane is.

    called: what to call the run itself; empty for one that is called by its recipe.
    lossy: whether decoding does not give the text back.
    """

    name: str
    history: History
    position: int
    called: str = ""
    lossy: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class FileLane:
    """A lane of an encoding from elsewhere, whose merges are followed if they are known.

    lossy: whether decoding does not give the text back.
    """

    name: str
    encoding: Encoding
    lossy: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class ShownRun:
    """A run: what to call it, where lanes are on it, and whether any of them is lossy."""

    name: str
    history: History
    marks: tuple[int, ...]
    lossy: bool = False


def grouped(lanes: Sequence[RunLane]) -> tuple[ShownRun, ...]:
    """The runs of lanes, each once; a lane tells those apart that are of one recipe."""
    by_run: dict[History, list[RunLane]] = {}
    for lane in lanes:
        by_run.setdefault(lane.history, []).append(lane)
    called = {
        history: next((lane.called for lane in found if lane.called), "")
        for history, found in by_run.items()
    }
    recipes = [history.recipe.name for history, name in called.items() if not name]
    shown = []
    for history, found in by_run.items():
        recipe = history.recipe.name
        name = called[history] or f"{recipe} recipe"
        if not called[history] and recipes.count(recipe) > 1:
            name = f"{found[0].name} ({name})"
        marks = tuple(sorted({lane.position for lane in found}))
        shown.append(ShownRun(name, history, marks, any(lane.lossy for lane in found)))
    return tuple(shown)
