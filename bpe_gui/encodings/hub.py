"""Tokenizers of the Hugging Face hub by name, through the library that downloads from there.

A copy in the library's cache is used as it is, without a look at the network: `hf cache`
removes it where a newer one is wanted. One that is damaged is fetched anew. The library has its
own settings for the place of the cache, for mirrors and for who is logged in, and they hold here.
"""

from __future__ import annotations

import json
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from bpe_gui.encodings import huggingface
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.reading import MAX_BYTES, read_bounded, shown
from bpe_gui.encodings.tiktoken_names import DownloadCancelled

_FILE = "tokenizer.json"

_NAME = re.compile(r"\w[\w.-]{0,95}(?:/\w[\w.-]{0,95})?", re.ASCII)

_TICK = 0.05
"""Seconds between two looks at whether to go on."""

_BEGINNING, _SILENCE = 30.0, 15.0
"""Seconds that a download may take to begin, and then without any byte that is new."""


def is_here(name: str) -> bool:
    """Whether `load` needs no network: whether the file is in the cache."""
    return _cached(name) is not None


def load(
    name: str,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> HuggingFaceEncoding:
    """The tokenizer of a model, like "gpt2" or "owner/model"; it may take a download.

    `progress` is told how many bytes have come, out of how many if that is known; `cancelled`
    is asked all the time. Raises EncodingError, saying what to do, where the file cannot be had
    or is no tokenizer; DownloadCancelled if `cancelled` said so.
    """
    if not _NAME.fullmatch(name):
        raise EncodingError(
            f"{shown(name)} is no name on the Hugging Face hub; one looks like owner/model"
        )
    path = _cached(name)
    if path is None:
        path = _downloaded(name, cancelled, progress)
    elif damage := _damage(path):
        try:
            path = _downloaded(name, cancelled, progress, anew=True)
        except EncodingError as error:
            raise EncodingError(
                f"the copy of {name} on this computer is damaged ({damage}), and another cannot be "
                f"fetched: {error}; the copy is {path}"
            ) from error
    if damage := _damage(path):
        raise EncodingError(
            f"what came for {name} is damaged, or a page of the network that is in between "
            f"({damage}); try again to fetch it anew, or open a tokenizer.json; it is {path}"
        )
    return huggingface.read(path, name)


def _damage(path: Path) -> str:
    """Why a file cannot be a tokenizer.json at all, whatever it is of; empty if it can."""
    data = read_bounded(path)
    try:
        whole = isinstance(json.loads(data.decode("utf-8-sig")), dict)
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except (ValueError, RecursionError):
        return "it is empty" if not data.strip() else "it is no JSON"
    return "" if whole else "it is no JSON object"


def _cached(name: str) -> Path | None:
    """The file in the library's cache, if it is there."""
    from huggingface_hub import try_to_load_from_cache

    if not _NAME.fullmatch(name):
        return None
    found = try_to_load_from_cache(name, _FILE)
    return Path(found) if isinstance(found, str) else None


def _downloaded(
    name: str,
    cancelled: Callable[[], bool],
    progress: Callable[[int, int | None], None],
    *,
    anew: bool = False,
) -> Path:
    """Where the file is after a child process has downloaded it.

    `anew` puts it in the place of a copy that is in the cache. Raises EncodingError also where
    nothing new comes for a while.
    """
    command = [sys.executable, "-m", "bpe_gui.encodings.hub_download", name, _FILE, str(MAX_BYTES)]
    if anew:
        command.append("anew")
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdout is not None
        best, until = -1, time.monotonic() + _BEGINNING

        def check() -> None:
            if cancelled():
                raise DownloadCancelled
            if time.monotonic() > until:
                raise EncodingError(
                    f"the download of {name} has stopped: nothing new has come for "
                    f"{_BEGINNING if best < 0 else _SILENCE:.0f} seconds; try again, or open a "
                    "tokenizer.json"
                )

        try:
            for message in _messages(child.stdout, check):
                if "path" in message:
                    return Path(message["path"])
                if "problem" in message:
                    raise EncodingError(message["problem"])
                if message["done"] > best:
                    # The library begins again, and again, where a connection breaks off.
                    best, until = message["done"], time.monotonic() + _SILENCE
                    progress(message["done"], message["total"])
        finally:
            # It has nothing more to say, or nobody wants to hear it.
            child.kill()
    raise EncodingError(
        f"the download of {name} ended without a result; try again, or open a tokenizer.json"
    )


def _messages(
    stream: IO[bytes], check: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    """The lines that the child prints, as they come; `check` is called all the time."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while True:
            check()
            if not selector.select(_TICK):
                continue
            piece = stream.read1(1 << 16)  # type: ignore[attr-defined]
            if not piece:
                return
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield json.loads(line)
