"""A process of its own that downloads a file from the Hugging Face hub to the library's cache.

    python -m bpe_gui.encodings.hub_download NAME FILE LARGEST [anew]

It is a process because the library can be stopped at any moment only with it; what it has
half downloaded the library keeps beside its cache, and goes on from there the next time. With
`anew` it does not, and what is in the cache is replaced. Each
line that it prints is a JSON object: `done` and perhaps `total` bytes while it is at work,
and at the end either `path` or a sentence for the user as `problem`.
"""

from __future__ import annotations

import inspect
import io
import json
import os
import sys
from typing import Any

_PIECE = 1 << 16
"""Bytes between two reports."""


class _TooLargeError(Exception):
    """The file has more bytes than are wanted."""


class _OutOfReachError(Exception):
    """The hub does not answer."""


def main(name: str, file: str, largest: int, *, anew: bool = False) -> None:
    """Download, and print how it goes."""
    # What the library reads when it is imported: its other way to download reports nothing.
    os.environ["HF_HUB_DISABLE_XET"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    from huggingface_hub import constants

    constants.DOWNLOAD_CHUNK_SIZE = _PIECE
    try:
        _check_reach(name, file)
        _say(path=_downloaded(name, file, largest, anew=anew))
    except Exception as error:  # whatever the network and its libraries come up with
        _say(problem=_problem(error, name, file, largest))


def _check_reach(name: str, file: str) -> None:
    """Ask for the file's size: to download means to try for half a minute, this fails at once."""
    from huggingface_hub import errors, get_hf_file_metadata, hf_hub_url

    try:
        get_hf_file_metadata(hf_hub_url(name, file))
    except Exception as error:
        if isinstance(error, errors.HfHubHTTPError) or not _is_of_the_network(error):
            raise
        raise _OutOfReachError from error


def _downloaded(name: str, file: str, largest: int, *, anew: bool) -> str:
    """Where the file is now."""
    from huggingface_hub import hf_hub_download, try_to_load_from_cache

    options: dict[str, Any] = {"force_download": anew}
    # Older versions do without a report.
    if "tqdm_class" in inspect.signature(hf_hub_download).parameters:
        options["tqdm_class"] = _reporter(largest)
    kept = try_to_load_from_cache(name, file) if anew else None
    if isinstance(kept, str):
        # The library would leave it where it is if what comes is called otherwise.
        os.remove(kept)
    return str(hf_hub_download(name, file, **options))


def _problem(error: Exception, name: str, file: str, largest: int) -> str:
    """A sentence for the user: what is wrong, and what to do."""
    from huggingface_hub import constants, errors

    match error:
        case _OutOfReachError():
            return (
                f"{name} is not on this computer and cannot be downloaded, for "
                f"{constants.ENDPOINT} is out of reach; try again with a network connection, or "
                "open a tokenizer.json"
            )
        case _TooLargeError():
            return f"{file} of {name} has more than {largest >> 20} MB, which is no tokenizer"
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
        case errors.LocalEntryNotFoundError():
            return _broken_off(name, error.__cause__ or error)
        case errors.EntryNotFoundError():
            return (
                f"{name} on the Hugging Face hub has no {file}, the only file that is read from "
                "there; download one of its other files and open that"
            )
        case errors.HFValidationError():
            return f"{name!r} is no name on the Hugging Face hub; one looks like owner/model"
        case errors.HfHubHTTPError():
            status = error.response.status_code
            mend = "log in with `hf auth login`" if status in (401, 403) else "try again later"
            return f"the Hugging Face hub refuses {name} with status {status}; {mend}"
    return _broken_off(name, error)


def _broken_off(name: str, error: BaseException) -> str:
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return f"the download of {name} broke off ({reason}); try again"


def _is_of_the_network(error: Exception) -> bool:
    """Whether it says that the network fails, in the words of any version of the library."""
    # Versions differ in the network library: the errors of `requests` are OSErrors.
    libraries = [sys.modules[name] for name in ("httpx2", "httpx") if name in sys.modules]
    return isinstance(error, (OSError, *(library.HTTPError for library in libraries)))


def _reporter(largest: int) -> type[Any]:
    """What the library takes for a progress bar."""
    from tqdm import tqdm

    class Reporter(tqdm):  # type: ignore[misc]
        def __init__(self, *arguments: Any, **options: Any) -> None:
            # The library knows a name for its bars that the class itself does not.
            options.pop("name", None)
            # Where nobody looks at the bar, nothing is drawn.
            super().__init__(*arguments, **{**options, "file": io.StringIO()})
            self._report()

        def update(self, n: float | None = 1) -> None:
            super().update(n)
            self._report()

        def _report(self) -> None:
            done = int(self.n)
            if max(done, self.total or 0) > largest:
                raise _TooLargeError
            _say(done=done, total=self.total)

    return Reporter


def _say(**what: object) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), anew="anew" in sys.argv[4:])
