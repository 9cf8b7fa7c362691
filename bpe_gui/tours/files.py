"""Tours as files: those that come with the program, and those of others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bpe_gui.bpe.corpus import SAMPLES
from bpe_gui.files import reading
from bpe_gui.resources import resource
from bpe_gui.tours import ENDING
from bpe_gui.tours.parse import LONGEST, Asked, out_of_view, parse_with_lines
from bpe_gui.tours.tour import PresetLane, Tour, TourError, TourErrors, moments

_MOST_BYTES = 4 * LONGEST
"""No longer text has so few characters."""


def own_tour() -> Path:
    """The tour that comes with the program."""
    return resource("tours", "how-tokens-are-made.tour")


def is_tour(path: str | Path) -> bool:
    """Whether a file is meant as a tour, by its name."""
    return Path(path).suffix.lower() == ENDING


def load(path: str | Path) -> Tour:
    """The tour in a file; the corpora that it names have to lie beside it, and what it points to
    has to be in view.

    Raises TourErrors for a text that is no tour, and OSError.
    """
    path = Path(path)
    with reading(path) as file:
        data = file.read(_MOST_BYTES + 1)
    try:
        text = data[:_MOST_BYTES].decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise TourErrors([TourError(line, column, "this is not UTF-8; save it as such")]) from None
    tour, lines = parse_with_lines(text)
    missing = [_missing(lines, name) for name in beside(tour) if not lies_beside(path, name)]
    if mistakes := missing + out_of_view(tour, lines):
        raise TourErrors(mistakes)
    return tour


def beside(tour: Tour) -> list[str]:
    """The files that a tour names, each once."""
    named = dict.fromkeys(
        name
        for moment in moments(tour)
        for name in (
            moment.scene.corpus,
            *(lane.corpus for lane in moment.scene.lanes if isinstance(lane, PresetLane)),
        )
        if name is not None
    )
    return [name for name in named if name not in SAMPLES]


def lies_beside(path: Path, name: str) -> bool:
    """Whether there is a file of that name in the folder of a tour, and no link out of it."""
    file = path.parent / name
    return file.is_file() and file.resolve().parent == path.parent.resolve()


def _missing(lines: Sequence[Asked], name: str) -> TourError:
    """Say it where the file is named first."""
    asked = next(line for line in lines if line.name in ("corpus", "lane") and name in line.value)
    column = asked.place.before + asked.value.index(name) + 1
    return TourError(asked.place.line, column, f"there is no file {name} beside the tour")
