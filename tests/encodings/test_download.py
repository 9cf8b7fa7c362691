"""Encodings by name: downloads, caches, and what is said where they cannot be had."""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import huggingface_hub
import pytest
import tiktoken.registry
from tiktoken.load import load_tiktoken_bpe
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings import download
from bpe_gui.encodings.base import EncodingError
from tests.encodings.formats.test_tiktoken_ranks import BYTES, lines
from tests.encodings.hub_server import Hub, point_to, serving
from tests.encodings.runs import GPT2_RANKS, needs_gpt2_ranks

NAME = "someone/words"

# -- the Hugging Face hub ----------------------------------------------------------------------


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with one tokenizer, and an empty cache."""
    words = {f"word{number}": number for number in range(20_000)}
    library = Tokenizer(models.WordLevel(words, unk_token="word0"))
    library.pre_tokenizer = pre_tokenizers.Whitespace()
    with serving(Hub(files={NAME: library.to_str().encode()})) as served:
        point_to(served.address, tmp_path, monkeypatch)
        yield served


def assert_loads() -> None:
    assert download.from_hub(NAME).encode("word7 word9").ids.tolist() == [7, 9]


def copy_in_cache() -> Path:
    return Path(huggingface_hub.hf_hub_download(NAME, "tokenizer.json", local_files_only=True))


def test_a_download_reports_and_is_kept(hub: Hub) -> None:
    reports: list[tuple[int, int | None, str]] = []
    assert not download.is_in_hub_cache(NAME)
    encoding = download.from_hub(NAME, progress=lambda *report: reports.append(report))
    assert encoding.name == NAME
    assert encoding.encode("word7 word9").ids.tolist() == [7, 9]
    size = len(hub.files[NAME])
    assert reports[-1] == (size, size, "downloading")

    asked = hub.requests
    assert download.is_in_hub_cache(NAME)
    assert_loads()
    assert hub.requests == asked


def test_a_download_that_breaks_off_is_resumed(hub: Hub) -> None:
    hub.drops = 1
    assert_loads()


def test_a_download_that_breaks_off_for_good(hub: Hub) -> None:
    hub.drops, hub.fails_after = 1, True
    with pytest.raises(EncodingError, match=f"refuses {NAME} with status 500; try again"):
        download.from_hub(NAME)
    assert not download.is_in_hub_cache(NAME)
    hub.fails_after = False
    assert_loads()


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (401, "GatedRepo", f"{NAME} on the Hugging Face hub is restricted; accept"),
        (403, "GatedRepo", f"{NAME}.* restricted"),
        (403, "", "status 403.*log in"),
        (401, "RepoNotFound", f"has no {NAME}, or it is private; check the spelling"),
        (404, "RepoNotFound", f"has no {NAME}, .*private"),
        (404, "EntryNotFound", rf"{NAME} on the Hugging Face hub has no tokenizer\.json"),
    ],
)
def test_what_is_refused(hub: Hub, status: int, code: str, message: str) -> None:
    hub.refused[NAME] = (status, code)
    with pytest.raises(EncodingError, match=message):
        download.from_hub(NAME)
    assert not download.is_in_hub_cache(NAME)


@pytest.mark.parametrize("name", ["", "a/b/c", "-x", "a b", "../x", "x" * 200, "a\nb", "--help"])
def test_names_that_are_none(hub: Hub, name: str) -> None:
    with pytest.raises(EncodingError, match="is not a name on the Hugging Face hub"):
        download.from_hub(name)
    assert not download.is_in_hub_cache(name)
    assert hub.requests == 0


def test_what_is_too_large_is_not_downloaded(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "MAX_BYTES", 1 << 10)
    with pytest.raises(EncodingError, match=f"{NAME} has more than .* MB"):
        download.from_hub(NAME)
    assert hub.requests > 0
    assert hub.downloads == 0


def test_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub()) as gone:
        address = gone.address
    point_to(address, tmp_path, monkeypatch)
    with pytest.raises(EncodingError, match=f"{NAME} is not on this computer.*{address}.*try agai"):
        download.from_hub(NAME)
    point_to("http://nowhere.invalid", tmp_path, monkeypatch)
    told = r"from http://nowhere.invalid \(its server is not found\); try again with a network"
    with pytest.raises(EncodingError, match=told):
        download.from_hub(NAME)


def test_offline_what_is_in_the_cache_is_used(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_loads()
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    assert_loads()
    with pytest.raises(EncodingError, match="else is not on this computer, and HF_HUB_OFFLINE"):
        download.from_hub("someone/else")


def test_cancelling_while_nothing_comes(hub: Hub) -> None:
    hub.stalls = True
    with pytest.raises(Cancelled):
        download.from_hub(NAME, cancelled=hub.stalled.is_set)
    assert not download.is_in_hub_cache(NAME)


def test_a_download_without_an_end_is_given_up(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "TIMEOUT", 0.2)
    hub.stalls = True
    with pytest.raises(EncodingError, match=f"the download of {NAME} has not ended after"):
        download.from_hub(NAME)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"<html>Log in</html>", b'{"a": '])
def test_a_damaged_copy_is_fetched_anew(hub: Hub, content: bytes) -> None:
    assert_loads()
    copy_in_cache().write_bytes(content)
    hub.refused[NAME] = (403, "")
    with pytest.raises(EncodingError, match="status 403"):
        download.from_hub(NAME)
    hub.refused.clear()
    assert_loads()
    assert copy_in_cache().read_bytes() == hub.files[NAME]


def test_what_is_no_tokenizer_is_not_fetched_again(hub: Hub) -> None:
    hub.files[NAME] = b'{"not": "one"}'
    for _ in range(2):
        with pytest.raises(EncodingError, match=r"is not a tokenizer\.json"):
            download.from_hub(NAME)
        asked = hub.requests
    assert hub.requests == asked


def test_a_page_in_place_of_the_file_is_no_dead_end(hub: Hub) -> None:
    right, hub.files[NAME] = hub.files[NAME], b"<html>Log in to this network</html>"
    for _ in range(2):
        with pytest.raises(EncodingError, match=r"is not a tokenizer\.json"):
            download.from_hub(NAME)
    hub.files[NAME] = right
    assert_loads()


# -- tiktoken ----------------------------------------------------------------------------------

RANKS = lines({**BYTES, b"ab": 256})
R50K = "https://openaipublic.blob.core.windows.net/encodings/r50k_base.tiktoken"


@pytest.fixture
def tiktoken_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of the library's that is empty, and nothing loaded yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    for variable in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.upper(), raising=False)
    download.tiktoken_names.cache_clear()
    yield folder
    download.tiktoken_names.cache_clear()


@pytest.fixture
def server(
    tiktoken_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SimpleNamespace]:
    """A server on this machine for an encoding called `served`."""
    state = SimpleNamespace(
        body=RANKS, status=200, asked=0, cut=0, waits=None, asked_first=threading.Event()
    )

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked += 1
            state.asked_first.set()
            if state.waits is not None:
                state.waits.wait()
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
    constructor = {
        "served": lambda: {
            "name": "served",
            "pat_str": r"[\s\S]+",
            "mergeable_ranks": load_tiktoken_bpe(
                state.address, hashlib.sha256(RANKS).hexdigest()
            ),
            "special_tokens": {"<s>": 300},
        }
    }
    monkeypatch.setattr(tiktoken.registry, "ENCODING_CONSTRUCTORS", constructor)
    yield state
    if state.waits is not None:
        state.waits.set()
    http.shutdown()
    http.server_close()
    thread.join()


def test_an_encoding_of_tiktoken_is_downloaded_once(server: SimpleNamespace) -> None:
    encoding = download.from_tiktoken("served")
    assert encoding.name == "served"
    assert encoding.encode("ab<s>").ids.tolist() == [256, 300]
    tiktoken.registry.ENCODINGS.clear()
    server.status = 500
    assert download.from_tiktoken("served").encode("ab").ids.tolist() == [256]
    assert server.asked == 1


def test_a_spoilt_copy_is_replaced(server: SimpleNamespace, tiktoken_cache: Path) -> None:
    download.from_tiktoken("served")
    tiktoken.registry.ENCODINGS.clear()
    (copy,) = tiktoken_cache.iterdir()
    copy.write_bytes(b"spoilt")
    download.from_tiktoken("served")
    assert copy.read_bytes() == RANKS


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": 403}, r"served is not on this computer .* 127\.0\.0\.1 answers with status 40"),
        ({"body": b"something else"}, "served cannot be loaded: Hash mismatch"),
        ({"cut": 10}, "cannot be reached; try again with a network"),
        ({"address": "http://127.0.0.1:1/served.tiktoken"}, r"127\.0\.0\.1 cannot be reached"),
    ],
)
def test_a_download_of_tiktoken_that_fails_is_told(
    server: SimpleNamespace, changes: dict[str, object], message: str
) -> None:
    vars(server).update(changes)
    with pytest.raises(EncodingError, match=message):
        download.from_tiktoken("served")


def test_a_download_of_tiktoken_that_hangs_holds_nobody_up(server: SimpleNamespace) -> None:
    server.waits = threading.Event()
    with pytest.raises(Cancelled):
        download.from_tiktoken("served", cancelled=server.asked_first.is_set)
    assert download.tiktoken_names() == ("served",), "the menu has the names meanwhile"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(EncodingError, match=r"no encoding 'cl200k'; the known ones are .*gpt2"):
        download.from_tiktoken("cl200k")


@needs_gpt2_ranks
def test_a_copy_in_the_cache_of_tiktoken_needs_no_network(tiktoken_cache: Path) -> None:
    tiktoken_cache.mkdir()
    shutil.copyfile(GPT2_RANKS, tiktoken_cache / hashlib.sha1(R50K.encode()).hexdigest())
    encoding = download.from_tiktoken("r50k_base")
    assert encoding.vocabulary_size == 50257
    assert encoding.encode("Hello world<|endoftext|>").ids.tolist() == [15496, 995, 50256]
