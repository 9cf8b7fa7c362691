"""Tokenizers from the hub: downloads, the cache, and what is said where they cannot be had."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import huggingface_hub.constants
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_gui.encodings import hub as hub_module
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.tiktoken_names import DownloadCancelled
from tests.encodings.hub_server import Hub, serving


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with one tokenizer, and an empty cache."""
    words = {f"word{number}": number for number in range(20_000)}
    library = Tokenizer(models.WordLevel(words, unk_token="word0"))
    library.pre_tokenizer = pre_tokenizers.Whitespace()
    with serving(Hub(files={"someone/words": library.to_str().encode()})) as served:
        point_to(served.address, tmp_path, monkeypatch)
        yield served


def point_to(address: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the library, here and in child processes, use a server and a folder."""
    for variable in ("HF_TOKEN", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("HF_ENDPOINT", address)
    monkeypatch.setenv("HF_HOME", str(folder / "home"))
    cache = str(folder / "home" / "hub")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", cache)


def test_a_download_reports_and_is_kept(hub: Hub) -> None:
    reports: list[tuple[int, int | None]] = []
    assert not hub_module.is_here("someone/words")
    encoding = hub_module.load("someone/words", progress=lambda *report: reports.append(report))
    assert encoding.name == "someone/words"
    assert encoding.encode("word7 word9").ids.tolist() == [7, 9]
    size = len(hub.files["someone/words"])
    assert reports[-1] == (size, size)
    assert len(reports) > 3
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)

    asked = hub.requests
    assert hub_module.is_here("someone/words")
    again = hub_module.load("someone/words", cancelled=lambda: True)
    assert again.encode("word7").ids.tolist() == [7]
    assert hub.requests == asked


def test_a_download_that_breaks_off_is_resumed(hub: Hub) -> None:
    hub.drops = 1
    assert hub_module.load("someone/words").encode("word7").ids.tolist() == [7]


def test_a_download_that_breaks_off_for_good(hub: Hub) -> None:
    hub.drops, hub.fails_after = 1, True
    with pytest.raises(EncodingError, match="refuses someone/words with status 500; try again"):
        hub_module.load("someone/words")
    assert not hub_module.is_here("someone/words")
    hub.fails_after = False
    assert hub_module.load("someone/words").encode("word7").ids.tolist() == [7]


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (401, "GatedRepo", "someone/words on the Hugging Face hub is restricted; accept"),
        (403, "GatedRepo", "someone/words on the Hugging Face hub is restricted; accept"),
        (403, "", "status 403.*log in"),
        (401, "RepoNotFound", "has no someone/words, or it is private; check the spelling"),
        (404, "RepoNotFound", "has no someone/words, or it is private; check the spelling"),
        (404, "EntryNotFound", r"someone/words on the Hugging Face hub has no tokenizer\.json"),
    ],
)
def test_what_is_refused(hub: Hub, status: int, code: str, message: str) -> None:
    hub.refused["someone/words"] = (status, code)
    with pytest.raises(EncodingError, match=message):
        hub_module.load("someone/words")
    assert not hub_module.is_here("someone/words")


def test_what_is_no_tokenizer(hub: Hub) -> None:
    hub.files["someone/else"] = b'{"not": "one"}'
    with pytest.raises(EncodingError, match=r"is not a tokenizer\.json"):
        hub_module.load("someone/else")


@pytest.mark.parametrize("name", ["", "a/b/c", "-x", "a b", "../x", "x" * 200, "a\nb", "--help"])
def test_names_that_are_none(hub: Hub, name: str) -> None:
    with pytest.raises(EncodingError, match="is no name on the Hugging Face hub"):
        hub_module.load(name)
    assert not hub_module.is_here(name)
    assert hub.requests == 0


def test_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub()) as gone:
        address = gone.address
    point_to(address, tmp_path, monkeypatch)
    with pytest.raises(EncodingError, match=r"not on this computer.*out of reach; try again with"):
        hub_module.load("someone/words")


def test_cancelling_while_nothing_comes(hub: Hub) -> None:
    hub.stalls = True
    started = time.monotonic()
    with pytest.raises(DownloadCancelled):
        hub_module.load("someone/words", cancelled=hub.stalled.is_set)
    assert hub.stalled.is_set()
    assert time.monotonic() - started < 30
    assert not hub_module.is_here("someone/words")


def test_cancelling_before_anything_comes(hub: Hub) -> None:
    with pytest.raises(DownloadCancelled):
        hub_module.load("someone/words", cancelled=lambda: True)
