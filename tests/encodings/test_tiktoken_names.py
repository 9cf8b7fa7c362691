"""tiktoken's encodings by name: from its cache, by download, and without a network."""

from __future__ import annotations

import hashlib
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
import tiktoken.registry
from tiktoken.load import load_tiktoken_bpe

from bpe_gui.encodings import tiktoken_names
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.tiktoken_names import DownloadCancelled
from tests.encodings.runs import GPT2_RANKS, needs_gpt2_ranks
from tests.encodings.test_tiktoken_files import BYTES, lines

RANKS = lines({**BYTES, b"ab": 256})
R50K = "https://openaipublic.blob.core.windows.net/encodings/r50k_base.tiktoken"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the library's that is empty, and nothing loaded yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    for variable in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.upper(), raising=False)
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A server on this machine for an encoding called `served`."""
    state = SimpleNamespace(body=RANKS, status=200, asked=0, cut=0)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked += 1
            self.send_response(state.status)
            self.send_header("Content-Length", str(len(state.body)))
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(state.body[: len(state.body) - state.cut])

        def log_message(self, *arguments: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = False
    thread = threading.Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    state.address = f"http://127.0.0.1:{http.server_port}/served.tiktoken"
    digest = hashlib.sha256(RANKS).hexdigest()
    monkeypatch.setattr(tiktoken_names, "_FILES", {"served": ((state.address, digest),)})
    constructor = {
        "served": lambda: {
            "name": "served",
            "pat_str": r"[\s\S]+",
            "mergeable_ranks": load_tiktoken_bpe(state.address, digest),
            "special_tokens": {"<s>": 300},
        }
    }
    monkeypatch.setattr(tiktoken.registry, "ENCODING_CONSTRUCTORS", constructor)
    yield state
    http.shutdown()
    http.server_close()
    thread.join()


def test_what_is_missing_is_downloaded_once(server: SimpleNamespace, cache: Path) -> None:
    told: list[tuple[int, int | None]] = []
    assert not tiktoken_names.is_here("served")
    encoding = tiktoken_names.load("served", progress=lambda *step: told.append(step))
    assert encoding.name == "served"
    assert encoding.encode("ab<s>").ids.tolist() == [256, 300]
    assert told[-1] == (len(RANKS), len(RANKS))
    assert tiktoken_names.is_here("served")
    assert [path.read_bytes() for path in cache.iterdir()] == [RANKS]
    tiktoken.registry.ENCODINGS.clear()
    server.status = 500
    assert tiktoken_names.load("served").encode("ab").ids.tolist() == [256]
    assert server.asked == 1


def test_a_spoilt_copy_is_replaced(server: SimpleNamespace, cache: Path) -> None:
    tiktoken_names.load("served")
    tiktoken.registry.ENCODINGS.clear()
    (copy,) = cache.iterdir()
    copy.write_bytes(b"spoilt")
    assert not tiktoken_names.is_here("served")
    tiktoken_names.load("served")
    assert copy.read_bytes() == RANKS


def test_a_spoilt_copy_is_not_called_absent(server: SimpleNamespace, cache: Path) -> None:
    tiktoken_names.load("served")
    tiktoken.registry.ENCODINGS.clear()
    (copy,) = cache.iterdir()
    copy.write_bytes(b"spoilt")
    server.status = 403
    message = f"the copy of served on this computer, {copy}, is damaged, and it cannot"
    with pytest.raises(EncodingError, match=re.escape(message)):
        tiktoken_names.load("served")


def test_a_download_can_be_cancelled(server: SimpleNamespace, cache: Path) -> None:
    with pytest.raises(DownloadCancelled):
        tiktoken_names.load("served", cancelled=lambda: True)
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": 403}, "answers with status 403; try again with a network"),
        ({"body": b"something else"}, "is damaged; try again"),
        ({"cut": 10}, "cannot be reached"),
    ],
)
def test_a_download_that_fails_is_told(
    server: SimpleNamespace, cache: Path, changes: dict[str, object], message: str
) -> None:
    vars(server).update(changes)
    with pytest.raises(EncodingError, match=message):
        tiktoken_names.load("served")
    assert list(cache.iterdir()) == []


def test_without_a_network_a_sentence_says_what_to_do(
    server: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = server.address.replace(server.address.split(":")[2].split("/")[0], "1")
    digest = hashlib.sha256(RANKS).hexdigest()
    monkeypatch.setattr(tiktoken_names, "_FILES", {"served": ((nobody, digest),)})
    with pytest.raises(EncodingError, match=r"served is not on this computer .* 127\.0\.0\.1 cann"):
        tiktoken_names.load("served")


def test_where_the_library_keeps_nothing_it_loads_by_itself(
    server: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert tiktoken_names.load("served").encode("ab").ids.tolist() == [256]
    assert not tiktoken_names.is_here("served")
    assert server.asked == 1


def test_unknown_names_are_refused() -> None:
    with pytest.raises(EncodingError, match=r"no encoding 'cl200k'; the known ones are .*gpt2"):
        tiktoken_names.load("cl200k")


def test_the_files_are_known_of_each_of_the_librarys_own_encodings() -> None:
    assert tiktoken_names._FILES.keys() <= set(tiktoken_names.names())
    assert {"gpt2", "cl100k_base", "o200k_base"} <= tiktoken_names._FILES.keys()


@needs_gpt2_ranks
def test_a_copy_in_the_cache_needs_no_network(cache: Path) -> None:
    cache.mkdir()
    shutil.copyfile(GPT2_RANKS, cache / hashlib.sha1(R50K.encode()).hexdigest())
    assert tiktoken_names.is_here("r50k_base")
    encoding = tiktoken_names.load("r50k_base")
    assert encoding.vocabulary_size == 50257
    assert encoding.encode("Hello world<|endoftext|>").ids.tolist() == [15496, 995, 50256]
