"""Whether two files hold the same session, without unpacking the numbers in them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from bpe_gui.sessions.archive import Archive
from bpe_gui.sessions.json_values import parse
from bpe_gui.sessions.layout_of_file import JSON_ENTRY, VERSION_KEY
from bpe_gui.sessions.limits import MAX_FILE, MAX_JSON
from bpe_gui.sessions.session import SessionError


def hold_the_same(one: Path, other: Path, of_layout: Collection[str]) -> bool:
    """Whether two files hold the same session but for how it looks.

    Of the layout only what these keys tell counts; where the session was saved does not, nor
    the version of a file that knows of no more.
    Numbers are the same if their sizes and checksums are. What cannot be read is not the same.
    """
    try:
        (archive, said), (archive_too, said_too) = _opened(one), _opened(other)
    except (OSError, SessionError):
        return False
    parts, parts_too = (dict(each.checksums) for each in (archive, archive_too))
    del parts[JSON_ENTRY], parts_too[JSON_ENTRY]
    return parts == parts_too and _counting(said, of_layout) == _counting(said_too, of_layout)


def _opened(path: Path) -> tuple[Archive, dict[str, Any]]:
    if not path.is_file():
        raise SessionError("it is no file")
    with open(path, "rb") as file:
        archive = Archive(file.read(MAX_FILE + 1))
    if not 0 < archive.sizes.get(JSON_ENTRY, 0) <= MAX_JSON:
        raise SessionError("there is nothing that says what it is about")
    return archive, parse(archive.read(JSON_ENTRY))


def _counting(said: dict[str, Any], of_layout: Collection[str]) -> dict[str, Any]:
    """What counts of a session's JSON."""
    layout = said.get("layout")
    known = layout if isinstance(layout, dict) else {}
    own = {VERSION_KEY: None, "saved_as": None, "files": said.get("files")}
    return {**said, **own, "layout": {key: known.get(key) for key in of_layout}}
