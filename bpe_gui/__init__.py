"""Byte-Pair Encoding made visible: train, watch, scrub and compare tokenizers.

>>> import bpe_gui
>>> tokenizer = bpe_gui.train(["low lower lowest"], preset="whitespace", merges=2)
>>> tokenizer.encode("lower").tokens
['low', 'e', 'r', '</w>']
"""

from bpe_gui.version import __version__

TYPE_CHECKING = False  # importing `typing` for it would take longer than all else here
if TYPE_CHECKING:
    from bpe_gui.library import load as load
    from bpe_gui.library import train as train

__all__ = ["__version__", "load", "train"]


def __getattr__(name: str) -> object:
    """Import what a notebook needs when it is asked for: the command line starts without it."""
    if name in ("load", "train"):
        from bpe_gui import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
