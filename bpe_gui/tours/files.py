"""Find and load tours: those that come with the program, and those of others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bpe_gui.bpe.corpus import SAMPLES
from bpe_gui.files import reading
from bpe_gui.folders import resource
from bpe_gui.tours.directives import Places
from bpe_gui.tours.parse import MAX_CHARACTERS, SettingLine, out_of_view, parse_with_lines
from bpe_gui.tours.tour import PresetLane, Tour, TourError, TourErrors

_MAX_BYTES = 4 * MAX_CHARACTERS
"""No longer file has so few characters."""


def own_tour() -> Path:
    """Find the full tour that comes with the program."""
    return resource("tours", "how-tokens-are-made.tour")


def short_tour() -> Path:
    """Find the tour of ten minutes that comes with the program."""
    return resource("tours", "in-ten-minutes.tour")


def load(path: str | Path, known: Places) -> Tour:
    """Load a tour; the corpora that it names have to lie beside it, and what it points to has to
    be a known place, and in view.

    Raises TourErrors for a text that is no tour, and OSError.
    """
    path = Path(path)
    with reading(path) as file:
        data = file.read(_MAX_BYTES + 1)
    try:
        text = data[:_MAX_BYTES].decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise TourErrors([TourError(line, column, "this is not UTF-8; save it as such")]) from None
    tour, lines = parse_with_lines(text, known)
    if mistakes := _missing(lines, path.parent) + out_of_view(tour, lines, known):
        raise TourErrors(mistakes)
    return tour


def _missing(lines: Iterable[SettingLine], folder: Path) -> list[TourError]:
    """List the corpora that are not in the folder of a tour, each where it is named first."""
    mistakes: dict[str, TourError] = {}
    for line in lines:
        corpus = line.value.corpus if isinstance(line.value, PresetLane) else None
        name = line.value if line.name == "corpus" else corpus
        if name is None or name in SAMPLES or name in mistakes or _lies_in(folder, name):
            continue
        number, column = line.position
        reason = f"there is no file {name} beside the tour"
        mistakes[name] = TourError(number, column + line.text.index(name), reason)
    return list(mistakes.values())


def _lies_in(folder: Path, name: str) -> bool:
    """Tell whether there is a file of that name in a folder, and no link out of it."""
    file = folder / name
    return file.is_file() and file.resolve().parent == folder.resolve()
