"""The window: Qt and pyqtgraph over the history of a training run."""

import builtins
import gc

# Once loaded, PySide6 replaces Python's import, and reads the source of every module that is
# imported, to find out whether that may ask for another spelling of Qt's names; nothing here does,
# and it takes a sixth of the program's start. Wordings are read without Qt, too.
if hasattr(builtins, "__orig_import__"):
    builtins.__import__ = builtins.__orig_import__
    # Nothing that is loaded is garbage; a window collects that itself, see `GarbageCollector`.
    gc.disable()
