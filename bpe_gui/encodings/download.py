"""Encodings by name: of the Hugging Face hub, and those that the `tiktoken` library knows.

The libraries download them, and keep them in caches of their own. Their settings for the cache,
mirrors, proxies and who is logged in hold here. A copy in a cache is used without a look at the
network; a damaged one is fetched anew.
"""

from __future__ import annotations

import inspect
import io
import json
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import urlsplit

import requests
import tiktoken

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings import huggingface
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.reading import MAX_BYTES, read_bounded, shown
from bpe_gui.encodings.tiktoken_ranks import TiktokenEncoding

LONGEST = 600.0
"""Seconds after which a download is given up: tiktoken itself waits for an answer for ever."""

_FILE = "tokenizer.json"
_TICK = 0.05
"""Seconds between two looks at whether to go on."""

Progress = Callable[[int, int | None], object]
"""What is told the bytes that have come, and how many there are if that is known."""

_Found = TypeVar("_Found")


def is_in_hub_cache(name: str) -> bool:
    """Tell whether `from_hub` needs no network: whether the file is in the cache."""
    return _cached(name) is not None


def from_hub(
    name: str,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda done, total: None,
) -> HuggingFaceEncoding:
    """Load the tokenizer of a model, like "gpt2" or "owner/model"; it may take a download.

    `progress` is told how many bytes have come, out of how many if that is known; `cancelled`
    is asked all the time. Raises EncodingError, saying what to do, where the file cannot be
    downloaded or is no tokenizer; Cancelled if `cancelled` said so.
    """
    kept = _cached(name)
    if kept is not None:
        try:
            return huggingface.read(kept, name)
        except EncodingError:
            if _is_json(kept):
                raise
            # The library would take it for whole again: the file, and the link to it.
            for path in (kept.resolve(), kept):
                path.unlink(missing_ok=True)
    return huggingface.read(
        _in_thread(lambda tell: _download(name, tell), name, cancelled, progress), name
    )


@cache
def tiktoken_names() -> tuple[str, ...]:
    """Name the encodings that `from_tiktoken` takes.

    They are cached because the library holds a lock while it downloads one, and would let
    whoever asks for their names wait that long.
    """
    return tuple(tiktoken.list_encoding_names())


def from_tiktoken(
    name: str, *, cancelled: Callable[[], bool] = lambda: False
) -> TiktokenEncoding:
    """Load an encoding by its name; it may take a download. Raises as `from_hub`."""
    if name not in tiktoken_names():
        raise EncodingError(
            f"tiktoken knows no encoding {shown(name)}; the known ones are "
            f"{', '.join(tiktoken_names())}"
        )
    try:
        library = _in_thread(lambda tell: tiktoken.get_encoding(name), name, cancelled)
    except requests.RequestException as error:
        raise EncodingError(
            f"the encoding {name} is not on this computer and cannot be downloaded, for "
            f"{_reason(error)}; try again with a network connection, or open a .tiktoken file "
            "of it"
        ) from None
    except ValueError as error:
        raise EncodingError(f"{name} cannot be loaded: {error}") from None
    return TiktokenEncoding(library, name)


def _in_thread(
    work: Callable[[Progress], _Found],
    name: str,
    cancelled: Callable[[], bool],
    progress: Progress = lambda done, total: None,
) -> _Found:
    """Do some work on a thread of its own, and wait for it; cancelled work goes on unheard.

    A library that waits for the network cannot be stopped, but a daemon thread does not hold up
    the end of the program. `work` is given what it tells its progress to.
    """
    told: deque[tuple[int, int | None]] = deque(maxlen=1)
    future: Future[_Found] = Future()

    def run() -> None:
        try:
            future.set_result(work(lambda *report: told.append(report)))
        except BaseException as error:  # whoever waits gets it
            future.set_exception(error)

    Thread(target=run, name=f"download of {name}", daemon=True).start()
    until = time.monotonic() + LONGEST
    while not future.done():
        if cancelled():
            raise Cancelled
        if time.monotonic() > until:
            raise EncodingError(
                f"the download of {name} has not ended after {LONGEST:.0f} seconds; start the "
                "program again and try once more, or open a file of it"
            )
        wait([future], timeout=_TICK)
        if told:
            progress(*told.pop())
    return future.result()


def _cached(name: str) -> Path | None:
    """Find the file in the hub's cache."""
    from huggingface_hub import errors, try_to_load_from_cache

    try:
        found = try_to_load_from_cache(name, _FILE)
    except errors.HFValidationError:
        return None
    return Path(found) if isinstance(found, str) else None


def _is_json(path: Path) -> bool:
    """Tell whether a file is JSON at all, whatever it says."""
    try:
        json.loads(read_bounded(path))
    except (ValueError, RecursionError):
        return False
    return True


def _download(name: str, tell: Progress) -> Path:
    """Download the file from the hub to the cache."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url

    try:
        # Without a network this fails at once; to download means to try for half a minute.
        size = get_hf_file_metadata(hf_hub_url(name, _FILE)).size
        if size is not None and size > MAX_BYTES:
            raise EncodingError(
                f"{_FILE} of {name} has more than {MAX_BYTES >> 20} MB, which is no tokenizer"
            )
        options: dict[str, Any] = {}
        # Before version 1.1 it only draws bars of its own.
        if "tqdm_class" in inspect.signature(hf_hub_download).parameters:
            options["tqdm_class"] = _bar(lambda done: tell(done, size))
        return Path(hf_hub_download(name, _FILE, **options))
    except EncodingError:
        raise
    except Exception as error:  # whatever the network and its libraries come up with
        raise EncodingError(_problem(error, name)) from error


def _bar(tell: Callable[[int], object]) -> type[Any]:
    """Make what the library takes for a progress bar; it draws nothing and tells the bytes."""
    from huggingface_hub.utils import tqdm

    class Bar(tqdm):
        monitor_interval = 0  # no thread that looks after bars

        def __init__(self, *arguments: Any, **options: Any) -> None:
            options |= {"file": io.StringIO(), "disable": False}
            super().__init__(*arguments, **options)  # type: ignore[no-untyped-call]

        def update(self, n: float | None = 1) -> None:
            super().update(n)
            tell(int(self.n))

    return Bar


def _problem(error: Exception, name: str) -> str:
    """Say what is wrong with a download from the hub, and what to do."""
    from huggingface_hub import constants, errors

    # It says that the file is not in the cache, and why it was not downloaded is its cause.
    cause = error.__cause__ if isinstance(error, errors.LocalEntryNotFoundError) else error
    match cause:
        case errors.OfflineModeIsEnabled():
            return (
                f"{name} is not on this computer, and HF_HUB_OFFLINE forbids to download it; "
                f"unset it, or open a {_FILE}"
            )
        case errors.GatedRepoError():
            return (
                f"access to {name} on the Hugging Face hub is restricted; accept its "
                f"conditions on {constants.ENDPOINT}/{name} and log in with `hf auth login`, "
                "then try again"
            )
        case errors.RepositoryNotFoundError():
            return (
                f"the Hugging Face hub has no {name}, or it is private; check the spelling, or "
                "log in with `hf auth login`"
            )
        case errors.EntryNotFoundError():
            return (
                f"{name} on the Hugging Face hub has no {_FILE}, the only file that is read from "
                "there; download one of its other files and open that"
            )
        case errors.HFValidationError():
            return f"{shown(name)} is no name on the Hugging Face hub; one looks like owner/model"
        case errors.HfHubHTTPError():
            status = cause.response.status_code
            mend = "log in with `hf auth login`" if status in (401, 403) else "try again later"
            return f"the Hugging Face hub refuses {name} with status {status}; {mend}"
    reason = (str(cause or error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return (
        f"{name} is not on this computer and cannot be downloaded from {constants.ENDPOINT} "
        f"({reason}); try again with a network connection, or open a {_FILE}"
    )


def _reason(error: requests.RequestException) -> str:
    """Say why tiktoken cannot download."""
    address = error.request.url if error.request is not None else None
    host = urlsplit(str(address or "")).hostname or "its server"
    if error.response is not None:
        return f"{host} answers with status {error.response.status_code}"
    return f"{host} cannot be reached"
