"""Encodings by name, from the Hugging Face hub and from the `tiktoken` library.

The libraries download them and cache them; their settings for cache, mirrors, proxies and login
apply. A cached copy is used without any network access; a damaged one is downloaded again. What
only a download needs is imported for it: that takes as long as reading a tokenizer.
"""

from __future__ import annotations

import io
import json
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import tiktoken

from bpe_gui.bpe.errors import Cancelled, shown
from bpe_gui.bpe.remote_files import unknown_server
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats import huggingface
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.tiktoken_ranks import TiktokenEncoding
from bpe_gui.encodings.formats.untrusted_files import MAX_BYTES, read_bounded
from bpe_gui.progress import Progress

if TYPE_CHECKING:
    from requests import RequestException

TIMEOUT = 600.0
"""Seconds after which a download fails: tiktoken itself waits for an answer for ever."""

_FILE = "tokenizer.json"
_TICK = 0.05
"""Seconds between two checks for cancellation."""

_Found = TypeVar("_Found")


def is_in_hub_cache(name: str) -> bool:
    """Tell whether the cache has the file, so that `from_hub` needs no network."""
    return _cached(name) is not None


def from_hub(
    name: str,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda done, total, phase: None,
) -> HuggingFaceEncoding:
    """Load the tokenizer of a model, like "gpt2" or "owner/model", and download it if necessary.

    cancelled: called all the time during a download.
    Raises EncodingError, which says what to do, if the file cannot be downloaded or is not a
    tokenizer; Cancelled if `cancelled` returns True.
    """
    cached = _cached(name)
    if cached is not None:
        try:
            return huggingface.read(cached, name)
        except EncodingError:
            if _is_json(cached):
                raise
            # The library would use the damaged file again: remove it, and the link to it.
            for path in (cached.resolve(), cached):
                path.unlink(missing_ok=True)
    return huggingface.read(
        _in_thread(lambda report: _download(name, report), name, cancelled, progress), name
    )


@cache
def tiktoken_names() -> tuple[str, ...]:
    """List the names that `from_tiktoken` takes.

    They are cached because the library holds a lock during a download, for which this call would
    have to wait.
    """
    return tuple(tiktoken.list_encoding_names())


def from_tiktoken(
    name: str, *, cancelled: Callable[[], bool] = lambda: False
) -> TiktokenEncoding:
    """Load an encoding by its name, and download it if necessary. Raises as `from_hub`."""
    if name not in tiktoken_names():
        raise EncodingError(
            f"tiktoken knows no encoding {shown(name)}; the known ones are "
            f"{', '.join(tiktoken_names())}"
        )
    from requests import RequestException

    try:
        library = _in_thread(lambda report: tiktoken.get_encoding(name), name, cancelled)
    except RequestException as error:
        raise EncodingError(
            f"the encoding {name} is not on this computer and cannot be downloaded, because "
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
    progress: Progress = lambda done, total, phase: None,
) -> _Found:
    """Do some work on a new thread, and wait for its result.

    A library that waits for the network cannot be stopped: cancelled work continues, but its
    result is ignored, and a daemon thread does not delay the end of the program. `work` gets the
    function to report its progress to.
    """
    latest: deque[tuple[int, int | None, str]] = deque(maxlen=1)
    future: Future[_Found] = Future()

    def run() -> None:
        try:
            future.set_result(work(lambda *report: latest.append(report)))
        except BaseException as error:  # raised again in the thread that waits
            future.set_exception(error)

    Thread(target=run, name=f"download of {name}", daemon=True).start()
    deadline = time.monotonic() + TIMEOUT
    while not future.done():
        if cancelled():
            raise Cancelled
        if time.monotonic() > deadline:
            raise EncodingError(
                f"the download of {name} has not ended after {TIMEOUT:.0f} seconds; restart the "
                "program and try again, or open a file of it"
            )
        wait([future], timeout=_TICK)
        if latest:
            progress(*latest.pop())
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
    """Tell whether a file is JSON at all."""
    try:
        json.loads(read_bounded(path))
    except (ValueError, RecursionError):
        return False
    return True


def _download(name: str, report: Progress) -> Path:
    """Download the file from the hub to the cache."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url

    try:
        # Without a network this fails at once, where a download would try for half a minute.
        size = get_hf_file_metadata(hf_hub_url(name, _FILE)).size
        if size is not None and size > MAX_BYTES:
            raise EncodingError(
                f"{_FILE} of {name} has more than {MAX_BYTES >> 20} MB and so cannot be a tokenizer"
            )
        bar = _silent_bar(lambda done: report(done, size, "downloading"))
        return Path(hf_hub_download(name, _FILE, tqdm_class=bar))
    except EncodingError:
        raise
    except Exception as error:  # the network and its libraries raise errors of many kinds
        raise EncodingError(_problem(error, name)) from error


def _silent_bar(report: Callable[[int], object]) -> type[Any]:
    """Make a progress bar for the library that draws nothing and reports the bytes."""
    from huggingface_hub.utils import tqdm

    class Bar(tqdm):
        monitor_interval = 0  # no thread that monitors bars

        def __init__(self, *arguments: Any, **options: Any) -> None:
            options |= {"file": io.StringIO(), "disable": False}
            super().__init__(*arguments, **options)  # type: ignore[no-untyped-call]

        def update(self, n: float | None = 1) -> None:
            super().update(n)
            report(int(self.n))

    return Bar


def _problem(error: Exception, name: str) -> str:
    """Say what is wrong with a download from the hub, and what to do."""
    from huggingface_hub import constants, errors

    # The error says that the file is not in the cache; its cause says why no download happened.
    cause = error.__cause__ if isinstance(error, errors.LocalEntryNotFoundError) else error
    match cause:
        case errors.OfflineModeIsEnabled():
            return (
                f"{name} is not on this computer, and HF_HUB_OFFLINE forbids downloading it; "
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
                f"{name} on the Hugging Face hub has no {_FILE}, the only file that can be read "
                "from there; download one of its other files and open that"
            )
        case errors.HFValidationError():
            return f"{shown(name)} is not a name on the Hugging Face hub; use one like owner/model"
        case errors.HfHubHTTPError():
            status = cause.response.status_code
            hint = "log in with `hf auth login`" if status in (401, 403) else "try again later"
            return f"the Hugging Face hub refuses {name} with status {status}; {hint}"
    reason = (str(cause or error).splitlines() or [type(error).__name__])[0].rstrip(".")
    if unknown_server(error) is not None:
        reason = "its server is not found"
    return (
        f"{name} is not on this computer and cannot be downloaded from {constants.ENDPOINT} "
        f"({reason}); try again with a network connection, or open a {_FILE}"
    )


def _reason(error: RequestException) -> str:
    """Say why tiktoken cannot download."""
    address = error.request.url if error.request is not None else None
    host = urlsplit(str(address or "")).hostname or "its server"
    if error.response is not None:
        return f"{host} answers with status {error.response.status_code}"
    return f"{host} cannot be reached"
