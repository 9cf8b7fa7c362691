"""The tables of a window, each with all of its rows, by the names of their panels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from bpe_gui.exporting import tables
from bpe_gui.ui.context.context import Context

Lines = Iterable[Sequence[object]]


@dataclass(frozen=True, eq=False)
class ExportTable:
    """A table: what it holds, for people, and what takes its lines as they are now.

    `take` is called on the window's thread, and takes no time; the lines may be read on another.
    None if there is nothing yet.
    """

    title: str
    take: Callable[[], Lines | None]


def tables_of(context: Context) -> Mapping[str, Sequence[ExportTable]]:
    """The tables of each panel that has any."""
    workspace = context.explore
    metrics = ExportTable("The numbers", partial(_metrics, context))
    return {
        "pairs": [ExportTable("The most frequent pairs", partial(_pairs, context))],
        "words": [ExportTable("The words", workspace.words.model.lines)],
        "derivation": [ExportTable("The merges of the word", workspace.derivation.model.lines)],
        "vocabulary": [ExportTable("The vocabulary", workspace.vocabulary.model.lines)],
        "branches": [
            ExportTable("The branches", partial(_branches, context)),
            ExportTable("The tokens of the branches", partial(_branch_tokens, context)),
        ],
        "numbers": [metrics],
        "metrics": [metrics],
        "languages": [ExportTable("The languages", partial(_languages, context))],
        "wall": [
            ExportTable("Pairs that are kept apart", partial(_forbidden, context)),
            ExportTable("Tokens across walls", partial(_crossings, context)),
        ],
        "lockstep": [ExportTable("The tokens of the recipes", partial(_lockstep, context))],
    }


def _pairs(context: Context) -> Lines | None:
    history, position = context.player.history, context.player.position
    return None if history is None else tables.pair_lines(history, position)


def _branches(context: Context) -> Lines | None:
    branches = context.branches.all
    return tables.branch_lines(tuple(branches)) if branches else None


def _branch_tokens(context: Context) -> Lines | None:
    branches = context.branches.all
    if not branches:
        return None
    histories = [branch.history for branch in branches]
    return tables.side_by_side_lines(histories, [branch.name for branch in branches])


def _metrics(context: Context) -> Lines | None:
    model = context.compare.numbers.table.model
    return model.lines() if model.rows else None


def _languages(context: Context) -> Lines | None:
    model = context.compare.numbers.languages.model
    return model.lines() if model.columns else None


# The laboratory is made when somebody looks at it, and not before.


def _forbidden(context: Context) -> Lines | None:
    return context.laboratory.view.boundaries.pair_lines()


def _crossings(context: Context) -> Lines | None:
    return context.laboratory.view.boundaries.token_lines()


def _lockstep(context: Context) -> Lines | None:
    chart = context.laboratory.view.lockstep.chart
    found = chart.lockstep
    return None if found is None else tables.lockstep_lines(found, chart.names)
