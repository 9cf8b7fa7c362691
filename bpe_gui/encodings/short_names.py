"""Names of encodings for people, as short as they differ."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from os.path import normpath
from pathlib import Path

from bpe_gui.encodings.formats.rank_families import name_of_file
from bpe_gui.encodings.load import HUB, TIKTOKEN

_NAMES_OF_MANY = frozenset(
    {"tokenizer.json", "tokenizer.model", "tekken.json", "vocab.json", "merges.txt", "vocab.txt"}
)
"""Names that many files have; only their folders tell them apart."""

_MOST_FOLDERS = 8
"""Folders of a name; files that differ in none of these are named in full."""


def short_name(path: Path) -> str:
    """Name a file without its folders, and with the last one if many files have its name.

    Rank files with the names that they have in tiktoken's cache are called by their families.

    >>> short_name(Path("/models/a/tokenizer.json")), short_name(Path("/models/gpt2.tiktoken"))
    ('a/tokenizer.json', 'gpt2.tiktoken')

    The folder "." has the name that it has elsewhere.

    >>> short_name(Path(".")) == Path.cwd().name
    True
    """
    if path.name in ("", ".."):
        path = Path(normpath(path.absolute()))
    folder = path.absolute().parent.name
    return f"{folder}/{path.name}" if path.name in _NAMES_OF_MANY and folder else name_of_file(path)


def short_names(sources: Sequence[str]) -> list[str]:
    """Name what encodings are loaded from; what `short_name` does not tell apart has more folders.

    The split after a file's name stays; what is no file is named as it is. The same file again
    has a number.

    >>> short_names(["x/a/run.json", "x/b/run.json", "y/two.tiktoken@gpt4", "hub:openai/gpt2"])
    ['a/run.json', 'b/run.json', 'two.tiktoken@gpt4', 'hub:openai/gpt2']
    >>> short_names(["x/run.json", "x/run.json"])
    ['run.json', 'run.json (2)']
    """
    names: list[str] = []
    for source in sources:
        others = [other for other in sources if other != source]
        name = next(
            (
                name
                for folders in range(_MOST_FOLDERS)
                if (name := _with_folders(source, folders))
                not in [_with_folders(other, folders) for other in others]
            ),
            source,
        )
        numbered = (f"{name} ({number})" for number in count(2))
        names.append(next(n for n in numbered if n not in names) if name in names else name)
    return names


def _with_folders(source: str, folders: int) -> str:
    """Name a source by its file, and at least this number of its folders."""
    if source.startswith((HUB, TIKTOKEN)):
        return source
    file, at, split = (source, "", "") if Path(source).exists() else source.partition("@")
    path = Path(file)
    above = [part for part in path.parts[:-1] if part != path.anchor]
    longer = "/".join([*above[max(0, len(above) - folders) :], name_of_file(path)])
    return max(short_name(path), longer, key=len) + at + split
