"""The window: Qt and pyqtgraph over the history of a training run."""

import builtins
import gc

import PySide6.QtCore  # noqa: F401 - which replaces the import of Python

# PySide6 reads the source of every module that is imported after it, to find out whether that may
# ask for `__feature__`; nothing here does, and it takes a sixth of the program's start.
# And nothing that is loaded is garbage; a window collects that itself, see `GarbageCollector`.
gc.disable()
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
