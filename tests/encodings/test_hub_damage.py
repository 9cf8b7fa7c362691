"""Copies in the cache that are damaged, and downloads that come to nothing without an end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bpe_gui.encodings import hub as hub_module
from bpe_gui.encodings.base import EncodingError
from tests.encodings.hub_server import Hub
from tests.encodings.test_hub import hub

__all__ = ["hub"]

NAME = "someone/words"


def damaged(content: bytes) -> Path:
    """The copy in the cache, with something else in its place."""
    hub_module.load(NAME)
    path = hub_module._cached(NAME)
    assert path is not None
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"<html>Log in</html>", b"[1]", b'{"a": '])
def test_a_damaged_copy_is_fetched_anew(hub: Hub, content: bytes) -> None:
    path = damaged(content)
    assert hub_module.load(NAME).encode("word7").ids.tolist() == [7]
    assert path.read_bytes() == hub.files[NAME]


def test_a_damaged_copy_without_another_says_where_it_is(hub: Hub) -> None:
    path = damaged(b"\xff\xfe")
    hub.refused[NAME] = (403, "")
    with pytest.raises(EncodingError) as told:
        hub_module.load(NAME)
    said = str(told.value)
    assert said.startswith(f"the copy of {NAME} on this computer is damaged (it is not UTF-8), and")
    assert "status 403" in said
    assert str(path) in said
    hub.refused.clear()
    assert hub_module.load(NAME).encode("word7").ids.tolist() == [7], "trying again helps"


def test_a_page_in_place_of_the_file_is_no_dead_end(hub: Hub) -> None:
    right, hub.files[NAME] = hub.files[NAME], b"<html>Log in to this network</html>"
    for _ in range(2):
        with pytest.raises(EncodingError, match=r"what came for .* \(it is no JSON\); try again"):
            hub_module.load(NAME)
    hub.files[NAME] = right
    assert hub_module.load(NAME).encode("word7").ids.tolist() == [7]


@pytest.mark.parametrize("stalls", [True, False])
def test_a_download_that_gets_nowhere_ends_with_a_sentence(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, stalls: bool
) -> None:
    """The server says nothing more, or breaks off whenever it is asked for the rest."""
    monkeypatch.setattr(hub_module, "_SILENCE", 0.5)
    hub.stalls, hub.knows_ranges, hub.drops = stalls, False, 1000
    started = time.monotonic()
    with pytest.raises(EncodingError, match=rf"the download of {NAME} .*; try again"):
        hub_module.load(NAME)
    assert time.monotonic() - started < 30
    assert not hub_module.is_here(NAME)
