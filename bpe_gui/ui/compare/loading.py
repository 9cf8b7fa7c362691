"""Encodings that are read from files, or fetched, while the window goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Event

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.ui.compare.comparison import Comparison, Lane
from bpe_gui.ui.widgets.sentences import as_sentence

_WAITING = "waiting"


@dataclass(frozen=True, eq=False)
class Loading:
    """One encoding to be read: what names it (see `open_encoding`), and the lane it is for."""

    spec: str
    lane: Lane
    special_tokens: Mapping[str, int] | str | None = None
    fetches: bool = True
    """Whether it may be fetched from the network if it is not on this computer."""
    cancelled: Event = field(default_factory=Event)


class LoadWorker(QObject):
    """Reads encodings one after another, on the thread that it lives in."""

    told = Signal(object, str)
    """A Loading, and how far it is, in a few words."""
    loaded = Signal(object, object)
    """A Loading and its Encoding."""
    failed = Signal(object, str)
    """A Loading that came to nothing, and why: one sentence for the user."""

    @Slot(object)
    def load(self, loading: Loading) -> None:
        """Read one encoding, unless it was cancelled in the meantime."""
        if loading.cancelled.is_set():
            return
        self.told.emit(loading, "reading")
        # The libraries of all formats are loaded when they are needed, not with the window.
        from bpe_gui.encodings.load import is_local, open_encoding

        def progress(done: int, total: int | None, phase: str) -> None:
            self.told.emit(loading, _progress(done, total))

        try:
            if not loading.fetches and not is_local(loading.spec):
                raise EncodingError(
                    f"{loading.lane.name} is not on this computer; try again to fetch it"
                )
            encoding = open_encoding(
                loading.spec,
                special_tokens=loading.special_tokens,
                progress=progress,
                cancelled=loading.cancelled.is_set,
            )
        except Cancelled:
            return
        except (EncodingError, OSError) as error:
            self.failed.emit(loading, as_sentence(error))
        except MemoryError:
            self.failed.emit(loading, "There is not enough memory to read this encoding.")
        except Exception as error:  # the window lives on whatever a library dies of
            self.failed.emit(
                loading,
                f"{loading.spec} could not be read ({type(error).__name__}: {error}); "
                "report it if it comes back.",
            )
            raise
        else:
            self.loaded.emit(loading, encoding)


class Loader(QObject):
    """Owns the thread that reads encodings, and tells their lanes how far they are."""

    failed = Signal(str)
    """An encoding cannot be had; one sentence for the user."""

    idle = Signal()
    """No encoding is to come any more."""

    _submitted = Signal(object)

    def __init__(self, comparison: Comparison, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self._under_way: list[Loading] = []
        self._failed: dict[int, Loading] = {}
        self._thread = QThread()
        self._thread.setObjectName("encodings")
        self._worker = LoadWorker()
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.load)
        self._worker.told.connect(self._on_told)
        self._worker.loaded.connect(self._on_loaded)
        self._worker.failed.connect(self._on_failed)
        self._comparison.lanes_changed.connect(self._forget_removed)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether any encoding is still to come."""
        return bool(self._under_way)

    @Slot(str, str, object)
    def load(
        self, spec: str, name: str, special_tokens: Mapping[str, int] | str | None = None
    ) -> None:
        """Read an encoding into a lane of its own, which says how far it is until then.

        `special_tokens` go with the ranks of a file, which has none; see `open_encoding`.
        """
        lane = self._comparison.add_expected(name, _WAITING, spec, special_tokens)
        self._submit(Loading(spec, lane, special_tokens))

    def load_if_here(
        self, spec: str, name: str, special_tokens: Mapping[str, int] | str | None = None
    ) -> None:
        """As `load`, but what the hub would have to send waits until it is tried again."""
        lane = self._comparison.add_expected(name, _WAITING, spec, special_tokens)
        self._submit(Loading(spec, lane, special_tokens, fetches=False))

    @Slot(int)
    def retry(self, key: int) -> None:
        """Read the encoding of a lane once more that could not be had."""
        failed = self._failed.pop(key, None)
        if failed is not None:
            self._comparison.update(failed.lane, None, _WAITING, failed=False)
            self._submit(Loading(failed.spec, failed.lane, failed.special_tokens))

    @Slot()
    def retry_all(self) -> None:
        """Read all encodings once more that could not be had."""
        for key in [*self._failed]:
            self.retry(key)

    def _submit(self, loading: Loading) -> None:
        self._under_way.append(loading)
        self._submitted.emit(loading)

    def close(self) -> None:
        """Give up what is under way and end the thread; returns when it has ended."""
        for loading in self._under_way:
            loading.cancelled.set()
        self._under_way.clear()
        self._thread.quit()
        self._thread.wait()

    @Slot()
    def _forget_removed(self) -> None:
        """To take a lane away is to cancel what it was waiting for."""
        for loading in self._under_way:
            if loading.lane not in self._comparison.lanes:
                loading.cancelled.set()
        self._under_way = [one for one in self._under_way if not one.cancelled.is_set()]
        there = {lane.key for lane in self._comparison.lanes}
        self._failed = {key: one for key, one in self._failed.items() if key in there}
        self._tell_idle()

    @Slot(object, str)
    def _on_told(self, loading: Loading, status: str) -> None:
        if loading in self._under_way:
            self._comparison.tell(loading.lane, status)

    @Slot(object, object)
    def _on_loaded(self, loading: Loading, encoding: Encoding) -> None:
        self._end(loading)
        self._comparison.update(loading.lane, encoding, "", failed=False)
        self._tell_idle()

    @Slot(object, str)
    def _on_failed(self, loading: Loading, message: str) -> None:
        if loading in self._under_way:
            self._end(loading)
            self._failed[loading.lane.key] = loading
            self._comparison.update(loading.lane, None, message, failed=True)
            self.failed.emit(message)
            self._tell_idle()

    def _tell_idle(self) -> None:
        if not self._under_way:
            self.idle.emit()

    def _end(self, loading: Loading) -> None:
        if loading in self._under_way:
            self._under_way.remove(loading)


def _progress(done: int, total: int | None) -> str:
    megabytes = f"{done / 1e6:,.1f}"
    if not total:
        return f"{megabytes} MB fetched"
    return f"{megabytes} of {total / 1e6:,.1f} MB fetched"
