"""`python -m bpe_gui` is the command `bpe-gui`."""

import sys

from bpe_gui.cli import run

if __name__ == "__main__":
    sys.exit(run())
