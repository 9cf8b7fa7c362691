"""What a session is about, without opening it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bpe_gui.bpe.recipe import MAX_NUMBER
from bpe_gui.sessions.archive import Archive
from bpe_gui.sessions.json_values import Values, parse
from bpe_gui.sessions.layout_of_file import JSON_ENTRY
from bpe_gui.sessions.limits import LONGEST_NAME, LONGEST_SPEC, MAX_FILE, MAX_JSON, MAX_RUNS
from bpe_gui.sessions.session import SessionError


@dataclass(frozen=True, slots=True)
class Summary:
    """The corpus, how many merges the run in view has, how many branches there are besides.

    saved_as: the path of the file that it was saved in, if a window has kept it by itself.
    """

    corpus: str
    merges: int
    branches: int
    saved_as: str | None = None

    def __str__(self) -> str:
        """In a few words.

        >>> str(Summary("story.txt", 1234, 2))
        'story.txt with 1,234 merges and 2 branches'
        """
        merges = "1 merge" if self.merges == 1 else f"{self.merges:,} merges"
        branches = "1 branch" if self.branches == 1 else f"{self.branches:,} branches"
        return f"{self.corpus} with {merges}" + (f" and {branches}" if self.branches else "")


def summary_of(path: Path) -> Summary:
    """The summary of a session's file; the session may be damaged all the same.

    Raises SessionError and OSError, as `read_session` does.
    """
    with open(path, "rb") as file:
        data = file.read(MAX_FILE + 1)
    archive = Archive(data)
    if not 0 < archive.sizes.get(JSON_ENTRY, 0) <= MAX_JSON:
        raise SessionError("there is nothing that says what it is about")
    values = Values(parse(archive.read(JSON_ENTRY)), "its JSON")
    branches = values.sequence("branches", MAX_RUNS)
    shown = branches[values.integer("shown", 0, len(branches) - 1)]
    return Summary(
        Values(values.take("corpus"), "its corpus").text("name", LONGEST_NAME),
        Values(shown, "a branch").integer("merges", 0, MAX_NUMBER),
        len(branches) - 1,
        values.optional_text("saved_as", LONGEST_SPEC) if "saved_as" in values else None,
    )


def looks_like_session(path: str | Path) -> bool:
    """Whether a file is meant to be a session: by its name, or by what stands at its beginning.

    A pipe is none, and is not opened; nor is what cannot be read.
    """
    path = Path(path)
    if not path.is_file():
        return False
    if path.name.lower().endswith(".bpesession"):
        return True
    try:
        with open(path, "rb") as file:
            begin = file.read(64)
    except OSError:
        return False
    # The name of the first entry comes after thirty bytes.
    return begin.startswith(b"PK\x03\x04") and begin[30:].startswith(JSON_ENTRY.encode())
