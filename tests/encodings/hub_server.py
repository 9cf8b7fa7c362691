"""A stand-in for the Hugging Face hub on this computer."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import huggingface_hub.constants
import pytest


@dataclass
class Hub:
    """What the server has, and how it behaves.

    files: content of tokenizer.json by the name of the model.
    refused: status, and the hub's own name for the error, by the name of the model.
    drops: how many answers break off in the middle.
    knows_ranges: whether it gives out a part of a file where that is asked for.
    stalls: whether answers stop in the middle until `let_go`.
    requests: how many there were, those of the library's own included.
    downloads: how many of them asked for the content of a file.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    refused: dict[str, tuple[int, str]] = field(default_factory=dict)
    drops: int = 0
    fails_after: bool = False
    knows_ranges: bool = True
    stalls: bool = False
    requests: int = 0
    downloads: int = 0
    address: str = ""
    stalled: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Serve until the end of the block."""
    server = _Server(hub)
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        hub.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join()


def point_to(address: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the library use a server and a folder."""
    for variable in ("HF_TOKEN", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # The library has read its variables when it was imported.
    for name, value in {
        "ENDPOINT": address,
        "HUGGINGFACE_CO_URL_TEMPLATE": address + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_CACHE": str(folder / "hub"),
        "HF_TOKEN_PATH": str(folder / "token"),
        "HF_HUB_OFFLINE": False,
    }.items():
        monkeypatch.setattr(huggingface_hub.constants, name, value)


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, hub: Hub) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.hub = hub

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # a client that went away


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *arguments: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self.server.hub.downloads += "/resolve/" in self.path
        self._answer(body=True)

    def end_headers(self) -> None:
        self.send_header("Connection", "close")
        super().end_headers()

    def _answer(self, *, body: bool) -> None:
        hub = self.server.hub
        hub.requests += 1
        name = self.path.split("/resolve/")[0].removeprefix("/")
        if name in hub.refused:
            self._refuse(*hub.refused[name])
        elif name not in hub.files:
            self._refuse(404, "RepoNotFound")
        elif body and hub.fails_after and hub.drops == 0:
            self._refuse(500, "")
        else:
            self._send(hub.files[name], body)

    def _refuse(self, status: int, code: str) -> None:
        self.send_response(status)
        if code:
            self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, data: bytes, body: bool) -> None:
        begin, end = 0, len(data)
        if self.server.hub.knows_ranges:
            first, last = self.headers.get("Range", "bytes=0-")[6:].split("-")
            begin, end = int(first), min(int(last or end) + 1, end)
        is_part = end - begin < len(data)
        self.send_response(206 if is_part else 200)
        self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
        self.send_header("X-Repo-Commit", "0" * 40)
        self.send_header("Content-Length", str(end - begin))
        if is_part:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(data)}")
        self.end_headers()
        if body:
            self._send_body(data[begin:end])

    def _send_body(self, data: bytes) -> None:
        hub, half = self.server.hub, len(data) // 2
        self.wfile.write(data[:half])
        self.wfile.flush()
        if hub.stalls:
            hub.stalled.set()
            hub.let_go.wait()
        if hub.drops:
            hub.drops -= 1
            return
        self.wfile.write(data[half:])
