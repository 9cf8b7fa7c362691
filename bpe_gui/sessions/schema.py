"""The JSON of a session as typed structs: everything except texts and arrays.

`resources/session-format.md` describes it. Keys that were added by version 2 or 3 have a default,
so that older files can be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.corpus import SAMPLES
from bpe_gui.bpe.formats import MAX_TOTAL
from bpe_gui.bpe.history import History, Intervention, StopReason
from bpe_gui.bpe.inherited import Inherited
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.sessions.recognition import SessionError
from bpe_gui.sessions.session import (
    MAX_PAST,
    AbsolutePath,
    CorpusReference,
    FollowingLane,
    LaneReference,
    NamedLane,
    Number,
    RunLane,
    SavedBranch,
    Session,
    Text,
)

VERSION = 8
"""The newest version; all versions from 1 on can be read."""

_WITHOUT_USES, _WITHOUT_FALLBACK, _WITHOUT_PAST, _WITHOUT_INHERITED = 7, 6, 5, 4
"""The versions that are written if no encoding from which a run goes on tells how often characters
must occur, if moreover none keeps what it falls back to, if there are no past runs, and if no run
goes on from an encoding: older programs can read them."""

_Struct = TypeVar("_Struct")

_INHERITED = "inherited"
"""The key of a recipe that goes on from an encoding."""

_MAX_MESSAGE = 300
"""Characters of a message: it may quote a key or a value of any length."""


class NewerVersionError(SessionError):
    """Report a file that is not damaged, but was made by a newer program."""


class InheritedHeader(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Hold an encoding from which runs go on, without its arrays. text: the size of its texts."""

    name: str
    merges: Number
    tokens: Number
    text: Number
    first_new_id: Number
    keeps_fallback: bool = False
    least_uses: Number = 0


class RunHeader(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold a run without its arrays. merges, symbols: their numbers."""

    recipe: dict[str, Any]
    merges: Number
    symbols: Number
    corpus_bytes: Annotated[int, Meta(ge=0, le=MAX_TOTAL)]
    stopped: Literal["vocabulary_size", "merges", "min_frequency", "no_pair"] | None
    interventions: Annotated[tuple[Intervention, ...], Meta(max_length=300)]

    @property
    def stop_reason(self) -> StopReason | None:
        """Return why the run has ended; None if it has not."""
        return None if self.stopped is None else StopReason[self.stopped.upper()]


class Bookmark(Struct, frozen=True, forbid_unknown_fields=True):
    """Name a position of a run."""

    position: Number
    name: Text


class BranchHeader(RunHeader, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold a branch without its arrays. A guess is a position, and the pair if one was guessed."""

    name: Text
    bookmarks: Annotated[tuple[Bookmark, ...], Meta(max_length=10_000)]
    guesses: Annotated[
        tuple[Annotated[tuple[Number, ...], Meta(min_length=1, max_length=3)], ...],
        Meta(max_length=10_000),
    ] = ()


class RunLaneHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """Hold a lane that shows a run of the session, given by its number."""

    name: Text
    run: Number
    position: Number
    step: bool


_LANES: Mapping[str, type[FollowingLane | RunLaneHeader | NamedLane]] = MappingProxyType(
    {"follows": FollowingLane, "run": RunLaneHeader, "encoding": NamedLane}
)
"""The kinds of lanes, by a key that only one kind has."""


class SessionHeader(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the whole `session.json`. files: of earlier versions, and ignored."""

    session: int
    corpus: CorpusReference
    files: dict[str, Any] | None = None
    words: Number
    bytes_of_words: Number
    recipe: dict[str, Any]
    branches: Annotated[tuple[BranchHeader, ...], Meta(min_length=1, max_length=300)]
    other_runs: Annotated[tuple[RunHeader, ...], Meta(max_length=300)]
    shown: Number
    position: Number
    lanes: Annotated[tuple[dict[str, Any], ...], Meta(max_length=1_000)] | None
    lockstep: Annotated[tuple[Number, ...], Meta(max_length=10)] = ()
    inherited: Annotated[tuple[InheritedHeader, ...], Meta(max_length=300)] = ()
    past: Annotated[tuple[Text, ...], Meta(max_length=MAX_PAST)] = ()
    saved_as: AbsolutePath | None = None
    layout: dict[str, Any]

    @property
    def runs(self) -> tuple[RunHeader, ...]:
        """List all runs, in the order of their numbers."""
        return (*self.branches, *self.other_runs)


def dump(header: SessionHeader) -> bytes:
    """Serialize the JSON as ASCII: lone surrogates, which paths may have, are escaped."""
    return json.dumps(msgspec.to_builtins(header), indent=1, allow_nan=False).encode("ascii")


def parse(data: bytes) -> SessionHeader:
    """Parse the JSON of a session. Raises SessionError, which says what is wrong where.

    Python's parser is used because msgspec's refuses lone surrogates.
    """
    try:
        found = json.loads(data.decode("utf-8"), parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise _invalid(error) from None
    version = found.get("session") if isinstance(found, dict) else None
    if type(version) is int and version > VERSION:
        raise NewerVersionError("it was made by a newer bpe-gui; please update")
    if type(version) is not int or version < 1:
        raise SessionError("session.json has no version of the format")
    header = _converted(found, SessionHeader)
    _check(header)
    return header


def _finite(literal: str) -> float:
    number = float(literal)
    if not isfinite(number):
        raise ValueError(f"{literal} is not a finite number")
    return number


def _converted(found: Any, kind: type[_Struct]) -> _Struct:
    try:
        return msgspec.convert(found, kind)
    except ValueError as error:
        raise _invalid(error) from None


def _invalid(error: Exception) -> SessionError:
    message = re.sub("`str` matching regex '.*'", "valid text", " ".join(str(error).split()))
    message = message[:_MAX_MESSAGE]
    return SessionError(f"session.json is not valid: {message.encode(errors='replace').decode()}")


def _check(header: SessionHeader) -> None:
    """Check references within the JSON. Raises SessionError."""
    corpus, branches, shown = header.corpus, header.branches, header.shown
    is_sample = corpus.sample in SAMPLES and not corpus.sources
    if not (is_sample or (corpus.sample is None and corpus.sources)):
        raise SessionError("its corpus is neither files nor a known sample")
    if len({branch.name for branch in branches}) < len(branches):
        raise SessionError("two of its branches have the same name")
    if shown >= len(branches) or header.position > branches[shown].merges:
        raise SessionError("the branch or the position in view is missing")
    if len(header.lockstep) == 1 or any(n >= len(header.runs) for n in header.lockstep):
        raise SessionError("a run in lockstep is missing")
    for branch in branches:
        marks = {mark.position for mark in branch.bookmarks}
        guesses = {guess[0] for guess in branch.guesses if len(guess) != 2}
        if len(marks) < len(branch.bookmarks) or len(guesses) < len(branch.guesses):
            raise SessionError("two bookmarks or guesses of a branch are at the same position")


# -- recipes, branches and lanes ---------------------------------------------------------------


def recipe_of(found: dict[str, Any], inherited: Sequence[Inherited] = ()) -> Recipe:
    """Read a recipe from an object of the JSON, which may name an encoding of the session by its
    number. Raises SessionError.
    """
    number = found.get(_INHERITED)
    plain = {key: value for key, value in found.items() if key != _INHERITED}
    try:
        recipe = recipe_io.from_object(plain)
        if number is None:
            return recipe
        if type(number) is not int or not 0 <= number < len(inherited):
            raise SessionError("a recipe goes on from an encoding that is missing")
        return recipe.with_changes(inherited=inherited[number])
    except RecipeError as error:
        raise SessionError(f"it has an invalid recipe: {error}") from None


def branch_of(header: BranchHeader, history: History) -> SavedBranch:
    """Build a branch of its header and its run."""
    return SavedBranch(
        header.name,
        history,
        tuple((mark.position, mark.name) for mark in header.bookmarks),
        tuple((at, (pair[0], pair[1]) if pair else None) for at, *pair in header.guesses),
    )


def lane_of(found: dict[str, Any], runs: Sequence[History]) -> LaneReference:
    """Build a lane from the JSON, with the runs of the session by number. Raises SessionError."""
    kind = next((kind for key, kind in _LANES.items() if key in found), NamedLane)
    lane = _converted(found, kind)
    if not isinstance(lane, RunLaneHeader):
        return lane
    if lane.run >= len(runs) or lane.position > len(runs[lane.run]):
        raise SessionError("a lane shows a run or a position that is missing")
    return RunLane(lane.name, runs[lane.run], lane.position, lane.step)


def header_of(session: Session, runs: dict[int, History]) -> SessionHeader:
    """Build the JSON of a session.

    runs: the runs as they are saved, by the `id` of those in the session, the branches first.
    """
    numbers = {key: number for number, key in enumerate(runs)}
    saved = list(runs.values())
    encodings = inherited_by(session, saved)
    words = session.words
    return SessionHeader(
        session=_version_of(session, encodings),
        corpus=session.corpus,
        words=len(words),
        bytes_of_words=len(words.text),
        recipe=_recipe_object(session.recipe, encodings),
        branches=tuple(
            BranchHeader(
                name=branch.name,
                bookmarks=tuple(Bookmark(*mark) for mark in branch.bookmarks),
                guesses=tuple((at, *(pair or ())) for at, pair in branch.guesses),
                **_run_fields(runs[id(branch.history)], encodings),
            )
            for branch in session.branches
        ),
        other_runs=tuple(
            RunHeader(**_run_fields(run, encodings)) for run in saved[len(session.branches) :]
        ),
        shown=session.shown,
        position=len(saved[session.shown]) if session.live else session.position,
        lanes=None
        if session.lanes is None
        else tuple(_lane_object(lane, numbers) for lane in session.lanes),
        lockstep=tuple(numbers[id(history)] for history in session.lockstep),
        inherited=tuple(
            InheritedHeader(
                each.name, len(each), each.vocabulary_size, len(inherited_text(each)),
                each.first_new_id, each.keeps_fallback, each.least_uses,
            )
            for each in encodings
        ),
        past=tuple(past.name for past in session.past),
        saved_as=session.saved_as,
        layout=dict(session.layout),
    )  # fmt: skip


def _version_of(session: Session, encodings: Iterable[Inherited]) -> int:
    if any(each.least_uses for each in encodings):
        return VERSION
    if any(each.keeps_fallback for each in encodings):
        return _WITHOUT_USES
    if session.past:
        return _WITHOUT_FALLBACK
    return _WITHOUT_PAST if encodings else _WITHOUT_INHERITED


def inherited_by(session: Session, runs: Iterable[History]) -> list[Inherited]:
    """List the encodings from which the recipe and the runs of a session go on, each once."""
    recipes = (session.recipe, *(run.recipe for run in runs))
    return list(dict.fromkeys(each.inherited for each in recipes if each.inherited is not None))


def inherited_text(inherited: Inherited) -> bytes:
    """Serialize the texts of an encoding from which runs go on."""
    texts = [inherited.symbols, inherited.preparation, inherited.notation]
    return json.dumps(texts, ensure_ascii=False).encode("utf-8")


def _recipe_object(recipe: Recipe, encodings: list[Inherited]) -> dict[str, Any]:
    found: dict[str, Any] = recipe_io.to_object(recipe)
    if recipe.inherited is not None:
        found[_INHERITED] = encodings.index(recipe.inherited)
    return found


def _run_fields(history: History, encodings: list[Inherited]) -> dict[str, Any]:
    stopped = history.stopped
    return {
        "recipe": _recipe_object(history.recipe, encodings),
        "merges": len(history),
        "symbols": len(history.base.symbol_ids) - len(history.base.whole_words(history.recipe)),
        "corpus_bytes": history.corpus_bytes,
        "stopped": None if stopped is None else stopped.name.lower(),
        "interventions": history.interventions,
    }


def _lane_object(lane: LaneReference, numbers: dict[int, int]) -> dict[str, Any]:
    if isinstance(lane, RunLane):
        number = numbers[id(lane.history)]
        header = RunLaneHeader(lane.name, number, lane.position, lane.step)
        return msgspec.structs.asdict(header)
    # msgspec does not know the read-only mapping of special tokens.
    found: dict[str, Any] = msgspec.to_builtins(lane, enc_hook=dict)
    return found
