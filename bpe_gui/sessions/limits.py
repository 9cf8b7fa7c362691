"""How large a session may be, so that no file can ask for more memory than there is.

What is beyond these bounds is refused when it is written, too: a session that cannot be opened
would be worse than none, and worse still in the place of a good one.
"""

from __future__ import annotations

MAX_FILE = 1 << 29
"""Bytes of a file."""

MAX_JSON = 16 << 20
"""Bytes of the JSON in it."""

MAX_TEXT = 64 << 20
"""Bytes of the sample text."""

MAX_UNPACKED = 2 << 30
"""Bytes of everything in a file, unpacked."""

UNPACKED_AT_LEAST, UNPACKED_RATIO = 64 << 20, 300
"""A file may unpack to so many bytes, and besides to so many times its own size."""

MAX_RUNS = 300
"""Branches and other runs."""

MAX_LANES = 1_000

MAX_BOOKMARKS = 10_000
"""For each run."""

MAX_GUESSES = 10_000
"""For each run."""

MAX_LOCKSTEP = 10
"""Runs side by side."""

MAX_INTERVENTIONS = 300
"""For each run."""

MAX_SOURCES = 100_000

LONGEST_NAME = 40_000
"""Characters of a name; more than a field of the window takes."""

LONGEST_SPEC = 40_000
"""Characters of a path, or of what else names a file or an encoding."""

MAX_COUNT = 1 << 60
"""Of bytes or tokens in a corpus."""

MAX_TOKEN = 1 << 27
"""Characters of a token, as the vocabulary writes it: tokens are spelled when they are looked at,
so what counts is how long each of them is, not all together."""
