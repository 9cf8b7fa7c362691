"""The tables of a window, each with all of its rows, by the names of their panels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bpe_gui.exporting import tables

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow

Lines = Iterable[Sequence[object]]


@dataclass(frozen=True, eq=False)
class ExportTable:
    """A table: what it holds, for people, and what takes its lines as they are now.

    `take` is called on the window's thread, and takes no time; the lines may be read on another.
    None if there is nothing yet.
    """

    title: str
    take: Callable[[], Lines | None]


def tables_of(window: MainWindow) -> Mapping[str, Sequence[ExportTable]]:
    """The tables of each panel that has any."""
    workspace = window.workspace
    metrics = ExportTable("The numbers", partial(_metrics, window))
    return {
        "pairs": [ExportTable("The most frequent pairs", partial(_pairs, window))],
        "words": [ExportTable("The words", workspace.words.model.lines)],
        "derivation": [ExportTable("The merges of the word", workspace.derivation.model.lines)],
        "vocabulary": [ExportTable("The vocabulary", workspace.vocabulary.model.lines)],
        "branches": [
            ExportTable("The branches", partial(_branches, window)),
            ExportTable("The tokens of the branches", partial(_branch_tokens, window)),
        ],
        "numbers": [metrics],
        "metrics": [metrics],
        "languages": [ExportTable("The languages", partial(_languages, window))],
        "boundaries": [
            ExportTable("Blocked pairs", partial(_forbidden, window)),
            ExportTable("Tokens across boundaries", partial(_crossings, window)),
        ],
        "lockstep": [ExportTable("The tokens of the recipes", partial(_lockstep, window))],
    }


def _pairs(window: MainWindow) -> Lines | None:
    history, position = window.player.history, window.player.position
    return None if history is None else tables.pair_lines(history, position)


def _branches(window: MainWindow) -> Lines | None:
    branches = window.branches.all
    return tables.branch_lines(tuple(branches)) if branches else None


def _branch_tokens(window: MainWindow) -> Lines | None:
    branches = window.branches.all
    if not branches:
        return None
    histories = [branch.history for branch in branches]
    return tables.side_by_side_lines(histories, [branch.name for branch in branches])


def _metrics(window: MainWindow) -> Lines | None:
    model = window.compare.numbers.table.model
    return model.lines() if model.rows else None


def _languages(window: MainWindow) -> Lines | None:
    model = window.compare.numbers.languages.model
    return model.lines() if model.columns else None


# The laboratory is made when somebody looks at it, and not before.


def _forbidden(window: MainWindow) -> Lines | None:
    return window.laboratory.view.boundaries.pair_lines()


def _crossings(window: MainWindow) -> Lines | None:
    return window.laboratory.view.boundaries.token_lines()


def _lockstep(window: MainWindow) -> Lines | None:
    chart = window.laboratory.view.lockstep.chart
    found = chart.lockstep
    return None if found is None else tables.lockstep_lines(found, chart.names)
