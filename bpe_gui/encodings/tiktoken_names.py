"""The encodings that the `tiktoken` library knows by name, which it downloads once.

The library keeps what it downloaded in a folder of its own (TIKTOKEN_CACHE_DIR, else
DATA_GYM_CACHE_DIR, else one in the folder for temporary files), each file under the SHA-1 of
its address. What is missing there is put there by us, in the same way, because the library
can neither tell how far it has come nor be stopped; then it loads the encoding and checks
it. Encodings that others have added to it, it downloads itself.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import requests
import tiktoken

from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.reading import MAX_BYTES, shown
from bpe_gui.encodings.tiktoken_encoding import TiktokenEncoding

_HOST = "https://openaipublic.blob.core.windows.net"
_P50K = (
    f"{_HOST}/encodings/p50k_base.tiktoken",
    "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
)
_O200K = (
    f"{_HOST}/encodings/o200k_base.tiktoken",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
)
_FILES = MappingProxyType(
    {
        "gpt2": (
            (
                f"{_HOST}/gpt-2/encodings/main/vocab.bpe",
                "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
            ),
            (
                f"{_HOST}/gpt-2/encodings/main/encoder.json",
                "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
            ),
        ),
        "r50k_base": (
            (
                f"{_HOST}/encodings/r50k_base.tiktoken",
                "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
            ),
        ),
        "p50k_base": (_P50K,),
        "p50k_edit": (_P50K,),
        "cl100k_base": (
            (
                f"{_HOST}/encodings/cl100k_base.tiktoken",
                "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
            ),
        ),
        "o200k_base": (_O200K,),
        "o200k_harmony": (_O200K,),
    }
)
"""What the library loads for each of its encodings: addresses, and SHA-256 of the files."""

_PATIENCE = (10.0, 10.0)
"""Seconds to wait for a connection, and for each piece of an answer."""

_PIECE = 1 << 16
"""Bytes between two looks at whether to go on."""


class DownloadCancelled(Exception):  # noqa: N818 - not an error
    """The download was given up because the caller's `cancelled` said so."""


def names() -> list[str]:
    """The names that `load` takes."""
    return tiktoken.list_encoding_names()


def is_here(name: str) -> bool:
    """Whether `load` needs no network: whether all files of an encoding are in the cache."""
    folder = _cache_folder()
    if name not in _FILES or folder is None:
        return False
    return all(_is_kept(_place(folder, address), digest) for address, digest in _FILES[name])


def load(
    name: str,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> TiktokenEncoding:
    """An encoding by its name; it may take a download, so call it in the background.

    `progress` is told how many bytes of a file have come, out of how many if that is known.
    Raises EncodingError for an unknown name and where the files cannot be had,
    DownloadCancelled if `cancelled` said so.
    """
    if name not in names():
        raise EncodingError(
            f"tiktoken knows no encoding {shown(name)}; the known ones are {', '.join(names())}"
        )
    folder = _cache_folder()
    try:
        if folder is not None:
            for address, digest in _FILES.get(name, ()):
                _fetch(address, digest, _place(folder, address), cancelled, progress)
        library = tiktoken.get_encoding(name)
    except requests.RequestException as error:
        raise EncodingError(_unreachable(name, error, _spoilt(name, folder))) from None
    except ValueError as error:
        raise EncodingError(f"{name} cannot be loaded: {error}") from None
    return TiktokenEncoding(library, name)


def _cache_folder() -> Path | None:
    """Where the library keeps its files. None if it is told to keep none, or cannot."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            named = os.environ[variable]
            break
    else:
        named = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    if not named:
        return None
    folder = Path(named)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


def _place(folder: Path, address: str) -> Path:
    return folder / hashlib.sha1(address.encode()).hexdigest()


def _is_kept(place: Path, digest: str) -> bool:
    try:
        return hashlib.sha256(place.read_bytes()).hexdigest() == digest
    except FileNotFoundError:
        return False


def _fetch(
    address: str,
    digest: str,
    place: Path,
    cancelled: Callable[[], bool],
    progress: Callable[[int, int | None], None],
) -> None:
    """Put a file into the cache, whole, unless it is there. A spoilt one is replaced."""
    if _is_kept(place, digest) or not os.access(place.parent, os.W_OK | os.X_OK):
        return
    beside = place.with_name(f"{place.name}.{secrets.token_hex(4)}.part")
    found = hashlib.sha256()
    try:
        with (
            requests.get(address, stream=True, timeout=_PATIENCE) as answer,
            open(beside, "xb") as file,
        ):
            answer.raise_for_status()
            length = answer.headers.get("Content-Length", "")
            total = int(length) if length.isdigit() else None
            done = 0
            for piece in answer.iter_content(_PIECE):
                if cancelled():
                    raise DownloadCancelled
                done += len(piece)
                if done > MAX_BYTES:
                    raise ValueError(f"{address} is larger than {MAX_BYTES >> 20} MB")
                found.update(piece)
                file.write(piece)
                progress(done, total)
        if found.hexdigest() != digest:
            raise ValueError(f"what was downloaded from {address} is damaged; try again")
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def _spoilt(name: str, folder: Path | None) -> Path | None:
    """A file of an encoding in the cache that is not what it should be."""
    if folder is None:
        return None
    for address, digest in _FILES.get(name, ()):
        place = _place(folder, address)
        if place.exists() and not _is_kept(place, digest):
            return place
    return None


def _unreachable(name: str, error: requests.RequestException, spoilt: Path | None) -> str:
    address = error.request.url if error.request is not None else None
    host = urlsplit(str(address or _HOST)).hostname
    if error.response is not None:
        why = f"{host} answers with status {error.response.status_code}"
    elif isinstance(error, requests.Timeout):
        why = f"{host} does not answer"
    else:
        why = f"{host} cannot be reached"
    if spoilt is not None:
        return (
            f"the copy of {name} on this computer, {spoilt}, is damaged, and it cannot be "
            f"downloaded anew, for {why}; try again with a network connection, or open a "
            ".tiktoken file of it"
        )
    return (
        f"the encoding {name} is not on this computer and cannot be downloaded, for {why}; try "
        "again with a network connection, or open a .tiktoken file of it"
    )
